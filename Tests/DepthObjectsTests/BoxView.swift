import DepthCore
import Foundation

@testable import DepthObjects

/// A LiDAR view of one box, alone in the world: what domain §5 simulates.
struct BoxView: Sendable {
  /// Which faces the camera sees.
  enum Faces: String, CaseIterable, Sendable {
    case two = "two vertical faces, no top"
    case twoAndTop = "two vertical faces and the top"
    case one = "one vertical face"
  }
  let truth: OrientedBox
  let camera: PosedCamera
  /// World points and planar depths of the pixels that hit the box, with noise, metres.
  let points: [SIMD3<Double>], depths: [Double]

  /// LiDAR of an iPhone: 256 × 192 pixels, 62° wide.
  static let intrinsics = CameraIntrinsics(
    fx: 212, fy: 212, cx: 128, cy: 96, imageSize: RasterSize(width: 256, height: 192))

  /// A box of 0.2–0.5 m at 0.8–2 m.
  ///
  /// - Parameter noise: Standard deviation of each depth, independent, metres.
  init(_ faces: Faces, noise: Double, seed: UInt64) {
    var generator = SplitMix64(seed: seed, stream: "box view", faces.rawValue)
    func uniform(_ low: Double, _ high: Double) -> Double { generator.uniform(low, high) }
    let size = SIMD3(uniform(0.2, 0.5), uniform(0.2, 0.5), uniform(0.2, 0.5))
    let yaw = uniform(-.pi, .pi)
    truth = OrientedBox(center: [uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)], size: size, yaw: yaw)
    let distance = uniform(0.8, 2)
    // From the box: straight at a face, or with both normals at least 20° away from the view.
    let heading = yaw + (faces == .one ? uniform(-0.05, 0.05) : uniform(20, 70) * .pi / 180)
    let rise = faces == .twoAndTop ? size.y / 2 + uniform(0.3, 0.6) : uniform(-0.4, 0.4) * size.y
    let position = truth.center + SIMD3(cos(heading) * distance, rise, sin(heading) * distance)
    camera = PosedCamera(Self.intrinsics, Self.pose(at: position, towards: truth.center), .arkit)

    var (points, depths): ([SIMD3<Double>], [Double]) = ([], [])
    let solid = PosedBox(truth)
    let window = Self.window(of: solid, from: camera)
    for row in window.rows {
      for column in window.columns {
        let (u, v) = (Double(column) + 0.5, Double(row) + 0.5)
        guard let depth = Self.depth(of: solid, from: position, along: camera.direction(u: u, v: v)) else {
          continue
        }
        let noisy = depth + noise * generator.normal()
        points.append(camera.point(u: u, v: v, depth: noisy))
        depths.append(noisy)
      }
    }
    (self.points, self.depths) = (points, depths)
  }

  /// What a method gets: the points within its depth quantiles.
  func object(for method: BoxMethod) -> ObjectPoints {
    let range = method.selection.depthRange(of: depths) ?? 0...0
    let kept = points.indices.filter { range.contains(depths[$0]) }
    let seen = PosedBox(truth).corners.compactMap { camera.project($0) }
    let (us, vs) = (seen.map { Float($0.u) }, seen.map { Float($0.v) })
    return ObjectPoints(
      points: kept.map { points[$0] }, depths: kept.map { depths[$0] }, camera: camera,
      imageBox: PixelRectangle(
        minX: us.min() ?? 0, minY: vs.min() ?? 0, maxX: us.max() ?? 0, maxY: vs.max() ?? 0),
      medianDepth: OrderStatistics.median(of: depths) ?? 0)
  }

  /// Pixels that may see the box.
  private static func window(of box: PosedBox, from camera: PosedCamera) -> (
    rows: Range<Int>, columns: Range<Int>
  ) {
    let seen = box.corners.compactMap { camera.project($0) }
    func pixels(_ values: [Double], _ count: Int) -> Range<Int> {
      let (low, high) = (values.min() ?? 0, values.max() ?? 0)
      return max(0, min(count, Int(low)))..<max(0, min(count, Int(high) + 1))
    }
    return (pixels(seen.map(\.v), 192), pixels(seen.map(\.u), 256))
  }

  /// ARKit's axes: x right, y up, z backward.
  private static func pose(at position: SIMD3<Double>, towards target: SIMD3<Double>) -> RigidTransform {
    let back = (position - target) / (position - target).length
    let right = SIMD3(0, 1, 0).cross(back) / SIMD3(0, 1, 0).cross(back).length
    return RigidTransform(xAxis: right, yAxis: back.cross(right), zAxis: back, translation: position)
  }

  /// Planar depth at which a ray of planar depth 1 enters the box.
  private static func depth(of box: PosedBox, from origin: SIMD3<Double>, along ray: SIMD3<Double>) -> Double?
  {
    let inverse = box.pose.inverse
    let (o, d) = (inverse(origin), inverse.direction(ray))
    var (near, far) = (-Double.infinity, Double.infinity)
    for k in 0..<3 {
      let (a, b) = ((-box.size[k] / 2 - o[k]) / d[k], (box.size[k] / 2 - o[k]) / d[k])
      (near, far) = (max(near, min(a, b)), min(far, max(a, b)))
    }
    return near <= far && near > 0 ? near : nil
  }
}

extension SplitMix64 {
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
  mutating func uniform(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }
  /// Box and Muller.
  mutating func normal() -> Double { (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit()) }
}
