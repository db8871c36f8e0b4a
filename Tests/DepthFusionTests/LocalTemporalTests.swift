import DepthCore
import Foundation
import Testing

@testable import DepthFusion

/// A slanted wall seen by a moving camera.
private struct Wall {
  let convention: CameraConvention
  let size = RasterSize(width: 64, height: 48)
  let camera = CameraIntrinsics(
    fx: 400, fy: 410, cx: 250, cy: 200, imageSize: RasterSize(width: 512, height: 384))

  /// Pose of frame `index`: a slide and a turn about the vertical, in the convention's camera axes.
  func pose(_ index: Int) -> RigidTransform {
    let angle = 0.01 * Double(index)
    let flip = convention == .arkit ? -1.0 : 1.0
    let pose = RigidTransform(
      xAxis: [cos(angle), 0, -sin(angle)], yAxis: [0, flip, 0],
      zAxis: [flip * sin(angle), 0, flip * cos(angle)],
      translation: [0.02 * Double(index), 0.01 * Double(index), -0.015 * Double(index)])
    return pose
  }

  /// Planar depth of the wall z = 2 + 0.3·x + 0.2·y (OpenCV world) at every pixel.
  func depth(_ index: Int) -> DepthMap {
    let K = camera.scaled(to: size)
    let pose = pose(index)
    let flip = convention == .arkit ? -1.0 : 1.0
    var values: [Float] = []
    for row in 0..<size.height {
      for column in 0..<size.width {
        let ray = SIMD3(
          (Double(column) + 0.5 - K.cx) / K.fx, flip * (Double(row) + 0.5 - K.cy) / K.fy, flip)
        let (d, o) = (pose.direction(ray), pose.translation)
        values.append(Float((2 + 0.3 * o.x + 0.2 * o.y - o.z) / (d.z - 0.3 * d.x - 0.2 * d.y)))
      }
    }
    return DepthMap(width: size.width, height: size.height, values: values)
  }

  func frame(_ index: Int, noise: Double = 0) -> DepthFrame {
    var generator = SplitMix64(seed: UInt64(index))
    var lidar = depth(index)
    for i in lidar.values.indices { lidar.values[i] *= Float(1 + noise * generator.nextNormal()) }
    return DepthFrame(
      index: index, lidar: lidar, confidence: Raster(width: 64, height: 48, filledWith: 2),
      intrinsics: camera, worldFromCamera: pose(index))
  }

  func context() -> FusionContext {
    var context = FusionContext()
    context.cameraConvention = convention
    return context
  }
}

@Suite("Averaging over time")
struct LocalTemporalTests {
  // Bilinear splats are exact on a plane in disparity, not in depth, and incomplete at the borders: 3e-3.
  @Test("a static wall under known poses stays where it is", arguments: [CameraConvention.arkit, .opencv])
  func staticWall(_ convention: CameraConvention) throws {
    let wall = Wall(convention: convention)
    let smoothed = try TemporalFilter(wall.context()).smoothed(
      wall.frame(5), history: (0..<5).reversed().map { wall.frame($0) })
    #expect(smoothed.frames == 5)
    for (smoothed, exact) in zip(smoothed.map.values, wall.depth(5).values) {
      #expect(abs(smoothed / exact - 1) < 3e-3)
    }
  }

  @Test("the wrong convention is noticed by the depths: they do not stay")
  func wrongConvention() throws {
    let wall = Wall(convention: .opencv)
    var context = wall.context()
    context.cameraConvention = .arkit
    context.options.temporal.agreement = 1
    context.options.temporal.largestDifference = 1
    context.options.temporal.largestMedian = .infinity
    let map = try TemporalFilter(context).smoothed(
      wall.frame(5), history: (0..<5).reversed().map { wall.frame($0) }
    ).map
    let worst = zip(map.values, wall.depth(5).values).map { abs($0 / $1 - 1) }.max() ?? 0
    #expect(worst > 0.02)
  }

  @Test("noise falls nearly as with six independent frames", arguments: [CameraConvention.arkit, .opencv])
  func noise(_ convention: CameraConvention) throws {
    let wall = Wall(convention: convention)
    func spread(_ map: DepthMap) -> Double {
      let errors = zip(map.values, wall.depth(5).values).map { Double($0 / $1 - 1) }
      return (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
    }
    let frames = (0...5).map { wall.frame($0, noise: 0.005) }
    let map = try TemporalFilter(wall.context()).smoothed(frames[5], history: frames[..<5].reversed()).map
    // 1/√6 = 0.41; the borders see fewer frames.
    #expect(spread(map) < 0.55 * spread(frames[5].lidar))
  }

  @Test("independent noise is told from noise that every frame has")
  func independence() throws {
    let wall = Wall(convention: .opencv)
    func smoothed(_ frames: [DepthFrame]) throws -> TemporalFilter.Smoothed {
      try TemporalFilter(wall.context()).smoothed(frames[5], history: frames[..<5].reversed())
    }
    let independent = try smoothed((0...5).map { wall.frame($0, noise: 0.005) })
    // (1 + 1/5)/2 of the variance.
    #expect(try abs(#require(independent.agreement) - 0.6) < 0.15 && independent.isSupported)
    // The older, the farther off.
    let drifting = try smoothed(
      (0...5).map { index in
        var frame = wall.frame(index, noise: 0.0005)
        for i in frame.lidar.values.indices { frame.lidar.values[i] *= 1 + 0.002 * Float(5 - index) }
        return frame
      })
    #expect(!drifting.isSupported)
  }

  @Test("what moved is excluded, and a gap takes the newest earlier return")
  func disagreement() throws {
    let wall = Wall(convention: .opencv)
    var present = wall.frame(1)
    present.lidar[20, 30] = .nan
    for column in 10..<20 { present.lidar[10, column] *= 0.7 }
    let map = try TemporalFilter(wall.context()).smoothed(present, history: [wall.frame(0)]).map
    #expect(abs(map[20, 30] / wall.depth(1)[20, 30] - 1) < 2e-3)
    for column in 10..<20 { #expect(map[10, column] == present.lidar[10, column]) }
  }

  @Test("frames older than the limit take no part; without stamps there is no age")
  func age() throws {
    let wall = Wall(convention: .opencv)
    var context = wall.context()
    context.options.temporal.maxAgeSeconds = 0.5
    func used(_ seconds: [Double?]) throws -> Int {
      var frames = (0..<4).map { wall.frame($0) }
      for i in frames.indices { frames[i].timestampSeconds = seconds[i] }
      return try TemporalFilter(context).smoothed(frames[3], history: frames[..<3].reversed()).frames
    }
    #expect(try used([0, 0.25, 0.5, 1]) == 1)
    #expect(try used([0, 0.6, 0.8, 1]) == 2)
    #expect(try used([nil, nil, nil, 1]) == 3)
    #expect(try used([nil, nil, nil, nil]) == 3)
  }

  @Test("a frame whose pose is wrong is skipped as a whole, one that agrees is not")
  func wrongPose() throws {
    let wall = Wall(convention: .opencv)
    let present = wall.frame(3, noise: 0.005)
    var earlier = wall.frame(2, noise: 0.005)
    #expect(try TemporalFilter(wall.context()).smoothed(present, history: [earlier]).frames == 1)
    // 2 % too far: within the limit for single returns.
    for i in earlier.lidar.values.indices { earlier.lidar.values[i] *= 1.02 }
    let smoothed = try TemporalFilter(wall.context()).smoothed(present, history: [earlier])
    #expect(smoothed.frames == 0 && smoothed.map == present.lidar && !smoothed.isSupported)
  }

  @Test("a frame of lost tracking takes no part, and is not smoothed itself", arguments: [0, Double.nan])
  func lostTracking(_ value: Double) throws {
    let wall = Wall(convention: .opencv)
    let nowhere = SIMD3<Double>(repeating: value)
    var lost = wall.frame(1)
    lost.worldFromCamera = RigidTransform(
      xAxis: nowhere, yAxis: nowhere, zAxis: nowhere, translation: nowhere)
    let filter = TemporalFilter(wall.context())
    let history = [lost, wall.frame(0)]
    let smoothed = try filter.smoothed(wall.frame(2), history: history)
    #expect(smoothed.frames == 1)
    #expect(smoothed.map == (try filter.smoothed(wall.frame(2), history: [wall.frame(0)]).map))
    #expect(throws: TemporalFailure.noPose) { try filter.smoothed(lost, history: [wall.frame(0)]) }
  }

  @Test("a nearer surface hides a farther one")
  func zBuffer() {
    let size = RasterSize(width: 8, height: 1)
    let camera = CameraIntrinsics(fx: 8, fy: 8, cx: 4, cy: 0.5, imageSize: size)
    let source = DepthMap(width: 8, height: 1, values: [4, 4, 4, 4, 1, 1, 4, 4])
    // One pixel to the left at 1 m, a quarter at 4 m.
    let shift = RigidTransform(
      xAxis: [1, 0, 0], yAxis: [0, 1, 0], zAxis: [0, 0, 1], translation: [-0.125, 0, 0])
    let warp = FrameWarp(
      source, camera, weights: [Double](repeating: 1, count: 8), to: size, camera, targetFromSource: shift)
    #expect(warp.depth[3] == 1 && warp.depth[4] == 1)
    #expect(warp.depth[1] == 4 && warp.depth[6] == 4)
  }

  @Test(
    "returns that all weigh the same are carried to the same depths with weights and without, into another raster, too"
  )
  func alike() {
    var generator = SplitMix64(seed: 3)
    let (own, other) = (RasterSize(width: 37, height: 29), RasterSize(width: 52, height: 23))
    let camera = CameraIntrinsics(fx: 30, fy: 31, cx: 18, cy: 15, imageSize: own)
    let source = DepthMap(
      width: own.width, height: own.height,
      values: (0..<own.count).map { _ in
        Int.random(in: 0..<5, using: &generator) == 0 ? .nan : Float.random(in: 0.5...4, using: &generator)
      })
    let motion = RigidTransform(
      xAxis: [0.998, 0.06, 0], yAxis: [-0.06, 0.998, 0], zAxis: [0, 0, 1], translation: [-0.1, 0.05, -0.2])
    let weighted = FrameWarp(
      source, camera, weights: [Double](repeating: 1, count: own.count), to: other, camera,
      targetFromSource: motion)
    let depth = [Float](unsafeUninitializedCapacity: other.count) { depth, count in
      FrameWarp.carry(
        source, camera, to: other, camera, targetFromSource: motion,
        into: UnsafeMutableBufferPointer(rebasing: depth[..<other.count]))
      count = other.count
    }
    #expect(depth.map(\.bitPattern) == weighted.depth.map(\.bitPattern))
    #expect(depth.count { $0 > 0 } > other.count / 4 && depth.contains { $0.isNaN })
  }

  @Test("without convention, pose or intrinsics it refuses and says why")
  func refuses() {
    let wall = Wall(convention: .opencv)
    let frame = wall.frame(0)
    var generator = SplitMix64(seed: 1)
    let unknown = SmoothedLiDAR().fuse(frame, in: FusionContext(), using: &generator)
    #expect(unknown.status == .degenerate && unknown.prediction == nil)
    #expect(unknown.reason?.contains("convention") == true)
    var bare = frame
    bare.worldFromCamera = nil
    #expect(
      SmoothedLiDAR().fuse(bare, in: wall.context(), using: &generator).reason
        == "the frame has no usable pose")
    bare = frame
    bare.intrinsics = nil
    #expect(SmoothedLiDAR().fuse(bare, in: wall.context(), using: &generator).prediction == nil)
    let first = SmoothedLiDAR().fuse(frame, in: wall.context(), using: &generator)
    #expect(first.status == .ok && first.prediction?.depth == frame.lidar)
  }

  @Test("a transform and its inverse cancel")
  func inverse() {
    let pose = Wall(convention: .arkit).pose(7)
    let p = SIMD3(0.3, -1.2, 2.5)
    let back = pose.inverse(pose(p)) - p
    #expect((back * back).sum() < 1e-24)
  }
}
