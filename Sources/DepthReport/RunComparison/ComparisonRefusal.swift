/// Why runs are not compared.
public struct ComparisonRefusal: Error, Sendable, Equatable, CustomStringConvertible {
  /// Decides the exit code.
  public enum Kind: Sendable {
    /// Other data or another protocol, and nobody said that this is wanted; or nothing in common at all.
    case different
    /// A method was asked for that a run does not have.
    case usage
  }

  public let kind: Kind
  /// What does not fit, and what to do.
  public let description: String

  init(_ kind: Kind, _ description: String) {
    (self.kind, self.description) = (
      kind, description.split(whereSeparator: \.isNewline).joined(separator: " ")
    )
  }
}
