/// What a geometry file holds: points, boxes, and where they stand.
public struct SpatialScene: Sendable {
  /// What the coordinates are relative to. Lengths are metres, y points up.
  public enum Coordinates: String, Sendable, Hashable, Codable {
    /// The world that the poses lead to.
    case world
    /// The camera: x right, y up, z backward, as ARKit has it.
    case camera
  }
  public var coordinates: Coordinates
  /// What was drawn, for the file's comment; one line each.
  public var remarks: [String]
  public var points: PointCloud, groups: [BoxGroup]

  public init(
    _ coordinates: Coordinates, remarks: [String] = [], points: PointCloud = PointCloud(),
    groups: [BoxGroup] = []
  ) { (self.coordinates, self.remarks, self.points, self.groups) = (coordinates, remarks, points, groups) }

  /// Lines that begin every file: how to read it, then the remarks.
  var comments: [String] {
    let axes =
      switch coordinates {
      case .world: "coordinates: world, metres, y up"
      case .camera: "coordinates: camera (x right, y up, z backward), metres; no pose, so not the world"
      }
    return [axes] + remarks.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
  }
}
