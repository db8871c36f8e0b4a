private import Foundation
package import DepthCore
package import FathomPictureFiles
package import FathomStorage

/// Focal lengths and principal point as a recording counts them.
package struct RecordedIntrinsics: Sendable, Hashable {
  package var fx: Double, fy: Double, cx: Double, cy: Double
  /// Where the source says it itself.
  package var imageSize: RasterSize?
  /// Whether its name says that it is the depth's.
  package var isOfDepth = false

  /// fx, fy, cx, cy.
  package init(_ four: [Double], imageSize: RasterSize? = nil) {
    (fx, fy, cx, cy, self.imageSize) = (four[0], four[1], four[2], four[3], imageSize)
  }

  /// A camera with square pixels that looks through the middle of its picture.
  /// - Parameter halfAngle: From the middle to the right border, in radians.
  package init(halfAngle: Double, _ size: RasterSize) {
    let f = Double(size.width) / 2 / tan(halfAngle)
    self.init([f, f, Double(size.width) / 2, Double(size.height) / 2], imageSize: size)
  }

  /// The numbers of a file or of a key.
  /// - Throws: `PictureFault` where they are not a camera matrix.
  package init(_ numbers: [Double], _ layout: IntrinsicsSource.Layout) throws(PictureFault) {
    func matrix(isTurned: Bool) throws(PictureFault) -> RecordedIntrinsics {
      guard numbers.count == 9 || numbers.count == 16
      else { throw PictureFault("it holds \(numbers.count) numbers, and a matrix has 9 or 16") }
      let side = numbers.count == 9 ? 3 : 4
      func at(_ row: Int, _ column: Int) -> Double {
        isTurned ? numbers[column * side + row] : numbers[row * side + column]
      }
      guard at(2, 2) == 1, at(1, 0) == 0, at(2, 0) == 0, at(2, 1) == 0 else {
        throw PictureFault(
          "its matrix is not [fx 0 cx; 0 fy cy; 0 0 1]"
            + (at(2, 0) != 0 && at(0, 2) == 0 ? ": it stands column by column" : ""))
      }
      return RecordedIntrinsics([at(0, 0), at(1, 1), at(0, 2), at(1, 2)])
    }
    switch layout {
    case .matrix: self = try matrix(isTurned: false)
    case .matrixColumns: self = try matrix(isTurned: true)
    case .numbers:
      guard numbers.count == 4
      else { throw PictureFault("it holds \(numbers.count) numbers, not fx fy cx cy") }
      self.init(numbers)
    case .pincam:
      guard numbers.count == 6
      else { throw PictureFault("it holds \(numbers.count) numbers, not width height fx fy cx cy") }
      guard let size = Self.size(numbers[0], numbers[1])
      else { throw PictureFault("its first two numbers are not an image size") }
      self.init(Array(numbers[2...]), imageSize: size)
    case .counted, .named:
      switch numbers.count {
      case 4: try self.init(numbers, .numbers)
      case 6: try self.init(numbers, .pincam)
      default: try self.init(numbers, .matrix)
      }
    case .open3d: throw PictureFault("Open3D's cameras are JSON")
    }
    try requireCamera()
  }

  /// The camera of a file of its own.
  /// - Parameter size: Of the depth.
  /// - Throws: `PictureFault` where it holds none.
  package init(
    _ file: NamedNumbers, _ layout: IntrinsicsSource.Layout, for size: RasterSize
  ) throws(PictureFault) {
    if layout == .counted || layout == .named, file.table == nil {
      self = try file.camera(for: size).camera
      try requireCamera()
    } else {
      self = try layout == .open3d ? Self(open3d: file) : Self(try file.requireTable(), layout)
    }
  }

  /// The camera of a table; of one that repeats it in each line, as for every frame, that of the first.
  package init(_ table: NumberTable, _ layout: IntrinsicsSource.Layout) throws(PictureFault) {
    let rows = table.rows
    let repeats = rows.count > 1 && rows[0].count >= 4 && rows.allSatisfy { $0 == rows[0] }
    try self.init(repeats ? rows[0] : table.numbers, layout)
  }

  /// Open3D's `camera_primesense.json`: a matrix column by column, with its size.
  private init(open3d file: NamedNumbers) throws(PictureFault) {
    guard let numbers = file.numbers("intrinsic_matrix"),
      let width = file.numbers("width")?.first, let height = file.numbers("height")?.first,
      let size = Self.size(width, height)
    else { throw PictureFault("it lacks Open3D's keys width, height and intrinsic_matrix") }
    self = try RecordedIntrinsics(numbers, .matrixColumns)
    imageSize = size
  }

  /// "525 525 319.5 239.5"
  package var words: String { [fx, fy, cx, cy].map(DepthWords.number).joined(separator: " ") }

  package func requireCamera() throws(PictureFault) {
    guard [fx, fy, cx, cy].allSatisfy({ $0.isFinite && abs($0) <= 1e6 }), fx > 0.001, fy > 0.001 else {
      throw PictureFault("its focal lengths and principal point are implausible: \(fx) \(fy) \(cx) \(cy)")
    }
  }

  package static func size(_ width: Double, _ height: Double) -> RasterSize? {
    guard [width, height].allSatisfy({ $0 >= 1 && $0 <= 65_536 && $0 == $0.rounded() }) else { return nil }
    return RasterSize(width: Int(width), height: Int(height))
  }

  /// In Fathom's pixels: the outer corner of the first pixel is 0.
  /// - Throws: `PictureFault` where the principal point lies outside the middle half of the image: the numbers belong to another.
  package func camera(_ origin: IntrinsicsSource.Origin, _ size: RasterSize) throws(PictureFault)
    -> CameraIntrinsics
  {
    let shift = origin == .centre ? 0.5 : 0
    let camera = CameraIntrinsics(fx: fx, fy: fy, cx: cx + shift, cy: cy + shift, imageSize: size)
    let (x, y) = (camera.cx / Double(size.width), camera.cy / Double(size.height))
    guard (0.25...0.75).contains(x), (0.25...0.75).contains(y) else {
      throw PictureFault(
        "the principal point (\(cx), \(cy)) lies far from the middle of \(size), so the intrinsics belong to another size"
      )
    }
    return camera
  }
}

extension JSONValue {
  /// A number, or all numbers of nested lists; nil where there is anything else.
  package var numbers: [Double]? {
    switch self {
    case .integer(let number): return [Double(number)]
    case .large(let number): return [Double(number)]
    case .number(let number): return [number]
    case .list(let values):
      var numbers: [Double] = []
      for value in values {
        guard let more = value.numbers else { return nil }
        numbers += more
      }
      return numbers
    default: return nil
    }
  }

  /// The value of a dotted key: "camera.intrinsics".
  package func value(at path: String) -> JSONValue? {
    path.split(separator: ".").reduce(self as JSONValue?) { $0?[String($1)] }
  }
}
