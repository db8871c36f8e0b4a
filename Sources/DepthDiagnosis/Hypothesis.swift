/// One reading of a convention: "the poses are OpenCV's, camera to world".
public struct Hypothesis: Sendable, Hashable, Codable {
  /// Stable name: "opencv".
  public var id: String
  /// What the data then are, for people.
  public var statement: String
  /// What a picture looks like where something else was assumed.
  public var symptom: String
  /// What to change where this is true and not declared: an attribute, or a convention in code.
  public var fix: String
  /// The same for a program; nil where the file cannot be mended.
  public var correction: Correction?

  public init(
    _ id: String, _ statement: String, symptom: String = "", fix: String, correction: Correction? = nil
  ) {
    (self.id, self.statement, self.symptom) = (id, statement, symptom)
    (self.fix, self.correction) = (fix, correction)
  }
}
