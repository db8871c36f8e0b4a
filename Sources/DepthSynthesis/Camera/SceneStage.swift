internal import DepthCore

/// A room with a camera path through it: what every simulated sensor of a scene looks at.
struct SceneStage: Sendable {
  let name: String
  let room: Room
  let camera: CameraIntrinsics
  private let noiseSeed: UInt64
  private let interval: Double
  private let solids: [Solid]
  private let shading: Shading
  private let path: CameraPath
  private let lidarSize: RasterSize

  init(named name: String, options: SynthesisOptions) {
    var builder = RoomBuilder(using: SplitMix64(seed: options.seed, stream: name, "room"))
    var generator = SplitMix64(seed: options.seed, stream: name, "camera")
    self.name = name
    noiseSeed = options.noiseSeed ?? options.seed
    interval = options.frameIntervalSeconds
    room = builder.build(options.setting)
    solids = room.solids
    shading = Shading(room, solids: solids)
    path = CameraPath(in: room, walks: options.walks, using: &generator)
    camera = Self.phoneCamera(options.imageSize, using: &generator)
    lidarSize = options.lidarSize
  }

  /// A phone's main camera: 1350 pixels of focal length at 1920×1440, principal point off the centre.
  private static func phoneCamera(
    _ size: RasterSize, using generator: inout SplitMix64
  ) -> CameraIntrinsics {
    let scale = Double(size.width) / 1920
    let focal = generator.uniform(1340, 1360) * scale
    return CameraIntrinsics(
      fx: focal, fy: focal, cx: Double(size.width) / 2 + generator.uniform(-9, 9) * scale,
      cy: Double(size.height) / 2 + generator.uniform(6, 16) * scale, imageSize: size)
  }

  /// When a frame is taken, from the start of the scene.
  func seconds(_ frame: Int) -> Double { Double(frame) * interval }

  /// ARKit pose of a frame.
  func worldFromCamera(_ frame: Int) -> RigidTransform { path.worldFromCamera(atSeconds: seconds(frame)) }

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
    return LidarModel.Exposure(caster(frame, lidarSize), shading: shading, using: &generator)
  }

  /// The colour image of a frame.
  func image(_ frame: Int, _ size: RasterSize) -> Raster<RGB> {
    let caster = caster(frame, size)
    return caster.render { hit, u, v in
      shading.colour(hit, at: caster.rays.point(u: u, v: v, depth: hit.depth))
    }
  }
}
