/// Why a notebook could not be executed.
public struct NotebookError: Error, Sendable, CustomStringConvertible {
  /// Decides the exit code.
  public enum Kind: Sendable {
    /// There is no such program.
    case noProgram
    /// Python, or a package, is missing or did not work.
    case cannotExecute
    /// A cell failed: the tables are not what it expects.
    case cellFailed
  }

  public let kind: Kind
  /// The program, or the notebook.
  public let subject: String
  public let reason: String
  public let advice: String

  init(_ kind: Kind, _ subject: String, reason: String, advice: String) {
    (self.kind, self.subject, self.reason, self.advice) = (kind, subject, reason, advice)
  }

  public var description: String { "cannot execute the notebook with \(subject): \(reason); \(advice)" }
}
