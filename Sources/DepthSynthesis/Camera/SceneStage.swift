internal import DepthCore
internal import Foundation

/// A room with a camera path through it: what every simulated sensor of a scene looks at.
struct SceneStage: Sendable {
  let name: String, room: Room, camera: CameraIntrinsics
  private let noiseSeed: UInt64, interval: Double, solids: [Solid], shading: Shading
  private let path: CameraPath, lidarSize: RasterSize, draw: SensorDraw?
  /// The bodies as the LiDAR meets them: those of glass out of sight.
  private let opaque: [Solid]
  /// The part of the LiDAR's noise that every frame shares; empty for none.
  private let pattern: [Double]

  init(named name: String, options: SynthesisOptions, draw: SensorDraw? = nil) {
    var builder = RoomBuilder(using: SplitMix64(seed: options.seed, stream: name, "room"))
    var generator = SplitMix64(seed: options.seed, stream: name, "camera")
    (self.name, noiseSeed) = (name, options.noiseSeed ?? options.seed)
    interval = options.frameIntervalSeconds
    room = builder.build(options.setting)
    solids = room.solids
    shading = Shading(room, solids: solids)
    path = CameraPath(in: room, walks: options.walks, using: &generator)
    camera = Self.phoneCamera(options.imageSize, using: &generator)
    (lidarSize, self.draw) = (options.lidarSize, draw)
    var sensors = SplitMix64(seed: noiseSeed, stream: name, "persistent")
    if let draw = draw?.lidar {
      opaque = Self.opaque(solids, glass: draw.glass, using: &sensors)
      pattern = Self.pattern(over: lidarSize, draw, using: &sensors)
    } else {
      (opaque, pattern) = (solids, [])
    }
  }

  /// A phone's main camera: 1350 pixels of focal length at 1920×1440, principal point off the centre.
  private static func phoneCamera(_ size: RasterSize, using generator: inout SplitMix64) -> CameraIntrinsics {
    let scale = Double(size.width) / 1920, focal = generator.uniform(1340, 1360) * scale
    return CameraIntrinsics(
      fx: focal, fy: focal, cx: Double(size.width) / 2 + generator.uniform(-9, 9) * scale,
      cy: Double(size.height) / 2 + generator.uniform(6, 16) * scale, imageSize: size)
  }

  /// When a frame is taken, from the start of the scene.
  func seconds(_ frame: Int) -> Double { Double(frame) * interval }
  /// ARKit pose of a frame.
  func worldFromCamera(_ frame: Int) -> RigidTransform { path.worldFromCamera(atSeconds: seconds(frame)) }

  /// The pose that the tracking records for a frame.
  func recordedPose(_ frame: Int) -> RigidTransform {
    guard let tracking = draw?.tracking else { return worldFromCamera(frame) }
    var generator = stream(frame, "tracking")
    let pose = path.worldFromCamera(atSeconds: seconds(frame) - tracking.lag)
    let turn = SIMD3(generator.normal(), generator.normal(), generator.normal()) * tracking.turn
    let place = SIMD3(generator.normal(), generator.normal(), generator.normal()) * tracking.place
    return pose.turned(by: turn, moved: place)
  }

  /// What a network adds to a frame's disparity besides a smooth distortion: a factor for every pixel.
  func misjudgement(_ frame: Int, _ size: RasterSize) -> [Double]? {
    guard let network = draw?.network, network.objects > 0 || network.texture != 0 else { return nil }
    var generator = SplitMix64(seed: noiseSeed, stream: name, "misjudged")
    let factors = solids.map { _ in network.objects * generator.normal() }
    let caster = caster(frame, size)
    return caster.render { hit, u, v in
      var logarithm = hit.solid == RayCaster.shell ? 0 : factors[hit.solid]
      if network.texture != 0 {
        let colour = shading.colour(hit, at: caster.rays.point(u: u, v: v, depth: hit.depth))
        logarithm += network.texture * (Double(colour.green) / 255 - 0.5)
      }
      return exp(logarithm)
    }.values
  }

  /// The rays of a frame's image at some resolution.
  func caster(_ frame: Int, _ size: RasterSize) -> RayCaster {
    RayCaster(
      room, solids: solids, intrinsics: camera.scaled(to: size), worldFromCamera: worldFromCamera(frame))
  }

  /// Random values of one purpose in one frame.
  func stream(_ frame: Int, _ purpose: String) -> SplitMix64 {
    SplitMix64(seed: noiseSeed, stream: name, "frame \(frame)", purpose)
  }

  /// What the LiDAR meets in a frame.
  func exposure(_ frame: Int) -> LidarModel.Exposure {
    var generator = stream(frame, "lidar")
    guard let draw = draw?.lidar
    else { return LidarModel.Exposure(caster(frame, lidarSize), shading: shading, using: &generator) }
    var exposure = LidarModel.Exposure(
      lidarCaster(frame, shift: draw.shift), shading: shading, draw: draw, using: &generator)
    if draw.persistence > 0 { exposure.persist(pattern, share: draw.persistence) }
    return exposure
  }

  /// The rays of the LiDAR's map, displaced by `shift` of its pixels; glass does not stop them.
  private func lidarCaster(_ frame: Int, shift: SIMD2<Double>) -> RayCaster {
    var intrinsics = camera.scaled(to: lidarSize)
    (intrinsics.cx, intrinsics.cy) = (intrinsics.cx + shift.x, intrinsics.cy + shift.y)
    return RayCaster(room, solids: opaque, intrinsics: intrinsics, worldFromCamera: worldFromCamera(frame))
  }

  /// Bodies that are glass keep their number and shrink to a grain far below the floor.
  private static func opaque(_ solids: [Solid], glass: Double, using generator: inout SplitMix64) -> [Solid] {
    solids.map { solid in
      guard generator.unit() < glass else { return solid }
      var grain = solid
      (grain.frame.center, grain.frame.size) = ([0, -1e4, 0], [1e-3, 1e-3, 1e-3])
      return grain
    }
  }

  private static func pattern(
    over size: RasterSize, _ draw: SensorDraw.Lidar, using generator: inout SplitMix64
  ) -> [Double] {
    let spots = SpotField(over: size, spacing: draw.correlation, using: &generator)
    let correlated = (1 - draw.whiteShare * draw.whiteShare).squareRoot()
    return (0..<size.count).map { index in
      let smooth = spots(Double(index % size.width) + 0.5, Double(index / size.width) + 0.5)
      return correlated * smooth + draw.whiteShare * generator.normal()
    }
  }

  func image(_ frame: Int, _ size: RasterSize) -> Raster<RGB> {
    let caster = caster(frame, size)
    return
      caster
      .render { hit, u, v in shading.colour(hit, at: caster.rays.point(u: u, v: v, depth: hit.depth)) }
  }
}

extension RigidTransform {
  /// The same, its camera turned by a small angle about each of its axes (radians, to first order, made a rotation again)
  /// and moved in the world.
  fileprivate func turned(by turn: SIMD3<Double>, moved place: SIMD3<Double>) -> RigidTransform {
    let x = Self.unit(xAxis + yAxis * turn.z - zAxis * turn.y)
    let rough = yAxis - xAxis * turn.z + zAxis * turn.x
    let y = Self.unit(rough - x * (x * rough).sum())
    let z = SIMD3(x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x)
    return RigidTransform(xAxis: x, yAxis: y, zAxis: z, translation: translation + place)
  }

  private static func unit(_ v: SIMD3<Double>) -> SIMD3<Double> { v / (v * v).sum().squareRoot() }
}
