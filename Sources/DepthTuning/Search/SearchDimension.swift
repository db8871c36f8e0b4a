import DepthCore
import DepthFusion

/// Something that a search varies. Its id is a key of grid and configuration files and, with `--` before it, a flag.
///
/// A new dimension is one constant and one entry in ``all``.
public struct SearchDimension: Sendable, Identifiable {
  /// Key in files: "max-depth".
  public let id: String
  /// For people: "farthest fitted depth".
  public let title: String
  /// Unit of the values, where they have one.
  public let unit: String?
  /// The app's value, as it is written.
  public let specified: String
  /// Whether values are numbers, so that ranges make sense and tables are in their order.
  public let isNumeric: Bool
  /// What may be written.
  public let expects: String
  /// Whether a configuration looks at it at all.
  let matters: @Sendable (TuningConfiguration) -> Bool
  /// Whether a value stands for what is in force where nothing is said.
  public func leavesOpen(_ value: String) -> Bool {
    id == Self.weights.id ? value == "own" : value == "none"
  }
  /// Whether a configuration looks at it at all.
  public func looksAt(_ configuration: TuningConfiguration) -> Bool { matters(configuration) }
  /// Sets a value; false where the text is none.
  let apply: @Sendable (String, inout TuningConfiguration) -> Bool

  init(
    _ id: String, title: String, unit: String? = nil, specified: String, isNumeric: Bool = false,
    expects: String, matters: @escaping @Sendable (TuningConfiguration) -> Bool = { _ in true },
    apply: @escaping @Sendable (String, inout TuningConfiguration) -> Bool
  ) {
    (self.id, self.title, self.unit, self.specified) = (id, title, unit, specified)
    (self.isNumeric, self.expects, self.matters, self.apply) = (isNumeric, expects, matters, apply)
  }

  /// Every dimension, in the order of columns.
  public static let all: [SearchDimension] = [
    methods, space, minConfidence, minDepth, maxDepth, minPairs, positionMapping, weights, inlierThreshold,
    minScale,
    maxScale,
  ]

  /// The estimator, with its form behind an @ where that is not the scene's own.
  static let methods = SearchDimension(
    "methods", title: "estimator", specified: MethodSelection.ols.id,
    expects: "a fitted method such as ols, huber or lad@log"
  ) { text, configuration in
    guard let parsed = try? MethodCatalogue.parse(text), parsed.count == 1, let method = parsed.first,
      method.role == .line
    else { return false }
    configuration.method = method
    return true
  }

  /// `natural` is the form of the scene's kind.
  static let space = SearchDimension(
    "space", title: "form of the fit", specified: "natural", expects: "natural, depth, disparity or log"
  ) { text, configuration in
    let form = Space(rawValue: text)
    guard form != nil || text == "natural", let method = configuration.method.formed(as: form) else {
      return false
    }
    configuration.method = method
    return true
  }

  static let minConfidence = SearchDimension(
    "min-confidence", title: "lowest confidence", specified: "2", isNumeric: true, expects: "0, 1 or 2"
  ) { text, configuration in
    configuration.options.minConfidence = UInt8(text)
    return configuration.options.minConfidence != nil
  }

  static let minDepth = depth("min-depth", "nearest fitted depth", "0.1", \.minDepth)
  static let maxDepth = depth("max-depth", "farthest fitted depth", "4", \.maxDepth)

  private static func depth(
    _ id: String, _ title: String, _ specified: String,
    _ option: any WritableKeyPath<FusionOptions, Double> & Sendable
  ) -> SearchDimension {
    SearchDimension(id, title: title, unit: "m", specified: specified, isNumeric: true, expects: "metres") {
      text, configuration in
      guard let value = Double(text), value.isFinite else { return false }
      configuration.options[keyPath: option] = value
      return true
    }
  }

  static let minPairs = SearchDimension(
    "min-pairs", title: "fewest pairs", specified: "20", isNumeric: true, expects: "a whole number"
  ) { text, configuration in
    guard let value = Int(text) else { return false }
    configuration.options.minPairs = value
    return true
  }

  static let positionMapping = SearchDimension(
    "position-mapping", title: "position mapping", specified: PositionMapping.corners.rawValue,
    expects: "corners, scale or centres"
  ) { text, configuration in
    guard let value = PositionMapping(rawValue: text) else { return false }
    configuration.options.positionMapping = value
    return true
  }

  /// `own` is the estimator's: confidence for `wls`, else none.
  static let weights = SearchDimension(
    "weights", title: "weights", specified: "own", expects: "own, none, confidence, range or calibration"
  ) { text, configuration in
    configuration.options.weights = PairWeights(rawValue: text)
    return text == "own" || configuration.options.weights != nil
  }

  static let inlierThreshold = SearchDimension(
    "inlier-threshold", title: "inlier threshold", specified: FusionOptions().inlierThreshold.description,
    expects: "0.05m, 0.02/m, 2.5mad or target-mad",
    matters: { $0.usesInlierThreshold }
  ) { text, configuration in
    guard let value = InlierThreshold(text) else { return false }
    configuration.options.inlierThreshold = value
    return true
  }

  static let minScale = scale("min-scale", "smallest |slope|", "0.01", \.minScale)
  static let maxScale = scale("max-scale", "largest |slope|", "100", \.maxScale)

  private static func scale(
    _ id: String, _ title: String, _ specified: String,
    _ option: any WritableKeyPath<FusionOptions, Double?> & Sendable
  ) -> SearchDimension {
    SearchDimension(id, title: title, specified: specified, isNumeric: true, expects: "a number, or none") {
      text, configuration in
      configuration.options[keyPath: option] = text == "none" ? nil : Double(text)
      return text == "none" || Double(text)?.isFinite == true
    }
  }
}
