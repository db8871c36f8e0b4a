internal import CSandbox
import Foundation
import Glibc
package import Storage
import Synchronization

/// A process that reads for this one; ended when nobody needs it any more, or when others are needed more: it is started again when
/// it is asked again.
package final class ReaderConnection: Sendable {
  /// How a reader is started.
  package struct Start: Sendable {
    /// What is read, as the user named it.
    package var path: String
    /// What it is to the user: "data set".
    package var noun: String
    package var executable: String, subcommand: String, argument: String
    /// Seconds that it may take to answer.
    package var patience: Double
    /// What is sent first, every time that it is started; nil for nothing.
    package var greeting: [UInt8]?
    /// Opens what the reader gets as its descriptor; the path must still be what it was.
    package var descriptor: @Sendable () throws(FathomError) -> Int32

    package init(
      path: String, noun: String, executable: String, subcommand: String, argument: some Encodable,
      patience: Double,
      descriptor: @escaping @Sendable () throws(FathomError) -> Int32
    ) {
      (self.path, self.noun, self.executable, self.subcommand) = (path, noun, executable, subcommand)
      self.argument = Self.text(argument)
      (self.patience, self.descriptor) = (patience, descriptor)
    }

    fileprivate static func text(_ argument: some Encodable) -> String {
      (try? JSONEncoder().encode(argument)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
  }

  private struct Running: Sendable {
    var number: pid_t
    var socket: Int32
  }

  private struct State: Sendable {
    var start: Start
    var running: Running?
    /// Whether it has come to a bad end: it is not tried again.
    var hasFailed = false
  }

  private let state: Mutex<State>
  private let path: String, noun: String

  /// Starts it.
  package init(_ start: Start) throws(FathomError) {
    (path, noun) = (start.path, start.noun)
    state = Mutex(State(start: start, running: nil))
    try begin()
  }

  private func begin() throws(FathomError) {
    try state.withLock { (state) throws(FathomError) in try run(&state) }
  }

  deinit { state.withLock { _ = Self.end(&$0) } }

  /// Says what is to be sent first where the reader must be started again.
  package func prepare(greeting: [UInt8]) { state.withLock { $0.start.greeting = greeting } }

  /// Says with what it is to be started again.
  package func prepare(argument: some Encodable) {
    let text = Start.text(argument)
    state.withLock { $0.start.argument = text }
  }

  /// Sends a question and takes the answer apart.
  package func ask<Answer>(
    _ question: WireWriter, as body: (inout WireReader) throws(MalformedMessage) -> Answer
  ) throws(FathomError) -> Answer {
    ReaderQueue.use(self)
    let bytes = try state.withLock { (state) throws(FathomError) in
      guard !state.hasFailed else { throw stopped(.closed, by: 0, 0) }
      if state.running == nil { try run(&state) }
      return try exchange(question.bytes, &state)
    }
    var answer = WireReader(bytes)
    let failure: FathomError
    do throws(MalformedMessage) {
      if try answer.get(UInt8.self) == 0 { return try body(&answer) }
      failure = try answer.json()
    } catch {
      throw impossible
    }
    throw failure
  }

  /// The same of a request with numbers.
  func ask<Answer>(
    _ request: ReaderRequest, _ numbers: Int...,
    as body: (inout WireReader) throws(MalformedMessage) -> Answer
  ) throws(FathomError) -> Answer {
    var wire = WireWriter()
    wire.put(request.rawValue)
    for index in 0..<3 { wire.put(index < numbers.count ? numbers[index] : 0) }
    return try ask(wire, as: body)
  }

  /// Ends the process unless it is at work; the next question starts it again.
  fileprivate func rest() { _ = state.withLockIfAvailable { _ = Self.end(&$0) } }

  /// An answer that no reader would give.
  package var impossible: FathomError {
    problem("the process that reads it gave an answer that cannot be")
  }

  private func exchange(_ question: [UInt8], _ state: inout State) throws(FathomError) -> [UInt8] {
    guard let running = state.running else { throw impossible }
    let patience = state.start.patience
    do throws(WireSocket.Failure) {
      // Where it has ended meanwhile, it may have said why. If it has not, there is nothing that it could wait for any more.
      do throws(WireSocket.Failure) { try WireSocket.send(question, to: running.socket) } catch {
        shutdown(running.socket, Int32(SHUT_WR))
      }
      return try WireSocket.receive(from: running.socket, most: ReaderProcess.longestAnswer, within: patience)
    } catch {
      state.hasFailed = true
      throw stopped(error, by: Self.end(&state) & 0x7f, patience)
    }
  }

  private func run(_ state: inout State) throws(FathomError) {
    ReaderQueue.add(self)
    let start = state.start
    let file = try start.descriptor()
    defer { close(file) }
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else {
      throw cannotStart(errno)
    }
    let number = fathom_reader_start(start.executable, start.subcommand, start.argument, file, ends[1])
    close(ends[1])
    guard number > 0 else {
      close(ends[0])
      throw cannotStart(-number)
    }
    state.running = Running(number: number, socket: ends[0])
    guard let greeting = start.greeting else { return }
    let answer = try exchange(greeting, &state)
    guard answer.first == 0 else {
      _ = Self.end(&state)
      throw problem("it could not be read again")
    }
  }

  /// Brings the end about and waits for it; of a process that has ended already, tells how.
  private static func end(_ state: inout State) -> Int32 {
    guard let running = state.running else { return 0 }
    close(running.socket)
    kill(running.number, SIGKILL)
    var status: Int32 = 0
    while waitpid(running.number, &status, 0) < 0, errno == EINTR {}
    state.running = nil
    return status
  }

  private func stopped(_ failure: WireSocket.Failure, by signal: Int32, _ patience: Double) -> FathomError {
    switch failure {
    case .late: problem("reading it took longer than \(Int(patience)) s, and was stopped")
    case .tooLong:
      problem("it holds more than fits into an answer of \(ReaderProcess.longestAnswer >> 20) MB")
    case .closed where signal == SIGXCPU || signal == SIGKILL:
      problem("reading it took more time or memory than allowed, and was stopped")
    case .closed:
      problem("the process that reads it failed: it is damaged, or needs more memory than allowed")
    }
  }

  private func problem(_ reason: String) -> FathomError {
    FathomError(
      .badData, attempted: "read the \(noun)", file: path, reason: reason,
      advice: "write it anew; do not trust it if you do not know who made it")
  }

  private func cannotStart(_ code: Int32) -> FathomError {
    FathomError(
      .inputOutput, attempted: "read the \(noun)", file: path,
      reason: "the process that reads it cannot be started: \(String(cString: strerror(code)))",
      advice: "allow more processes and open files")
  }
}

/// The readers that run, the one that was asked last at the end: of many, those that were not asked for longest give way.
private enum ReaderQueue {
  private struct Entry: Sendable {
    weak var connection: ReaderConnection?
  }

  private static let entries = Mutex<[Entry]>([])

  /// One that is about to start.
  static func add(_ connection: ReaderConnection) {
    let idle = entries.withLock { entries in
      entries.removeAll { $0.connection == nil || $0.connection === connection }
      let surplus = max(0, entries.count + 1 - ReaderProcess.most)
      let idle = entries.prefix(surplus).compactMap(\.connection)
      entries.removeFirst(surplus)
      entries.append(Entry(connection: connection))
      return idle
    }
    for connection in idle { connection.rest() }
  }

  static func use(_ connection: ReaderConnection) {
    entries.withLock { entries in
      guard let place = entries.firstIndex(where: { $0.connection === connection }) else { return }
      entries.append(entries.remove(at: place))
    }
  }
}
