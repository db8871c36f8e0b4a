internal import DepthCore

/// Where a scene's arrays lie and how their numbers become metres. What is absent or unusable is nil.
struct SceneLayout {
  /// A stack of metric depth maps.
  struct Depth {
    var path: String, size: RasterSize, kind: DepthKind
    /// Stored number × this = metres.
    var metresPerUnit: Double
  }
  /// Any other stack of images.
  struct Images {
    var path: String, size: RasterSize
  }
  /// `camera/intrinsics`.
  struct Intrinsics {
    var path: String, imageSize: RasterSize
    /// The matrix of every frame; nil where each frame has its own.
    var shared: CameraIntrinsics?
    /// Whether the numbers have to be transposed on reading; only in lenient mode.
    var isTransposed = false
  }
  /// `objects/…`.
  struct Objects {
    var group: String, count: Int, conventions: DetectionConventions
    var mask: Images?
    /// Masks are integers 0…255 rather than reals 0…1.
    var maskIsInteger = false
    var hasTruth = false
  }

  var lidar: Depth?, confidence: Images?, relative: Images?, truth: Depth?, image: Images?
  /// `truth/deviation`, of the truth's kind.
  var truthDeviation: Depth?
  /// Positions in `image/rgb` by frame; nil where every frame has a picture.
  var imagePositions: [Int: Int]?
  var intrinsics: Intrinsics?, poses: String?, objects: Objects?
  /// `predictions/<name>/depth` and the `deviation` or `confidence` beside it, by name.
  var predictions: [(header: StoredPrediction, images: Images, certainty: Images?)] = []
}
