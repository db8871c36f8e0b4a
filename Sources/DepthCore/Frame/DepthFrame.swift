/// One frame of a scene as plain values. What the data set does not hold is nil.
public struct DepthFrame: Sendable {
  /// Position in the scene, from 0.
  public var index: Int
  /// LiDAR depth, metres, planar; a value that is not finite or not positive is not a return. 0×0 where the
  /// scene has none, or it was not asked for.
  public var lidar: DepthMap
  /// ARKit confidence 0 low, 1 medium, 2 high, at the LiDAR's resolution.
  public var confidence: Raster<UInt8>?
  /// A monocular network's relative map, in its own unit.
  public var relative: DepthMap?
  /// True depth, metres, planar; a value that is not finite or not positive is unknown.
  public var truth: DepthMap?
  /// Standard deviation of the truth's error, metres, at its size; a value that is not finite or not positive is unknown.
  public var truthDeviation: DepthMap?
  public var intrinsics: CameraIntrinsics?
  /// Pose of this frame, in the scene's camera convention.
  public var worldFromCamera: RigidTransform?
  /// When it was taken, seconds, as the scene's header has it; only differences matter.
  public var timestampSeconds: Double?
  /// Camera image.
  public var image: Raster<RGB>?
  /// Outputs of networks that the data set holds.
  public var predictions: [(header: StoredPrediction, map: DepthMap)] = []
  /// What networks say of how sure they are of each pixel, at the size of the map, by the prediction's name: standard deviations or
  /// confidences, as the header says (``StoredPrediction/certainty``). NaN where there is no usable one.
  public var certainties: [String: DepthMap] = [:]
  /// Ids by pixel, for a breakdown.
  public var ids: Raster<UInt16>?

  public init(
    index: Int, lidar: DepthMap, confidence: Raster<UInt8>? = nil, relative: DepthMap? = nil,
    truth: DepthMap? = nil, intrinsics: CameraIntrinsics? = nil, worldFromCamera: RigidTransform? = nil,
    timestampSeconds: Double? = nil, image: Raster<RGB>? = nil
  ) {
    (self.index, self.lidar, self.confidence, self.relative) = (index, lidar, confidence, relative)
    (self.truth, self.intrinsics, self.worldFromCamera) = (truth, intrinsics, worldFromCamera)
    (self.timestampSeconds, self.image) = (timestampSeconds, image)
  }

  /// Whether there is a LiDAR map; without one ``lidar`` has no pixel.
  public var hasLidar: Bool { lidar.size.count > 0 }
}
