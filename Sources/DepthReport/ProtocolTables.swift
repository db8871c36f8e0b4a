import FathomDocuments
import FathomPlainText
import DepthCore
import DepthEvaluation
import DepthVerdicts

/// The same predictions under every protocol, as a section of the report.
enum ProtocolTables {
  /// What the section shows for a metric: methods × protocols.
  static func overview(_ comparison: ProtocolComparison, _ metric: Metric, _ run: EvaluationRun)
    -> DisplayTable
  {
    let last = comparison.rows.filter(\.isLast)
    let index = ProtocolComparison.index(of: metric)
    let presets = last.map(\.preset).firstAppearances
    return DisplayTable(
      columns: [.text("method")]
        + presets.map { .init($0.isOracle ? "\($0.title) (uses the truth)" : $0.title) },
      cells: last.map(\.method).firstAppearances.map { method in
        [run.cell(of: method)]
          + presets.map { preset in
            let row = last.first { $0.method == method && $0.preset == preset }
            return .init(row?.values[index], interval: row?.intervals[index])
          }
      })
  }

  /// What each switch does to a metric on the way to a protocol: methods × switches.
  static func steps(
    _ comparison: ProtocolComparison, to preset: EvaluationProtocol, _ metric: Metric,
    _ basis: ComparisonBasis
  ) -> DisplayTable {
    let index = ProtocolComparison.index(of: metric)
    let rows = comparison.rows.filter { $0.preset == preset }
    let turned = rows.compactMap(\.turned).firstAppearances
    return DisplayTable(
      columns: [.text("method"), .init(comparison.start.title)] + turned.map { .init($0) } + [
        .init(preset.name)
      ],
      cells: rows.map(\.method).firstAppearances.map { method in
        let path = rows.filter { $0.method == method }
        return [.init(basis.name(of: method)), .init(path.first?.values[index])]
          + turned.map { id in DisplayTable.Cell(signed(path.first { $0.turned == id }?.changes[index])) }
          + [.init(path.last?.values[index])]
      })
  }

  /// In words: what makes the most of the difference, for the raw LiDAR and the best fitted method.
  static func sentences(
    _ comparison: ProtocolComparison, to preset: EvaluationProtocol, _ metric: Metric, methods: [String],
    _ basis: ComparisonBasis
  ) -> [String] {
    let index = ProtocolComparison.index(of: metric)
    return methods.compactMap { method in
      let rows = comparison.rows.filter { $0.preset == preset && $0.method == method }
      guard let first = rows.first?.values[index], let last = rows.last?.values[index] else { return nil }
      let text =
        "`\(basis.name(of: method))`: \(metric.title) \(Quantity(first, .significant()).text) under \(comparison.start.title), "
        + "\(Quantity(last, .significant()).text) under \(preset.title)"
      guard let (row, change) = comparison.largestChange(of: metric, method: method, to: preset.title),
        let turned = row.turned
      else { return text + "; no switch changes it." }
      return text + "; the largest part is \(turned) (\(row.statement)), \(signed(change).text)."
    }
  }

  private static func signed(_ change: Double?) -> Quantity { Quantity(change, .significant(3).signed) }
}
