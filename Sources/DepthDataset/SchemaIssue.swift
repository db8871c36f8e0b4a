public import FathomPlainText

/// How a reader treats content that breaks the schema.
public enum ValidationMode: Sendable, Hashable {
  /// The first error is thrown.
  case strict
  /// Errors are collected in `DatasetReader.issues`; an array with an error is treated as absent.
  case lenient
}

/// One thing in a file that breaks the schema or that a user should know about it.
public struct SchemaIssue: Sendable, Hashable, Codable {
  public enum Severity: String, Sendable, Hashable, Codable {
    /// The array or scene cannot be used; strict readers refuse the file.
    case error
    /// The file is usable, and is probably not what it is said to be.
    case warning
    /// The file is usable; something is undeclared or unusual.
    case note
  }

  public var severity: Severity
  /// Path inside the file: "scenes/kitchen/lidar/depth".
  public var object: String
  public var problem: String, advice: Wording

  /// An issue; both texts are one line without a final full stop.
  public init(severity: Severity, object: String, problem: String, advice: Wording) {
    (self.severity, self.object, self.problem, self.advice) = (severity, object, problem, advice)
  }
}
