package import ArgumentParser
import DepthCore
import DepthObjects

/// Settings of finding horizontal planes and of placing effects; keys of `--config` files, too.
package struct PlaneFlags: ParsableArguments {
  package init() {}
  @Option(PlaneOptions.rule("plane-confidence")) package var planeConfidence: UInt8?
  @Option(PlaneOptions.rule("plane-range")) package var planeRange: NumberPair<Float>?
  @Option(PlaneOptions.rule("plane-step")) package var planeStep: Int?
  @Option(PlaneOptions.rule("plane-jump")) package var planeJump: Double?
  @Option(PlaneOptions.rule("plane-normal-tilt")) package var planeNormalTilt: Double?
  @Option(PlaneOptions.rule("plane-tilt")) package var planeTilt: Double?
  @Option(PlaneOptions.rule("plane-bin")) package var planeBin: Double?
  @Option(PlaneOptions.rule("plane-reach")) package var planeReach: Double?
  @Option(PlaneOptions.rule("plane-points")) package var planePoints: Int?
  @Option(PlaneOptions.rule("plane-area")) package var planeArea: Double?
  @Option(PlaneOptions.rule("plane-cell")) package var planeCell: Double?
  @Option(EffectOptions.rule("effect-widths")) package var effectWidths: NumberPair<Double>?
  @Option(EffectOptions.rule("effect-rise")) package var effectRise: Double?
}
