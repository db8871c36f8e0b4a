internal import DepthCore
internal import DepthDataset
internal import FathomMapFiles
internal import FathomPlainText
private import Glibc
package import FathomStorage

extension MapSeries {
  /// Opens it in the process that `ReaderProcess.executable` names, or in this one.
  /// - Throws: `FathomError` as ``init(here:)``, and where the reader fails.
  package static func opened(_ setup: Setup) throws(FathomError) -> MapSeries {
    guard let executable = ReaderProcess.executable else { return try MapSeries(here: setup) }
    let path = setup.request.path
    var start = RecordingStart(path: path)
    let files = setup.places.map { Set($0.map(\.path)) } ?? [path]
    // Files that a list names lie in other folders, too.
    let folders = Set(files.map { ImportOptions.absolute(PathText.folder(of: $0)) })
    start.rules = ReaderRules(paths: setup.request.paths + (setup.places == nil ? [] : folders.sorted()))
    start.seconds = patience(files)
    let process = try RecordingReader.process(start, executable, noun: setup.title)
    let question = try RecordingReader.question(.series, setup)
    let isPicture = setup.content == .picture
    let most = isPicture ? SchemaLimits.imagePixels : SchemaLimits.mapPixels
    let description: Description = try process.ask(question) { (wire) throws(MalformedMessage) in
      let description: Description = try wire.json()
      guard !description.sizes.isEmpty, description.sizes.allSatisfy({ $0.isWithin(most) }),
        setup.places.map({ $0.count == description.sizes.count }) ?? true,
        description.firstOfWholeNumbers.map(description.sizes.indices.contains) ?? true,
        description.meaning == nil || setup.content == .prediction,
        setup.content != .prediction || [nil, description.meaning].contains(setup.request.meaning)
      else { throw MalformedMessage() }
      return description
    }
    ReaderLayers.note(description.layers)
    process.prepare(greeting: question.bytes)
    return MapSeries(setup, description) { (index) throws(FrameMaps.MapFault) in
      var question = WireWriter()
      question.put(RecordingQuestion.layer.rawValue)
      question.put(index)
      let size = description.sizes[index]
      let outcome: Result<Layer, FrameMaps.MapFault>
      do throws(FathomError) {
        outcome = try process.ask(question) {
          (wire) throws(MalformedMessage) -> Result<Layer, FrameMaps.MapFault> in
          if let fault = try wire.mapFault() { return .failure(fault) }
          return .success(isPicture ? .picture(try wire.image(size)) : .map(try wire.raster(size)))
        }
      } catch {
        throw FrameMaps.MapFault(
          file: path, reason: error.reasonWording.onCommandLine,
          kind: error.kind.blamesMachine ? error.kind : .badData)
      }
      return try outcome.get()
    }
  }

  /// Seconds that an answer may take, from the sizes of the files.
  private static func patience(_ files: Set<String>) -> Double {
    var (status, bytes) = (stat(), 0)
    for file in files where stat(file, &status) == 0 { bytes += Int(status.st_size) }
    return ReaderProcess.patience(bytes) + Double(files.count) / 20
  }
}

extension WireReader {
  /// Why there is no map; nil where one follows.
  mutating func mapFault() throws(MalformedMessage) -> FrameMaps.MapFault? {
    if try get(UInt8.self) == 0 { return nil }
    let (file, reason) = (try text(), try text())
    guard let kind = FathomError.Kind(rawValue: try get()) else { throw MalformedMessage() }
    return FrameMaps.MapFault(file: file, reason: reason, kind: kind)
  }
}

extension WireWriter {
  mutating func put(_ fault: FrameMaps.MapFault) {
    put(UInt8(1))
    put(fault.file)
    put(fault.reason)
    put(fault.kind.rawValue)
  }
}
