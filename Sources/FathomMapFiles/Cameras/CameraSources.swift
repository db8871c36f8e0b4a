package import DepthCore
internal import DepthDataset

/// Where the intrinsics stand and how they count.
package struct IntrinsicsSource: Sendable, Hashable {
  /// From where K counts pixels.
  package enum Origin: String, CaseIterable, Sendable {
    /// The centre of the first pixel is 0: ARKit, OpenCV. Half a pixel is added.
    case centre
    /// The outer corner of the first pixel is 0: COLMAP, graphics.
    case corner
    /// Half the image size, not measured; stored as it is.
    case nominal
  }

  /// How four numbers are found in a file or a list.
  package enum Layout: String, CaseIterable, Sendable {
    /// 3×3 or 4×4, row by row.
    case matrix
    /// 3×3 or 4×4, column by column.
    case matrixColumns = "matrix-columns"
    /// fx, fy, cx, cy.
    case numbers
    /// Width, height, fx, fy, cx, cy.
    case pincam
    /// Their number tells: 4, 6, 9 or 16 as above, row by row.
    case counted
    case open3d
    /// Under the usual names, in what is said of the frame, else in the file of the whole recording.
    case named
  }

  /// The image that K belongs to.
  package enum ImageSize: Sendable, Hashable {
    case depth, colour, fixed(RasterSize)
    /// Keys of the width and the height in the recording's JSON.
    case recording([String])
  }

  /// A camera that folders of some names were recorded with.
  package struct Camera: Sendable, Hashable, Decodable {
    package var folders: [FilePattern], values: [Double]

    private enum CodingKeys: String, MappingKeys { case folders, values }

    package init(from decoder: any Decoder) throws {
      let keys = try StrictKeys(decoder, CodingKeys.self)
      (folders, values) = (try keys.required(.folders), try keys.required(.values))
      guard values.count == 4 else { throw MappingFault(words: "'values' must be fx, fy, cx, cy") }
    }
  }

  /// One file for the whole recording; it comes first where it is there. Beside ``values`` it may also lie in the folder above.
  package var file: String?
  /// One file a frame.
  package var files: [FilePattern]
  package var jsonKey: String?, recording: RecordingKeys?
  package var layout: Layout
  /// fx, fy, cx, cy; of a user also width and height.
  package var values: [Double]?
  package var cameras: [Camera], origin: Origin, imageSize: ImageSize
  /// Whether a user says ``values`` or ``file``, for a size that may not be the format's.
  package var isOfUser = false

  /// Whether ``values`` and the size are those of the format, which a recording's own file replaces.
  package var hasOptionalFile: Bool { file != nil && values != nil }

  /// A source that names no files yet.
  package init(layout: Layout, origin: Origin, imageSize: ImageSize) {
    (self.layout, self.origin, self.imageSize) = (layout, origin, imageSize)
    (files, cameras) = ([], [])
  }
}

extension IntrinsicsSource: Decodable {
  private enum CodingKeys: String, MappingKeys {
    case file, files, json, recording, layout, values, cameras, origin = "counted-from"
    case imageSize = "image-size"
  }

  package init(from decoder: any Decoder) throws {
    let keys = try StrictKeys(decoder, CodingKeys.self)
    file = try keys.optional(.file)
    (files, jsonKey) = (try keys.optional(.files) ?? [], try keys.optional(.json))
    (recording, layout) = (try keys.optional(.recording), try keys.word(.layout) ?? .matrix)
    (values, cameras) = (try keys.optional(.values), try keys.optional(.cameras) ?? [])
    (origin, imageSize) = (try keys.requiredWord(.origin), try keys.required(.imageSize))
    if let values, values.count != 4 { throw MappingFault(words: "'values' must be fx, fy, cx, cy") }
    guard
      file != nil || !files.isEmpty || jsonKey != nil || recording != nil || values != nil
        || !cameras.isEmpty || layout == .named
    else {
      throw MappingFault(words: "'intrinsics' names no file, files, json, recording, values or cameras")
    }
  }
}

extension IntrinsicsSource {
  /// Where the recording's JSON says the intrinsics.
  package struct RecordingKeys: Sendable, Hashable, Decodable {
    /// A list of fx, fy, cx, cy by the number of the frame.
    package var each: String?
    /// The camera of all frames, where there is no list.
    package var all: String?

    private enum CodingKeys: String, MappingKeys { case each, all }

    package init(from decoder: any Decoder) throws {
      let keys = try StrictKeys(decoder, CodingKeys.self)
      (each, all) = (try keys.optional(.each), try keys.optional(.all))
    }
  }
}

extension IntrinsicsSource.ImageSize: Decodable {
  private enum CodingKeys: String, MappingKeys { case recording }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let word = try? container.decode(String.self), word == "depth" || word == "colour" {
      self = word == "depth" ? .depth : .colour
      return
    }
    if let keys = try? StrictKeys(decoder, CodingKeys.self) {
      let names: [String] = try keys.required(.recording)
      guard names.count == 2 else { throw MappingFault(words: "'image-size.recording' must be two keys") }
      self = .recording(names)
      return
    }
    guard let sides = try? container.decode([Int].self), sides.count == 2,
      sides.allSatisfy({ (1...65_536).contains($0) })
    else {
      throw MappingFault(
        words: "'image-size' must be depth, colour, [width, height] or {recording: [KEY, KEY]}")
    }
    self = .fixed(RasterSize(width: sides[0], height: sides[1]))
  }
}

/// Where the poses stand and what they mean.
package struct PoseSource: Sendable, Hashable {
  package enum Direction: String, CaseIterable, Sendable {
    case cameraToWorld = "camera-to-world", worldToCamera = "world-to-camera"
  }

  package enum Layout: String, CaseIterable, Sendable {
    /// A line for each pose, with columns.
    case table
    /// A line of whole numbers that begins with the number of the pose, from 0, and four lines of a matrix.
    case log
    /// 3×4 or 4×4, row by row: a frame's own file, or a key of its JSON.
    case matrix
    /// The same, column by column.
    case matrixColumns = "matrix-columns"
  }

  package enum Column: String, CaseIterable, Sendable {
    case time, frame, tx, ty, tz, qx, qy, qz, qw, rx, ry, rz, skip
  }

  package enum Columns: Sendable, Hashable {
    /// The file's first line names them.
    case header
    /// Their number tells: 7 (t, q in the order of the frames), 8 (time or frame first), 12 or 16 (a matrix).
    case counted
    case listed([Column])
  }

  /// "y", "z", or not known, which is stored as y. Where one of them points down, the world is turned by half about x.
  package enum Up: String, CaseIterable, Sendable {
    case y, z, unknown
    case downY = "-y", downZ = "-z"
    /// y, or not known where the first pose is the identity: then the recorder counted from it, however it was held.
    case yUnlessFromFirst = "y-unless-from-first"
  }

  /// The unit of the translations.
  package enum Unit: Sendable, Hashable {
    /// Metres.
    case length(Double)
    /// That of the depth, whatever it is: both are of one model.
    case depth
    /// The metres of one unit stand in a file, under a key.
    case stated(file: String, key: String)
  }

  package var file: String?
  /// Holds the translations of all poses, where ``file`` holds their rotations; poses are then numbered from 0.
  package var translations: String?
  package var files: [FilePattern]
  /// Keys in the frame's JSON, whose numbers follow each other; of 9 and 3, a rotation and a translation.
  package var jsonKeys: [String]
  /// Key in the recording's JSON: a list of rows as in a table.
  package var recordingKey: String?
  package var layout: Layout, columns: Columns, direction: Direction, axes: CameraConvention, up: Up
  package var unit = Unit.length(1)

  /// A source that names no files yet.
  package init(layout: Layout, columns: Columns, direction: Direction, axes: CameraConvention, up: Up) {
    (self.layout, self.columns, self.direction, self.axes, self.up) = (layout, columns, direction, axes, up)
    (files, jsonKeys) = ([], [])
  }
}

extension PoseSource: Decodable {
  private enum CodingKeys: String, MappingKeys {
    case file, files, json, layout, columns, direction, axes, up, unit, recordingKey = "recording"
  }

  package init(from decoder: any Decoder) throws {
    let keys = try StrictKeys(decoder, CodingKeys.self)
    let own = try keys.optional(.file, KeyList.self)?.keys ?? []
    guard own.count <= 2
    else { throw MappingFault(words: "'poses.file' is a file, or two: of rotations and of translations") }
    (file, translations) = (own.first, own.count == 2 ? own[1] : nil)
    files = try keys.optional(.files) ?? []
    jsonKeys = try keys.optional(.json, KeyList.self)?.keys ?? []
    (recordingKey, layout) = (try keys.optional(.recordingKey), try keys.requiredWord(.layout))
    columns = try keys.optional(.columns) ?? .counted
    (direction, axes) = (try keys.requiredWord(.direction), try keys.requiredWord(.axes))
    (up, unit) = (try keys.requiredWord(.up), try keys.optional(.unit) ?? .length(1))
    let sources =
      (file == nil ? 0 : 1) + (files.isEmpty ? 0 : 1) + (jsonKeys.isEmpty ? 0 : 1)
      + (recordingKey == nil ? 0 : 1)
    guard sources <= 1
    else { throw MappingFault(words: "'poses' names more than one of file, files, json and recording") }
    guard file == nil && recordingKey == nil || layout == .table || layout == .log
    else { throw MappingFault(words: "'poses.file' holds all poses, so its layout is table or log") }
  }
}

extension PoseSource.Unit: Decodable {
  private enum CodingKeys: String, MappingKeys { case file, key }

  package init(from decoder: any Decoder) throws {
    if let word = try? decoder.singleValueContainer().decode(String.self) {
      guard word == "depth" || StoredUnit(rawValue: word) != nil
      else {
        throw MappingFault(
          words: "'poses.unit' is '\(word)'; write m, cm, mm, depth or {file: FILE, key: KEY}")
      }
      self = StoredUnit(rawValue: word).map { .length($0.metres) } ?? .depth
      return
    }
    let keys = try StrictKeys(decoder, CodingKeys.self)
    self = .stated(file: try keys.required(.file), key: try keys.required(.key))
  }
}

private struct KeyList: Decodable {
  let keys: [String]

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let key = try? container.decode(String.self) {
      keys = [key]
    } else {
      keys = try container.decode([String].self)
    }
  }
}

extension PoseSource.Columns: Decodable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let word = try? container.decode(String.self) {
      guard word == "header" || word == "counted"
      else { throw MappingFault(words: "'columns' is '\(word)'; write header, counted or a list of names") }
      self = word == "header" ? .header : .counted
      return
    }
    let known = PoseSource.Column.allCases.map(\.rawValue)
    self = .listed(
      try container.decode([String].self).map { name in
        guard let column = PoseSource.Column(rawValue: name) else {
          throw MappingFault(words: "'columns' holds '\(name)'; there are \(known.joined(separator: ", "))")
        }
        return column
      })
  }
}
