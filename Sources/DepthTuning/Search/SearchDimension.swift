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
  /// What is varied where nothing is said; empty for nothing.
  public let standard: [String]
  /// The value that stands for what is in force where nothing is said.
  private let open: String?
  /// Whether values are numbers, so that ranges make sense and tables are in their order.
  public let isNumeric: Bool
  /// What may be written.
  public let expects: String
  let matters: @Sendable (TuningConfiguration) -> Bool  // Whether a configuration looks at it at all.
  /// Sets a value; false where the text is none.
  let apply: @Sendable (String, inout TuningConfiguration) -> Bool
  /// Whether a value stands for what is in force where nothing is said.
  public func leavesOpen(_ value: String) -> Bool { value == open }
  public func looksAt(_ configuration: TuningConfiguration) -> Bool { matters(configuration) }

  /// For a command line.
  public var help: String {
    let varied =
      standard.isEmpty ? "" : " (default, where nothing is varied: \(standard.joined(separator: ",")))"
    return "\(title.prefix(1).uppercased())\(title.dropFirst()): \(expects)\(varied)."
  }

  /// Something about the method.
  private init(
    _ id: String, title: String, specified: String, standard: [String] = [], expects: String,
    apply: @escaping @Sendable (String, inout TuningConfiguration) -> Bool
  ) {
    (self.id, self.title, self.specified, self.standard) = (id, title, specified, standard)
    (self.expects, self.apply, matters, unit, open, isNumeric) = (
      expects, apply, { _ in true }, nil, nil, false
    )
  }

  /// An option of the fusion.
  /// - Parameter specified: The app's value where it is not the default.
  /// - Parameter open: What stands for the default where that is not a value.
  private init(
    _ rule: OptionRule<FusionOptions>, title: String, specified: String? = nil, standard: [String] = [],
    open: String? = nil, matters: @escaping @Sendable (TuningConfiguration) -> Bool = { _ in true }
  ) {
    (id, self.title, unit, self.standard) = (rule.name, title, rule.unit?.symbol, standard)
    (self.specified, self.open, isNumeric) = (specified ?? rule.standard, open, rule.bounds != nil)
    (expects, self.matters) = (rule.expects + (open.map { ", or \($0)" } ?? ""), matters)
    apply = { text, configuration in
      if text == open {
        rule.reset(&configuration.options)
        return true
      }
      return rule.read(text, &configuration.options) && rule.problem(configuration.options) == nil
    }
  }

  /// Every dimension, in the order of columns.
  public static let all: [SearchDimension] = [
    methods, space, minConfidence, minDepth, maxDepth, minPairs, positionMapping, weights, inlierThreshold,
    minScale, maxScale,
  ]

  /// The estimator, with its form behind an @ where that is not the scene's own.
  public static let methods = SearchDimension(
    "methods", title: "estimator", specified: MethodSelection.ols.id, standard: ["ols", "wls", "lad"],
    expects: "a fitted method such as ols, huber or lad@log"
  ) { text, configuration in
    guard let parsed = try? MethodCatalogue.parse(text), parsed.count == 1, let method = parsed.first,
      method.role == .line
    else { return false }
    configuration.method = method
    return true
  }

  /// `natural` is the form of the scene's kind.
  public static let space = SearchDimension(
    "space", title: "form of the fit", specified: "natural",
    expects: (["natural"] + Space.allCases.map(\.rawValue)).alternatives
  ) { text, configuration in
    let form = Space(rawValue: text)
    guard form != nil || text == "natural", let method = configuration.method.formed(as: form) else {
      return false
    }
    configuration.method = method
    return true
  }

  public static let minConfidence = SearchDimension(
    FusionOptions.rule("min-confidence"), title: "lowest confidence", specified: "2",
    standard: ["0", "1", "2"])
  public static let minDepth = SearchDimension(
    FusionOptions.rule("min-depth"), title: "nearest fitted depth", standard: ["0.1", "0.3", "0.5", "0.8"])
  public static let maxDepth = SearchDimension(
    FusionOptions.rule("max-depth"), title: "farthest fitted depth",
    standard: ["2", "2.5", "3", "3.5", "4", "5", "6", "8", "10"])
  public static let minPairs = SearchDimension(
    FusionOptions.rule("min-pairs"), title: "fewest pairs", standard: ["20", "100"])
  public static let positionMapping = SearchDimension(
    FusionOptions.rule("position-mapping"), title: "position mapping",
    specified: PositionMapping.corners.rawValue, standard: ["corners", "centres"])
  /// `own` is the estimator's: confidence for `wls`, else none.
  public static let weights = SearchDimension(
    FusionOptions.rule("weights"), title: "weights", specified: "own", open: "own")
  public static let inlierThreshold = SearchDimension(
    FusionOptions.rule("inlier-threshold"), title: "inlier threshold", matters: { $0.usesInlierThreshold })
  public static let minScale = SearchDimension(
    FusionOptions.rule("min-scale"), title: "smallest |slope|", specified: "0.01", open: "none")
  public static let maxScale = SearchDimension(
    FusionOptions.rule("max-scale"), title: "largest |slope|", specified: "100", open: "none")
}
