import ArgumentParser
import DepthCore
import DepthObjects

/// Settings of finding horizontal planes and of placing effects; keys of `--config` files, too.
struct PlaneFlags: ParsableArguments {
  @Option(PlaneOptions.rule("plane-confidence")) var planeConfidence: UInt8?
  @Option(PlaneOptions.rule("plane-range")) var planeRange: NumberPair<Float>?
  @Option(PlaneOptions.rule("plane-step")) var planeStep: Int?
  @Option(PlaneOptions.rule("plane-jump")) var planeJump: Double?
  @Option(PlaneOptions.rule("plane-normal-tilt")) var planeNormalTilt: Double?
  @Option(PlaneOptions.rule("plane-tilt")) var planeTilt: Double?
  @Option(PlaneOptions.rule("plane-bin")) var planeBin: Double?
  @Option(PlaneOptions.rule("plane-reach")) var planeReach: Double?
  @Option(PlaneOptions.rule("plane-points")) var planePoints: Int?
  @Option(PlaneOptions.rule("plane-area")) var planeArea: Double?
  @Option(PlaneOptions.rule("plane-cell")) var planeCell: Double?
  @Option(EffectOptions.rule("effect-widths")) var effectWidths: NumberPair<Double>?
  @Option(EffectOptions.rule("effect-rise")) var effectRise: Double?
}
