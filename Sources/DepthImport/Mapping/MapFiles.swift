internal import DepthCore
internal import DepthDataset
package import FathomMapFiles

/// Files of metric depth, one a frame, and how their numbers become metres.
package struct DepthFiles: Sendable, Hashable {
  /// The first pattern that a file matches counts.
  package var files: [FilePattern]
  /// Arrays in these files; nil where a file is a map.
  var array: ArraySource?
  /// Paths in the entries of the frames, which come before ``files``.
  var listed: [String]
  /// nil where the user must say it, or the recording does.
  var metresPerUnit: Double?
  /// Where the recording says it.
  var recordedScale: RecordedScale?
  /// Where a file that may be there says it; it comes before ``metresPerUnit``.
  var counts: StatedCounts?
  /// Metres that are added after that.
  var offset: Double
  /// Stored numbers that do not mean a depth, besides 0 and what is not finite.
  var invalid: [Double]
  /// nil where the names of the files tell.
  var kind: DepthKind?
  var reading = MapReading()
  /// Where none of ``files`` is there.
  var packed: PackedFrames?
  var source: MapSource { MapSource(files: files, array: array, listed: listed, packed: packed) }
  /// Whether a file that is read as a map of numbers would not give depth.
  var isCoded: Bool { !reading.isPlain || reading.raw != nil }
}

extension DepthKind {
  /// What files hold by their names: Hypersim's "frame.0000.depth_meters.hdf5" and Isaac Sim's
  /// "distance_to_camera_0000.npy" are lengths of rays.
  package init(ofFilesNamed names: [String]) {
    let areRays = names.map { $0.lowercased() }.allSatisfy {
      $0.contains(".depth_meters.h") || $0.contains("distance_to_camera")
    }
    self = areRays && !names.isEmpty ? .distance : .planar
  }

  package static let whyRays =
    "files named depth_meters (Hypersim) or distance_to_camera (Isaac Sim) are distances along the ray"
}

/// A number of the recording, such as the length of one count.
struct RecordedScale: Sendable, Hashable, Decodable {
  /// Its name in the entries of the frames, or in the file of the whole recording.
  var key: String
  /// What it is multiplied with, such as to become metres.
  var factor: Double

  private enum CodingKeys: String, MappingKeys { case key, times }

  init(from decoder: any Decoder) throws {
    let keys = try StrictKeys(decoder, CodingKeys.self)
    (key, factor) = (try keys.required(.key), try keys.optional(.times) ?? 1)
  }
}

/// Counts of a metre, in a file of the folder or of the one above.
struct StatedCounts: Sendable, Hashable, Decodable {
  var file: String, key: String

  private enum CodingKeys: String, MappingKeys { case file, key }

  init(from decoder: any Decoder) throws {
    let keys = try StrictKeys(decoder, CodingKeys.self)
    (file, key) = (try keys.required(.file), try keys.required(.key))
  }
}

/// A number, or where the recording says it; neither where the word "file" says that the map's own file does.
struct StatedNumber: Sendable, Hashable, Decodable {
  var number: Double?, recorded: RecordedScale?

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    number = try? value.decode(Double.self)
    if number == nil, (try? value.decode(String.self)) != "file" {
      recorded = try RecordedScale(from: decoder)
    }
  }
}

extension DepthFiles: Decodable {
  private enum CodingKeys: String, MappingKeys {
    case files, listed, array, axes, unit, scale, offset, invalid, kind, raw, channel, bits, formula, packed
    case counts = "counts-per-metre"
  }

  package init(from decoder: any Decoder) throws {
    let keys = try StrictKeys(decoder, CodingKeys.self)
    (packed, counts) = (try keys.optional(.packed), try keys.optional(.counts))
    listed = try keys.optional(.listed) ?? []
    files = listed.isEmpty ? try keys.required(.files) : try keys.optional(.files) ?? []
    let unit = try keys.word(.unit, StoredUnit.self)
    let stated = try keys.optional(.scale, StatedNumber.self)
    if let stated, stated.number == nil, stated.recorded == nil {
      throw MappingFault(words: "'scale' is a number, or {key: KEY}")
    }
    guard unit == nil || stated == nil
    else { throw MappingFault(words: "'unit' and 'scale' exclude each other") }
    recordedScale = stated?.recorded
    let scale = stated?.number
    if let scale, !(scale > 0 && scale <= 1000) {
      throw MappingFault(
        words: "'scale' is \(scale); it is the length of one count in metres: 0.001 for millimetres")
    }
    (metresPerUnit, offset) = (unit?.metres ?? scale, try keys.optional(.offset) ?? 0)
    guard offset.isFinite, abs(offset) <= 1000
    else { throw MappingFault(words: "'offset' is \(offset); it is in metres, at most 1000") }
    reading = try MapReading(from: decoder)
    array = try ArraySource(
      try keys.optional(.array), try keys.optional(.axes), mayHaveChannels: !reading.isPlain)
    (invalid, kind) = (try keys.optional(.invalid) ?? [], try keys.word(.kind))
    guard !source.isEmpty else { throw MappingFault(words: "'files' names none") }
    guard array == nil || reading.raw == nil
    else { throw MappingFault(words: "'array' and 'raw' exclude each other") }
  }
}

/// Files of true depth.
struct TruthFiles: Sendable, Hashable, Decodable {
  var depth: DepthFiles, independence: TruthIndependence

  private enum CodingKeys: String, MappingKeys { case depth, independence }

  init(from decoder: any Decoder) throws {
    let keys = try StrictKeys(decoder, CodingKeys.self)
    let depth = Result { try keys.required(.depth, DepthFiles.self) }
    let independence = Result { try keys.requiredWord(.independence, TruthIndependence.self) }
    // Both at once, or the second is found when the first is mended.
    if case .failure(let first as MappingFault) = depth,
      case .failure(let second as MappingFault) = independence
    {
      throw MappingFault(words: first.words + "; " + second.words)
    }
    (self.depth, self.independence) = (try depth.get(), try independence.get())
  }
}

/// Files of what a network made of the frames.
struct PredictionFiles: Sendable, Hashable, Decodable {
  var name: String, files: [FilePattern]
  /// Arrays in these files; nil where a file is a map.
  var array: ArraySource?
  var kind: StoredPrediction.Kind
  /// Stored numbers that stand for nothing.
  var invalid: [Double]
  var reading: MapReading
  var source: MapSource { MapSource(files: files, array: array) }

  private enum CodingKeys: String, MappingKeys {
    case name, files, array, axes, kind, invalid, raw, channel, bits, formula
  }

  init(from decoder: any Decoder) throws {
    let keys = try StrictKeys(decoder, CodingKeys.self)
    (name, files) = (try keys.required(.name), try keys.required(.files))
    reading = try MapReading(from: decoder)
    array = try ArraySource(
      try keys.optional(.array), try keys.optional(.axes), mayHaveChannels: !reading.isPlain)
    guard let kind = StoredPrediction.Kind(rawValue: try keys.required(.kind)) else {
      throw MappingFault(words: "the kind of the prediction '\(name)' is not metric, depth or disparity")
    }
    (self.kind, invalid) = (kind, try keys.optional(.invalid) ?? [])
  }
}

struct ConfidenceFiles: Sendable, Hashable, Decodable {
  var files: [FilePattern]
  /// Arrays in these files; nil where a file is a map.
  var array: ArraySource?
  /// nil where the files say which it is.
  var code: ConfidenceCode?
  var reading: MapReading
  var source: MapSource { MapSource(files: files, array: array) }

  private enum CodingKeys: String, MappingKeys { case files, array, axes, code, raw, channel, bits, formula }

  init(from decoder: any Decoder) throws {
    let keys = try StrictKeys(decoder, CodingKeys.self)
    files = try keys.required(.files)
    reading = try MapReading(from: decoder)
    array = try ArraySource(
      try keys.optional(.array), try keys.optional(.axes), mayHaveChannels: !reading.isPlain)
    code = try keys.word(.code)
  }
}
