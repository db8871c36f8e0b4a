import DepthCore
import DepthObjects

/// Whether an object's pixels, carried to other frames, meet the depth there: what tells the third flip where there is
/// no true box.
///
/// With image rows mirrored the world is mirrored, too, and frames meet again, unless the camera rolled, nodded or rose
/// between them.
struct OtherFrames {
  /// Relative difference of depth from which on it counts in full.
  static let limit = 0.2
  /// Frames that an object is carried to, pixels of an object, and pairs of pixels that it needs: at most, at most,
  /// at least.
  static let (frameLimit, pixelLimit, fewestPairs) = (6, 400, 30)
  let scene: SceneHeader
  /// What is looked at of a frame, once for each pixel of each object: a class, because maps are not to be handed on so often.
  private final class View: Sendable {
    let index: Int, intrinsics: CameraIntrinsics, projection: CameraProjection, depth: DepthMap
    let confidence: Raster<UInt8>?

    init(_ frame: DepthFrame, _ camera: PosedCamera) {
      (index, depth, confidence) = (frame.index, frame.lidar, frame.confidence)
      (intrinsics, projection) = (camera.intrinsics, CameraProjection(camera))
    }
  }

  private let views: [View]

  init(_ frames: [DepthFrame], of scene: SceneHeader) {
    self.scene = scene
    views = frames.compactMap { frame in PosedCamera(of: frame, in: scene).map { View(frame, $0) } }
  }

  /// Mean of min(|z − d|/d / ``limit``, 1) with and without the third flip, over the pixels that land on returns of
  /// other frames both ways, 0…1.
  /// - Parameter pixels: Of the frame's LiDAR map, ascending; the same ones for both readings, because some surfaces
  ///   meet more easily than others.
  /// - Returns: nil where too few land.
  func disagreement(of pixels: [Int], in frame: DepthFrame) -> (flipped: Double, unflipped: Double)? {
    guard let camera = PosedCamera(of: frame, in: scene) else { return nil }
    let targets = partners(of: frame)
    var (flipped, unflipped, count) = (0.0, 0.0, 0)
    let step = max(1, pixels.count / Self.pixelLimit)
    for position in stride(from: 0, to: pixels.count, by: step) {
      let with = Self.point(pixels[position], in: frame, camera, Self.flipped)
      let without = Self.point(pixels[position], in: frame, camera, Self.unflipped)
      for k in targets.indices {
        guard let a = Self.cost(with, Self.flipped, targets[k]),
          let b = Self.cost(without, Self.unflipped, targets[k])
        else { continue }
        flipped += a
        unflipped += b
        count += 1
      }
    }
    guard count >= Self.fewestPairs else { return nil }
    return (flipped / Double(count), unflipped / Double(count))
  }

  /// Other frames, evenly over the sequence.
  private func partners(of frame: DepthFrame) -> [View] {
    let others = views.filter { $0.index != frame.index }
    guard others.count > Self.frameLimit else { return others }
    return (0..<Self.frameLimit).map { others[$0 * (others.count - 1) / (Self.frameLimit - 1)] }
  }

  private static let flipped = RowFlips(boxToDepth: false, depthToMask: false, depthToImage: true)
  private static let unflipped = RowFlips(boxToDepth: false, depthToMask: false, depthToImage: false)

  /// Where a pixel lies, in the world.
  private static func point(
    _ pixel: Int, in frame: DepthFrame, _ camera: PosedCamera, _ reading: RowFlips
  ) -> SIMD3<Double> {
    let (lidar, image) = (frame.lidar, camera.intrinsics.imageSize)
    let u = (Double(pixel % lidar.width) + 0.5) * Double(image.width) / Double(lidar.width)
    let v = (Double(pixel / lidar.width) + 0.5) * Double(image.height) / Double(lidar.height)
    return camera.point(
      u: u, v: reading.unprojectedRow(v, camera.intrinsics), depth: Double(lidar.values[pixel]))
  }

  private static func cost(_ point: SIMD3<Double>, _ reading: RowFlips, _ target: View) -> Double? {
    guard let seen = target.projection(point) else { return nil }
    // A row is taken back the way that it came.
    let row = reading.unprojectedRow(seen.v, target.intrinsics)
    let other = target.intrinsics.imageSize
    let x = seen.u / Double(other.width), y = row / Double(other.height)
    guard x >= 0, x < 1, y >= 0, y < 1 else { return nil }
    let size = target.depth.size
    let index = Int(y * Double(size.height)) * size.width + Int(x * Double(size.width))
    let depth = Double(target.depth.values[index])
    let isTrusted = target.confidence.map { $0.values[index] > 0 } ?? true
    guard depth > 0, depth.isFinite, isTrusted else { return nil }
    return min(abs(seen.depth / depth - 1) / limit, 1)
  }
}
