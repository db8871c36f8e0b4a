public import DepthCore
import FathomPlainText

/// Two arrays of a scene, one portrait and the other landscape: they cannot cover one field of view.
public struct AspectDisagreement: Sendable, Hashable {
  /// The array that disagrees, below the scene's group, and the one that it disagrees with.
  public var object: String, reference: String
  public var size: RasterSize, referenceSize: RasterSize
  /// Sides that differ by less than this share are square to a network.
  private static let nearlySquare = 1.1
  /// Smaller arrays do not come from a recording.
  private static let leastSide = 16

  /// What a scene has of maps and cameras, starting with the one that the others are compared with.
  public static func shapes(of scene: SceneHeader) -> [(object: String, size: RasterSize)] {
    [
      ("camera/intrinsics", scene.intrinsics?.imageSize), ("lidar/depth", scene.lidarSize),
      ("image/rgb", scene.colourSize), ("relative/values", scene.relativeSize),
      ("truth/depth", scene.truthSize),
    ].compactMap { object, size in size.map { (object, $0) } }
  }

  /// Every array that is turned with respect to K, or to the LiDAR where there is no K.
  public static func all(in scene: SceneHeader) -> [AspectDisagreement] {
    let shapes = shapes(of: scene).filter { min($0.size.width, $0.size.height) >= leastSide }
    guard let reference = shapes.first(where: { shape($0.size) != 0 }) else { return [] }
    return shapes.filter { shape($0.size) * shape(reference.size) < 0 }.map { other in
      AspectDisagreement(
        object: other.object, reference: reference.object, size: other.size, referenceSize: reference.size)
    }
  }

  /// Whether a map of this size is of another shape after a quarter turn.
  public static func isTurnable(_ size: RasterSize) -> Bool { shape(size) != 0 }

  /// 1 landscape, −1 portrait, 0 neither.
  private static func shape(_ size: RasterSize) -> Int {
    let (width, height) = (Double(size.width), Double(size.height))
    return width > nearlySquare * height ? 1 : height > nearlySquare * width ? -1 : 0
  }

  /// "it is 192×256, portrait, but camera/intrinsics are of 1920×1440, landscape".
  public var problem: String {
    func words(_ size: RasterSize) -> String {
      "\(size), \(size.width > size.height ? "landscape" : "portrait")"
    }
    return "\(object) is \(words(size)), but \(reference) is \(words(referenceSize))"
  }

  public var advice: String {
    "turn \(object) by 90° clockwise or anticlockwise, whichever puts it on the others, "
      + "or turn the others with their K and poses (`fathom import \(flag: "turn")` does it for all)"
  }
}
