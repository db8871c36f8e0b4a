import FathomRuns
import DepthCore
import DepthEvaluation
import DepthVerdicts

/// What the numbers of ledgers came to.
public struct ReproduceResult: Sendable {
  /// A ledger with its numbers, in its order.
  public struct OfLedger: Sendable { public let ledger: Ledger, numbers: [Number] }

  /// A protocol under which the printed value is met.
  public struct Explanation: Sendable, Hashable, Codable {
    /// "alignment"; "protocol" where all rules of a named one are taken.
    public let turned: String
    /// What the switch then says; a protocol's name.
    public let statement: String
    /// In the printed unit.
    public let value: Double
  }

  public enum Outcome: Sendable {
    case matched(Double)
    /// Nothing is printed.
    case computed(Double)
    /// - Parameter explanations: The protocols under which the printed value is met.
    case differs(Double, explanations: [Explanation])
    /// The files are there, and the metric has no value.
    case noValue
    /// Which files cannot be had.
    case missing([String])

    /// "matched": the word of tables and files.
    public var word: String {
      switch self {
      case .matched: "matched"
      case .computed: "computed"
      case .differs: "differs"
      case .noValue: "no value"
      case .missing: "missing"
      }
    }
  }

  /// A printed number beside ours.
  public struct Number: Sendable {
    public let entry: Ledger.Entry, outcome: Outcome
    init(_ entry: Ledger.Entry, _ outcome: Outcome) { (self.entry, self.outcome) = (entry, outcome) }

    /// - Parameter protocols: What other protocols give; nil where they were not asked.
    init(_ entry: Ledger.Entry, _ value: Double?, _ protocols: ProtocolComparison?) {
      self.entry = entry
      guard let value else {
        outcome = .noValue
        return
      }
      outcome =
        entry.printed == nil
        ? .computed(value)
        : entry.isMet(by: value)
          ? .matched(value) : .differs(value, explanations: Self.explanations(entry, value, protocols))
    }

    private static func explanations(
      _ entry: Ledger.Entry, _ value: Double, _ protocols: ProtocolComparison?
    ) -> [Explanation] {
      guard entry.metric.support == .all, ProtocolPaths.metrics.contains(entry.metric.metric) else {
        return []
      }
      let index = ProtocolComparison.index(of: entry.metric.metric)
      return (protocols?.rows ?? []).compactMap { row in
        guard row.method == entry.methodID, let turned = row.turned, let found = row.values[index] else {
          return nil
        }
        let other = found / entry.factor
        return other != value && entry.isMet(by: other)
          ? Explanation(turned: turned, statement: row.statement, value: other) : nil
      }.firstAppearances
    }

    /// Ours, in the printed unit; nil where there is none.
    public var value: Double? {
      switch outcome {
      case .matched(let value), .computed(let value), .differs(let value, _): value
      case .noValue, .missing: nil
      }
    }

    /// Ours minus the printed value.
    public var difference: Double? {
      if let value, let printed = entry.printed { value - printed.value } else { nil }
    }

    /// Whether it came out as the ledger expects. Without the files nothing does.
    public var isAsExpected: Bool {
      switch outcome {
      case .matched: entry.expectsMatch
      case .computed: true
      case .differs: !entry.expectsMatch
      case .noValue, .missing: false
      }
    }

    /// Whether it decides how a command ends: what was not read at its source does not.
    public var counts: Bool { entry.isVerified && entry.printed != nil }
  }

  public let ledgers: [OfLedger]
  public var numbers: [Number] { ledgers.flatMap(\.numbers) }
  /// Verified numbers that did not come out as expected.
  public var unexpected: [Number] { numbers.filter { $0.counts && !$0.isAsExpected } }
}
