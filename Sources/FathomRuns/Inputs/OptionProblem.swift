/// What was asked for makes no sense: which option, and why.
public struct OptionProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// As configuration files and flags name it: "scenes".
  public let option: String
  /// Why, and what there is instead.
  public let reason: String

  public init(_ option: String, _ reason: String) {
    self.option = option
    self.reason = reason
  }

  /// "scenes: no scene matches 'hall'; there are …"
  public var description: String { "\(option): \(reason)" }
}
