import DepthExport

/// A file of points and boxes that was written, for tables.
public struct RenderedFile: WrittenFrames {
  public var file: String
  /// As reports name them.
  public let frames: [String]
  public let coordinates: String, points: Int, fittedBoxes: Int, truthBoxes: Int
  /// Boxes that a method could not fit, one for each object and method.
  public let failedFits: Int

  init(_ file: String, _ frames: [String], _ scene: SpatialScene, failedFits: Int) {
    (self.file, self.frames, coordinates) = (file, frames, scene.coordinates.rawValue)
    (points, self.failedFits) = (scene.points.count, failedFits)
    (fittedBoxes, truthBoxes) = scene.groups.reduce(into: (0, 0)) { counts, group in
      if group.origin == .truth { counts.1 += group.boxes.count } else { counts.0 += group.boxes.count }
    }
  }
}
