public import DepthCore
public import DepthDataset
private import Dispatch
private import PictureFiles
public import Storage
private import Synchronization

/// A recording as somebody's app or data set stores it, read frame by frame as if it were a data set.
public struct FolderRecording: FrameSource, Sendable {
  public let path: String
  /// Name of the mapping: "stray".
  public let format: String
  /// What people call it.
  public let title: String
  /// By what it was recognised; nil where the user said what it is.
  public let evidence: [String]?
  public private(set) var scenes: [SceneHeader] = []
  public let issues: [SchemaIssue] = []
  public private(set) var sources: SourceFiles
  private let folder: RecordingFolder
  private let folders: [RecordingFolder]
  /// Whether the recordings lie in folders below the one that was named.
  private let isOfFolders: Bool
  private let mapping: RecordingMapping
  private let options: ImportOptions
  private var plans: [FramePlan] = []
  /// Files that turned out to be unusable, by scene and name.
  private var faults: [String: [String: FrameFault]] = [:]

  /// What a recording is read with.
  public enum Choice: Sendable {
    /// What its files show.
    case recognised
    /// A format by its name.
    case format(String)
    case mapping(RecordingMapping)
  }

  /// Looks at every file of the recording but the pixels.
  ///
  /// - Throws: `FathomError` `.noInput` where there is no such folder; `.badData` where no format or two match, or no frame can
  ///   be used; `.usage` for a format that does not exist, or an option that makes no sense.
  public init(
    _ path: String, as choice: Choice = .recognised, _ options: ImportOptions = ImportOptions()
  ) throws(FathomError) {
    self.path = path
    var opensArrays = false
    if case .mapping(let mapping) = choice { opensArrays = mapping.namesArrays }
    let folder = try RecordingFolder(path, opensArrays: opensArrays)
    let chosen: RecordingMapping
    switch choice {
    case .recognised:
      let found = try Recognition(of: folder)
      (chosen, folders, evidence) = (found.preset.mapping, found.folders, found.evidence)
    case .format(let name):
      (chosen, folders, evidence) = (try Preset.named(name).mapping, [folder], nil)
    case .mapping(let mapping):
      (chosen, folders, evidence) = (mapping, [folder], nil)
    }
    (format, title) = (chosen.name, chosen.title)
    isOfFolders = folders.map(\.path) != [folder.path]
    self.folder = folder
    mapping = try options.applied(to: chosen)
    self.options = options
    sources = try folder.sources([])
    try plan()
  }

  /// A folder, archive or HDF5 file that a mapping in a file describes; that file's digest belongs to what is read.
  ///
  /// - Throws: `FathomError` as ``init(_:as:_:)`` and ``MappingFile`` do.
  public init(
    _ path: String, mappedBy mapping: String, _ options: ImportOptions = ImportOptions()
  ) throws(FathomError) {
    var options = options
    options.settings.append((name: mapping, path: mapping))
    try self.init(path, as: .mapping(try MappingFile.mapping(at: mapping)), options)
  }

  /// Plans all scenes anew.
  private mutating func plan() throws(FathomError) {
    (scenes, plans) = ([], [])
    var names: [String] = []
    for folder in folders {
      var planner = FramePlanner(folder, mapping, options, faults: faults[folder.name] ?? [:])
      if let evidence {
        planner.record.add(.declared, "format", "\(title), recognised by \(evidence.joined(separator: ", "))")
      } else {
        planner.record.add(.declared, "format", "\(title), as was asked for")
      }
      var plan = try planner.plan(scene: folder.name)
      for request in options.maps {
        if let own = try request.part(of: folder.name, among: folders.map(\.name)) { try plan.add(own) }
      }
      scenes.append(plan.header)
      plans.append(plan)
      let place = isOfFolders ? folder.name + "/" : ""
      for frame in plan.frames {
        var files = [frame.depth, frame.confidence, frame.picture, frame.truth].compactMap(\.self)
        files += frame.predictions
        names += files.map { place + plan.decoder.folder.fileName(of: $0) }
      }
      if let video = plan.decoder.video { names.append(place + video.name) }
    }
    sources = try folder.sources(names).leading(to: options.settings)
  }

  /// The same without files that could not be decoded: their frames, or only the pictures, are left out.
  public func without(_ unusable: [UnusableFile]) throws(FathomError) -> FolderRecording {
    var copy = self
    for file in unusable { copy.faults[file.scene, default: [:]][file.fault.file] = file.fault }
    try copy.plan()
    return copy
  }

  /// The same without every file that cannot be decoded, as an import leaves them out: all of them are tried.
  ///
  /// - Throws: `FathomError` where no frame remains, or a file tells that the mapping does not fit.
  public func decodable() throws(FathomError) -> FolderRecording {
    var recording = self
    while true {
      let unusable = recording.unusableFiles
      if let file = unusable.first(where: Self.isOfRecording) { throw recording.error(file) }
      if unusable.isEmpty { return recording }
      recording = try recording.without(unusable)
    }
  }

  /// In the order of the scenes and frames.
  private var unusableFiles: [UnusableFile] {
    scenes.compactMap { decoder(of: $0) }.flatMap { decoder in
      let found = Mutex<[Int: UnusableFile]>([:])
      DispatchQueue.concurrentPerform(iterations: decoder.frameCount) { index in
        // A whole video is decoded for nobody who may not want its pictures.
        let arrays: FrameArrays = decoder.plan.decoder.video == nil ? .all : .all.subtracting(.image)
        do throws(UnusableFile) { _ = try decoder.frame(index, including: arrays) } catch {
          found.withLock { $0[index] = error }
        }
      }
      return found.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
    }
  }

  /// A file that cannot be decoded, though it is whole as far as could be seen from outside.
  public struct UnusableFile: Error, Sendable {
    let scene: String
    let fault: FrameFault
  }

  /// Reads frames of one scene on any thread.
  public struct SceneDecoder: Sendable {
    let scene: String
    let path: String
    let plan: FramePlan

    public var frameCount: Int { plan.frames.count }

    /// Everything of a frame.
    ///
    /// - Throws: `UnusableFile`.
    public func frame(_ index: Int, including arrays: FrameArrays = .all) throws(UnusableFile) -> DepthFrame {
      do throws(FrameFault) {
        return try plan.decoder.frame(plan.frames[index], at: index, including: arrays)
      } catch {
        throw UnusableFile(scene: scene, fault: error)
      }
    }
  }

  /// - Precondition: `scene` is one of ``scenes``.
  public func decoder(of scene: SceneHeader) -> SceneDecoder? {
    guard let index = scenes.firstIndex(where: { $0.name == scene.name }) else { return nil }
    return SceneDecoder(scene: scene.name, path: path, plan: plans[index])
  }

  /// The error that a file is where no frame may be left out.
  public func error(_ unusable: UnusableFile) -> FathomError {
    FathomError(
      .badData, attempted: "import the recording", file: path, object: unusable.fault.file,
      reason: unusable.fault.reason,
      advice: unusable.fault.isOfMaps
        ? "make the map again, or remove it: its frame then has none"
        : unusable.fault.isOfRecording
          ? "say what the numbers mean in a mapping"
          : "remove the file, or import the recording, which leaves the frame out")
  }

  /// Whether the whole recording cannot be read because of it.
  public static func isOfRecording(_ unusable: UnusableFile) -> Bool { unusable.fault.isOfRecording }

  public func frame(
    _ index: Int, of scene: SceneHeader, including arrays: FrameArrays
  ) throws(FathomError) -> DepthFrame {
    guard let decoder = decoder(of: scene), (0..<decoder.frameCount).contains(index) else {
      throw FathomError(
        .badData, attempted: "read frame \(index) of scene '\(scene.name)'", file: path,
        reason: "there is no such frame", advice: "count frames from 0")
    }
    do throws(UnusableFile) { return try decoder.frame(index, including: arrays) } catch {
      throw self.error(error)
    }
  }

  public func objects(of scene: SceneHeader, includingMasks: Bool) -> SceneObjects? {
    scenes.firstIndex { $0.name == scene.name }.flatMap { plans[$0].objects }
  }
  public func mask(ofObject index: Int, in scene: SceneHeader) -> Raster<Float>? { nil }
  public func detectorOutput(frame index: Int, of scene: SceneHeader) -> DetectorOutput? { nil }
}
