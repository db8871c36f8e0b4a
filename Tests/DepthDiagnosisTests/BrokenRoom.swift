import DepthCore
import DepthDiagnosis
import Foundation

/// A room with a box in it, seen by a camera that walks: every convention can be broken on purpose.
struct BrokenRoom {
  static let size = RasterSize(width: 64, height: 48)
  static let intrinsics = CameraIntrinsics(
    fx: 400, fy: 400, cx: 330, cy: 200, imageSize: RasterSize(width: 640, height: 480))

  var header: SceneHeader
  var frames: [DepthFrame]
  /// What is diagnosed.
  var sample: SceneSample { SceneSample(header: header, frames: frames) }

  /// - Parameters:
  ///   - moves: Whether the camera moves.
  ///   - isSteady: Whether it moves by the same step each time; then other frames' poses carry frames into each other nearly as well.
  ///   - pitch: How far it looks down, radians.
  ///   - noise: Relative noise of the LiDAR.
  init(
    frames count: Int = 8, moves: Bool = true, isSteady: Bool = true, pitch: Double = 0.15,
    noise: Double = 0.005,
    seed: UInt64 = 1
  ) {
    var header = SceneHeader(name: "room", frameCount: count)
    header.lidarSize = Self.size
    header.relativeSize = Self.size
    header.relativeKind = .disparity
    header.intrinsics = Self.intrinsics
    header.hasPoses = true
    header.cameraConvention = .opencv
    header.timestampsSeconds = (0..<count).map { Double($0) / 10 }
    self.header = header
    var generator = SplitMix64(seed: seed)
    frames = (0..<count).map { index in
      let t = moves ? Double(index) + (isSteady ? 0 : 0.9 * sin(2.1 * Double(index))) : 0
      let (c, s) = (cos(0.12 * t + 0.3), sin(0.12 * t + 0.3))
      let (cp, sp) = (cos(pitch), sin(pitch))
      // OpenCV axes in a world with y up: right, down, forward; looking a little down.
      let pose = RigidTransform(
        xAxis: [-c, 0, -s], yAxis: [s * sp, -cp, -c * sp], zAxis: [-s * cp, -sp, c * cp],
        translation: [0.3 + 0.1 * t, 1.4 - 0.05 * t, 0.2 + 0.08 * t])
      let camera = Self.intrinsics.scaled(to: Self.size)
      let depth = (0..<Self.size.count).map { i -> Double in
        let (row, column) = (Double(i / Self.size.width), Double(i % Self.size.width))
        return Self.depth(u: column + 0.5, v: row + 0.5, camera, pose)
      }
      let lidar = depth.map { Float($0 * (1 + noise * (Double(generator.next() >> 11) * 0x1p-52 - 1))) }
      return DepthFrame(
        index: index, lidar: DepthMap(width: 64, height: 48, values: lidar),
        relative: DepthMap(width: 64, height: 48, values: depth.map { Float(0.4 / $0 + 0.05) }),
        intrinsics: Self.intrinsics, worldFromCamera: pose)
    }
  }

  /// Planar depth at an image point, metres.
  static func depth(u: Double, v: Double, _ camera: CameraIntrinsics, _ pose: RigidTransform) -> Double {
    let ray = SIMD3((u - camera.cx) / camera.fx, (v - camera.cy) / camera.fy, 1)
    return distance(from: pose.translation, along: pose.direction(ray))
  }

  /// First hit of a ray with the walls, floor, ceiling or the box.
  private static func distance(from origin: SIMD3<Double>, along ray: SIMD3<Double>) -> Double {
    let walls = (low: SIMD3(-2.0, 0, -1), high: SIMD3(2.5, 2.6, 4))
    let box = (low: SIMD3(0.1, 0, 1.6), high: SIMD3(0.9, 0.9, 2.2))
    var exit = Double.infinity
    for axis in 0..<3 where ray[axis] != 0 {
      exit = min(exit, ((ray[axis] > 0 ? walls.high[axis] : walls.low[axis]) - origin[axis]) / ray[axis])
    }
    var (near, far) = (0.0, Double.infinity)
    for axis in 0..<3 {
      guard ray[axis] != 0 else { continue }
      let a = (box.low[axis] - origin[axis]) / ray[axis], b = (box.high[axis] - origin[axis]) / ray[axis]
      (near, far) = (max(near, min(a, b)), min(far, max(a, b)))
    }
    return near < far && near > 0 ? min(near, exit) : exit
  }

  /// Changes every frame.
  func changed(_ change: (inout DepthFrame) -> Void) -> BrokenRoom {
    var copy = self
    for index in copy.frames.indices { change(&copy.frames[index]) }
    return copy
  }
}

extension Raster {
  /// The raster read at places of itself.
  func rearranged(_ place: (_ row: Int, _ column: Int) -> (Int, Int)) -> Raster {
    var copy = self
    for row in 0..<height {
      for column in 0..<width {
        let (r, c) = place(row, column)
        copy[row, column] = self[r, c]
      }
    }
    return copy
  }
}
