import FathomDocuments
import DepthCore
import DepthEvaluation
import DepthVerdicts

/// The section that explains why numbers differ between protocols.
enum ProtocolSections {
  static func section(
    _ comparison: ProtocolComparison, _ run: EvaluationRun, _ ranking: RankingVerdict
  ) -> ReportDocument.Section {
    let metric = Metric.absRel
    let named = [run.baseline] + (ranking.placed.first { !$0.ids.contains(run.baseline) }?.ids ?? [])
    let refused = comparison.refused.map { "`\($0.preset.name)` is skipped: \($0.reason)." }
    return .init(
      "protocols", "The same predictions under every protocol: \(metric.title) ↓",
      [
        .paragraph(
          "Brackets are 95 % intervals over scenes. A protocol that fits every prediction to the truth gives numbers that "
            + "an app cannot reach; the fit minimises squares, so it can increase AbsRel."),
        .table(
          "protocols", caption: "\(metric.title) of the same predictions under every protocol.",
          ProtocolTables.overview(comparison, metric, run)),
      ] + (refused.isEmpty ? [] : [.list(refused)]),
      subsections: comparison.rows.map(\.preset).firstAppearances.filter { $0 != comparison.start }.map {
        subsection($0, comparison, metric, methods: named, run.basis)
      })
  }

  private static func subsection(
    _ preset: EvaluationProtocol, _ comparison: ProtocolComparison, _ metric: Metric, methods: [String],
    _ basis: ComparisonBasis
  ) -> ReportDocument.Section {
    let title = "From \(comparison.start.title) to \(preset.title)"
    return .init(
      "protocol-\(preset.name)", title,
      [
        .paragraph(
          "\(preset.summary). Source: \(preset.source). One switch at a time, in the order in which they act: what each "
            + "changes."),
        .table(
          "protocol-\(preset.name)", caption: "\(metric.title): \(title), one switch at a time.",
          ProtocolTables.steps(comparison, to: preset, metric, basis)),
        .list(ProtocolTables.sentences(comparison, to: preset, metric, methods: methods, basis)),
      ])
  }
}
