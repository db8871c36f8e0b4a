internal import CFathomSandbox
internal import DepthCore
import Foundation
internal import FathomHDF5
internal import FathomStorage
import Synchronization

/// Where data sets are read: what a damaged or hostile file does to HDF5 must not happen to who asks.
public enum ReaderProcess {
  /// The subcommand that makes an executable a reader of data sets.
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
  /// Bytes of one answer, and of one question.
  static let longestAnswer = 768 << 20
  static let longestQuestion = 64 << 20
  /// Readers that run at once: more data sets take turns.
  static let most = 8
  /// Seconds of the processor that an answer may take: of a short file little, of a long one as long as it takes to unpack all of it.
  package static func patience(_ byteCount: Int) -> Double { 10 + Double(byteCount) / 4e6 }

  /// Whether the process was started as a reader of a data set; does not return then. To be called before anything else is done.
  public static func serveIfAsked() {
    guard let options: ReaderOptions = ReaderService.options(of: subcommand) else { return }
    let places = options.external.places(besides: options.path)
    let layers = ReaderService.confine(
      ReaderRules(paths: places.isEmpty ? [] : [options.path] + places, isLinked: !places.isEmpty))
    if let refusal = ReaderLayers.refusal(layers, options.needsAllLayers, "data set", options.path) {
      ReaderService.refuse(refusal)
    } else {
      serve(options, layers)
    }
    _exit(0)
  }

  private static func serve(_ options: ReaderOptions, _ layers: Int32) {
    var seconds = 10.0, status = stat()
    if fstat(FATHOM_READER_FILE, &status) == 0 { seconds = patience(Int(status.st_size)) }
    fathom_reader_allow_seconds(UInt(seconds))
    let desk: Desk
    do throws(FathomError) {
      let opened = Result { () throws(FathomError) in try Desk(options) }
      try ReaderService.requireDisk(of: options.path)
      desk = try opened.get()
    } catch {
      ReaderService.refuse(error)
      return
    }
    ReaderService.answer(about: options.path, within: seconds) { question throws in
      try answer(&question, desk.reader, layers)
    }
  }

  /// Holds the reader for as long as questions come.
  private final class Desk {
    let reader: DatasetReader

    init(_ options: ReaderOptions) throws(FathomError) {
      reader = try DatasetReader(
        readingFrom: options.path, validation: options.isLenient ? .lenient : .strict,
        external: options.external,
        location: options.external.places(besides: options.path).isEmpty
          ? "/proc/self/fd/\(FATHOM_READER_FILE)" : nil)
    }
  }

  private static func answer(
    _ question: inout WireReader, _ reader: borrowing DatasetReader, _ layers: Int32
  ) throws -> [UInt8] {
    guard let request = ReaderRequest(rawValue: try question.get()) else { throw MalformedMessage() }
    var wire = WireWriter()
    wire.put(UInt8(0))
    switch request {
    case .open:
      try wire.put(
        json: OpenedDataset(
          schemaVersion: reader.schemaVersion, attributes: reader.attributes, scenes: reader.scenes,
          issues: reader.issues, externalNames: reader.sources.external.map(\.name),
          externalPaths: reader.sources.external.map(\.path), layers: layers))
    case .inspect: try wire.put(json: DatasetInspection(of: reader))
    default: try wire.put(answerTo: request, &question, of: reader)
    }
    return wire.bytes
  }
}
