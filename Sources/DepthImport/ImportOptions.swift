internal import FathomMapFiles
public import FathomStorage
import FathomPlainText
public import DepthCore
private import Foundation

/// What a user says about a recording besides its mapping.
public struct ImportOptions: Sendable, Codable {
  /// Metres of one count of the depth.
  public var depthScale: Double?
  /// What becomes of the stored numbers of the depth before that: "r + 256*g", "fx * 0.05 / v".
  public var depthFormula: String?
  /// Stored numbers that do not mean a depth.
  public var invalid: [Double] = []
  /// Stored numbers of the truth that stand for no depth; nil for what the mapping says.
  public var truthInvalid: [Double]?
  public var poses: String?
  /// File of the intrinsics, or "fx,fy,cx,cy" or "fx,fy,cx,cy,width,height".
  public var intrinsics: String?
  /// How pictures, maps, intrinsics and poses are turned.
  public var turn: ImageTurn?
  /// Every N-th frame of those of `frames`.
  public var every = 1
  /// Positions of the frames in the recording, half-open; either end may be nil.
  public var lower: Int?, upper: Int?
  /// Whether pictures are not read.
  public var leavesPicturesOut = false
  /// Files that say how the recording is read; their digests belong to what is read.
  public var settings: [String] = []
  public var maps: [MapRequest] = []
  /// Whether a folder that no format describes is read where all but one reading of it can be ruled out.
  public var takesTheOnlyReading = false
  /// Where links in the recording's folder are followed out of it.
  public var external = ExternalFolders()
  public init() {}

  /// The mapping with what the user said in the place of what it says.
  /// - Throws: `FathomError` `.usage` where a value makes no sense.
  func applied(to mapping: RecordingMapping) throws(FathomError) -> RecordingMapping {
    var mapping = mapping
    if let depthScale {
      guard depthScale > 0, depthScale < 1000 else {
        throw Self.problem(
          "depth-scale", "\(depthScale)",
          "it is the length of one count in metres, above 0 and below 1000: 0.001 for millimetres, 0.0002 for 5000 counts a metre"
        )
      }
      (mapping.depth.metresPerUnit, mapping.depth.counts) = (depthScale, nil)
    }
    if let depthFormula {
      do throws(MappingFault) {
        mapping.depth.reading.formula = try MapFormula(depthFormula, of: "formula")
        try mapping.requireKnownNames()
      } catch {
        throw FathomError(
          .usage, attempted: "use", place: "\(flag: "depth-formula") \(depthFormula)", reason: error.words,
          advice: "fix it; v is the stored number, r, g, b and a are channels")
      }
    }
    if let turn { mapping.turn = turn }
    if !invalid.isEmpty { mapping.depth.invalid = invalid }
    if let truthInvalid {
      guard mapping.truth != nil else {
        throw Self.problem(
          "truth-invalid", truthInvalid.map(DepthWords.number).joined(separator: ","),
          "the recording has no truth; a mapping can name it")
      }
      mapping.truth?.depth.invalid = truthInvalid
    }
    if let poses {
      if mapping.poses == nil || mapping.poses?.file == nil {
        mapping.poses = PoseSource(
          layout: poses.hasSuffix(".log") ? .log : .table, columns: .counted,
          direction: .cameraToWorld, axes: .opencv, up: .unknown)
      }
      if poses.hasSuffix(".log") { mapping.poses?.layout = .log }
      mapping.poses?.file = Self.absolute(poses)
      mapping.poses?.translations = nil
    }
    if let intrinsics {
      var source =
        mapping.intrinsics
        ?? IntrinsicsSource(layout: .counted, origin: .centre, imageSize: .colour)
      (source.file, source.files, source.jsonKey, source.values, source.cameras) = (nil, [], nil, nil, [])
      (source.recording, source.isOfUser) = (nil, true)
      if source.layout == .named { source.layout = .counted }
      // Numbers that a user gives are taken as the mapping counts; nominal ones are the format's own.
      if source.origin == .nominal { source.origin = .centre }
      let words = intrinsics.split(separator: ",", omittingEmptySubsequences: false)
      let numbers = words.compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
      if numbers.count == words.count, numbers.count == 4 || numbers.count == 6 {
        source.values = numbers
        if numbers.count == 6 {
          guard let width = Int(exactly: numbers[4]), let height = Int(exactly: numbers[5]),
            (1...65_536).contains(width), (1...65_536).contains(height)
          else {
            throw Self.problem("intrinsics", intrinsics, "width and height are whole numbers of pixels")
          }
          source.imageSize = .fixed(RasterSize(width: width, height: height))
        }
      } else if numbers.count == words.count {
        throw Self.problem("intrinsics", intrinsics, "give fx,fy,cx,cy or fx,fy,cx,cy,width,height or a file")
      } else {
        source.file = Self.absolute(intrinsics)
        source.layout = .counted
      }
      mapping.intrinsics = source
    }
    return mapping
  }

  private static func problem(_ option: OptionName, _ value: String, _ advice: Wording) -> FathomError {
    FathomError(
      .usage, attempted: "use", place: "\(flag: option) \(value)", reason: "it makes no sense", advice: advice
    )
  }

  /// A file that a user names lies where the user is, not in the recording.
  static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }
}
