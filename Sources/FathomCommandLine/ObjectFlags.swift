public import ArgumentParser
public import DepthCore
public import DepthEvaluation
public import DepthObjects

extension ObjectPlan.Detections: ExpressibleByArgument {}
extension ObjectPlan.Sampling: ExpressibleByArgument {}
extension Letterbox.Rounding: ExpressibleByArgument {}
extension ImageOrigin: ExpressibleByArgument {}

/// Settings of boxes, placements and detections; like all of ``EvaluationFlags``, also keys of `--config` files.
package struct ObjectFlags: ParsableArguments {
  package init() {}
  @Flag(EvaluationSettings.rule("objects")) package var objects: Bool?
  @Option(ObjectPlan.rule("box-methods")) package var boxMethods: [WordList] = []
  @OptionGroup(title: "Boxes, masks and detections", visibility: .hidden) package var details:
    ObjectDetailFlags
  @OptionGroup(title: "Planes for hit tests, and effects", visibility: .hidden) package var planes: PlaneFlags
}

/// Settings of boxes, masks and detections that few runs change.
package struct ObjectDetailFlags: ParsableArguments {
  package init() {}
  @Option(ObjectPlan.rule("object-depths")) package var objectDepths: [WordList] = []
  @Option(ObjectPlan.rule("object-sampling")) package var objectSampling: ObjectPlan.Sampling?
  @Option(ObjectPlan.rule("detections")) package var detections: ObjectPlan.Detections?
  @Option(DecodingOptions.rule("detection-confidence")) package var detectionConfidence: Float?
  @Option(DecodingOptions.rule("detection-overlap")) package var detectionOverlap: Float?
  @Option(DecodingOptions.rule("most-detections")) package var mostDetections: Int?
  @Option(ObjectPlan.rule("match-overlap")) package var matchOverlap: Float?
  @Option(ObjectPlan.rule("letterbox-rounding")) package var letterboxRounding: Letterbox.Rounding?
  @Option(DecodingOptions.rule("detector-origin")) package var detectorOrigin: ImageOrigin?

  @Option(ObjectOptions.rule("object-confidence")) package var objectConfidence: UInt8?
  @Option(ObjectOptions.rule("object-range")) package var objectRange: NumberPair<Float>?
  @Option(ObjectOptions.rule("mask-threshold")) package var maskThreshold: Float?
  @Option(ObjectOptions.rule("masked-depths")) package var maskedDepths: Int?
  @Option(ObjectOptions.rule("object-flips")) package var objectFlips: FlipChoice?
  @Option(ObjectOptions.rule("unprojection-offset")) package var unprojectionOffset: Double?

  @Option(BoxOptions.rule("box-points")) package var boxPoints: Int?
  @Option(BoxOptions.rule("box-size-floor")) package var boxSizeFloor: Double?
  @Option(BoxOptions.rule("specified-depths")) package var specifiedDepths: NumberPair<Double>?
  @Option(BoxOptions.rule("eroded-depths")) package var erodedDepths: NumberPair<Double>?
  @Option(BoxOptions.rule("erosion-share")) package var erosionShare: Double?
  @Option(BoxOptions.rule("erosion-steps")) package var erosionSteps: NumberPair<Int>?
}
