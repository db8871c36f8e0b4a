package import ArgumentParser
package import DepthCore
package import DepthEvaluation
package import DepthFusion

/// Settings of the truth that few runs change; like all of ``EvaluationFlags``, also keys of `--config` files.
package struct TruthFlags: ParsableArguments {
  package init() {}
  @Option(EvaluationProtocol.rule("edge-margin")) package var edgeMargin: Double?
  @Option(EvaluationProtocol.rule("align-over")) package var alignOver: TruthAlignment.Extent?
  @Option(EvaluationProtocol.rule("aggregation")) package var aggregation: AggregationMode?
  @Option(EvaluationSettings.rule("truth-deviation")) package var truthDeviation: TruthDeviation?
}

/// Settings of fits and smoothing, alike.
package struct FitFlags: ParsableArguments {
  package init() {}
  @Option(FusionOptions.rule("weights")) package var weights: PairWeights?
  @Option(TemporalOptions.rule("lidar")) package var lidar: LidarInput?
  @Option(FusionOptions.rule("min-pairs")) package var minPairs: Int?
  @Option(FusionOptions.rule("position-mapping")) package var positionMapping: PositionMapping?
  @Option(FusionOptions.rule("confidence-weights")) package var confidenceWeights: WeightTable?
  @Option(FusionOptions.rule("range-sigma")) package var rangeSigma: RangeLaw?
  @Option(FusionOptions.rule("huber-threshold")) package var huberThreshold: Double?
  @Option(FusionOptions.rule("tukey-threshold")) package var tukeyThreshold: Double?
  @Option(FusionOptions.rule("kept-share")) package var keptShare: Double?
  @Option(FusionOptions.rule("inlier-threshold")) package var inlierThreshold: InlierThreshold?
  @Option(FusionOptions.rule("ransac-confidence")) package var ransacConfidence: Double?
  @Option(FusionOptions.rule("max-trials")) package var maxTrials: Int?
  @Option(FusionOptions.rule("clamp-min")) package var clampMin: Double?
  @Option(FusionOptions.rule("clamp-max")) package var clampMax: Double?
  @Option(FusionOptions.rule("min-scale")) package var minScale: Double?
  @Option(FusionOptions.rule("max-scale")) package var maxScale: Double?
  @Option(FusionOptions.rule("min-rank-correlation")) package var minRankCorrelation: Double?
  @Option(FusionOptions.rule("min-scale-ratio")) package var minScaleRatio: Double?
  @Option(FusionOptions.rule("max-scale-ratio")) package var maxScaleRatio: Double?
  @Option(TemporalOptions.rule("smoothing-frames")) package var smoothingFrames: Int?
  @Option(TemporalOptions.rule("smoothing-age")) package var smoothingAge: Double?
}
