public import FathomPlainText

/// A part of a report that cannot be put on its page: which file, why, and what to do about it.
public struct PageError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Below the run folder: "gallery/worst-1-fused.png".
  public let file: String
  public let reason: String
  /// An imperative.
  public let advice: Wording
  public var description: String { "cannot put \(file) into report.html: \(reason); \(advice)" }
  init(_ file: String, _ reason: String, advice: Wording = "write the run again with \(option: "overwrite")")
  {
    (self.file, self.reason, self.advice) = (file, reason, advice)
  }
}
