import DepthCore
import DepthDataset
public import DepthImport
internal import DepthMapSets
import FathomRunFolders
import FathomStorage
import FathomTables
import Foundation

extension ImportJob {
  /// A data set of maps of networks and a truth in folders.
  public init(maps: MapSetRequest, to output: String) {
    self.init(maps.place, to: output)
    self.maps = maps
    // Conventions are found by the LiDAR.
    diagnoses = false
  }

  /// Writes the data set, of schema version 3: it has no LiDAR.
  func run(_ request: MapSetRequest, _ observe: JobObserver) async throws(FathomError) -> Result {
    let source = try MapSetSource(request)
    for issue in source.issues { observe(.noticed(.schema(path: issue.object, issue))) }
    var attributes = DatasetAttributes()
    (attributes.name, attributes.createdBy) = (
      URL(fileURLWithPath: output).deletingPathExtension().lastPathComponent, Version.name
    )
    var writer = try DatasetWriter(creating: output, attributes: attributes, overwrite: overwrite)
    observe(.began(.importing, steps: source.scenes.reduce(0) { $0 + $1.frameCount }))
    var written: [SceneHeader] = []
    for scene in source.scenes {
      var header = scene
      header.predictions.sort { $0.name < $1.name }
      header.importRecord = record(of: scene, request, source)
      try writer.addScene(header)
      var failure: FathomError?
      try await FrameStream(0..<scene.frameCount, jobs: jobs).run {
        (index) throws(FathomError) -> DepthFrame in
        if let failure { throw failure }
        return try source.frame(index, of: scene, including: .all)
      } work: { frame in
        var frame = frame
        frame.predictions.sort { $0.header.name < $1.header.name }
        return CompressedFrame(frame)
      } take: { _, frame in
        guard failure == nil else { return }
        do throws(FathomError) { try writer.write(frame, to: header.name) } catch { failure = error }
        observe(.advanced)
      }
      if let failure { throw failure }
      written.append(header)
    }
    try source.sources.requireUnchanged()
    try writer.commit()
    return Result(
      title: "maps and a truth, matched \(source.matching)", evidence: [], scenes: written, diagnosis: nil)
  }

  private func record(
    of scene: SceneHeader, _ request: MapSetRequest, _ source: MapSetSource
  ) -> ImportRecord {
    func name(_ path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }
    var record = ImportRecord(format: "maps", recording: name(request.place))
    func add(_ step: ImportRecord.Step, _ subject: String, _ words: String) {
      record.entries.append(ImportRecord.Entry(step, subject, words))
    }
    add(.declared, "frames", "matched \(source.matching)")
    add(.declared, "truth", request.truthScale.map { "\($0) m a count" } ?? "metres, or as the format says")
    for maps in request.predictions {
      let kind = scene.predictions.first { $0.name == maps.name }?.kind?.rawValue ?? "unknown"
      let found = source.meaning(of: maps.name ?? "")
      let unit = found.flatMap { $0.meaning.factor == 1 ? nil : $0.meaning.rawValue }
      let taken = unit.map { "\($0), stored in metres" } ?? kind
      let reason = found?.evidence.map { ": \($0)" } ?? ""
      add(
        reason.isEmpty ? .declared : .assumed, "prediction \(maps.name ?? "")",
        "\(name(maps.path)), \(taken)\(reason)")
    }
    for maps in request.deviations ?? [] {
      let unit = maps.unit == .confidence ? "larger is surer" : maps.unit.rawValue
      add(.declared, "\(maps.certainty.rawValue) \(maps.name)", "\(name(maps.path)), \(unit)")
    }
    if let path = request.truthDeviation { add(.declared, "deviation of the truth", name(path)) }
    if source.convertsRays { add(.converted, "truth", "distances along the ray are depth") }
    return record
  }
}
