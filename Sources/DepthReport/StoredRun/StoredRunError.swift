/// Why a stored run could not be read.
public struct StoredRunError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Decides the exit code.
  public enum Kind: Sendable {
    /// There is no such folder.
    case missing
    /// It is something else, damaged, or incomplete.
    case badData
  }

  public let kind: Kind
  /// The folder, or the file in it.
  public let path: String
  /// Why.
  public let reason: String
  /// What the user can do.
  public let advice: String

  public init(_ kind: Kind, path: String, reason: String, advice: String) {
    (self.kind, self.path, self.reason, self.advice) = (kind, path, reason, advice)
  }

  public var description: String {
    "cannot read the run \(path): \(reason); \(advice)".split(whereSeparator: \.isNewline)
      .joined(separator: " ")
  }
}
