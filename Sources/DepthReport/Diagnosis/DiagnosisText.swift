import DepthDataset
import DepthDiagnosis
import PlainText

/// A diagnosis as a person reads it.
public struct DiagnosisText: Sendable {
  public let text: String

  public init(_ file: DatasetDiagnosis) {
    var lines: [String] = []
    for diagnosis in file.scenes {
      lines.append("\(diagnosis.scene.visible) (frames looked at: \(diagnosis.frames.count))")
      lines.append(Self.table(diagnosis.findings))
      for finding in diagnosis.findings { lines += Self.sentences(finding) }
      lines.append("")
    }
    lines += file.schema.map {
      "\($0.severity.rawValue): \($0.object): \($0.problem); \($0.advice)".visible
    }
    text = lines.joined(separator: "\n")
  }

  private static func table(_ findings: [Finding]) -> String {
    // What was not decided has no margin that anybody could rely on.
    func decided(_ finding: Finding, _ text: String?) -> String {
      finding.supported == nil ? "–" : text ?? "–"
    }
    return DisplayTable(
      columns: [
        .init("test", numeric: false), .init("declared", numeric: false), .init("supported", numeric: false),
        .init("verdict", numeric: false), .init("margin [σ]"), .init("confidence"),
      ],
      rows: findings.map { finding in
        [
          finding.title, finding.declared ?? "–", finding.supported ?? "–", finding.verdict.rawValue,
          decided(finding, finding.margin.map { Quantity(min($0, 999), .significant(2)).text }),
          decided(finding, finding.confidence.map { Quantity($0, .percent(0)).text }),
        ]
      }
    ).plain
  }

  private static func sentences(_ finding: Finding) -> [String] {
    if let flips = FlipTable(finding) {
      return ["", flips.plain, "- \(finding.title): \(flips.verdict)"] + fix(finding)
    }
    if finding.verdict == .confirmed || finding.verdict == .notTestable { return [] }
    return ["- \(finding.title): \(finding.summary)."] + fix(finding)
  }

  private static func fix(_ finding: Finding) -> [String] { finding.fix.map { ["  Fix: \($0)."] } ?? [] }
}
