internal import FathomArchives
internal import DepthCore
internal import DepthDataset
private import Glibc
internal import FathomStorage

/// The process that reads recordings and maps of networks: their archives, pictures, tables and HDF5 files are other people's.
public enum RecordingProcess {
  /// The subcommand that makes an executable such a reader.
  public static let subcommand = "__recording"

  /// Whether the process was started as a reader of recordings; does not return then. To be called before anything else is done.
  public static func serveIfAsked() {
    guard let start: RecordingStart = ReaderService.options(of: subcommand) else { return }
    serve(start)
    _exit(0)
  }

  private static func serve(_ start: RecordingStart) {
    var rules = start.rules
    if start.unpacks { UnpackedArchive.prepare() }
    var layers = ReaderService.confine(rules)
    if let refusal = ReaderLayers.refusal(layers, rules.needsAllLayers, "recording", start.path) {
      ReaderService.refuse(refusal)
      return
    }
    ReaderService.allow(seconds: start.seconds)
    if let scratch = rules.scratch {
      if start.unpacks {
        do throws(FathomError) {
          try UnpackedArchive.unpack(start.path, into: scratch, bounds: start.bounds)
        } catch {
          ReaderService.refuse(error)
          return
        }
      }
      // From now on it is a folder like others.
      rules.paths.append(scratch)
      (rules.scratch, rules.longestFile) = (nil, 0)
      layers &= ReaderService.confine(rules)
    }
    var desk = RecordingDesk(unpacked: start.rules.scratch, layers: layers)
    ReaderService
      .answer(about: start.path, within: start.seconds) { question throws in try desk.answer(&question) }
  }
}

/// What such a process is started with.
struct RecordingStart: Codable {
  /// The recording, or the maps.
  var path: String
  var rules = ReaderRules()
  /// Whether the archive is to be unpacked into the scratch folder, or lies there already.
  var unpacks = false
  var bounds = ArchiveBounds()
  /// Processor time that an answer may take.
  var seconds = 10.0
}

/// What is asked of such a process.
enum RecordingQuestion: UInt8 {
  case open, source, fingerprint, maps, map, foreign, survey, series, layer, unpack
}

struct RecordingSetup: Codable {
  var request: RecordingRequest
  /// Under which it is asked for later.
  var number: Int
  /// Files that are skipped.
  var unusable: [FolderRecording.UnusableFile] = []
  /// Whether all others are tried.
  var decodes = false
  /// What was found out about its videos, by the names of their files.
  var videos: [String: VideoFinding] = [:]
}

struct OpenedRecording: Codable {
  var format: String, title: String
  var evidence: [String]?
  var scenes: [SceneHeader]
  /// Names of the files that are read.
  var files: [String]
  var unusable: [FolderRecording.UnusableFile]
  /// Videos that who asks must look into first; then nothing else counts, and it is asked again.
  var wantedVideos: [String]
  /// By scenes.
  var videos: [SceneVideo?]
  /// As bits of `FATHOM_LAYER_…`.
  var layers: Int32
}

/// Maps that belong to frames.
struct MapsSetup: Codable {
  var request: MapRequest
  /// As `FrameMaps` takes them.
  var frames: [[String]]
  var view: [RasterSize]
}

/// Answers questions about what is open.
struct RecordingDesk {
  let unpacked: String?, layers: Int32
  private var recordings: [Int: FolderRecording] = [:]
  private var maps: FrameMaps?, series: MapSeries?
  private var frames = FramesAhead()
  init(unpacked: String?, layers: Int32) { (self.unpacked, self.layers) = (unpacked, layers) }

  mutating func answer(_ question: inout WireReader) throws -> [UInt8] {
    var wire = WireWriter()
    wire.put(UInt8(0))
    switch RecordingQuestion(rawValue: try question.get()) {
    case .open: try wire.put(json: try open(try question.json()))
    case .source: try answer(source: &question, &wire)
    case .fingerprint:
      guard let recording = recordings[try question.get()] else { throw MalformedMessage() }
      let (position, lower, upper) = (
        try question.get(Int.self), try question.get(Int.self), try question.get(Int.self)
      )
      guard recording.scenes.indices.contains(position), lower <= upper else { throw MalformedMessage() }
      wire.put(try recording.fingerprint(lower..<upper, of: recording.scenes[position]))
    case .foreign: try wire.put(json: ForeignInspection(of: try question.text()))
    case .survey:
      let request: RecordingRequest = try question.json()
      let folder = try RecordingFolder(
        request.path, unpacked: unpacked, external: request.options.external)
      try wire.put(json: FolderSurvey(of: folder))
    case .maps:
      let setup: MapsSetup = try question.json()
      let found = try FrameMaps(setup.request, frames: setup.frames, view: setup.view)
      maps = found
      try wire.put(json: found.description)
    case .map:
      guard let maps else { throw MalformedMessage() }
      try Self.answer(map: try question.get(), of: maps, &wire)
    case .series:
      let found = try MapSeries(here: try question.json())
      series = found
      var description = found.description
      description.layers = layers
      try wire.put(json: description)
    case .layer:
      let index: Int = try question.get()
      guard let series, series.sizes.indices.contains(index) else { throw MalformedMessage() }
      Self.answer(layer: index, of: series, &wire)
    case .unpack: break  // It was, before the first question.
    case nil: throw MalformedMessage()
    }
    return wire.bytes
  }

  private mutating func open(_ setup: RecordingSetup) throws(FathomError) -> OpenedRecording {
    var recording = try setup.request.here(unpacked: unpacked, videos: .byCaller(setup.videos))
    if recording.wantedVideos.isEmpty, !setup.unusable.isEmpty {
      recording = try recording.without(setup.unusable)
    }
    if recording.wantedVideos.isEmpty, setup.decodes { recording = try recording.decodable() }
    recordings[setup.number] = recording
    return OpenedRecording(
      format: recording.format, title: recording.title, evidence: recording.evidence,
      scenes: recording.scenes,
      files: recording.fileNames, unusable: recording.unusable, wantedVideos: recording.wantedVideos,
      videos: recording.sceneVideos, layers: layers)
  }

  private mutating func answer(source question: inout WireReader, _ wire: inout WireWriter) throws {
    let key = try question.get(Int.self)
    guard let recording = recordings[key], let request = ReaderRequest(rawValue: try question.get())
    else { throw MalformedMessage() }
    guard request == .frame else { return try wire.put(answerTo: request, &question, of: recording) }
    let (position, number, bits) = (
      try question.get(Int.self), try question.get(Int.self), try question.get(Int.self)
    )
    guard recording.scenes.indices.contains(position) else { throw MalformedMessage() }
    let scene = recording.scenes[position]
    let wanted = FramesAhead.Wanted(recording: key, scene: position, frame: number, arrays: bits)
    wire.put(
      raw:
        try frames
        .answer(wanted, of: scene.frameCount) { wanted in Self.outcome(wanted, of: scene, recording) })
  }

  /// What is sent about a frame.
  private static func outcome(
    _ wanted: FramesAhead.Wanted, of scene: SceneHeader, _ recording: FolderRecording
  ) -> FramesAhead.Outcome {
    FramesAhead.Outcome {
      var wire = WireWriter()
      do throws(RecordingFault) {
        let arrays = FrameArrays(rawValue: wanted.arrays)
        let frame = try recording.decoded(wanted.frame, of: scene, including: arrays)
        wire.put(UInt8(0))
        wire.put(frame, of: scene, including: arrays)
      } catch {
        switch error {
        case .failed(let error): throw error
        case .unusable(let file):
          wire.put(UInt8(1))
          try wire.put(json: file)
        }
      }
      return wire.bytes
    }
  }

  private static func answer(map index: Int, of maps: FrameMaps, _ wire: inout WireWriter) throws {
    do throws(FrameMaps.MapFault) {
      let map = try maps.map(index)
      wire.put(UInt8(0))
      wire.put(map)
    } catch { wire.put(error) }
  }

  private static func answer(layer index: Int, of series: MapSeries, _ wire: inout WireWriter) {
    do throws(FrameMaps.MapFault) {
      let layer = try series.layer(index)
      wire.put(UInt8(0))
      switch layer {
      case .map(let map): wire.put(map)
      case .picture(let picture): wire.put(picture)
      }
    } catch { wire.put(error) }
  }
}
