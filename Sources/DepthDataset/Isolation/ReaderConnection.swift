internal import CFathomSandbox
import Foundation
import Glibc
internal import FathomPlainText
package import FathomStorage
import Synchronization

/// A process that reads for this one; ended when it is no longer needed, or when others are needed more: it is started again when
/// it is asked again.
///
/// If the system kills it, or does not let it work, it is started and asked once more; if that fails as well, the error is the machine's
/// (`.noRoom`) and not the data's.
package final class ReaderConnection: Sendable {
  package struct Start: Sendable {
    /// What is read, as the user named it.
    package var path: String
    /// What it is to the user: "data set".
    package var noun: String
    package var executable: String, subcommand: String, argument: String
    /// When it is given up.
    package var limits: ProcessWait.Limits
    /// What is sent first, every time that it is started; nil for nothing.
    package var greeting: [UInt8]?
    /// Is emptied before it is started: one that was killed may have left half of its work there. nil for none.
    package var scratch: ScratchFolder?
    /// Opens what the reader gets as its descriptor; the path must still be what it was.
    package var descriptor: @Sendable () throws(FathomError) -> Int32

    /// - Parameter seconds: Of the processor, that it allows itself for an answer. On a busy machine, or from a slow disk, a good answer
    ///   takes many times longer.
    package init(
      path: String, noun: String, executable: String, subcommand: String, argument: some Encodable,
      seconds: Double, scratch: ScratchFolder? = nil,
      descriptor: @escaping @Sendable () throws(FathomError) -> Int32
    ) {
      (self.path, self.noun, self.executable, self.subcommand) = (path, noun, executable, subcommand)
      self.argument = Self.text(argument)
      (limits, self.scratch) = (ProcessWait.Limits(most: 30 * seconds), scratch)
      self.descriptor = descriptor
    }

    fileprivate static func text(_ argument: some Encodable) -> String {
      (try? JSONEncoder().encode(argument)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
  }

  private struct Running: Sendable {
    var number: pid_t, socket: Int32, memory: SharedMemory?
  }

  private struct State: Sendable {
    var start: Start
    var running: Running?
    /// To what bad end it has come: it is not tried again.
    var failure: FathomError?
  }

  private let state: Mutex<State>, path: String, noun: String

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

  /// Says with what it is to be started again. What lies in its scratch folder then stays.
  package func prepare(argument: some Encodable) {
    let text = Start.text(argument)
    state.withLock { ($0.start.argument, $0.start.scratch) = (text, nil) }
  }

  /// Sends a question and takes the answer apart.
  package func ask<Answer>(
    _ question: WireWriter, as body: (inout WireReader) throws(MalformedMessage) -> Answer
  ) throws(FathomError) -> Answer {
    ReaderQueue.use(self)
    var found: Answer?
    try state.withLock { (state) throws(FathomError) in
      if let failure = state.failure { throw failure }
      var answer: WireReader
      do throws(FathomError) { answer = try reply(to: question.bytes, &state) } catch {
        guard error.kind == .noRoom else { throw error }
        state.failure = nil
        answer = try reply(to: question.bytes, &state)
      }
      // Before another question: the answer may lie in the shared memory.
      found = try taken(&answer, body)
    }
    guard let found else { throw impossible }
    return found
  }

  private func taken<Answer>(
    _ answer: inout WireReader, _ body: (inout WireReader) throws(MalformedMessage) -> Answer
  ) throws(FathomError) -> Answer {
    let failure: FathomError
    do throws(MalformedMessage) {
      if try answer.get(UInt8.self) == 0 { return try body(&answer) }
      failure = try answer.json()
    } catch { throw impossible }
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
  package var impossible: FathomError { problem("the process that reads it gave an impossible answer") }

  private func reply(to question: [UInt8], _ state: inout State) throws(FathomError) -> WireReader {
    if state.running == nil { try run(&state) }
    return try exchange(question, &state)
  }

  private func exchange(_ question: [UInt8], _ state: inout State) throws(FathomError) -> WireReader {
    guard let running = state.running else { throw impossible }
    let wait = ProcessWait(for: running.number, state.start.limits)
    do throws(WireSocket.Failure) {
      // Where it has ended meanwhile, it may have said why. If it has not, there is nothing that it could wait for any more.
      do throws(WireSocket.Failure) { try WireSocket.send(question, to: running.socket, within: wait) } catch
      {
        guard error == .closed else { throw error }
        shutdown(running.socket, Int32(SHUT_WR))
      }
      return try WireSocket.receive(
        from: running.socket, most: ReaderProcess.longestAnswer, within: wait, through: running.memory)
    } catch {
      let failure = stopped(error, Self.end(&state, isEnding: error == .closed))
      state.failure = failure
      throw failure
    }
  }

  private func run(_ state: inout State) throws(FathomError) {
    ReaderQueue.add(self)
    let start = state.start
    start.scratch?.empty()
    let file = try start.descriptor()
    defer { close(file) }
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else { throw cannotStart(errno) }
    let memory = fathom_reader_memory(SharedMemory.size)
    defer { if memory >= 0 { close(memory) } }
    let number = fathom_reader_start(
      start.executable, start.subcommand, start.argument, file, ends[1], memory)
    close(ends[1])
    guard number > 0 else {
      close(ends[0])
      throw cannotStart(-number)
    }
    state.running = Running(number: number, socket: ends[0], memory: SharedMemory(memory))
    guard let greeting = start.greeting else { return }
    var answer = try exchange(greeting, &state)
    guard (try? answer.get(UInt8.self)) != 0 else { return }
    let refusal: FathomError? = try? answer.json()
    _ = Self.end(&state)
    if let refusal, !refusal.kind.blamesInput { throw refusal }
    throw problem("it could not be read again")
  }

  /// Brings the end about and waits for it.
  /// - Parameter isEnding: Whether it closed its socket, as a process does a moment before it has ended.
  /// - Returns: How it ended, as `waitpid` tells it; nil where it had to be ended.
  private static func end(_ state: inout State, isEnding: Bool = false) -> Int32? {
    guard let running = state.running else { return nil }
    state.running = nil
    close(running.socket)
    var status: Int32 = 0
    for _ in 0..<(isEnding ? 500 : 1) {
      if waitpid(running.number, &status, WNOHANG) == running.number { return status }
      if isEnding { usleep(10_000) }
    }
    kill(running.number, SIGKILL)
    while waitpid(running.number, &status, 0) < 0, errno == EINTR {}
    return nil
  }

  private func stopped(_ failure: WireSocket.Failure, _ status: Int32?) -> FathomError {
    switch failure {
    case .late: return machineFailure(.processStalls)
    case .tooLong:
      return problem("it holds more than fits into an answer of \(ReaderProcess.longestAnswer >> 20) MB")
    case .closed:
      let signal = (status ?? 0) & 0x7f
      if signal == SIGXCPU {
        return problem("reading it took more processor time than allowed, and was stopped")
      }
      if signal != 0, fathom_ends_itself_by(signal) == 0 { return machineFailure(.processWasKilled) }
      // The system's own code where a program cannot be loaded.
      if let status, status >> 8 & 0xff == 127 { return cannotStart(ENOMEM) }
      return problem("the process that reads it failed: it is damaged, or needs more memory than allowed")
    }
  }

  private func machineFailure(_ fault: SystemFault) -> FathomError {
    FathomError(
      .noRoom, attempted: "read the \(noun)", file: path, reason: "\(fault.words)",
      advice:
        "try again, with more free memory or fewer \(option: "jobs"); if it fails again, check memory and disk"
    )
  }

  private func problem(_ reason: String) -> FathomError {
    FathomError(
      .badData, attempted: "read the \(noun)", file: path, reason: reason,
      advice: "write it again; do not trust it if you do not know who made it")
  }

  private func cannotStart(_ code: Int32) -> FathomError {
    let isShort = [EAGAIN, ENOMEM, EMFILE, ENFILE].contains(code)
    let words = isShort ? SystemFault.noProcess.words : "the process that reads it cannot be started"
    return FathomError(
      isShort ? .noRoom : .inputOutput, attempted: "read the \(noun)", file: path,
      reason: "\(words): \(String(cString: strerror(code)))",
      advice: isShort
        ? "try again; if it fails again, allow more processes, memory and open files (ulimit -a shows the limits)"
        : "check that /proc and /dev/null are there and may be used")
  }
}

extension FathomError {
  /// What is to be handed to a reader could not be opened.
  package static func cannotOpen(_ path: String, noun: String, _ code: Int32) -> FathomError {
    let fault = SystemFault(code)
    return FathomError(
      fault.isOfMachine ? readingKind(fault) : .noInput, attempted: "open the \(noun)", file: path,
      reason: fault.words,
      advice: fault.isOfMachine
        ? "try again; if it fails again, check the disk and the limits of the system"
        : "check the path, and who may read it")
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
