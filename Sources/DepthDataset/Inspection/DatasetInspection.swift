public import FathomStorage
public import DepthCore

/// Everything that can be said about a file without fusing anything: what each scene holds, in which range, and
/// what is absent or breaks the schema.
public struct DatasetInspection: Sendable, Codable {
  /// The file, as the caller named it.
  public var path: String
  public var byteCount: Int, schemaVersion: Int
  /// Other files that it leads to, as it names them; none unless that was allowed.
  public var externalFiles: [String]
  /// What the file says about itself.
  public var attributes: DatasetAttributes
  public var scenes: [SceneInspection]
  /// Errors and notes, in the order of the file.
  public var issues: [SchemaIssue]
  /// True for a recording, read as an import would write it; absent for a data set.
  public var isRecording: Bool?
  /// Whether strict readers accept the file.
  public var isValid: Bool { !issues.contains { $0.severity == .error } }

  /// Reads the whole file, one frame at a time.
  /// - Parameter external: As of `DatasetReader`.
  /// - Throws: `FathomError` as a lenient `DatasetReader` does, and where the file changes meanwhile; what it tolerates
  ///   is in `issues`.
  public init(inspecting path: String, external: ExternalFolders = ExternalFolders()) throws(FathomError) {
    if let executable = ReaderProcess.executable {
      self = try RemoteSource.inspection(of: path, executable: executable, external: external)
      return
    }
    let reader = try DatasetReader(
      readingFrom: path, validation: .lenient, external: external)
    self.init(of: reader)
    try reader.sources.requireUnchanged()
  }

  init(of reader: borrowing DatasetReader) {
    (path, byteCount) = (reader.path, reader.sources.byteCount)
    (externalFiles, schemaVersion) = (reader.sources.externalNames, reader.schemaVersion)
    attributes = reader.attributes
    var (scenes, issues): ([SceneInspection], [SchemaIssue]) = ([], reader.issues)
    for header in reader.scenes { scenes.append(SceneInspection(header, reader, &issues)) }
    self.scenes = scenes
    // What opening the file found, reading its frames finds again.
    var seen: Set<SchemaIssue> = []
    self.issues = issues.filter { seen.insert($0).inserted }
  }
}

extension DatasetInspection {
  /// Reads all of a recording, one frame at a time; its arrays are what an import of it would hold.
  /// - Throws: `FathomError` where a frame cannot be read, or a file changes meanwhile.
  public init(of recording: borrowing some FrameSource & ~Copyable) throws(FathomError) {
    (path, byteCount) = (recording.path, recording.sources.byteCount)
    (externalFiles, attributes) = ([], DatasetAttributes())
    (schemaVersion, issues, isRecording) = (DatasetReader.schemaVersions.max() ?? 0, recording.issues, true)
    scenes = []
    for header in recording.scenes { scenes.append(try SceneInspection(header, of: recording)) }
    try recording.sources.requireUnchanged()
  }
}

public struct SceneInspection: Sendable, Codable {
  public var name: String, frameCount: Int
  /// Texts of the scene's group.
  public var note: String?, license: String?, device: String?
  /// The arrays of numbers and images, in the order of the schema.
  public var arrays: [ArrayInspection]
  /// Shares of the confidence levels; nil without confidence.
  public var confidence: ConfidenceShares?
  /// Intrinsics of the first frame.
  public var intrinsics: CameraIntrinsics?
  /// Axes and up direction of the poses; nil without poses.
  public var cameraConvention: CameraConvention?, upAxis: UpAxis?
  /// Last time less first, seconds; nil without times.
  public var durationSeconds: Double?
  /// Frames that have a picture; nil where all have one, or none.
  public var pictureCount: Int?
  /// Where the scene was imported from and how; nil where it was not.
  public var importRecord: ImportRecord?
  /// Number of detections by class; nil without objects.
  public var objects: [String: Int]?
  /// Whether some detections have masks, or true boxes.
  public var hasMasks: Bool, hasTrueBoxes: Bool
  /// What the schema knows and the scene does not have: "lidar/confidence".
  public var absent: [String]
}

public struct ArrayInspection: Sendable, Codable {
  /// Path inside the scene: "lidar/depth".
  public var name: String
  public var size: RasterSize
  /// Type in the file: "float32", "uint16".
  public var storedType: String
  /// Extents of a chunk; nil for contiguous storage.
  public var chunk: [Int]?
  /// Names of the compression filters.
  public var filters: [String]
  /// Bytes in the file.
  public var byteCount: Int
  /// What the values mean, as declared or by default: "planar", "disparity".
  public var kind: String?
  /// The unit of the range below: "m", or nil for a network's own unit.
  public var unit: String?
  /// The network, or where the truth comes from.
  public var origin: String?
  /// Range and coverage; nil for images, and where a frame could not be read.
  public var values: ValueSummary?
}

/// Shares of the confidence levels, of all LiDAR pixels; they add up to 1.
public struct ConfidenceShares: Sendable, Codable, Hashable {
  /// Levels 0, 1 and 2.
  public var low: Double, medium: Double, high: Double
  /// Numbers that are not a confidence level.
  public var other: Double

  /// Shares of all pixels.
  public init(low: Double, medium: Double, high: Double, other: Double) {
    (self.low, self.medium, self.high, self.other) = (low, medium, high, other)
  }
}

/// Range and coverage of an array.
public struct ValueSummary: Sendable, Codable, Hashable {
  /// Share of valid pixels: finite, and positive where the array is metric depth.
  public var validShare: Double
  /// Of the valid values; nil where there are none. The median is that of a histogram, within 0.05 %.
  public var minimum: Double?, median: Double?, maximum: Double?

  /// A summary; without numbers where nothing is valid.
  public init(validShare: Double, minimum: Double? = nil, median: Double? = nil, maximum: Double? = nil) {
    (self.validShare, self.minimum, self.median, self.maximum) = (validShare, minimum, median, maximum)
  }
}
