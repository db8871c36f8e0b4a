public import FathomDocuments
import DepthCore
import DepthEvaluation
import FathomPlainText
public import FathomStudies
public import FathomStorage

/// Printed numbers beside ours, as a document for people: what did not come out as expected first.
public struct ReproductionDocument {
  let result: ReproduceResult
  public init(_ result: ReproduceResult) { self.result = result }

  public var document: ReportDocument {
    ReportDocument(
      title: "Printed numbers, reproduced", caveat: nil,
      sections: [.init("summary", "Summary", [.list(sentences)])]
        + result.ledgers.enumerated().map { number, ledger in section(ledger, "ledger-\(number + 1)") })
  }

  /// How many numbers came out, and which did not.
  public var sentences: [String] {
    let (verified, others) = (result.numbers.filter(\.counts), result.numbers.filter { !$0.counts })
    var lines = ["\(counted(verified.count, "verified number")): \(Self.counts(verified))."]
    if !others.isEmpty {
      lines.append(
        "\(counted(others.count, "number")) not verified at the source, which decide\(others.count == 1 ? "s" : "") nothing: \(Self.counts(others))."
      )
    }
    return lines + result.numbers.flatMap { Self.sentences(about: $0) }
  }

  /// "2 differ as expected, 21 matched".
  private static func counts(_ numbers: [ReproduceResult.Number]) -> String {
    let words = numbers.map { number in
      guard case .differs = number.outcome else { return number.outcome.word }
      return number.isAsExpected ? "differ as expected" : "differ"
    }
    let kinds = Set(words).sorted()
    return kinds.isEmpty
      ? "none" : kinds.map { kind in "\(words.count { $0 == kind }) \(kind)" }.joined(separator: ", ")
  }

  /// What a person should know of a number that did not match.
  private static func sentences(about number: ReproduceResult.Number) -> [String] {
    let name = number.entry.name.literal
    switch number.outcome {
    case .computed: return []
    case .matched:
      return number.entry.expectsMatch
        ? [] : ["\(name): the printed value is met, although the ledger says that it differs."]
    case .noValue: return ["\(name): the metric has no value here."]
    case .missing(let reasons): return reasons.map { "\(name): cannot be had: \($0.literal)." }
    case .differs(let value, let explanations):
      let known = number.entry.note.map { " " + $0.literal } ?? ""
      let begin =
        "\(name): \(shown(value, number)) instead of \(number.entry.printed?.text ?? "") \(number.entry.unit)."
      guard let first = explanations.first else {
        let unexplained =
          number.entry.expectsMatch
          ? " No protocol that differs in one switch, and no named one, gives the printed value." : ""
        return [begin + known + unexplained]
      }
      let others = explanations.count - 1
      return [
        begin + known + " With the switch **\(first.turned)** set to \(first.statement.code), it is "
          + "\(shown(first.value, number)), which is the printed value"
          + (others > 0
            ? "; \(counted(others, "other protocol")) \(others == 1 ? "gives" : "give") it, too." : ".")
      ]
    }
  }

  private static func shown(_ value: Double, _ number: ReproduceResult.Number) -> String {
    Quantity(value, style(number)).number
  }

  /// One decimal more than was printed, and three where nothing was.
  private static func style(_ number: ReproduceResult.Number) -> Quantity.Style {
    guard let printed = number.entry.printed else { return .decimals(3) }
    var (decimals, unit) = (0, printed.halfUnit * 2)
    while unit < 0.9, decimals < 9 { (decimals, unit) = (decimals + 1, unit * 10) }
    return .decimals(decimals + 1)
  }

  private func section(_ ledger: ReproduceResult.OfLedger, _ id: String) -> ReportDocument.Section {
    let source = ledger.ledger.source
    let facts: [(String, String?)] = [
      ("Paper", source.paper), ("Link", source.link), ("Repository", source.repository),
      ("Commit", source.commit), ("License", source.license),
    ]
    let lines = facts.compactMap { name, text in text.map { "\(name): \($0.literal)" } }
    let protocols = ledger.numbers.map(\.entry.rules.summary).firstAppearances
    return .init(
      id, ledger.ledger.title,
      [
        .list(lines + protocols.map { "Protocol " + $0.literal }),
        .table(id, caption: "\(ledger.ledger.title).", Self.table(ledger)),
      ])
  }

  /// Every number of a ledger.
  public static func table(_ ledger: ReproduceResult.OfLedger) -> DisplayTable {
    DisplayTable(
      columns: [
        .text("number"), .text("metric"), .text("unit"), .init("printed"), .init("ours"), .init("difference"),
        .text("outcome"), .text("verified"), .text("printed in"),
      ],
      cells: ledger.numbers.map { number in
        let entry = number.entry
        let outcome = number.outcome.word + (number.isAsExpected ? "" : ", unexpected")
        return [
          .init(entry.name), .init(entry.metric.id), .init(entry.unit),
          .init(entry.printed?.text ?? Quantity.none),
          .init(Quantity(number.value, style(number))),
          .init(Quantity(number.difference, style(number).signed)),
          .init(outcome), .init(entry.isVerified ? "yes" : "no"), .init(entry.place ?? Quantity.none),
        ]
      })
  }
}

extension ReproduceResult {
  /// Writes the report; the folder is not yet complete, see ``ReproductionManifest``.
  /// - Throws: `FathomError`.
  public func write(to folder: borrowing AtomicFolder) throws {
    try folder.write(ReproductionDocument(self).document)
  }
}
