import ArgumentParser
import DepthCore
import DepthEvaluation
import DepthFusion

/// Settings of the truth that few runs change; like all of ``EvaluationFlags``, also keys of `--config` files.
struct TruthFlags: ParsableArguments {
  @Option(EvaluationProtocol.rule("edge-margin")) var edgeMargin: Double?
  @Option(EvaluationProtocol.rule("align-over")) var alignOver: TruthAlignment.Extent?
  @Option(EvaluationProtocol.rule("aggregation")) var aggregation: AggregationMode?
  @Option(EvaluationSettings.rule("truth-deviation")) var truthDeviation: TruthDeviation?
}

/// Settings of fits and smoothing, alike.
struct FitFlags: ParsableArguments {
  @Option(FusionOptions.rule("weights")) var weights: PairWeights?
  @Option(TemporalOptions.rule("lidar")) var lidar: LidarInput?
  @Option(FusionOptions.rule("min-pairs")) var minPairs: Int?
  @Option(FusionOptions.rule("position-mapping")) var positionMapping: PositionMapping?
  @Option(FusionOptions.rule("confidence-weights")) var confidenceWeights: WeightTable?
  @Option(FusionOptions.rule("range-sigma")) var rangeSigma: RangeLaw?
  @Option(FusionOptions.rule("huber-threshold")) var huberThreshold: Double?
  @Option(FusionOptions.rule("tukey-threshold")) var tukeyThreshold: Double?
  @Option(FusionOptions.rule("kept-share")) var keptShare: Double?
  @Option(FusionOptions.rule("inlier-threshold")) var inlierThreshold: InlierThreshold?
  @Option(FusionOptions.rule("ransac-confidence")) var ransacConfidence: Double?
  @Option(FusionOptions.rule("max-trials")) var maxTrials: Int?
  @Option(FusionOptions.rule("clamp-min")) var clampMin: Double?
  @Option(FusionOptions.rule("clamp-max")) var clampMax: Double?
  @Option(FusionOptions.rule("min-scale")) var minScale: Double?
  @Option(FusionOptions.rule("max-scale")) var maxScale: Double?
  @Option(FusionOptions.rule("min-rank-correlation")) var minRankCorrelation: Double?
  @Option(FusionOptions.rule("min-scale-ratio")) var minScaleRatio: Double?
  @Option(FusionOptions.rule("max-scale-ratio")) var maxScaleRatio: Double?
  @Option(TemporalOptions.rule("smoothing-frames")) var smoothingFrames: Int?
  @Option(TemporalOptions.rule("smoothing-age")) var smoothingAge: Double?
}
