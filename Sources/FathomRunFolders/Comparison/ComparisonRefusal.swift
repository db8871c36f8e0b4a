public import FathomStorage

/// Why runs are not compared.
public struct ComparisonRefusal: UserFacingError, Sendable, Equatable {
  /// `.badData` for other data or another protocol where nobody said that this is wanted, or nothing in common at all;
  /// `.usage` for a method that a run does not have.
  public let kind: FathomError.Kind
  /// What does not fit, and what to do.
  public let description: String

  init(_ kind: FathomError.Kind, _ description: String) {
    (self.kind, self.description) = (
      kind, description.split(whereSeparator: \.isNewline).joined(separator: " ")
    )
  }
}
