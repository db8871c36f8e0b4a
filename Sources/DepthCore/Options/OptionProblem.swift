public import FathomPlainText

/// What was asked for makes no sense: which option, and why.
public struct OptionProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// As configuration files and flags name it: "scenes".
  public let option: OptionName
  /// Why, and what there is instead.
  public let reason: Wording
  public init(_ option: OptionName, _ reason: Wording) { (self.option, self.reason) = (option, reason) }
  /// "scenes: no scene matches 'hall'; there are …"
  public var description: String { "\(option): \(reason)" }
}
