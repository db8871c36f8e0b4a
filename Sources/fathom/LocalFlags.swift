import ArgumentParser
import DepthFusion

/// Settings of the local methods and of `auto`; like all of ``EvaluationFlags``, also keys of `--config` files.
struct LocalFlags: ParsableArguments {
  @Option(
    help:
      "LiDAR's relative error at confidence 0,1,2, a standard deviation, where no --calibration says it (default: 0.074,0.0237,0.0059)."
  )
  var lidarDeviations: WeightTable?
  @Option(help: "Returns beyond this take no part in local methods and auto, metres (default: no limit).")
  var localMaxDepth: Double?
  @Option(
    help:
      "residual: standard deviation of its Gaussian, LiDAR pixels; auto tries 1, 1.5 and 2 times it (default: 8)."
  )
  var residualDeviation: Double?
  @Option(help: "lwlr: standard deviation of its Gaussian, LiDAR pixels (default: 12).")
  var regressionDeviation: Double?
  @Option(help: "lwlr, knn-affine: weight of the global line, as a share of the anchors' (default: 0.001).")
  var ridge: Double?
  @Option(help: "knn-affine: anchors of every fit (default: 5).") var neighbours: Int?
  @Option(help: "guided: half the side of its window, LiDAR pixels (default: 8).") var guidedRadius: Int?
  @Option(help: "guided: share of the map's spread below which a window is flat (default: 0.05).")
  var guidedSmoothness: Double?
  @Option(help: "auto: side of the blocks that are held out together, LiDAR pixels (default: 16).")
  var blockSide: Int?
  @Option(help: "auto: distance over which the LiDAR's errors are alike, LiDAR pixels (default: 5).")
  var lidarCorrelation: Double?

  /// Overrides what is set here.
  func apply(to options: inout LocalOptions) {
    func set<Value>(_ target: inout Value, _ value: Value?) { if let value { target = value } }
    set(&options.lidarDeviations, lidarDeviations?.weights)
    if let localMaxDepth { options.maxDepth = localMaxDepth }
    set(&options.residualDeviation, residualDeviation)
    set(&options.regressionDeviation, regressionDeviation)
    set(&options.ridge, ridge)
    set(&options.neighbours, neighbours)
    set(&options.guidedRadius, guidedRadius)
    set(&options.guidedSmoothness, guidedSmoothness)
    set(&options.blockSide, blockSide)
    set(&options.lidarCorrelation, lidarCorrelation)
  }
}
