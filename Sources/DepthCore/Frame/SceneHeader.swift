/// Everything about a scene that does not change from frame to frame.
public struct SceneHeader: Sendable, Hashable, Codable {
  /// Name of the group, unique in the file.
  public var name: String
  /// Number of frames.
  public var frameCount: Int
  /// `frame_id`, one per frame; nil where the file has none.
  public var frameIDs: [String]?
  /// Seconds, one per frame.
  public var timestampsSeconds: [Double]?
  /// Free text about the scene.
  public var note: String?, license: String?, device: String?
  /// Resolution of the LiDAR map; nil where the scene has none.
  public var lidarSize: RasterSize?
  /// What the LiDAR values measure in the file (frames always hold planar depth).
  public var lidarKind: DepthKind
  /// Whether `lidar/confidence` exists.
  public var hasConfidence: Bool
  /// Resolution of the relative map.
  public var relativeSize: RasterSize?
  /// What the relative values mean.
  public var relativeKind: RelativeKind
  /// The network's name.
  public var relativeModel: String?
  /// Resolution of the truth.
  public var truthSize: RasterSize?
  /// What the truth values measure in the file (frames always hold planar depth).
  public var truthKind: DepthKind
  /// Where the truth comes from.
  public var truthIndependence: TruthIndependence
  /// Whether `truth/deviation` exists.
  public var hasTruthDeviation = false
  /// Intrinsics of the first frame; each frame has its own where they vary.
  public var intrinsics: CameraIntrinsics?
  /// Distance of the two cameras of a stereo pair, metres; only for errors in pixels of disparity.
  public var stereoBaseline: Double?
  /// Whether `camera/world_from_camera` exists.
  public var hasPoses: Bool
  /// Axes of the poses.
  public var cameraConvention: CameraConvention
  /// Which way is up in the world.
  public var upAxis: UpAxis
  /// Resolution of `image/rgb`.
  public var colourSize: RasterSize?
  /// Frames that have a picture, ascending; nil where every frame has one.
  public var imageFrames: [Int]?
  /// Where the scene was imported from and how; nil where it was not.
  public var importRecord: ImportRecord?
  /// `predictions`, by name in the order of their bytes.
  public var predictions: [StoredPrediction] = []
  /// Shape of the raw output in `detector/…`; nil where the scene has none that is usable.
  public var detector: DetectorHead?
  /// Matrices that the file stores transposed; they are read as if they were not. Only lenient reading gets so far.
  public var storesTransposed: Set<StoredMatrix> = []

  /// A scene that holds nothing yet; set what it has.
  public init(name: String, frameCount: Int) {
    (self.name, self.frameCount) = (name, frameCount)
    lidarKind = .planar
    hasConfidence = false
    relativeKind = .unknown
    truthKind = .planar
    truthIndependence = .unknown
    hasPoses = false
    cameraConvention = .unknown
    upAxis = .y
  }

  /// Whether the scene has LiDAR depth.
  public var hasLidar: Bool { lidarSize != nil }
  /// The frame's own identifier, or its index where the file has none.
  public func frameID(_ index: Int) -> String { frameIDs?[index] ?? String(index) }
}

/// Matrices of a camera that a file may store transposed.
public enum StoredMatrix: String, Sendable, Hashable, Codable, CaseIterable { case intrinsics, poses }
