/// Whether a change of the app's values is recommended, and why.
public struct TuningVerdict: Sendable {
  /// What speaks for or against a change.
  public enum Reason: String, Codable, Sendable {
    /// The rule chooses the app's own values.
    case alreadyBest = "already_best"
    /// Too few scenes to tell a gain from luck.
    case tooFewScenes = "too_few_scenes"
    /// The 99 % interval of the nested gain holds zero.
    case notEstablished = "not_established"
    /// Nothing reaches the floor of the coverage.
    case noneCovers = "none_covers"
    /// The gain is established.
    case gains
  }

  /// Made from all scenes; nil where nothing could be chosen.
  public let choice: ConfigurationChoice?
  /// How such choices do in scenes that they have not seen; nil for fewer than two scenes.
  public let nested: NestedValidation?
  public let reason: Reason
  /// Loss of the least configuration in the scenes that it was chosen from.
  public let inSampleLoss: Double?
  /// Whether the app's values should be changed.
  public var recommendsChange: Bool { reason == .gains }
  /// Position in the grid of what is recommended.
  public var recommended: Int {
    recommendsChange ? choice?.chosen ?? SearchGrid.reference : SearchGrid.reference
  }
  /// By how much the least loss flatters the configuration that has it: nested − in-sample, without the rule's caution.
  public var optimism: Double? { nested.flatMap { nested in inSampleLoss.map { nested.bestLoss - $0 } } }
  /// Held-out scenes without which the same was chosen as from all.
  public var agreeing: Int { nested?.heldOut.count { $0.chosen == choice?.chosen } ?? 0 }
  public var interval: ClosedRange<Double>? { nested?.gain.interval(Self.level) }
  /// Confidence that a recommended change asks for.
  public static let level = 0.99
  /// Fewest scenes from which a change is recommended: with one at a time held out, each choice is made from four.
  public static let fewestScenes = 5

  /// - Parameter table: What choices are made from.
  /// - Parameter confirmed: What they are scored with.
  /// - Parameter candidates: Rows that may be chosen; nil for all.
  public init(_ table: LossTable, folds: Int?, candidates: [Int]? = nil, confirmed: LossTable) {
    let all = Array(table.scenes.indices)
    choice = ConfigurationChoice(table, scenes: all, candidates: candidates)
    inSampleLoss = choice.map { confirmed.loss(of: $0.best) }
    nested =
      all.count >= 2
      ? NestedValidation(table, folds: folds, candidates: candidates, scoredBy: confirmed) : nil
    reason = Self.reason(choice, nested)
  }

  private static func reason(_ choice: ConfigurationChoice?, _ nested: NestedValidation?) -> Reason {
    guard let choice else { return .noneCovers }
    if choice.chosen == SearchGrid.reference { return .alreadyBest }
    guard let nested, nested.heldOut.count >= fewestScenes, let error = nested.gain.standardError,
      let interval = nested.gain.interval(level)
    else { return .tooFewScenes }
    // The first implies the second; both are asked for.
    return interval.lowerBound > 0 && nested.gain.mean > error ? .gains : .notEstablished
  }
}
