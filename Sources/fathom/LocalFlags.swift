import ArgumentParser
import DepthCore
import DepthFusion

/// Settings of the local methods and of `auto`; like all of ``EvaluationFlags``, also keys of `--config` files.
struct LocalFlags: ParsableArguments {
  @Option(LocalOptions.rule("lidar-deviations")) var lidarDeviations: WeightTable?
  @Option(LocalOptions.rule("local-max-depth")) var localMaxDepth: Double?
  @Option(LocalOptions.rule("residual-deviation")) var residualDeviation: Double?
  @Option(LocalOptions.rule("regression-deviation")) var regressionDeviation: Double?
  @Option(LocalOptions.rule("ridge")) var ridge: Double?
  @Option(LocalOptions.rule("neighbours")) var neighbours: Int?
  @Option(LocalOptions.rule("guided-radius")) var guidedRadius: Int?
  @Option(LocalOptions.rule("guided-smoothness")) var guidedSmoothness: Double?
  @Option(LocalOptions.rule("block-side")) var blockSide: Int?
  @Option(LocalOptions.rule("lidar-correlation")) var lidarCorrelation: Double?
}
