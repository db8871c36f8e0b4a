public import ArgumentParser
public import DepthCore
public import DepthEvaluation
public import DepthFusion
import Runs
import Storage

extension AggregationMode: ExpressibleByArgument {}
extension EvaluationProtocol: ExpressibleByArgument {
  public init?(argument: String) {
    guard let preset = Self.preset(argument) else { return nil }
    self = preset
  }

  public static var allValueStrings: [String] { presets.map(\.name) }
}
extension PositionMapping: ExpressibleByArgument {}

extension LidarInput: ExpressibleByArgument {}

extension InlierThreshold: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

extension PairWeights: ExpressibleByArgument {}

extension RangeLaw: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

/// Three numbers, "0,0.05,1".
struct WeightTable: ExpressibleByArgument {
  let weights: [Double]

  init?(argument: String) {
    let parsed = argument.split(separator: ",").map { Double($0.drop { $0 == " " }) }
    guard parsed.count == 3, !parsed.contains(nil) else { return nil }
    weights = parsed.compactMap { $0 }
  }
}

/// Everything that determines the numbers of an evaluation. The same names are the keys of `--config` files;
/// a flag overrides the file.
struct EvaluationFlags: ParsableArguments {
  @Option(help: "Methods, comma-separated or repeated: ids, 'default' or 'all'. \(Self.methodHelp)")
  var methods: [String] = []
  @Option(help: "Method that gains are held against (default: lidar-bilinear).") var baseline: String?
  @Option(help: "Seed of every random stream (default: 0).") var seed: UInt64?
  @Option(
    help:
      "Which truth counts, what is done to predictions first, and how pixels become one number: \(EvaluationProtocol.presets.map(\.name).joined(separator: ", ")) (default: fathom)."
  )
  var `protocol`: EvaluationProtocol?
  @Option(help: "Truth counts above this, metres (default: the protocol's).") var minTruth: Double?
  @Option(help: "Truth counts up to this, metres; inf for no limit (default: the protocol's).") var maxTruth:
    Double?
  @Option(
    help: "Leave out truth within this many LiDAR pixels of a depth step above 10 % (default: 0, keep all).")
  var edgeMargin: Double?
  @Option(
    help:
      "Mean over scenes, over images, or over all pixels: scene, images or pooled (default: the protocol's).")
  var aggregation: AggregationMode?

  @Option(
    help: "Lowest confidence of a fitted pair (default: 2; 1 where confidence is the weight, as in wls).")
  var minConfidence: UInt8?
  @Option(help: "Fitted depths lie above this, metres (default: 0.1).") var minDepth: Double?
  @Option(help: "Fitted depths lie below this, metres (default: 4).") var maxDepth: Double?
  @Option(help: "Fewest pairs that are fitted (default: 20).") var minPairs: Int?
  @Option(help: "Where a LiDAR pixel lies in the relative map: corners, scale or centres (default: centres).")
  var positionMapping: PositionMapping?
  @Option(
    help:
      "What weighs the pairs of every estimator: none, confidence, range or calibration (default: confidence in wls, else none)."
  )
  var weights: PairWeights?
  @Option(help: "Weights of confidence 0,1,2 where confidence is the weight (default: 0,0.05,1).")
  var confidenceWeights: WeightTable?
  @Option(
    help:
      "LiDAR noise where range is the weight: constant, proportional, or a,b for √(a²+(b·d)²) (default: proportional)."
  )
  var rangeSigma: RangeLaw?
  @Option(
    help:
      "YAML file that calibrate wrote: LiDAR correction, registration, weights by confidence, and noise, which then is the weight unless --weights says otherwise. spec, shipped, smoothed and lidar-* take none of it.",
    completion: .file(extensions: ["yaml"]))
  var calibration: String?
  @Option(help: "k of huber in units of the residuals' scale (default: 1.345).") var huberThreshold: Double?
  @Option(help: "c of tukey in units of the residuals' scale (default: 4.685).") var tukeyThreshold: Double?
  @Option(help: "Share of the pairs whose squares trimmed sums up (default: 0.5).") var keptShare: Double?
  @Option(
    help: "When ransac and lo-ransac count a pair in: 0.05m, 0.02/m, 2.5mad or target-mad (default: 2.5mad).")
  var inlierThreshold: InlierThreshold?
  @Option(help: "Probability that ransac or lo-ransac drew one sample without outliers (default: 0.99).")
  var ransacConfidence: Double?
  @Option(help: "Most trials of ransac, lo-ransac, lmeds and trimmed (default: 1000).") var maxTrials: Int?
  @Option(help: "Smallest depth of a result, metres (default: 0.01).") var clampMin: Double?
  @Option(help: "Largest depth of a result, metres (default: 100).") var clampMax: Double?
  @Option(help: "Reject slopes of a magnitude up to this (default: no guard).") var minScale: Double?
  @Option(help: "Reject slopes of a magnitude from this on (default: no guard).") var maxScale: Double?
  @Option(help: "Reject fits whose pairs have a smaller |Spearman ρ| than this (default: no guard).")
  var minRankCorrelation: Double?
  @Option(help: "Reject slopes with |α|·IQR(x)/IQR(y) up to this, without unit (default: no guard).")
  var minScaleRatio: Double?
  @Option(help: "Reject slopes with |α|·IQR(x)/IQR(y) from this on (default: no guard).") var maxScaleRatio:
    Double?

  @Option(help: "LiDAR that the fitted, local and automatic methods see: raw or smoothed (default: raw).")
  var lidar: LidarInput?
  @Option(help: "Earlier frames that are averaged into the smoothed LiDAR (default: 5).")
  var smoothingFrames: Int?

  @Option(
    help: "Oldest frame averaged into the smoothed LiDAR, seconds, where time stamps exist (default: 1).")
  var smoothingAge: Double?
  @OptionGroup(title: "Local methods and auto") var local: LocalFlags
  @OptionGroup(title: "Detected objects") var objects: ObjectFlags

  static let methodHelp = "spec and shipped are literal: no option below changes them."

  /// Overrides what is set here.
  func apply(to settings: inout EvaluationSettings) {
    func set<Value>(_ target: inout Value, _ value: Value?) { if let value { target = value } }
    if !methods.isEmpty { settings.methods = methods.joined(separator: ",") }
    set(&settings.baseline, baseline)
    set(&settings.seed, seed)
    set(&settings.rules, `protocol`)
    set(&settings.rules.minDepth, minTruth)
    if let maxTruth { settings.rules.maxDepth = maxTruth == .infinity ? nil : maxTruth }
    set(&settings.rules.edgeMargin, edgeMargin)
    set(&settings.rules.aggregation, aggregation)
    if let minConfidence { settings.options.minConfidence = minConfidence }
    set(&settings.options.minDepth, minDepth)
    set(&settings.options.maxDepth, maxDepth)
    set(&settings.options.minPairs, minPairs)
    set(&settings.options.positionMapping, positionMapping)
    if let confidenceWeights {
      (settings.options.confidenceWeights, settings.namesConfidenceWeights) = (
        confidenceWeights.weights, true
      )
    }
    if let weights { settings.options.weights = weights }
    set(&settings.options.rangeSigma, rangeSigma)
    if let calibration { settings.calibration = calibration }
    set(&settings.options.huberThreshold, huberThreshold)
    set(&settings.options.tukeyThreshold, tukeyThreshold)
    set(&settings.options.keptShare, keptShare)
    set(&settings.options.inlierThreshold, inlierThreshold)
    set(&settings.options.ransacConfidence, ransacConfidence)
    set(&settings.options.maxTrials, maxTrials)
    set(&settings.options.clampMin, clampMin)
    set(&settings.options.clampMax, clampMax)
    if let minScale { settings.options.minScale = minScale }
    if let maxScale { settings.options.maxScale = maxScale }
    if let minRankCorrelation { settings.options.minRankCorrelation = minRankCorrelation }
    if let minScaleRatio { settings.options.minScaleRatio = minScaleRatio }
    if let maxScaleRatio { settings.options.maxScaleRatio = maxScaleRatio }
    set(&settings.options.temporal.lidar, lidar)
    set(&settings.options.temporal.frames, smoothingFrames)
    set(&settings.options.temporal.maxAgeSeconds, smoothingAge)
    local.apply(to: &settings.options.local)
    objects.apply(to: &settings)
  }
}

/// The settings of an evaluation after defaults, configuration file and flags.
struct EvaluationSettings {
  var methods = "default"
  var baseline = MethodSelection.lidarBilinear.id
  var seed: UInt64 = 0
  /// How objects are looked at, and whether at all.
  var objects = ObjectPlan()
  var looksAtObjects = true
  var rules = EvaluationProtocol.fathom
  var options = FusionOptions()
  /// Path of the calibration, applied by ``readCalibration()``.
  var calibration: String?
  /// Whether the weights by confidence were chosen, so that a calibration does not change them.
  var namesConfidenceWeights = false

  /// Applies the calibration file, where there is one, to the options that nobody set.
  mutating func readCalibration() throws(FathomError) {
    guard let calibration else { return }
    options.apply(try CalibrationFile.calibration(at: calibration), keepsWeights: namesConfidenceWeights)
  }

  /// The methods to run. The baseline, the raw LiDAR (which stands in where a method refuses) and `spec` are
  /// always among them.
  func selections() throws -> (methods: [MethodSelection], baseline: MethodSelection) {
    if let problem = options.firstProblem { throw ValidationError("--\(problem)") }
    if let problem = rules.firstProblem { throw ValidationError("--\(problem)") }
    if let problem = objects.firstProblem { throw ValidationError("--\(problem)") }
    do {
      let wanted = try MethodCatalogue.parse(methods)
      let reference = try MethodCatalogue.parse(baseline)
      guard reference.count == 1 else { throw ValidationError("--baseline: '\(baseline)' is not one method") }
      let needed = [MethodSelection.lidarBilinear, .spec]
      var methods = wanted
      for method in (reference + needed).reversed() where !methods.contains(method) {
        methods.insert(method, at: 0)
      }
      return (methods, reference[0])
    } catch let error as UnknownMethod {
      throw ValidationError(error.description)
    }
  }
}
