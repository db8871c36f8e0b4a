public import DepthDiagnosis
public import FathomTables

/// What the data of a run say about their own conventions.
public struct RunDiagnosis: Sendable {
  /// Findings by the name that a scene has in the run.
  public let scenes: [(name: String, findings: [Finding])]

  /// - Parameter scenes: All of a run: what chance explains among so many is not a contradiction.
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
        .text("fix", "what fixes it", missing: "nothing to fix") { $0.finding.fix },
      ], scenes.flatMap { name, findings in findings.map { Row(scene: name, finding: $0) } })
  }

  private struct Row: Sendable { let scene: String, finding: Finding }
}
