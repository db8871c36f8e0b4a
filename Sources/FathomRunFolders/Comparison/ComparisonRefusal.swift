public import FathomPlainText
public import FathomStorage

/// Why runs are not compared.
public struct ComparisonRefusal: UserFacingError, Sendable, Equatable {
  /// `.badData` for other data or another protocol where this was not asked for, or nothing in common at all;
  /// `.usage` for a method that a run does not have.
  public let kind: FathomError.Kind
  /// What does not fit, and what to do.
  public let wording: Wording
  init(_ kind: FathomError.Kind, _ wording: Wording) { (self.kind, self.wording) = (kind, wording) }
  public var description: String { Self.line(wording.description) }
  public var onCommandLine: String { Self.line(wording.onCommandLine) }

  private static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
