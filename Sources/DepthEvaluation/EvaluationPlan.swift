public import DepthCore
public import DepthFusion

public struct EvaluationPlan: Sendable {
  /// Methods, in the order of the tables.
  public var methods: [MethodSelection]
  /// Selection and estimator options.
  public var options: FusionOptions
  /// Which pixels count and how they are averaged.
  public var rules: EvaluationProtocol
  /// Seed of every random stream.
  public var seed: UInt64
  /// Further protocols under which the same predictions are scored; nil for none.
  public var paths: ProtocolPaths?
  /// How objects are looked at; nil for not at all.
  public var objects: ObjectPlan?
  /// The comparison that the run is made for; nil for the default one, see `ContrastVerdict`.
  public var contrast: Contrast?
  /// What the ids of the frames mean, where errors are divided by them; nil where they are not.
  public var labels: PixelLabels?
  /// Methods that somebody named, beyond the standard ones.
  public var named: [MethodSelection]
  /// Whether somebody named an alignment, be it none: maps without a unit are then not fitted by their kind.
  public var namesAlignment = false
  /// How far the truth may be off; nil where it counts as exact.
  public var truthDeviation: TruthDeviation?
  /// The unit of lengths in what people read.
  public var units = LengthUnit.millimetres

  public init(
    methods: [MethodSelection], options: FusionOptions = FusionOptions(), rules: EvaluationProtocol = .fathom,
    seed: UInt64 = 0
  ) {
    (self.methods, self.options, self.rules, self.seed) = (methods, options, rules, seed)
    named = Self.named(methods)
  }

  /// Frames before each one that the methods look at.
  public var historyLength: Int {
    let isSmoothed = options.temporal.lidar == .smoothed
    let needsHistory = methods.contains { $0.method(for: .unknown).needsHistory }
    return isSmoothed || needsHistory ? options.temporal.frames : 0
  }

  /// Whether one of the methods looks at the camera image.
  public var needsImage: Bool { methods.contains { $0.method(for: .unknown).needsImage } }
}
