import FathomTables
import FathomPlainText
public import DepthCore
import DepthDataset
public import DepthImport
import FathomStorage

/// Makes a data set of somebody's recording: what `fathom import` does.
public struct ImportJob: Sendable {
  /// The recording's folder.
  public var path: String
  /// The data set to be.
  public var output: String
  /// Name of the format; nil where the files show it.
  public var format: String?
  /// File of a mapping, in the place of a format.
  public var mapping: String?
  /// Maps of networks and a truth, in the place of a recording.
  var maps: MapSetRequest?
  /// What the user says about the recording.
  public var options = ImportOptions()
  /// Frames of the recording.
  public var frames: FrameRange?
  /// Whether what was written is diagnosed, and the seed of that.
  public var diagnoses = true
  public var seed: UInt64 = 0, jobs = 1, overwrite = false
  public init(_ path: String, to output: String) { (self.path, self.output) = (path, output) }

  /// What was made.
  public struct Result: Sendable {
    /// What people call the format, and by which files it was recognised; nil where it was named, empty for maps.
    public var title: String, evidence: [String]?
    public var scenes: [SceneHeader]
    /// What the data say about what was declared; nil where that was not asked for.
    public var diagnosis: DatasetDiagnosis?
  }

  /// Imports, then diagnoses what was written, where that is wanted. Frames that cannot be read are skipped; the record of each scene names them.
  ///
  /// A long import leaves finished parts in OUTPUT.parts where it is interrupted, and takes them where it is run again.
  /// - Throws: `FathomError` as ``FolderRecording`` and `DatasetWriter` do; no data set is left then.
  public func run(_ observe: JobObserver = { _ in }) async throws -> Result {
    try AtomicFile.check(output, overwrite: overwrite)
    if let maps { return try await run(maps, observe) }
    let parts = ImportParts(beside: output)
    var recording = try open()
    do throws(FathomError) {
      // A file that looks whole and cannot be decoded is rare: then all are tried, and the rest is written anew.
      while true {
        let unusable = try await write(recording, parts, observe)
        if unusable.isEmpty { break }
        recording = try recording.without(unusable)
      }
    } catch {
      // The same files would end the same way.
      if error.kind == .badData { parts.remove() }
      throw error
    }
    parts.remove()
    var job = DiagnoseJob(output)
    job.seed = seed
    return Result(
      title: recording.title, evidence: recording.evidence, scenes: recording.scenes,
      diagnosis: diagnoses ? try await job.run(observe) : nil)
  }

  /// The recording, with everything checked but its pixels.
  func open() throws(FathomError) -> any Recording {
    var request = RecordingRequest(path)
    (request.format, request.mapping, request.options) = (format, mapping, options)
    request.options.takesTheOnlyReading = true
    if let frames {
      guard let positions = frames.positions else {
        throw FathomError(
          .usage, attempted: "take frames \(frames)", place: path,
          reason: "frames of a recording have no names yet",
          advice: "give positions from 0, such as \(option: "frames") 0:100")
      }
      (request.options.lower, request.options.upper) = positions
    }
    return try request.opened()
  }

  /// Writes the data set, unless a file turns out to be unusable.
  /// - Returns: Those files; then no data set was written.
  private func write(
    _ recording: any Recording, _ parts: ImportParts, _ observe: JobObserver
  ) async throws(FathomError) -> [FolderRecording.UnusableFile] {
    var writer = try writer(output, recording)
    var unusable: [FolderRecording.UnusableFile] = []
    observe(.began(.importing, steps: recording.scenes.reduce(0) { $0 + $1.frameCount }))
    for scene in recording.scenes {
      try writer.addScene(scene)
      if scene.frameCount > ImportParts.frames {
        for range in ImportParts.ranges(scene.frameCount) {
          let (part, found) = try await self.part(range, of: scene, recording, parts, observe)
          guard found.isEmpty else { return found }
          try writer.take(range, from: part, cameras: try recording.cameras(range, of: scene), of: scene.name)
        }
      } else {
        unusable += try await write(0..<scene.frameCount, of: scene, recording, to: &writer, observe)
      }
      if unusable.isEmpty, let objects = try recording.objects(of: scene, includingMasks: true) {
        try writer.writeObjects(objects, to: scene.name)
      }
    }
    guard unusable.isEmpty else { return unusable }
    try recording.sources.requireUnchanged()
    try writer.commit()
    return []
  }

  private func writer(
    _ path: String, _ recording: any Recording, overwrite: Bool? = nil
  ) throws(FathomError) -> DatasetWriter {
    var attributes = DatasetAttributes()
    (attributes.name, attributes.source) = (recording.scenes[0].name, recording.title)
    attributes.createdBy = Version.name
    return try DatasetWriter(creating: path, attributes: attributes, overwrite: overwrite ?? self.overwrite)
  }

  /// A part of a scene, written or found finished.
  /// - Returns: Its file; or what cannot be used, and then there is none.
  private func part(
    _ range: Range<Int>, of scene: SceneHeader, _ recording: any Recording, _ parts: ImportParts,
    _ observe: JobObserver
  ) async throws(FathomError) -> (path: String, [FolderRecording.UnusableFile]) {
    let fingerprint = Version.name + (try recording.fingerprint(range, of: scene))
    let path = try parts.path(Digest.hexadecimal(Array(fingerprint.utf8)))
    if parts.exists(path) {
      for _ in range { observe(.advanced) }
      return (path, [])
    }
    var writer = try writer(path, recording, overwrite: true)
    try writer.addScene(scene.part(range))
    let unusable = try await write(range, of: scene, recording, to: &writer, observe)
    guard unusable.isEmpty else { return (path, unusable) }
    try writer.commit()
    UnfinishedOutputs.keep(parts.folder)
    observe(.noticed(.partKept(folder: parts.folder)))
    return (path, [])
  }

  /// Decodes and compresses frames at the same time and writes them in order, unless one turns out to be unusable: then the others are only tried.
  /// - Returns: What cannot be used.
  private func write(
    _ range: Range<Int>, of scene: SceneHeader, _ recording: any Recording, to writer: inout DatasetWriter,
    _ observe: JobObserver
  ) async throws(FathomError) -> [FolderRecording.UnusableFile] {
    var (failure, unusable): (FathomError?, [FolderRecording.UnusableFile]) = (nil, [])
    try await FrameStream(range, jobs: jobs).run { (index) throws(FathomError) -> Int in
      if let failure { throw failure }
      return index
    } work: { index in
      Swift.Result { () throws(RecordingFault) in
        CompressedFrame(try recording.decoded(index, of: scene, including: .all))
      }
    } take: { _, outcome in
      switch outcome {
      case .success(var frame):
        guard unusable.isEmpty, failure == nil else { break }
        frame.frame.index -= range.lowerBound
        do throws(FathomError) { try writer.write(frame, to: scene.name) } catch { failure = error }
      case .failure(.unusable(let file)):
        unusable.append(file)
        if FolderRecording.isOfRecording(file) { failure = failure ?? recording.error(file) }
      case .failure(.failed(let error)): failure = failure ?? error
      }
      observe(.advanced)
    }
    if let failure { throw failure }
    return unusable
  }
}
