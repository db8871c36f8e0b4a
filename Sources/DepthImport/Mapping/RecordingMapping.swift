private import Foundation
internal import DepthCore
public import FathomMapFiles
internal import FathomPlainText

/// How the files of a recording become frames: which they are, how they belong together, and what their numbers mean.
///
/// It is read from YAML (``MappingFile``); `docs/importing.md` names every key. Formats are mappings, too: see ``Preset``.
public struct RecordingMapping: Sendable, Hashable {
  /// What `--format` calls it.
  public var name: String
  public var title: String
  /// Files by which it is recognised; each must be there. Without any it must be asked for.
  public var looksFor: [FilePattern]
  /// To be recognised, the file of the whole recording must have one of these names.
  var looksIn: [String]
  /// Whether depth of another size is not dropped, but makes a scene of its own.
  var dividesBySize: Bool
  package var match: FrameMatching, depth: DepthFiles
  var truth: TruthFiles?
  var predictions: [PredictionFiles]
  var confidence: ConfidenceFiles?
  var colour: ColourFiles
  /// A JSON file for each frame.
  var frameFiles: [FilePattern]
  /// Tables with a line for each frame.
  var frameRows: FrameRows?
  /// A JSON file for the whole recording.
  var recordingFile: [FilePattern]
  /// Where that file tells the frames apart; what it says of a frame is then as a JSON file of the frame.
  var frameEntries: FrameEntries?
  /// Numbers that formulas may name.
  var numbers: [String: StatedNumber]
  var intrinsics: IntrinsicsSource?, poses: PoseSource?, time: TimeSource?, boxes: BoxFiles?
  /// How pictures, maps, intrinsics and poses are turned.
  var turn: ImageTurn?
  /// What nothing in the recording says.
  var assumed: [Remark]
  /// What the recording does not have, or is not read.
  var absent: [Remark]

  /// A line of the record that belongs to the format.
  struct Remark: Sendable, Hashable {
    var subject: String, words: String
  }
}

extension RecordingMapping: Decodable {
  private enum CodingKeys: String, MappingKeys {
    case name, title, looksFor = "looks-for", looksIn = "looks-in"
    case dividesBySize = "scenes-by-size"
    case match, depth, truth, predictions, confidence, colour, frameFiles = "frame-files"
    case frameRows = "frame-rows", recordingFile = "recording-file", frameEntries = "frame-entries"
    case numbers, intrinsics, poses, time, boxes, turn, assumed, absent
  }

  public init(from decoder: any Decoder) throws {
    let keys = try StrictKeys(decoder, CodingKeys.self)
    name = try keys.optional(.name) ?? "mapping"
    (title, looksFor) = (try keys.optional(.title) ?? name, try keys.optional(.looksFor) ?? [])
    dividesBySize = try keys.optional(.dividesBySize) ?? false
    (looksIn, match) = (try keys.optional(.looksIn) ?? [], try keys.required(.match))
    (depth, truth) = (try keys.required(.depth), try keys.optional(.truth))
    predictions = try keys.optional(.predictions) ?? []
    (confidence, colour) = (try keys.optional(.confidence), try keys.optional(.colour) ?? .none)
    frameFiles = try keys.optional(.frameFiles) ?? []
    (frameRows, recordingFile) = (try keys.optional(.frameRows), try keys.optional(.recordingFile) ?? [])
    (frameEntries, numbers) = (try keys.optional(.frameEntries), try keys.optional(.numbers) ?? [:])
    (intrinsics, poses) = (try keys.optional(.intrinsics), try keys.optional(.poses))
    (time, boxes) = (try keys.optional(.time), try keys.optional(.boxes))
    turn = try keys.word(.turn)
    assumed = Self.remarks(try keys.optional(.assumed) ?? [:])
    absent = Self.remarks(try keys.optional(.absent) ?? [:])
    try requireKnownNames()
    if frameFiles.isEmpty, frameEntries == nil, frameRows == nil,
      let key = intrinsics?.jsonKey ?? poses?.jsonKeys.first ?? time?.jsonKey
    {
      throw MappingFault(words: "'\(key)' is to be found in frame-files or frame-rows, and there are none")
    }
    if frameEntries == nil, !(depth.listed + colour.source.listed).isEmpty {
      throw MappingFault(words: "'listed' names texts of frame-entries, which are missing")
    }
    if frameEntries != nil, recordingFile.isEmpty || !frameFiles.isEmpty || match != .number {
      throw MappingFault(
        words: "'frame-entries' are those of recording-file, without frame-files, and are matched by number")
    }
    if frameRows != nil, !frameFiles.isEmpty || frameEntries != nil || match != .number {
      throw MappingFault(
        words: "'frame-rows' come without frame-files and frame-entries, and are matched by number")
    }
    if recordingFile.isEmpty, let key = recordingKeys.first {
      throw MappingFault(words: "'\(key)' is to be found in recording-file, and there is none")
    }
    if case .poses? = time, poses == nil {
      throw MappingFault(words: "'time' is 'poses', and there are none")
    }
  }

  /// How the maps of each role are read.
  private var readings: [MapReading] {
    [depth.reading, truth?.depth.reading, confidence?.reading].compactMap(\.self) + predictions.map(\.reading)
  }

  /// - Throws: `MappingFault` where a formula names what nothing says.
  func requireKnownNames() throws(MappingFault) {
    let known = ["v", "r", "g", "b", "a", "c0"] + MapReading.cameraNames + numbers.keys.sorted()
    for reading in readings {
      guard let unknown = reading.named.first(where: { !known.contains($0) }) else { continue }
      throw MappingFault(
        words: "the formula '\(reading.formula?.text ?? "")' names '\(unknown)'; "
          + EditDistance.advice(for: unknown, among: known))
    }
  }

  var namesArrays: Bool {
    ([depth.array, truth?.depth.array, confidence?.array, colour.source.array] + predictions.map(\.array))
      .contains { $0 != nil }
  }

  /// Whether the file of the whole recording has one of the names that it must have, in quotes as JSON writes them.
  func isNamed(in folder: RecordingFolder) -> Bool {
    guard !looksIn.isEmpty else { return true }
    guard let file = folder.files(recordingFile).first,
      let text = try? FileBytes.read(folder.path(of: file.name))
    else { return false }
    let data = Data(text)
    return looksIn.contains { data.range(of: Data("\"\($0)\"".utf8)) != nil }
  }

  /// Whether a folder has files that it names: depth, or the file that lists the depth.
  func describes(_ folder: RecordingFolder) -> Bool {
    !folder.files(depth.files + (depth.packed?.files ?? [])).isEmpty
      || !depth.listed.isEmpty && !folder.files(recordingFile).isEmpty
  }

  /// Names and patterns of all files in the recording that it reads.
  private var patterns: [String] {
    var patterns =
      depth.files + (truth?.depth.files ?? []) + predictions.flatMap(\.files) + (confidence?.files ?? [])
    patterns += colour.source.files + colour.video + frameFiles + recordingFile
    patterns += (intrinsics?.files ?? []) + (poses?.files ?? [])
    return patterns.map(\.text)
      + ([intrinsics?.file, poses?.file, poses?.translations] + (frameRows?.files ?? [])).compactMap {
        $0?.hasPrefix("/") == true ? nil : $0
      }
  }

  /// How many levels of folders its patterns name: 2 for "depth/*.png".
  var levels: Int { (patterns.map { $0.count { $0 == "/" } }.max() ?? 0) + 1 }

  /// Whether it reads a file of this name.
  func reads(_ name: String) -> Bool {
    patterns.contains { FilePattern($0).capture(in: name, inAnyCase: true) != nil }
  }

  private var recordingKeys: [String] {
    var keys = readings.flatMap { $0.raw?.sizeKeys ?? [] }
    if let key = depth.recordedScale?.key { keys.append(key) }
    keys += [intrinsics?.recording?.each, intrinsics?.recording?.all, poses?.recordingKey].compactMap(\.self)
    if case .recording(let key)? = time { keys.append(key) }
    return keys
  }

  /// In the order of their bytes: a mapping's own order is lost in reading.
  private static func remarks(_ texts: [String: String]) -> [Remark] {
    texts.sorted { $0.key < $1.key }.map { Remark(subject: $0.key, words: $0.value) }
  }
}
