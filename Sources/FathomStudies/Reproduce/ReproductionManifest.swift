import FathomRuns
import DepthEvaluation
import FathomStorage
import FathomTables

/// `reproduce.json`, and what `fathom reproduce` prints with `--json`.
public struct ReproductionManifest: Codable, Sendable {
  /// A printed number beside ours.
  public struct Number: Codable, Sendable {
    public var name: String, metric: String, unit: String
    /// Both absent where nothing is printed.
    public var printed: String?, tolerance: Double?
    public var printedIn: String?, verified: Bool
    /// "match" or "differs".
    public var expect: String
    /// "matched", "differs", "computed", "no value" or "missing".
    public var outcome: String
    public var asExpected: Bool
    /// Ours, and ours minus the printed value, in the printed unit; absent where there is none.
    public var value: Double?, difference: Double?
    public var protocolStatement: String
    /// Protocols under which the printed value is met; absent unless it differs.
    public var explanations: [ReproduceResult.Explanation]?
    /// Which files cannot be had; absent where all are there.
    public var missing: [String]?
    public var note: String?
  }

  public struct Ledger: Codable, Sendable {
    public var title: String, source: FathomStudies.Ledger.Source, numbers: [Number]
  }

  public var tool = "fathom", version = Version.current
  /// Verified numbers, and those of them that did not come out as expected.
  public var verified: Int, unexpected: Int
  public var ledgers: [Ledger]

  public init(_ result: ReproduceResult) {
    (verified, unexpected) = (result.numbers.count(where: \.counts), result.unexpected.count)
    ledgers = result.ledgers.map { ledger in
      Ledger(
        title: ledger.ledger.title, source: ledger.ledger.source, numbers: ledger.numbers.map(Number.init))
    }
  }

  /// Pretty-printed with sorted keys.
  public var json: String { get throws { try CanonicalJSON.text(self) } }
}

extension ReproductionManifest.Number {
  init(_ number: ReproduceResult.Number) {
    let entry = number.entry
    (name, metric, unit) = (entry.name, entry.metric.id, entry.unit)
    (printed, printedIn, tolerance) = (
      entry.printed?.text, entry.place, entry.printed.map { _ in entry.tolerance }
    )
    (verified, expect) = (entry.isVerified, entry.expectsMatch ? "match" : "differs")
    (outcome, asExpected) = (number.outcome.word, number.isAsExpected)
    (value, difference) = (number.value, number.difference)
    (protocolStatement, note) = (entry.rules.summary, entry.note)
    if case .differs(_, let found) = number.outcome { explanations = found }
    if case .missing(let reasons) = number.outcome { missing = reasons }
  }
}
