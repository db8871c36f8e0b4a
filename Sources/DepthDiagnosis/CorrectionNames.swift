/// Names of conventions that may be corrected without being certain: "orientation", "kind", or a test's own id.
public struct CorrectionNames: Sendable, Hashable {
  /// Words that stand for several tests, and what the tests' ids hold.
  private static let groups: [(name: String, parts: [String])] = [
    ("orientation", ["orientation"]), ("kind", ["kind"]), ("unit", ["unit"]), ("poses", ["pose"]),
    ("intrinsics", ["intrinsics"]), ("confidence", ["confidence"]), ("time", ["time"]), ("up", ["up"]),
    ("origins", ["flips"]), ("relative", ["relative"]), ("truth", ["truth"]), ("prediction", ["prediction"]),
  ]
  /// Words that are understood beside the ids of tests.
  public static let words = groups.map(\.name)
  private var names: Set<String>
  /// Nothing but what is certain.
  public init() { names = [] }

  /// - Returns: nil where a word is neither a group nor looks like a test's id.
  public init?(_ list: String) {
    let names = list.split(separator: ",").map { String($0).trimmingBlanks }
    guard !names.isEmpty, names.allSatisfy({ Self.words.contains($0) || Self.ids.contains($0) })
    else { return nil }
    self.names = Set(names)
  }

  private static let ids = Set(Conventions.all.flatMap(\.correctable))
  public mutating func formUnion(_ other: CorrectionNames) { names.formUnion(other.names) }

  /// Whether anything may be corrected.
  public func correct(_ diagnoses: [SceneDiagnosis]) -> Bool {
    diagnoses.contains { $0.findings.contains(where: allows) }
  }

  /// Whether a finding's correction may be made.
  public func allows(_ finding: Finding) -> Bool {
    guard finding.correction != nil, finding.verdict == .contradicted || finding.verdict == .found
    else { return false }
    if finding.isCertain || names.contains(finding.test) { return true }
    let parts = finding.test.split { $0 == "-" || $0 == ":" }.map(String.init)
    return Self.groups.contains { names.contains($0.name) && !Set($0.parts).isDisjoint(with: parts) }
  }
}

extension String {
  /// Without blanks at its ends.
  fileprivate var trimmingBlanks: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
