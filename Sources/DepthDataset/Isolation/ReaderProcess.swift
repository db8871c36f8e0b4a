internal import CSandbox
internal import DepthCore
import Foundation
internal import HDF5
internal import Storage
import Synchronization

/// Where data sets are read: what a damaged or hostile file does to HDF5 must not happen to who asks.
public enum ReaderProcess {
  /// The subcommand that makes an executable a reader.
  public static let subcommand = "__read"

  private static let isolation = Mutex<String?>(nil)

  /// The program that reads from now on, in a process of its own for each data set: one whose `main` calls
  /// ``serveIfAsked()`` first, "/proc/self/exe" for this one. With nil, as at first, this process reads.
  public static var executable: String? {
    get { isolation.withLock { $0 } }
    set { isolation.withLock { $0 = newValue } }
  }

  /// Bytes that a reader may take.
  static let memory: UInt = 832 << 20
  /// Bytes of one answer.
  static let longestAnswer = 768 << 20

  /// Seconds that an answer may take: of a short file little, of a long one as long as a slow disk takes.
  static func patience(_ byteCount: Int) -> Double { 10 + Double(byteCount) / 4e6 }

  /// Whether the process was started as a reader; does not return then. To be called before anything else is done.
  public static func serveIfAsked() {
    let words = CommandLine.arguments
    guard words.count == 3, words[1] == subcommand else { return }
    guard let options = try? JSONDecoder().decode(ReaderOptions.self, from: Data(words[2].utf8)) else {
      _exit(64)
    }
    let layers = fathom_reader_confine(UInt(memory), options.allowsExternal ? 1 : 0)
    serve(options, layers)
    _exit(0)
  }

  private static func serve(_ options: ReaderOptions, _ layers: Int32) {
    let socket = FATHOM_READER_SOCKET
    var seconds = 10.0
    var status = stat()
    if fstat(FATHOM_READER_FILE, &status) == 0 { seconds = patience(Int(status.st_size)) }
    fathom_reader_allow_seconds(UInt(seconds))
    let reader: DatasetReader
    do throws(FathomError) {
      reader = try DatasetReader(
        readingFrom: options.path, validation: options.isLenient ? .lenient : .strict,
        allowsExternal: options.allowsExternal,
        location: options.allowsExternal ? nil : "/proc/self/fd/\(FATHOM_READER_FILE)")
    } catch {
      _ = try? WireSocket.send(failure(error), to: socket)
      return
    }
    while let bytes = try? WireSocket.receive(from: socket, most: 1 << 20, within: nil) {
      fathom_reader_allow_seconds(UInt(seconds))
      var question = WireReader(bytes)
      guard let answer = try? answer(&question, reader, layers),
        (try? WireSocket.send(answer, to: socket)) != nil
      else { return }
    }
  }

  private static func failure(_ error: FathomError) -> [UInt8] {
    var wire = WireWriter()
    wire.put(UInt8(1))
    wire.put(error)
    return wire.bytes
  }

  private static func answer(
    _ question: inout WireReader, _ reader: borrowing DatasetReader, _ layers: Int32
  ) throws -> [UInt8] {
    guard let request = ReaderRequest(rawValue: try question.get()) else { throw MalformedMessage() }
    let (position, number, bits) = (
      try question.get(Int.self), try question.get(Int.self), try question.get(Int.self)
    )
    var wire = WireWriter()
    wire.put(UInt8(0))
    do {
      switch request {
      case .open:
        try wire.put(
          json: OpenedDataset(
            schemaVersion: reader.schemaVersion, attributes: reader.attributes, scenes: reader.scenes,
            issues: reader.issues, externalNames: reader.sources.external.map(\.name),
            externalPaths: reader.sources.external.map(\.path), layers: layers))
        return wire.bytes
      case .inspect:
        try wire.put(json: DatasetInspection(of: reader))
        return wire.bytes
      default: break
      }
      guard reader.scenes.indices.contains(position) else { throw MalformedMessage() }
      let scene = reader.scenes[position]
      switch request {
      case .open, .inspect: break
      case .frame: wire.put(try reader.frame(number, of: scene, including: FrameArrays(rawValue: bits)))
      case .objects: wire.put(try reader.objects(of: scene, includingMasks: bits != 0)) { $0.put($1) }
      case .mask:
        wire.put(try reader.mask(ofObject: number, in: scene)) { wire, mask in
          wire.put(mask.width)
          wire.put(mask.height)
          wire.put(mask)
        }
      case .detectorOutput:
        wire.put(try reader.detectorOutput(frame: number, of: scene)) { $0.put($1) }
      }
      return wire.bytes
    } catch let error as FathomError {
      return failure(error)
    }
  }
}
