internal import CSandbox
public import DepthCore
import Foundation
import Glibc
internal import HDF5
public import Storage

/// A data set that another process reads: what that process says is checked, and its end is an error like any other.
public final class RemoteSource: FrameSource {
  public let path: String
  public let scenes: [SceneHeader]
  public let issues: [SchemaIssue]
  public let sources: SourceFiles
  public let protections: [String]?

  private let process: Process
  private let positions: [String: Int]

  /// - Throws: `FathomError` as `DatasetReader`, and where the reader ends or does not answer.
  init(
    _ path: String, executable: String, validation: ValidationMode, allowsExternal: Bool
  ) throws(FathomError) {
    process = try Process(
      path, executable,
      ReaderOptions(path: path, isLenient: validation == .lenient, allowsExternal: allowsExternal))
    let opened: OpenedDataset = try process.ask(.open) { (wire) throws(MalformedMessage) in
      let opened: OpenedDataset = try wire.json()
      guard opened.scenes.count <= SchemaLimits.scenes, opened.scenes.allSatisfy(\.isSensible),
        opened.externalNames.count == opened.externalPaths.count,
        allowsExternal || opened.externalNames.isEmpty
      else { throw MalformedMessage() }
      return opened
    }
    self.path = path
    (scenes, issues) = (opened.scenes, opened.issues)
    positions = Dictionary(
      opened.scenes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    sources = try process.sources.leading(
      to: zip(opened.externalNames, opened.externalPaths).map { ($0, $1) })
    protections = [
      (FATHOM_LAYER_LIMITS, "limits"), (FATHOM_LAYER_LANDLOCK, "Landlock"), (FATHOM_LAYER_SECCOMP, "seccomp"),
    ].filter { opened.layers & $0.0 != 0 }.map(\.1)
  }

  /// Everything that can be said about a file, found by another process.
  static func inspection(
    of path: String, executable: String, allowsExternal: Bool
  ) throws(FathomError) -> DatasetInspection {
    let process = try Process(
      path, executable, ReaderOptions(path: path, isLenient: true, allowsExternal: allowsExternal))
    var inspection: DatasetInspection = try process.ask(.inspect) { (wire) throws(MalformedMessage) in
      try wire.json()
    }
    (inspection.path, inspection.byteCount) = (path, process.sources.byteCount)
    try process.sources.requireUnchanged()
    return inspection
  }

  public func frame(
    _ index: Int, of scene: SceneHeader, including arrays: FrameArrays
  ) throws(FathomError) -> DepthFrame {
    let known = try position(of: scene)
    return try process.ask(.frame, known, index, arrays.rawValue) {
      [scenes] (wire) throws(MalformedMessage) in
      try wire.frame(index, of: scenes[known], including: arrays)
    }
  }

  public func objects(of scene: SceneHeader, includingMasks: Bool) throws(FathomError) -> SceneObjects? {
    let known = try position(of: scene)
    return try process.ask(.objects, known, 0, includingMasks ? 1 : 0) {
      [scenes] (wire) throws(MalformedMessage) in
      try wire.optional { (wire) throws(MalformedMessage) in try wire.objects(of: scenes[known]) }
    }
  }

  public func mask(ofObject index: Int, in scene: SceneHeader) throws(FathomError) -> Raster<Float>? {
    try process.ask(.mask, try position(of: scene), index) { (wire) throws(MalformedMessage) in
      try wire.optional { (wire) throws(MalformedMessage) in try wire.mask() }
    }
  }

  public func detectorOutput(
    frame index: Int, of scene: SceneHeader
  ) throws(FathomError) -> DetectorOutput? {
    let known = try position(of: scene)
    return try process.ask(.detectorOutput, known, index) { [scenes] (wire) throws(MalformedMessage) in
      try wire.optional { (wire) throws(MalformedMessage) in
        let (predictions, prototypes) = (try wire.array(of: Float.self), try wire.array(of: Float.self))
        guard let head = scenes[known].detector, predictions.count == head.rowCount * head.anchorCount,
          prototypes.count == head.coefficientCount * head.prototypeSize.count
        else { throw MalformedMessage() }
        return DetectorOutput(head: head, predictions: predictions, prototypes: prototypes)
      }
    }
  }

  private func position(of scene: SceneHeader) throws(FathomError) -> Int {
    if let position = positions[scene.name] { return position }
    throw FathomError(
      .badData, attempted: "read scene '\(scene.name)'", file: path, object: "scenes/\(scene.name)",
      reason: "there is no such scene",
      advice: "choose one of \(scenes.map(\.name).joined(separator: ", "))")
  }
}

extension RemoteSource {
  /// A running reader; ended when nobody needs it any more.
  final class Process {
    let sources: SourceFiles
    private let path: String
    private var number: pid_t
    private let socket: Int32
    private let patience: Double

    init(_ path: String, _ executable: String, _ options: ReaderOptions) throws(FathomError) {
      let sources = try SourceFiles(ofFile: path, attempted: "open the data set")
      let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      defer { if file >= 0 { close(file) } }
      guard file >= 0, sources.isOf(descriptor: file) else {
        throw FathomError(
          .badData, attempted: "open the data set", file: path, reason: "it was replaced while it was opened",
          advice: "try again when nothing writes it")
      }
      var ends: [Int32] = [-1, -1]
      let argument = (try? JSONEncoder().encode(options)).map { String(decoding: $0, as: UTF8.self) } ?? ""
      guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0
      else {
        throw Self.cannotStart(path, errno)
      }
      let started = fathom_reader_start(executable, ReaderProcess.subcommand, argument, file, ends[1])
      close(ends[1])
      guard started > 0 else {
        close(ends[0])
        throw Self.cannotStart(path, -started)
      }
      (self.path, self.sources, number, socket) = (path, sources, started, ends[0])
      patience = ReaderProcess.patience(sources.byteCount)
    }

    deinit {
      close(socket)
      end()
    }

    /// Sends a question and takes the answer apart.
    func ask<Answer>(
      _ request: ReaderRequest, _ numbers: Int...,
      as body: (inout WireReader) throws(MalformedMessage) -> Answer
    ) throws(FathomError) -> Answer {
      var wire = WireWriter()
      wire.put(request.rawValue)
      for index in 0..<3 { wire.put(index < numbers.count ? numbers[index] : 0) }
      let bytes: [UInt8]
      do throws(WireSocket.Failure) {
        // Where it has ended meanwhile, it may have said why.
        do throws(WireSocket.Failure) { try WireSocket.send(wire.bytes, to: socket) } catch {}
        bytes = try WireSocket.receive(from: socket, most: ReaderProcess.longestAnswer, within: patience)
      } catch {
        throw stopped(error)
      }
      var answer = WireReader(bytes)
      let failure: FathomError
      do throws(MalformedMessage) {
        if try answer.get(UInt8.self) == 0 { return try body(&answer) }
        failure = try answer.error(path)
      } catch {
        throw problem("the process that reads it gave an answer that cannot be")
      }
      throw failure
    }

    private func stopped(_ failure: WireSocket.Failure) -> FathomError {
      let signal = end() & 0x7f
      switch failure {
      case .late: return problem("reading it took longer than \(Int(patience)) s, and was stopped")
      case .tooLong:
        return problem("it holds more than fits into an answer of \(ReaderProcess.longestAnswer >> 20) MB")
      case .closed where signal == SIGXCPU || signal == SIGKILL:
        return problem("reading it took more time or memory than allowed, and was stopped")
      case .closed:
        return problem("the process that reads it failed: it is damaged, or needs more memory than allowed")
      }
    }

    private func problem(_ reason: String) -> FathomError {
      FathomError(
        .badData, attempted: "read the data set", file: path, reason: reason,
        advice: "write it anew; do not trust it if you do not know who made it")
    }

    /// Brings the end about and waits for it; of a process that has ended already, tells how.
    @discardableResult
    private func end() -> Int32 {
      guard number > 0 else { return 0 }
      kill(number, SIGKILL)
      var status: Int32 = 0
      while waitpid(number, &status, 0) < 0, errno == EINTR {}
      number = 0
      return status
    }

    private static func cannotStart(_ path: String, _ code: Int32) -> FathomError {
      FathomError(
        .inputOutput, attempted: "read the data set", file: path,
        reason: "the process that reads it cannot be started: \(String(cString: strerror(code)))",
        advice: "allow more processes and open files")
    }
  }
}
