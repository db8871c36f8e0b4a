package import ArgumentParser
import DepthCore
import DepthFusion

/// Settings of the local methods and of `auto`; like all of ``EvaluationFlags``, also keys of `--config` files.
package struct LocalFlags: ParsableArguments {
  package init() {}
  @Option(LocalOptions.rule("lidar-deviations")) package var lidarDeviations: WeightTable?
  @Option(LocalOptions.rule("local-max-depth")) package var localMaxDepth: Double?
  @Option(LocalOptions.rule("residual-deviation")) package var residualDeviation: Double?
  @Option(LocalOptions.rule("regression-deviation")) package var regressionDeviation: Double?
  @Option(LocalOptions.rule("ridge")) package var ridge: Double?
  @Option(LocalOptions.rule("neighbours")) package var neighbours: Int?
  @Option(LocalOptions.rule("guided-radius")) package var guidedRadius: Int?
  @Option(LocalOptions.rule("guided-smoothness")) package var guidedSmoothness: Double?
  @Option(LocalOptions.rule("block-side")) package var blockSide: Int?
  @Option(LocalOptions.rule("lidar-correlation")) package var lidarCorrelation: Double?
}
