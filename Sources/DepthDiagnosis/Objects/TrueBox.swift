import DepthCore
import DepthObjects
import Foundation

/// An object's true box, and what the camera should have seen of it.
struct TrueBox {
  /// A surface may lie this far outside of its box: LiDAR noise at 4 m, and what the box leaves out; metres.
  static let tolerance = 0.05
  let box: OrientedBox, camera: PosedCamera
  /// Planar depths of its nearest and farthest corner, with the tolerance; metres.
  let depths: ClosedRange<Double>
  /// Bounds of its image, rows from the top; nil where it is not in the image.
  let image: PixelRectangle?
  private let cosine: Double, sine: Double

  init(_ box: OrientedBox, seenBy camera: PosedCamera) {
    (self.box, self.camera) = (box, camera)
    // A corner behind the camera has no depth: the box then begins at the camera.
    let corners = PosedBox(box).corners.map { camera.project($0)?.depth ?? 0 }
    let (near, far) = (corners.min() ?? 0, corners.max() ?? 0)
    depths = (near - Self.tolerance)...(far + Self.tolerance)
    image = box.imageBounds(seenBy: camera)
    (cosine, sine) = (cos(box.yaw), sin(box.yaw))
  }

  /// Whether a world point lies in the box or within the tolerance of it.
  func holds(_ point: SIMD3<Double>) -> Bool {
    let (p, c, s) = (point - box.center, cosine, sine)
    return abs(p.x * c + p.z * s) <= box.size.x / 2 + Self.tolerance
      && abs(p.y) <= box.size.y / 2 + Self.tolerance
      && abs(p.z * c - p.x * s) <= box.size.z / 2 + Self.tolerance
  }

  /// Share of a detected box within the true box's image, 0…1: what hides the rest of the object does not matter.
  /// - Parameter detected: Rows from the top of the LiDAR map.
  /// - Parameter flips: Whose third decides from where the camera's v counts.
  /// - Returns: nil where the true box is not in the image, or the detected one has no area.
  func share(of detected: PixelRectangle, _ flips: RowFlips) -> Double? {
    guard let image, detected.area > 0 else { return nil }
    let rows = [detected.minY, detected.maxY].map {
      Float(flips.unprojectedRow(Double($0), camera.intrinsics))
    }
    let common = PixelRectangle(
      minX: max(detected.minX, image.minX), minY: max(min(rows[0], rows[1]), image.minY),
      maxX: min(detected.maxX, image.maxX), maxY: min(max(rows[0], rows[1]), image.maxY))
    return Double(common.area / detected.area)
  }
}
