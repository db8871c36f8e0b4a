public import ArgumentParser
public import DepthCore
public import DepthEvaluation
public import DepthObjects

extension ObjectPlan.Detections: ExpressibleByArgument {}
extension ObjectPlan.Sampling: ExpressibleByArgument {}
extension Letterbox.Rounding: ExpressibleByArgument {}
extension ImageOrigin: ExpressibleByArgument {}

/// Settings of boxes, placements and detections; like all of ``EvaluationFlags``, also keys of `--config` files.
struct ObjectFlags: ParsableArguments {
  @Flag(EvaluationSettings.rule("objects")) var objects: Bool?
  @Option(ObjectPlan.rule("box-methods")) var boxMethods: [WordList] = []
  @OptionGroup(title: "Boxes, masks and detections", visibility: .hidden) var details: ObjectDetailFlags
  @OptionGroup(title: "Planes for hit tests, and effects", visibility: .hidden) var planes: PlaneFlags
}

/// Settings of boxes, masks and detections that few runs change.
struct ObjectDetailFlags: ParsableArguments {
  @Option(ObjectPlan.rule("object-depths")) var objectDepths: [WordList] = []
  @Option(ObjectPlan.rule("object-sampling")) var objectSampling: ObjectPlan.Sampling?
  @Option(ObjectPlan.rule("detections")) var detections: ObjectPlan.Detections?
  @Option(DecodingOptions.rule("detection-confidence")) var detectionConfidence: Float?
  @Option(DecodingOptions.rule("detection-overlap")) var detectionOverlap: Float?
  @Option(DecodingOptions.rule("most-detections")) var mostDetections: Int?
  @Option(ObjectPlan.rule("match-overlap")) var matchOverlap: Float?
  @Option(ObjectPlan.rule("letterbox-rounding")) var letterboxRounding: Letterbox.Rounding?
  @Option(DecodingOptions.rule("detector-origin")) var detectorOrigin: ImageOrigin?

  @Option(ObjectOptions.rule("object-confidence")) var objectConfidence: UInt8?
  @Option(ObjectOptions.rule("object-range")) var objectRange: NumberPair<Float>?
  @Option(ObjectOptions.rule("mask-threshold")) var maskThreshold: Float?
  @Option(ObjectOptions.rule("masked-depths")) var maskedDepths: Int?
  @Option(ObjectOptions.rule("object-flips")) var objectFlips: FlipChoice?
  @Option(ObjectOptions.rule("unprojection-offset")) var unprojectionOffset: Double?

  @Option(BoxOptions.rule("box-points")) var boxPoints: Int?
  @Option(BoxOptions.rule("box-size-floor")) var boxSizeFloor: Double?
  @Option(BoxOptions.rule("specified-depths")) var specifiedDepths: NumberPair<Double>?
  @Option(BoxOptions.rule("eroded-depths")) var erodedDepths: NumberPair<Double>?
  @Option(BoxOptions.rule("erosion-share")) var erosionShare: Double?
  @Option(BoxOptions.rule("erosion-steps")) var erosionSteps: NumberPair<Int>?
}
