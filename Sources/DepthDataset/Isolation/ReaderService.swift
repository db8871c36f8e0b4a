internal import CFathomSandbox
internal import DepthCore
import Foundation
internal import FathomHDF5
internal import FathomPlainText
package import FathomStorage

/// What a reader may do besides computing and answering; goes to it before it looks at anything.
package struct ReaderRules: Codable, Sendable {
  /// Whether it is a data set that may lead to other files, those of ``paths``.
  package var isLinked = false
  /// Files and folders that may be read, with what is in these; with none, the file that was handed over.
  package var paths: [String] = []
  /// A folder in which files may be made; nil for none.
  package var scratch: String?
  /// Bytes of the longest of these.
  package var longestFile = 0
  /// Whether nothing is read unless all layers are active.
  package var needsAllLayers = ReaderLayers.areRequired

  /// - Parameter paths: With none, the file that was handed over.
  package init(paths: [String] = [], isLinked: Bool = false) {
    (self.paths, self.isLinked) = (paths, isLinked)
  }
}

/// The reader's side of a connection.
package enum ReaderService {
  /// What the process was started with as a reader; nil where it was not.
  package static func options<Options: Decodable>(of subcommand: String) -> Options? {
    let words = CommandLine.arguments
    guard words.count == 3, words[1] == subcommand else { return nil }
    // Before anything else gets the descriptor's number.
    _ = memory
    // Who asks says when it ends, also where a key or a scheduler signals the whole group.
    for number in [SIGINT, SIGTERM] { signal(number, SIG_IGN) }
    guard let options = try? JSONDecoder().decode(Options.self, from: Data(words[2].utf8)) else { _exit(64) }
    return options
  }

  private static let memory: SharedMemory? = {
    defer { close(FATHOM_READER_MEMORY) }
    return SharedMemory(FATHOM_READER_MEMORY)
  }()

  /// Takes away what is not needed; called again, more of it.
  /// - Returns: The layers that are active, as bits of `FATHOM_LAYER_…`.
  package static func confine(_ rules: ReaderRules) -> Int32 {
    let paths = rules.paths.map { strdup($0) }
    let scratch = rules.scratch.flatMap { strdup($0) }
    defer {
      for path in paths { free(path) }
      free(scratch)
    }
    let places = paths.map { UnsafePointer($0) }
    return places.withUnsafeBufferPointer { places in
      var plain = fathom_reader_rules(
        memory: UInt(ReaderProcess.memory), is_linked: rules.isLinked ? 1 : 0, paths: places.baseAddress,
        path_count: UInt(places.count), scratch: scratch, longest_file: UInt(rules.longestFile))
      return fathom_reader_confine(&plain)
    }
  }

  /// Answers questions until the other end closes.
  /// - Parameter path: What they are about.
  /// - Parameter seconds: Processor time that one answer may take.
  /// - Parameter body: Gives an answer, which begins with 0; a `FathomError` that it throws is sent, anything else ends the reader.
  package static func answer(
    about path: String, within seconds: Double, _ body: (inout WireReader) throws -> [UInt8]
  ) {
    let socket = FATHOM_READER_SOCKET
    while var question = try? WireSocket.receive(from: socket, most: ReaderProcess.longestQuestion) {
      allow(seconds: seconds)
      do {
        let answer = Result { try body(&question) }
        try requireDisk(of: path)
        try WireSocket.send(try answer.get(), to: socket, through: memory)
      } catch let error as FathomError {
        guard refuse(error) else { return }
      } catch { return }
    }
  }

  /// What was found while a disk failed says nothing about the file.
  static func requireDisk(of path: String) throws(FathomError) {
    guard let code = HDF5Library.machineError else { return }
    throw FathomError(
      .inputOutput, attempted: "read the file", file: path, reason: SystemFault(code).words,
      advice: "check the disk, and try again")
  }

  package static func allow(seconds: Double) { fathom_reader_allow_seconds(UInt(seconds)) }

  /// Says why there is no answer.
  @discardableResult package static func refuse(_ error: FathomError) -> Bool {
    var wire = WireWriter()
    guard (try? wire.put(failure: error)) != nil else { return false }
    return (try? WireSocket.send(wire.bytes, to: FATHOM_READER_SOCKET)) != nil
  }
}

extension WireWriter {
  /// What any source can be asked about a scene: the scene's position, a number, and what is wanted of it.
  package mutating func put(
    answerTo request: ReaderRequest, _ question: inout WireReader,
    of source: borrowing some FrameSource & ~Copyable
  ) throws {
    let (position, number, bits) = (
      try question.get(Int.self), try question.get(Int.self), try question.get(Int.self)
    )
    guard source.scenes.indices.contains(position) else { throw MalformedMessage() }
    let scene = source.scenes[position]
    switch request {
    case .open, .inspect: throw MalformedMessage()
    case .frame:
      let arrays = FrameArrays(rawValue: bits)
      put(try source.frame(number, of: scene, including: arrays), of: scene, including: arrays)
    case .objects: put(try source.objects(of: scene, includingMasks: bits != 0)) { $0.put($1) }
    case .mask:
      put(try source.mask(ofObject: number, in: scene)) { wire, mask in
        wire.put(mask.width)
        wire.put(mask.height)
        wire.put(mask)
      }
    case .detectorOutput: put(try source.detectorOutput(frame: number, of: scene)) { $0.put($1) }
    }
  }
}
