public import DepthCore
import DepthDataset
public import DepthImport
public import DepthReport
import Storage

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
  /// What the user says about the recording.
  public var options = ImportOptions()
  /// Frames of the recording.
  public var frames: FrameRange?
  /// Seed of the diagnosis.
  public var seed: UInt64 = 0
  public var jobs = 1
  public var overwrite = false

  public init(_ path: String, to output: String) { (self.path, self.output) = (path, output) }

  /// What was made.
  public struct Result: Sendable {
    /// What people call the format, and by which files it was recognised; nil where it was named.
    public var title: String, evidence: [String]?
    public var scenes: [SceneHeader]
    /// What the data say about what was declared.
    public var diagnosis: DatasetDiagnosis
  }

  /// Imports, then diagnoses what was written. Frames that cannot be read are left out; the record of each scene names them.
  ///
  /// - Parameter observe: Told what happens, on the calling task.
  /// - Throws: `FathomError` as ``FolderRecording`` and `DatasetWriter` do; no file is left then.
  public func run(_ observe: JobObserver = { _ in }) async throws -> Result {
    try AtomicFile.check(output, overwrite: overwrite)
    var recording = try open()
    // A file that looks whole and cannot be decoded is rare: then all are tried, and the rest is written anew.
    while true {
      let unusable = try await write(recording, observe)
      if unusable.isEmpty { break }
      recording = try recording.without(unusable)
    }
    var job = DiagnoseJob(output)
    job.seed = seed
    return Result(
      title: recording.title, evidence: recording.evidence, scenes: recording.scenes,
      diagnosis: try job.run(observe))
  }

  /// The recording, with everything checked but its pixels.
  ///
  /// - Throws: `FathomError`.
  func open() throws(FathomError) -> any Recording {
    var request = RecordingRequest(path)
    (request.format, request.mapping, request.options) = (format, mapping, options)
    (request.options.lower, request.options.upper) = (frames?.lower, frames?.upper)
    return try request.opened()
  }

  /// Writes the data set, unless a file turns out to be unusable.
  ///
  /// - Returns: Those files; then nothing was written.
  private func write(
    _ recording: any Recording, _ observe: JobObserver
  ) async throws(FathomError) -> [FolderRecording.UnusableFile] {
    var attributes = DatasetAttributes()
    (attributes.name, attributes.source) = (recording.scenes[0].name, recording.title)
    attributes.createdBy = "fathom"
    var writer = try DatasetWriter(creating: output, attributes: attributes, overwrite: overwrite)
    var unusable: [FolderRecording.UnusableFile] = []
    observe(.began(.importing, steps: recording.scenes.reduce(0) { $0 + $1.frameCount }))
    for scene in recording.scenes {
      try writer.addScene(scene)
      var failure: FathomError?
      try await FrameStream(0..<scene.frameCount, jobs: jobs).run { (index) throws(FathomError) -> Int in
        if let failure { throw failure }
        return index
      } work: { index in
        Swift.Result { () throws(RecordingFault) in
          try recording.decoded(index, of: scene, including: .all)
        }
      } take: { _, outcome in
        switch outcome {
        case .success(let frame):
          guard unusable.isEmpty, failure == nil else { break }
          do throws(FathomError) { try writer.write(frame, to: scene.name) } catch { failure = error }
        case .failure(.unusable(let file)):
          unusable.append(file)
          if FolderRecording.isOfRecording(file) { failure = failure ?? recording.error(file) }
        case .failure(.failed(let error)): failure = failure ?? error
        }
        observe(.advanced)
      }
      if let failure { throw failure }
      if unusable.isEmpty, let objects = try recording.objects(of: scene, includingMasks: true) {
        try writer.writeObjects(objects, to: scene.name)
      }
    }
    guard unusable.isEmpty else { return unusable }
    try recording.sources.requireUnchanged()
    try writer.commit()
    return []
  }
}
