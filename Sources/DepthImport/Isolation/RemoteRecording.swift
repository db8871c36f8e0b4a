import FathomPlainText
internal import FathomArchives
public import DepthCore
public import DepthDataset
private import Glibc
public import FathomStorage

/// A recording that another process reads: what that process says is checked, and its end is an error like any other.
public final class RemoteRecording: Recording {
  public let path: String, title: String, evidence: [String]?, scenes: [SceneHeader]
  public let issues: [SchemaIssue] = []
  public let sources: SourceFiles, protections: [String]?
  private let setup: RecordingSetup, place: Place, positions: [String: Int]
  /// Of the scenes whose pictures are frames of a video, which is not read by the other process.
  private let sceneVideos: [SceneVideo?]

  /// Where it is read, shared with what is the same recording without some files.
  private struct Place: Sendable {
    let process: ReaderConnection
    /// Holds what an archive was unpacked into.
    let scratch: ScratchFolder?
    /// Those of maps.
    let archives: MapArchives
    let seconds: Double, videos: RemoteVideos
  }

  /// - Throws: `FathomError` as `FolderRecording`, and where the reader ends or does not answer.
  convenience init(
    _ request: RecordingRequest, _ executable: String, _ archives: MapArchives, decodes: Bool
  ) throws(FathomError) {
    var (start, scratch) = try RecordingReader.start(request)
    let process = try RecordingReader.process(start, executable, noun: "recording", scratch: scratch)
    try self.init(
      RecordingSetup(request: request, number: 0, decodes: decodes),
      Place(
        process: process, scratch: scratch, archives: archives, seconds: start.seconds,
        videos: RemoteVideos(request, unpacked: scratch?.path, executable: executable)))
    if scratch != nil {
      // Started again, it finds there what the first one unpacked.
      start.unpacks = false
      process.prepare(argument: start)
    }
  }

  private init(_ setup: RecordingSetup, _ place: Place) throws(FathomError) {
    let path = setup.request.path
    var (setup, opened) = (setup, try Self.ask(setup, place))
    while try place.videos.look(at: opened.wantedVideos) { opened = try Self.ask(setup, place) }
    (self.path, sceneVideos) = (path, opened.videos)
    place.videos.expect(opened.videos.compactMap(\.self))
    (title, evidence, scenes) = (opened.title, opened.evidence, opened.scenes)
    positions = Dictionary(
      opened.scenes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    sources = try Self.sources(setup.request, opened.files)
    protections = ReaderLayers.names(opened.layers)
    ReaderLayers.note(opened.layers)
    self.place = place
    (setup.unusable, setup.decodes, setup.videos) = (opened.unusable, false, place.videos.findings)
    self.setup = setup
    place.process.prepare(greeting: try RecordingReader.question(.open, setup).bytes)
  }

  private static func ask(_ setup: RecordingSetup, _ place: Place) throws(FathomError) -> OpenedRecording {
    var setup = setup
    setup.videos = place.videos.findings
    return try place.process.ask(try RecordingReader.question(.open, setup)) {
      (wire) throws(MalformedMessage) in
      let opened: OpenedRecording = try wire.json()
      guard !opened.scenes.isEmpty, opened.scenes.count <= SchemaLimits.scenes,
        opened.scenes.allSatisfy(\.isSensible), opened.files.allSatisfy(Self.isInside),
        opened.videos.count == opened.scenes.count, opened.wantedVideos.count <= opened.scenes.count,
        zip(opened.videos, opened.scenes).allSatisfy({ video, scene in
          video.map { place.videos.allows($0, of: scene) } ?? true
        })
      else { throw MalformedMessage() }
      return opened
    }
  }

  /// The files whose digests tell whether it changed.
  private static func sources(_ request: RecordingRequest, _ files: [String]) throws(FathomError)
    -> SourceFiles
  {
    var status = stat()
    let isFolder = stat(request.path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    let own =
      isFolder ? try SourceFiles(ofFolder: request.path, files: files) : try SourceFiles(ofFile: request.path)
    let settings = request.options.settings + [request.mapping].compactMap(\.self)
    return try own.leading(to: settings.map { (name: $0, path: $0) })
  }

  /// Whether a name is of a file in the folder.
  private static func isInside(_ name: String) -> Bool {
    !name.hasPrefix("/") && !name.split(separator: "/").contains("..") && !name.utf8.contains(0)
  }

  public func without(_ unusable: [FolderRecording.UnusableFile]) throws(FathomError) -> RemoteRecording {
    var next = setup
    next.number += 1
    next.unusable += unusable
    return try RemoteRecording(next, place)
  }

  public func decodable() throws(FathomError) -> RemoteRecording {
    var next = setup
    next.number += 1
    next.decodes = true
    return try RemoteRecording(next, place)
  }

  public func decoded(
    _ index: Int, of scene: SceneHeader, including arrays: FrameArrays
  ) throws(RecordingFault) -> DepthFrame {
    let fault: FolderRecording.UnusableFile
    do throws(FathomError) {
      let known = try position(of: scene)
      let header = scenes[known], video = arrays.contains(.image) ? sceneVideos[known] : nil
      let asked = video == nil ? arrays : arrays.subtracting(.image)
      let outcome = try place.process.ask(question(.frame, known, index, asked.rawValue)) {
        (wire) throws(MalformedMessage) -> Result<DepthFrame, FolderRecording.UnusableFile> in
        if try wire.get(UInt8.self) == 0 {
          return .success(try wire.frame(index, of: header, including: asked))
        }
        return .failure(try wire.json())
      }
      switch outcome {
      case .success(var frame):
        guard let video else { return frame }
        do throws(FrameFault) {
          frame.image = try place.videos.picture(index, of: video)
          return frame
        } catch { fault = FolderRecording.UnusableFile(scene: scene.name, fault: error) }
      case .failure(let file): fault = file
      }
    } catch { throw .failed(error) }
    throw .unusable(fault)
  }

  public func objects(of scene: SceneHeader, includingMasks: Bool) throws(FathomError) -> SceneObjects? {
    let known = try position(of: scene)
    return try place.process.ask(question(.objects, known, 0, includingMasks ? 1 : 0)) {
      [scenes] (wire) throws(MalformedMessage) in
      try wire.optional { (wire) throws(MalformedMessage) in try wire.objects(of: scenes[known]) }
    }
  }

  public func mask(ofObject index: Int, in scene: SceneHeader) -> Raster<Float>? { nil }
  public func detectorOutput(frame index: Int, of scene: SceneHeader) -> DetectorOutput? { nil }

  public func fingerprint(_ range: Range<Int>, of scene: SceneHeader) throws(FathomError) -> String {
    let question = WireWriter(
      .fingerprint, setup.number, try position(of: scene), range.lowerBound, range.upperBound)
    return try place.process.ask(question) { (wire) throws(MalformedMessage) in try wire.text() }
  }

  private func question(_ request: ReaderRequest, _ numbers: Int...) -> WireWriter {
    var wire = WireWriter(.source, setup.number)
    wire.put(request.rawValue)
    for number in numbers { wire.put(number) }
    return wire
  }

  private func position(of scene: SceneHeader) throws(FathomError) -> Int {
    if let position = positions[scene.name] { return position }
    throw FathomError(
      .badData, attempted: "read scene '\(scene.name)'", file: path, reason: "there is no such scene",
      advice: "choose one of \(scenes.map(\.name).joined(separator: ", "))")
  }
}

extension FrameMaps {
  /// Finds the maps of frames, in the process that `ReaderProcess.executable` names, or in this one.
  /// - Throws: `FathomError` as ``init(_:frames:view:)``, and where the reader fails.
  public static func opened(
    _ request: MapRequest, frames: [[String]], view: [RasterSize]
  ) throws(FathomError) -> FrameMaps {
    guard let executable = ReaderProcess.executable
    else { return try FrameMaps(request, frames: frames, view: view) }
    var start = RecordingStart(path: request.place)
    start.rules = ReaderRules(paths: request.paths)
    start.seconds = try RecordingFolder.patience(request.place, external: request.external)
    let process = try RecordingReader.process(start, executable, noun: request.title)
    let question = try RecordingReader.question(
      .maps, MapsSetup(request: request, frames: frames, view: view))
    let description: Description = try process.ask(question) { (wire) throws(MalformedMessage) in
      let description: Description = try wire.json()
      guard description.size.isWithin(SchemaLimits.mapPixels), description.request == request,
        description.missing.allSatisfy(frames.indices.contains)
      else { throw MalformedMessage() }
      return description
    }
    process.prepare(greeting: question.bytes)
    return FrameMaps(description) { (frame) throws(MapFault) in
      let outcome: Result<Raster<Float>, MapFault>
      do throws(FathomError) {
        outcome = try process.ask(WireWriter(.map, frame)) {
          (wire) throws(MalformedMessage) -> Result<Raster<Float>, MapFault> in
          if let fault = try wire.mapFault() { return .failure(fault) }
          return .success(try wire.raster(description.size))
        }
      } catch {
        throw MapFault(
          file: request.path, reason: error.reasonWording.onCommandLine,
          kind: error.kind.blamesMachine ? error.kind : .badData)
      }
      return try outcome.get()
    }
  }
}

extension ForeignInspection {
  /// Inspects a file of another program, in the process that `ReaderProcess.executable` names, or in this one.
  /// - Throws: `FathomError` as ``init(of:)``, and where the reader fails.
  public static func opened(_ path: String) throws(FathomError) -> ForeignInspection {
    guard let executable = ReaderProcess.executable else { return try ForeignInspection(of: path) }
    var start = RecordingStart(path: path)
    start.rules = ReaderRules(paths: [ImportOptions.absolute(path)])
    start.seconds = ReaderProcess.patience(try SourceFiles(ofFile: path).byteCount)
    var question = WireWriter(.foreign)
    question.put(path)
    return try RecordingReader.process(start, executable, noun: "file")
      .ask(question) { (wire) throws(MalformedMessage) in try wire.json() }
  }
}

extension FolderSurvey {
  /// Surveys a folder or an archive, in the process that `ReaderProcess.executable` names, or in this one.
  /// - Throws: `FathomError` where it cannot be read, and where the reader fails.
  public static func opened(
    _ path: String, external: ExternalFolders = ExternalFolders()
  ) throws(FathomError) -> FolderSurvey {
    var request = RecordingRequest(path)
    request.options.external = external
    guard let executable = ReaderProcess.executable
    else { return try FolderSurvey(of: RecordingFolder(request.path, unpacked: nil, external: external)) }
    let (start, scratch) = try RecordingReader.start(request)
    return try RecordingReader.process(start, executable, noun: "recording", scratch: scratch).ask(
      RecordingReader.question(.survey, request)
    ) { (wire) throws(MalformedMessage) in try wire.json() }
  }
}

extension WireWriter {
  fileprivate init(_ question: RecordingQuestion, _ numbers: Int...) {
    self.init()
    put(question.rawValue)
    for number in numbers { put(number) }
  }
}

/// Starts such processes.
enum RecordingReader {
  /// With what a recording's process is started, and what an archive is to be unpacked into.
  static func start(_ request: RecordingRequest) throws(FathomError) -> (RecordingStart, ScratchFolder?) {
    var start = RecordingStart(path: request.path)
    start.rules = ReaderRules(paths: request.paths)
    start.seconds = ReaderProcess.patience(0)
    guard UnpackedArchive.isArchive(request.path) else {
      start.seconds = try RecordingFolder.patience(request.path, external: request.options.external)
      return (start, nil)
    }
    let folder = try ScratchFolder()
    (start.rules.scratch, start.unpacks) = (folder.path, true)
    start.rules.longestFile = start.bounds.entryBytes
    // How many pictures it holds is not known yet: well-packed ones take longer than their bytes.
    start.seconds = ReaderProcess.patience(4 * (try SourceFiles(ofFile: request.path).byteCount))
    return (start, folder)
  }

  static func process(
    _ start: RecordingStart, _ executable: String, noun: String, scratch: ScratchFolder? = nil
  ) throws(FathomError) -> ReaderConnection {
    ReaderLayers.noteAvailable()
    let path = start.path
    return try ReaderConnection(
      ReaderConnection.Start(
        path: path, noun: noun, executable: executable, subcommand: RecordingProcess.subcommand,
        argument: start, seconds: start.seconds, scratch: scratch
      ) { () throws(FathomError) in
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        if file >= 0 { return file }
        throw .cannotOpen(path, noun: noun, errno)
      })
  }

  static func question(_ kind: RecordingQuestion, _ setup: some Encodable) throws(FathomError) -> WireWriter {
    var wire = WireWriter(kind)
    do { try wire.put(json: setup) } catch {
      throw FathomError(
        .internal, attempted: "ask the reader", place: "of a recording", reason: "\(error)",
        advice: "please report this")
    }
    return wire
  }
}
