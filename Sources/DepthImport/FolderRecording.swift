public import DepthCore
public import DepthDataset
internal import FathomMapFiles
private import FathomPictureFiles
private import FathomPlainText
public import FathomStorage

/// A recording as somebody's app or data set stores it, read frame by frame as if it were a data set.
public struct FolderRecording: Recording {
  public let path: String
  /// Name of the mapping: "stray".
  public let format: String
  public let title: String
  /// By what it was recognised; nil where the user said what it is.
  public let evidence: [String]?
  public private(set) var scenes: [SceneHeader] = []
  public let issues: [SchemaIssue] = []
  public private(set) var sources: SourceFiles
  /// Names of the files that are read, for ``sources``.
  private(set) var fileNames: [String] = []
  private let folder: RecordingFolder, folders: [RecordingFolder]
  /// Whether the recordings lie in folders below the one that was named.
  private let isOfFolders: Bool
  private let mapping: RecordingMapping
  /// Whether no format is known, and the mapping is the only reading that is left.
  private var isSurveyed = false
  private let options: ImportOptions
  /// Holds what maps were unpacked into.
  var archives: MapArchives?
  private var plans: [FramePlan] = []
  private let videos: VideoAccess
  /// Videos that somebody else must look into first.
  private(set) var wantedVideos: [String] = []
  /// Files that turned out to be unusable, by scene and name.
  private var faults: [String: [String: FrameFault]] = [:]
  /// The same, in the order in which they were found.
  private(set) var unusable: [UnusableFile] = []

  /// What a recording is read with.
  public enum Choice: Sendable {
    /// What its files show.
    case recognised
    case format(String), mapping(RecordingMapping)
  }

  /// Looks at every file of the recording but the pixels.
  /// - Throws: `FathomError` `.noInput` where there is no such folder; `.badData` where no format or two match, or no frame can
  ///   be used; `.usage` for a format that does not exist, or an option that makes no sense.
  public init(
    _ path: String, as choice: Choice = .recognised, _ options: ImportOptions = ImportOptions()
  ) throws(FathomError) { try self.init(path, as: choice, options, unpacked: nil, videos: .here) }

  /// - Parameter unpacked: Where the files of an archive lie already; nil where they do not.
  /// - Parameter videos: Who looks into videos.
  init(
    _ path: String, as choice: Choice, _ options: ImportOptions, unpacked: String?, videos: VideoAccess
  ) throws(FathomError) {
    (self.path, self.videos) = (path, videos)
    var opensArrays = false
    if case .mapping(let mapping) = choice { opensArrays = mapping.namesArrays }
    let folder = try RecordingFolder(
      path, opensArrays: opensArrays, unpacked: unpacked, external: options.external)
    let chosen: RecordingMapping
    switch choice {
    case .recognised:
      if let found = try Recognition(whereKnown: folder) {
        (chosen, folders, evidence) = (found.preset.mapping, found.folders, found.evidence)
      } else {
        let survey = try FolderSurvey(
          of: folder, scale: options.depthScale, hasCamera: options.intrinsics != nil)
        guard options.takesTheOnlyReading, survey.isDecided, let text = survey.mapping
        else { throw survey.refusal }
        chosen = try MappingFile.mapping(text, named: "the mapping of a survey")
        folders = try folder.scenes(of: chosen)
        isSurveyed = true
        evidence = survey.groups.filter { $0.role != nil }.map(\.files)
      }
    case .format(let name):
      (chosen, evidence) = (try Preset.named(name).mapping, nil)
      folders = try folder.scenes(of: chosen)
    case .mapping(let mapping): (chosen, folders, evidence) = (mapping, try folder.scenes(of: mapping), nil)
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
  /// - Throws: `FathomError` as ``init(_:as:_:)`` and ``MappingFile`` do.
  public init(
    _ path: String, mappedBy mapping: String, _ options: ImportOptions = ImportOptions()
  ) throws(FathomError) { try self.init(path, mappedBy: mapping, options, unpacked: nil, videos: .here) }

  init(
    _ path: String, mappedBy mapping: String, _ options: ImportOptions, unpacked: String?, videos: VideoAccess
  ) throws(FathomError) {
    var options = options
    options.settings.append(mapping)
    try self.init(
      path, as: .mapping(try MappingFile.mapping(at: mapping)), options, unpacked: unpacked, videos: videos)
  }

  /// Plans all scenes anew.
  private mutating func plan() throws(FathomError) {
    (scenes, plans, wantedVideos) = ([], [], [])
    var names: [String] = []
    // A folder is one scene, or has one for each size of its maps.
    var parts = folders.map { (folder: $0, name: $0.name, size: RasterSize?.none) }
    while !parts.isEmpty {
      let (folder, name, size) = parts.removeFirst()
      let place = isOfFolders ? folder.name + "/" : ""
      var planner = FramePlanner(
        folder, mapping, options, faults: faults[name] ?? [:], videos: videos, place: place, size: size)
      if isSurveyed {
        planner.record.add(
          .assumed, "format", "none is known; files were taken by what they hold and by their names")
      } else if let evidence {
        planner.record.add(.declared, "format", "\(title), recognised by \(evidence.joined(separator: ", "))")
      } else {
        planner.record.add(.declared, "format", "\(title), as requested")
      }
      var plan = try planner.plan(scene: name)
      if size == nil {
        parts.insert(
          contentsOf: planner.otherSizes.map { (folder, "\(name)-\($0.width)x\($0.height)", $0) }, at: 0)
      }
      try requireDepth(plan)
      if let video = planner.wantedVideo { wantedVideos.append(video) }
      for request in options.maps {
        if let own = try request.part(of: folder.name, among: folders.map(\.name)) { try plan.add(own) }
      }
      scenes.append(plan.header)
      plans.append(plan)
      for frame in plan.frames {
        var files = [frame.depth, frame.confidence, frame.picture, frame.truth].compactMap(\.self)
        files += frame.predictions
        names += files.map { place + plan.decoder.folder.fileName(of: $0) }
      }
      if let video = plan.decoder.video { names.append(place + video.name) }
    }
    fileNames = names
    sources = try folder.sources(names).leading(to: options.settings.map { (name: $0, path: $0) })
  }

  /// - Throws: `FathomError` `.badData` where a formula gives no depth in any frame.
  private func requireDepth(_ plan: FramePlan) throws(FathomError) {
    guard let formula = mapping.depth.reading.formula else { return }
    for (index, frame) in plan.frames.enumerated() {
      // What cannot be decoded is skipped later, or named then.
      guard let map = try? plan.decoder.frame(frame, at: index, including: .lidar).lidar else { continue }
      if map.values.contains(where: { $0 > 0 }) { return }
      guard index == plan.frames.count - 1 else { continue }
      throw FathomError(
        .badData, attempted: "import the recording", file: folder.path, object: frame.depth,
        reason:
          "the formula '\(formula.text)' gives no depth above 0 in any pixel of its \(counted(plan.frames.count, "frame"))",
        advice: "correct the formula, \(option: "depth-formula") or 'formula' of the mapping")
    }
  }

  /// The same without files that could not be decoded: their frames, or only the pictures, are skipped.
  public func without(_ unusable: [UnusableFile]) throws(FathomError) -> FolderRecording {
    var copy = self
    copy.unusable += unusable
    for file in unusable { copy.faults[file.scene, default: [:]][file.fault.file] = file.fault }
    try copy.plan()
    return copy
  }

  /// The same without every file that cannot be decoded, as an import leaves them out: all of them are tried.
  /// - Throws: `FathomError` where no frame remains, or a file tells that the mapping does not fit.
  public func decodable() throws(FathomError) -> FolderRecording {
    var recording = self
    while true {
      let unusable = recording.undecodable
      if let file = unusable.first(where: Self.isOfRecording) { throw recording.error(file) }
      if unusable.isEmpty { return recording }
      recording = try recording.without(unusable)
    }
  }

  /// In the order of the scenes and frames.
  private var undecodable: [UnusableFile] {
    scenes.compactMap { decoder(of: $0) }.flatMap { decoder in
      // A whole video is not decoded where its pictures may not be wanted.
      let arrays: FrameArrays = decoder.plan.decoder.video == nil ? .all : .all.subtracting(.image)
      return PlainThreads.map(decoder.frameCount) { index -> UnusableFile? in
        do throws(UnusableFile) { _ = try decoder.frame(index, including: arrays) } catch { return error }
        return nil
      }.compactMap(\.self)
    }
  }

  /// A file that cannot be decoded, though it looked whole from outside.
  public struct UnusableFile: Error, Sendable, Codable {
    let scene: String, fault: FrameFault
  }

  /// Reads frames of one scene on any thread.
  public struct SceneDecoder: Sendable {
    let scene: String, path: String, plan: FramePlan
    public var frameCount: Int { plan.frames.count }

    /// Everything of a frame.
    public func frame(_ index: Int, including arrays: FrameArrays = .all) throws(UnusableFile) -> DepthFrame {
      do throws(FrameFault) {
        return try plan.decoder.frame(plan.frames[index], at: index, including: arrays)
      } catch { throw UnusableFile(scene: scene, fault: error) }
    }
  }

  /// - Precondition: `scene` is one of ``scenes``.
  public func decoder(of scene: SceneHeader) -> SceneDecoder? {
    guard let index = scenes.firstIndex(where: { $0.name == scene.name }) else { return nil }
    return SceneDecoder(scene: scene.name, path: path, plan: plans[index])
  }

  /// The frames by the paths of their files of depth.
  var framesByDepth: [String: (decoder: SceneDecoder, frame: Int)] {
    var found: [String: (decoder: SceneDecoder, frame: Int)] = [:]
    for (scene, plan) in zip(scenes, plans) {
      let decoder = SceneDecoder(scene: scene.name, path: path, plan: plan)
      for (index, frame) in plan.frames.enumerated() {
        found[plan.decoder.folder.path(of: frame.depth)] = (decoder, index)
      }
    }
    return found
  }

  public func decoded(
    _ index: Int, of scene: SceneHeader, including arrays: FrameArrays
  ) throws(RecordingFault) -> DepthFrame {
    guard let decoder = decoder(of: scene), (0..<decoder.frameCount).contains(index) else {
      throw .failed(
        FathomError(
          .badData, attempted: "read frame \(index) of scene '\(scene.name)'", file: path,
          reason: "there is no such frame", advice: "count frames from 0"))
    }
    do throws(UnusableFile) { return try decoder.frame(index, including: arrays) } catch {
      throw .unusable(error)
    }
  }

  public func fingerprint(_ range: Range<Int>, of scene: SceneHeader) throws(FathomError) -> String {
    guard let decoder = decoder(of: scene), range.lowerBound >= 0, range.upperBound <= decoder.frameCount
    else {
      throw FathomError(
        .badData, attempted: "read scene '\(scene.name)'", file: path, reason: "it has no such frames",
        advice: "count frames from 0")
    }
    return decoder.fingerprint(range)
  }

  /// What tells others which pictures of a video belong to the frames, by scenes; nil where there is no video.
  var sceneVideos: [SceneVideo?] {
    plans.map { plan in
      plan.decoder.video.map {
        SceneVideo(
          file: $0.place + $0.name, name: $0.name, frames: plan.frames.map(\.videoFrame),
          turn: plan.decoder.turn)
      }
    }
  }

  public func objects(of scene: SceneHeader, includingMasks: Bool) -> SceneObjects? {
    scenes.firstIndex { $0.name == scene.name }.flatMap { plans[$0].objects }
  }
  public func mask(ofObject index: Int, in scene: SceneHeader) -> Raster<Float>? { nil }
  public func detectorOutput(frame index: Int, of scene: SceneHeader) -> DetectorOutput? { nil }
}
