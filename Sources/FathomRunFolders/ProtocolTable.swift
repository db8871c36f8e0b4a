import DepthEvaluation
import DepthVerdicts
import FathomTables

/// `protocols.csv`: the same predictions under every protocol.
enum ProtocolTable {
  /// A metric of a method at a step on the way to a protocol.
  static func table(_ comparison: ProtocolComparison) -> DataTable {
    struct Step: Sendable { let row: ProtocolComparison.Row, metric: Int }
    let subject: [Column<ProtocolComparison.Row>] =
      [
        .text("protocol", "protocol that the steps lead to") { $0.preset.title },
        .integer("step", "0 is the run's own protocol; every step turns one switch more") { $0.step },
        .text("switch", "what this step changes", missing: "the first step") { $0.turned },
        .text("statement", "the rules after this step, in words") { $0.statement },
        .text("complete", "yes where this is the whole protocol") { $0.isLast ? "yes" : "no" },
        CommonColumn.method { $0.method },
        .text("oracle", "yes where the method looks at the truth") { $0.isOracle ? "yes" : "no" },
      ] + CommonColumn.counts(scenes: { $0.scenes }, frames: { $0.frames })
    return DataTable.metrics(
      of: "protocol × step × method × metric", subject.map { $0.of { (step: Step) in step.row } },
      value: "over pixels, then frames, then scenes, as the protocol says",
      comparison.rows.flatMap { row in
        ProtocolPaths.metrics.enumerated().compactMap { place, metric in
          MetricRow(Step(row: row, metric: place), metric.id, .all, row.values[place], row.intervals[place])
        }
      },
      more: [
        .number(
          "change", "value − that of the step before", unit: ColumnMeaning.ofMetric,
          missing: "the first step, or no value there"
        ) { $0.subject.row.changes[$0.subject.metric] }
      ])
  }
}
