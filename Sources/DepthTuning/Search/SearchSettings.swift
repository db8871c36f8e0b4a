public import DepthCore

/// How a search goes about its grid: what it makes small, what it looks at, and how the choice is validated.
public struct SearchSettings: Sendable {
  /// A column of `frames.csv`, or ``TuningObjective/placementName``.
  public var objective = TuningObjective.standard
  /// Least share of the truth that a configuration covers; nil for what the specified defaults cover.
  public var coverageFloor: Double?
  public var isWorstScene = false
  /// Parts in which scenes are held out; nil for one at a time.
  public var folds: Int?
  public var pixels = SampleLimit.standard, pairs = SampleLimit.standard
  public init() {}
}

extension SearchSettings: DeclaredOptions {
  public static let rules: [Rule] = [
    Rule(
      "objective", \.objective,
      help:
        "What is minimised: a column of frames.csv, or \(TuningObjective.placementName) for effects on boxes"
    ),
    Rule(
      "coverage-floor", \.coverageFloor, .from(0, to: 1), standard: "what the specified defaults cover",
      help: "Only configurations that cover at least this fraction of the truth"),
    Rule("worst-scene", \.isWorstScene, help: "Optimise the worst scene instead of the mean over scenes"),
    Rule(
      "folds", \.folds, .atLeast(2), standard: "one scene at a time", help: "Number of parts held out in turn"
    ),
    Rule(
      "search-pixels", \.pixels, .atLeast(16), help: "Truth pixels of a frame that the search scores, or all"),
    Rule(
      "search-pairs", \.pairs, .atLeast(16),
      help: "Pairs of a frame that methods other than least squares fit during the search, or all"),
  ]
}

/// A number of pixels or pairs, or `all`.
public struct SampleLimit: Sendable, Hashable {
  /// nil for all.
  public let limit: Int?
  public init(_ limit: Int?) { self.limit = limit }
  public static let standard = SampleLimit(4096)
}

extension SampleLimit: OptionValue {
  public static var form: String { "all, or a whole number" }
  public static func reading(_ text: String) -> SampleLimit? {
    text == "all" ? SampleLimit(nil) : Int(text).map { SampleLimit($0) }
  }
  public var typed: String { limit?.typed ?? "all" }
  public func lies(within bounds: OptionBounds?) -> Bool { limit.lies(within: bounds) }
}
