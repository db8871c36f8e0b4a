public import DepthCore
private import FathomPlainText

/// What a user may set about the local methods and `auto`.
///
/// Defaults were chosen on the presets `demo`, `phone`, `outliers`, `few-pairs` and `flat-wall` and on the real frames of the
/// test data. `large`, whose rooms no other preset has, was kept out.
public struct LocalOptions: Sendable, Hashable, Codable {
  /// Standard deviation of the LiDAR's relative error at confidence 0, 1 and 2; nil for what is found in each map.
  public var lidarDeviations: [Double]?
  /// Returns beyond this take no part, metres; nil for no limit. The specified fit's 4 m would leave the far half
  /// of a room without anchors.
  public var maxDepth: Double?
  /// `residual`: standard deviation of its Gaussian, LiDAR pixels.
  public var residualDeviation = 8.0
  /// `lwlr`: standard deviation of its Gaussian, LiDAR pixels.
  public var regressionDeviation = 12.0
  /// `lwlr`, `knn-affine`: weight of the global line in a local fit, as a share of the anchors' full weight.
  public var ridge = 0.001
  /// `knn-affine`: anchors of every fit.
  public var neighbours = 5
  /// `guided`: half the side of its window, LiDAR pixels.
  public var guidedRadius = 8
  /// `guided`: relative spread, as a share of the map's own, below which a window counts as flat.
  public var guidedSmoothness = 0.05
  /// `auto`: side of the blocks that are held out together, LiDAR pixels; twice the pitch of the sensor's spots.
  public var blockSide = 16
  /// `auto`: distance over which the LiDAR's errors are alike, as the standard deviation of a Gaussian
  /// correlation, pixels of a LiDAR map 256 wide. A phone's map is interpolated between spots about 8 to 10 pixels apart.
  public var lidarCorrelation = 5.0
  /// ``lidarCorrelation`` in the pixels of a map: smaller maps show the same view, in which that many pixels are whole objects.
  func correlation(in size: RasterSize) -> Double { lidarCorrelation * min(1, Double(size.width) / 256) }
  public init() {}
}

extension LocalOptions: DeclaredOptions {
  public static let rules: [Rule] = [
    Rule(
      "lidar-deviations", \.lidarDeviations, .above(0, to: 1e6), standard: "estimated from each map",
      help:
        "LiDAR's relative error at confidence 0,1,2, a standard deviation, where no \(flag: "calibration") says it"
    ),
    Rule(
      "local-max-depth", \.maxDepth, .above(0, to: .infinity), .metres, standard: "no limit",
      help: "Local methods and auto ignore returns beyond this"),
    // Half a pixel sees no neighbour; beyond the raster every window is the whole.
    Rule(
      "residual-deviation", \.residualDeviation, .from(0.5, to: 1000), .lidarPixels,
      help: "residual: standard deviation of its Gaussian; auto tries 1, 1.5 and 2 times this"),
    Rule(
      "regression-deviation", \.regressionDeviation, .from(0.5, to: 1000), .lidarPixels,
      help: "lwlr: standard deviation of its Gaussian"),
    Rule(
      "ridge", \.ridge, .above(0, to: 1e6),
      help: "lwlr, knn-affine: weight of the global line, as a fraction of the anchors'"),
    Rule("neighbours", \.neighbours, .from(2, to: 1000), help: "knn-affine: anchors of every fit"),
    Rule(
      "guided-radius", \.guidedRadius, .from(1, to: 1000), .lidarPixels,
      help: "guided: half the side of its window"),
    Rule(
      "guided-smoothness", \.guidedSmoothness, .above(0, to: 1e6),
      help: "guided: fraction of the map's spread below which a window counts as flat"),
    Rule(
      "block-side", \.blockSide, .from(4, to: 128), .lidarPixels,
      help: "auto: side of the blocks that are held out together"),
    Rule(
      "lidar-correlation", \.lidarCorrelation, .from(0.5, to: 100), .lidarPixels,
      help: "auto: correlation length of the LiDAR's errors"),
  ]

  /// The first value that makes no sense; nil when all do.
  var firstProblem: OptionProblem? {
    lidarDeviations.map { $0.count == 3 } ?? true
      ? firstOutOfRange
      : OptionProblem("lidar-deviations", "three errors are needed, for confidence 0, 1 and 2")
  }
}
