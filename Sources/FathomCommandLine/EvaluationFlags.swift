import FathomPlainText
public import ArgumentParser
public import DepthCore
public import DepthEvaluation
public import DepthFusion
import Foundation
import FathomRuns
package import FathomStorage
import FathomStudies

extension AggregationMode: ExpressibleByArgument {}
extension TruthAlignment: ExpressibleByArgument {
  public init?(argument: String) {
    guard let alignment = Self.reading(argument) else { return nil }
    self = alignment
  }
}
extension TruthAlignment.Extent: ExpressibleByArgument {}
extension EvaluationProtocol: ExpressibleByArgument {
  public init?(argument: String) {
    guard let preset = Self.preset(argument) else { return nil }
    self = preset
  }

  public static var allValueStrings: [String] { presets.map(\.name) }
}
extension PositionMapping: ExpressibleByArgument {}
extension LidarInput: ExpressibleByArgument {}
extension InlierThreshold: ExpressibleByArgument { public init?(argument: String) { self.init(argument) } }
extension PairWeights: ExpressibleByArgument {}
extension LengthUnit: ExpressibleByArgument {}
extension TruthDeviation: ExpressibleByArgument {
  public init?(argument: String) {
    guard let deviation = Self.reading(argument) else { return nil }
    self = deviation
  }
}

extension RangeLaw: ExpressibleByArgument { public init?(argument: String) { self.init(argument) } }

/// Everything that determines the numbers of an evaluation. The same names are the keys of `--config` files;
/// a flag overrides the file. Help, defaults and ranges are those of the rules.
package struct EvaluationFlags: ParsableArguments {
  package init() {}
  @Option(EvaluationSettings.rule("methods")) package var methods: [String] = []
  @Option(EvaluationSettings.rule("baseline")) package var baseline: String?
  @Option(EvaluationSettings.rule("contrast")) package var contrast: String?
  @Option(EvaluationSettings.rule("seed")) package var seed: UInt64?
  @Option(EvaluationSettings.rule("protocol")) package var `protocol`: EvaluationProtocol?
  @Option(EvaluationProtocol.rule("min-truth")) package var minTruth: Double?
  @Option(EvaluationProtocol.rule("max-truth")) package var maxTruth: Double?
  @Option(EvaluationProtocol.rule("align")) package var align: TruthAlignment?

  @Option(FusionOptions.rule("min-confidence")) package var minConfidence: UInt8?
  @Option(FusionOptions.rule("min-depth")) package var minDepth: Double?
  @Option(FusionOptions.rule("max-depth")) package var maxDepth: Double?
  @Option(EvaluationSettings.rule("calibration"), completion: .file(extensions: ["yaml"]))
  package var calibration: String?
  @OptionGroup(title: "Truth, fits, smoothing", visibility: .hidden) package var truth: TruthFlags
  @OptionGroup(title: "Truth, fits, smoothing", visibility: .hidden) package var fits: FitFlags
  @OptionGroup(title: "Local methods and auto", visibility: .hidden) package var local: LocalFlags
  @OptionGroup(title: "Detected objects") package var objects: ObjectFlags

}

/// The settings of an evaluation after defaults, configuration file and flags.
package struct EvaluationSettings {
  package var methods = "default"
  /// nil for the raw LiDAR; of maps alone, for the first prediction.
  package var baseline: String?
  /// "auto:lidar-bilinear"; nil for the default question.
  package var contrast: String?
  package var seed: UInt64 = 0
  package var objects = ObjectPlan()  // How objects are looked at, and whether at all.
  package var looksAtObjects = true, rules = EvaluationProtocol.fathom
  /// nil where the truth counts as exact.
  package var truthDeviation: TruthDeviation?
  package var namesAlignment = false  // Whether an alignment was named, be it none.
  package var options = FusionOptions()
  /// Path of the calibration, applied by ``readCalibration()``.
  package var calibration: String?
  /// Whether the weights by confidence were chosen, so that a calibration does not change them.
  package var namesConfidenceWeights = false

  /// The defaults, and what was given: of later sources what earlier ones say, too.
  package init(_ sources: [GivenOptions]) {
    for given in sources {
      given.apply(to: &self)
      let named = rules
      given.apply(to: &rules)
      if rules.maxDepth == .infinity { rules.maxDepth = nil }
      rules.follow(named)
      if given.values["align"] != nil { namesAlignment = true }
      given.apply(to: &options)
      if given.values["confidence-weights"] != nil { namesConfidenceWeights = true }
      given.apply(to: &options.local)
      given.apply(to: &options.temporal)
      given.apply(to: &objects)
      given.apply(to: &objects.decoding)
      given.apply(to: &objects.points)
      given.apply(to: &objects.boxes)
      given.apply(to: &objects.planes)
      given.apply(to: &objects.effect)
    }
  }

  /// Applies the calibration file, where there is one, to the options that were not set.
  package mutating func readCalibration() throws(FathomError) {
    guard let calibration else { return }
    options.apply(try CalibrationFile.calibration(at: calibration), keepsWeights: namesConfidenceWeights)
  }

  /// Names of methods, where some are those of predictions.
  private static func methods(_ words: String, _ predictions: [String]) -> String {
    guard !predictions.isEmpty else { return words }
    return words.split(separator: ",").map { word in
      let name = word.trimmingCharacters(in: .whitespaces)
      let isPrediction = predictions.contains(name) && (try? MethodCatalogue.parse(name)) == nil
      return isPrediction ? "stored:" + name : name
    }.joined(separator: ",")
  }

  /// The question that was declared.
  /// - Parameter predictions: As for ``selections(predictions:)``.
  package func question(predictions: [String] = []) throws -> Contrast? {
    guard let contrast else { return nil }
    let words = contrast.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    // "stored:NAME" has a colon of its own: the reference is what follows the last one that leaves two methods.
    for cut in words.indices.dropFirst() {
      let sides = [words[..<cut], words[cut...]].map { Self.methods($0.joined(separator: ":"), predictions) }
      guard let method = try? MethodCatalogue.parse(sides[0]),
        let reference = try? MethodCatalogue.parse(sides[1]), method.count == 1, reference.count == 1
      else { continue }
      guard method != reference else {
        throw ValidationError("--contrast: '\(contrast)' compares a method with itself; name two")
      }
      guard reference[0].role != .oracle, method[0].role != .oracle else {
        throw ValidationError(
          "--contrast: an oracle uses the truth, so it cannot be compared; name another method")
      }
      return Contrast(method[0], against: reference[0])
    }
    let unknown = words.first {
      $0 != "stored" && !predictions.contains($0) && (try? MethodCatalogue.parse($0)) == nil
    }
    if let unknown, !predictions.isEmpty, words.count > 1 {
      throw ValidationError(
        "--contrast: there is no network '\(unknown)'; there are \(predictions.joined(separator: ", "))")
    }
    throw ValidationError(
      "--contrast: '\(contrast)' is not METHOD:REFERENCE, such as auto:lidar-bilinear or stored:mynet:lidar-bilinear"
    )
  }

  /// Values that were probably meant in another unit, as "name: why".
  package var doubts: [String] {
    // A protocol's own range is meant.
    let own = EvaluationProtocol.preset(rules.name)?.ownDoubts ?? []
    return options.doubts + rules.ownDoubts.filter { !own.contains($0) } + objects.doubts
  }

  /// The methods that were asked for; a job adds those that it needs.
  /// - Parameter predictions: Networks whose names stand for their methods: "mynet" for "stored:mynet".
  package func selections(
    predictions: [String] = []
  ) throws -> (methods: [MethodSelection], baseline: MethodSelection?) {
    if let problem = options.firstProblem ?? rules.firstProblem ?? objects.firstProblem { throw problem }
    do {
      let wanted = try MethodCatalogue.parse(Self.methods(methods, predictions))
      guard let baseline else { return (wanted, nil) }
      let reference = try MethodCatalogue.parse(Self.methods(baseline, predictions))
      guard reference.count == 1 else { throw OptionProblem("baseline", "'\(baseline)' is not one method") }
      return (wanted, reference[0])
    } catch let error as UnknownMethod {
      guard !predictions.isEmpty else { throw ValidationError(error.description) }
      let option = Self.methods(methods, predictions).contains(error.word) ? "methods" : "baseline"
      throw ValidationError(
        "--\(option): there is no network '\(error.word)'; there are \(predictions.joined(separator: ", "))")
    }
  }
}

extension EvaluationSettings: DeclaredOptions {
  package init() { self.init([]) }

  /// Its own options; those of its parts are declared there.
  package static let rules: [Rule] = [
    Rule(
      "methods", \.methods,
      help:
        "Methods, comma-separated: names, 'default' or 'all'; the options below do not change spec and shipped"
    ),
    Rule(
      "baseline", \.baseline, standard: "lidar-bilinear; without a LiDAR the first prediction",
      help: "Method that gains are compared with"),
    Rule(
      "contrast", \.contrast,
      standard: "the first named method, else the first prediction that is not the baseline, else auto",
      help:
        "The run's one question, METHOD:REFERENCE; it alone is tested, all other comparisons are exploratory"),
    Rule("seed", \.seed, .atLeast(0), help: "Seed of every random stream"),
    Rule(
      "protocol", \.rules,
      help:
        "Rules of the evaluation: which truth counts, how predictions are aligned, how pixels are averaged"),
    Rule(
      "truth-deviation", \.truthDeviation, standard: "the truth is exact",
      help:
        "Standard deviations of the truth: noise of its pixels as a length or a share, scale of all of it, steps in which it is stored; errors are then also given without it, with a budget of uncertainty"
    ),
    Rule(
      "calibration", \.calibration,
      help:
        "YAML file written by calibrate, with LiDAR correction, registration, weights by confidence, and noise; pairs are weighted by this noise unless --weights says otherwise. spec, shipped, smoothed and lidar-* ignore it"
    ), Rule("objects", \.looksAtObjects, help: "Fit boxes to the detected objects, if there are any"),
  ]
}
