/// How a map lies with respect to another one of the same view: the eight symmetries of a rectangle.
public enum Symmetry: String, Sendable, Hashable, Codable, CaseIterable {
  case upright, mirroredVertically = "mirrored-vertically", mirroredHorizontally = "mirrored-horizontally"
  case rotated180 = "rotated-180", transposed, rotated90 = "rotated-90", rotated270 = "rotated-270"
  case antiTransposed = "anti-transposed"

  /// For people.
  public var name: String {
    switch self {
    case .upright: "upright"
    case .mirroredVertically: "mirrored top to bottom"
    case .mirroredHorizontally: "mirrored left to right"
    case .rotated180: "turned by 180°"
    case .transposed: "transposed"
    case .rotated90: "turned by 90° clockwise"
    case .rotated270: "turned by 90° anticlockwise"
    case .antiTransposed: "transposed about the other diagonal"
    }
  }

  /// Whether rows become columns.
  public var swapsAxes: Bool {
    switch self {
    case .upright, .mirroredVertically, .mirroredHorizontally, .rotated180: false
    case .transposed, .rotated90, .rotated270, .antiTransposed: true
    }
  }

  /// Where the map's point lies for a point (x, y) of the upright view, in shares of width and height.
  public func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    switch self {
    case .upright: (x, y)
    case .mirroredVertically: (x, 1 - y)
    case .mirroredHorizontally: (1 - x, y)
    case .rotated180: (1 - x, 1 - y)
    case .transposed: (y, x)
    case .rotated90: (1 - y, x)
    case .rotated270: (y, 1 - x)
    case .antiTransposed: (1 - y, 1 - x)
    }
  }

  /// The upright map of one that lies like this.
  public func upright<Element>(_ map: Raster<Element>) -> Raster<Element> {
    let (width, height) = swapsAxes ? (map.height, map.width) : (map.width, map.height)
    // A row or column of one is a row or column of the other.
    let columns = (0..<width).map { column -> Int in
      let (x, y) = place((Double(column) + 0.5) / Double(width), 0.5)
      return swapsAxes ? Int(y * Double(map.height)) * map.width : Int(x * Double(map.width))
    }
    let rows = (0..<height).map { row -> Int in
      let (x, y) = place(0.5, (Double(row) + 0.5) / Double(height))
      return swapsAxes ? Int(x * Double(map.width)) : Int(y * Double(map.height)) * map.width
    }
    let values = [Element](unsafeUninitializedCapacity: width * height) { values, count in
      map.values.withUnsafeBufferPointer { stored in
        for row in rows {
          for column in columns {
            values.initializeElement(at: count, to: stored[row + column])
            count += 1
          }
        }
      }
    }
    return Raster(width: width, height: height, values: values)
  }
}
