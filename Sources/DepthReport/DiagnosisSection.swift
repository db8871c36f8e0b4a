import FathomDocuments
import DepthCore
import DepthDiagnosis
import FathomPlainText
public import FathomRuns

/// What the data say about their own conventions, beside the errors that rest on them.
public struct DiagnosisSection: Sendable {
  private let scenes: [(name: String, findings: [Finding])]
  public init(_ diagnosis: RunDiagnosis) { scenes = diagnosis.scenes }

  /// One sentence where the data contradict what they declare: no error of the run can then be trusted.
  public var warning: String? {
    let wrong = contradictions
    guard let first = wrong.first else { return nil }
    let affected = Set(wrong.map(\.scene)).count
    let place =
      affected < scenes.count ? "In \(affected) of \(counted(scenes.count, "scene")), the data" : "The data"
    return "\(place) contradict \(wrong.count) of their declared conventions, first \(first.scene.literal): "
      + "\(first.finding.summary)\(first.finding.fix.map { "; \($0)" } ?? ""). The errors below may come from that; `fathom diagnose` shows and corrects it."
  }

  private var contradictions: [(scene: String, finding: Finding)] {
    scenes.flatMap { name, findings in findings.filter(\.verdict.isWrong).map { (name, $0) } }
  }

  var contradictionCount: Int { contradictions.count }
  var confirmedCount: Int { scenes.flatMap(\.findings).count { $0.verdict == .confirmed } }

  var section: ReportDocument.Section {
    let wrong = contradictions
    let listed = PageLimits.items(
      wrong.map { scene, finding in
        "**\(scene.literal)**: \(finding.title): \(finding.summary)."
          + (finding.fix.map { " Fix: \($0)." } ?? "")
      }, rest: "more: `diagnosis.csv`")
    return .init(
      "diagnosis", "Diagnosis: do the data follow their conventions?",
      [
        .paragraph(
          (wrong.isEmpty
            ? "The data contradict none of their declarations."
            : "\(wrong.count) of the declared conventions are contradicted by the data.")
            + open(.undecidable, "Undecided in every scene, because other hypotheses fit as well:")
            + open(.notTestable, "Not testable in any scene:") + " Every scene's tests: `diagnosis.csv`.")
      ] + (wrong.isEmpty ? [] : [.list(listed)]) + [
        .table(
          "diagnosis", caption: "Number of scenes by verdict for each convention.", role: .reference, counts)
      ])
  }

  private static let mostNames = 4  // More names than these are a wall: the table has them.

  /// " Not testable in any scene: Intrinsics." for what no scene says more about; empty where there is nothing.
  private func open(_ verdict: Finding.Verdict, _ words: String) -> String {
    let all = scenes.flatMap(\.findings)
    let titles = all.map(\.title).firstAppearances.filter { title in
      all.allSatisfy { $0.title != title || $0.verdict == verdict }
    }
    guard !titles.isEmpty else { return "" }
    guard titles.count > Self.mostNames else { return " \(words) \(titles.joined(separator: ", "))." }
    return
      " \(words) \(titles.count) of \(all.map(\.title).firstAppearances.count) conventions, which the table names."
  }

  /// Tests × verdicts.
  private var counts: DisplayTable {
    let all = scenes.flatMap(\.findings)
    let tests = all.map(\.test).firstAppearances
    let verdicts: [Finding.Verdict] = [
      .confirmed, .found, .contradicted, .noReadingFits, .undecidable, .notTestable,
    ]
    return DisplayTable(
      columns: [.text("convention"), .text("declared")]
        + verdicts.map { .init($0.rawValue) } + [.init("least margin [σ]")],
      cells: tests.map { test in
        let rows = all.filter { $0.test == test }
        let declared = rows.compactMap(\.declared).firstAppearances.joined(separator: ", ")
        let margin = rows.filter { $0.verdict == .confirmed }.compactMap(\.margin).min()
        return [.init(rows.first?.title ?? test), .init(declared.isEmpty ? "–" : declared)]
          + verdicts.map { verdict in .init("\(rows.count { $0.verdict == verdict })") }
          + [.init(margin.map { min($0, 999) }, digits: 2)]
      })
  }
}
