public import FathomTables
import DepthCore
public import DepthDiagnosis
import DepthEvaluation
import FathomPlainText

/// What the data say about their own conventions, beside the errors that rest on them.
public struct DiagnosisSection: Sendable {
  /// Findings by the name that a scene has in the run.
  let scenes: [(name: String, findings: [Finding])]

  /// - Parameter scenes: All of a run: what chance explains among so many is no contradiction.
  public init(_ scenes: [(name: String, findings: [Finding])]) {
    self.scenes = Array(zip(scenes.map(\.name), scenes.map(\.findings).withoutChance))
  }

  /// `diagnosis.csv`: one row per scene and test.
  public var table: DataTable {
    DataTable(
      of: "scene × test of a convention",
      [
        .text("scene", "name of the scene, unique in the run") { $0.scene },
        .text("test", "convention that is tested: relative-orientation, …") { $0.finding.test },
        .text("declared", "what the data declare", missing: "nothing is declared") { $0.finding.declared },
        .text("supported", "what they support", missing: "they do not say") { $0.finding.supported },
        .text(
          "verdict",
          "confirmed, contradicted, no-reading-fits, undecidable, found where nothing is declared, not-testable"
        ) { $0.finding.verdict.rawValue },
        .number(
          "margin",
          "standard errors between the supported reading and the next one, as those of a normal distribution",
          missing: "there is nothing to compare"
        ) { $0.finding.margin },
        .number(
          "share_of_resamples",
          "share of resamples in which it stays the best: no probability that it is right",
          unit: "share", missing: "nothing was resampled"
        ) { $0.finding.shareOfResamples },
        .number("views", "views behind it: frames from one place are one", missing: "views were not counted")
        {
          $0.finding.views.map(Double.init)
        },
        .text("rests_on", "declared property that the finding is about", missing: "none") {
          $0.finding.property.isEmpty ? nil : $0.finding.property
        },
        .text("summary", "the finding in words") { $0.finding.summary },
        .text("fix", "what mends it", missing: "nothing to mend") { $0.finding.fix },
      ],
      scenes.flatMap { name, findings in findings.map { Row(scene: name, finding: $0) } })
  }

  private struct Row: Sendable {
    let scene: String
    let finding: Finding
  }

  /// One sentence where the data contradict what they declare: no error of the run can then be trusted.
  public var warning: String? {
    let wrong = contradictions
    guard let first = wrong.first else { return nil }
    let affected = Set(wrong.map(\.scene)).count
    let place =
      affected < scenes.count ? "In \(affected) of \(counted(scenes.count, "scene")), the data" : "The data"
    return "\(place) contradict \(wrong.count) of their declared conventions, first \(first.scene.literal): "
      + "\(first.finding.summary). The errors below may come from that; `fathom diagnose` shows and mends it."
  }

  private var contradictions: [(scene: String, finding: Finding)] {
    scenes.flatMap { name, findings in
      findings.filter(\.verdict.isWrong).map { (name, $0) }
    }
  }

  var section: ReportDocument.Section {
    let wrong = contradictions
    let listed = PageLimits.items(
      wrong.map { scene, finding in
        "**\(scene.literal)**: \(finding.title): \(finding.summary)."
          + (finding.fix.map { " Fix: \($0)." } ?? "")
      }, rest: "more: `diagnosis.csv`")
    return .init(
      "diagnosis", "Diagnosis: do the data keep to their conventions?",
      [
        .paragraph(
          (wrong.isEmpty
            ? "Nothing that the data declare is contradicted by them."
            : "\(wrong.count) of the declared conventions are contradicted by the data.")
            + open(.undecidable, "Undecided in every scene, because other readings fit as well:")
            + open(.notTestable, "Not testable in any scene:") + " Every scene's tests: `diagnosis.csv`.")
      ] + (wrong.isEmpty ? [] : [.list(listed)]) + [
        .table(
          TableBlock(
            "diagnosis", caption: "Scenes by what the data say about each convention.", role: .reference,
            counts))
      ])
  }

  /// More names than these are a wall: the table has them.
  private static let mostNames = 4

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
      columns: [.init("convention", numeric: false), .init("declared", numeric: false)]
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
