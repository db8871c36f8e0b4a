import DepthCore
import DepthEvaluation
import Statistics

/// The same predictions under every protocol: `protocols.csv` and its section of the report.
enum ProtocolTables {
  /// One row per protocol, step and method.
  static func table(_ comparison: ProtocolComparison) -> DataTable {
    let metrics = ProtocolPaths.metrics
    return DataTable(
      columns: [
        "protocol", "step", "switch", "statement", "complete", "method", "oracle", "scenes", "frames",
      ] + metrics.flatMap { [$0.id, $0.id + "_low", $0.id + "_high", $0.id + "_change"] },
      rows: comparison.rows.map { row in
        [
          .text(row.preset.title), .integer(row.step), .init(row.turned), .text(row.statement),
          .text(row.isLast ? "yes" : "no"), .text(row.method), .text(row.isOracle ? "yes" : "no"),
          .integer(row.scenes), .integer(row.frames),
        ]
          + metrics.indices.flatMap { k -> [DataTable.Cell] in
            [
              .init(row.values[k]), .init(row.intervals[k]?.low), .init(row.intervals[k]?.high),
              .init(row.changes[k]),
            ]
          }
      })
  }

  /// What the section shows for a metric: methods × protocols.
  static func overview(_ comparison: ProtocolComparison, _ metric: Metric) -> DisplayTable {
    let last = comparison.rows.filter(\.isLast)
    let index = ProtocolComparison.index(of: metric)
    let presets = last.map(\.preset).firstAppearances
    return DisplayTable(
      columns: [.init("method", numeric: false)]
        + presets.map { .init($0.isOracle ? "\($0.title) (uses the truth)" : $0.title) },
      cells: last.map(\.method).firstAppearances.map { method in
        [.init(method)]
          + presets.map { preset in
            let row = last.first { $0.method == method && $0.preset == preset }
            return .init(row?.values[index], interval: row?.intervals[index])
          }
      })
  }

  /// What each switch does to a metric on the way to a protocol: methods × switches.
  static func steps(_ comparison: ProtocolComparison, to preset: EvaluationProtocol, _ metric: Metric)
    -> DisplayTable
  {
    let index = ProtocolComparison.index(of: metric)
    let rows = comparison.rows.filter { $0.preset == preset }
    let turned = rows.compactMap(\.turned).firstAppearances
    return DisplayTable(
      columns: [.init("method", numeric: false), .init(comparison.start.title)] + turned.map { .init($0) } + [
        .init(preset.name)
      ],
      cells: rows.map(\.method).firstAppearances.map { method in
        let path = rows.filter { $0.method == method }
        return [.init(method), .init(path.first?.values[index])]
          + turned.map { id in signedCell(path.first { $0.turned == id }?.changes[index]) }
          + [.init(path.last?.values[index])]
      })
  }

  /// In words: what makes the most of the difference, for the raw LiDAR and the best fitted method.
  static func sentences(
    _ comparison: ProtocolComparison, to preset: EvaluationProtocol, _ metric: Metric, methods: [String]
  ) -> [String] {
    let index = ProtocolComparison.index(of: metric)
    return methods.compactMap { method in
      let rows = comparison.rows.filter { $0.preset == preset && $0.method == method }
      guard let first = rows.first?.values[index], let last = rows.last?.values[index] else { return nil }
      let text =
        "`\(method)`: \(metric.title) \(Rounded.number(first)) under \(comparison.start.title), "
        + "\(Rounded.number(last)) under \(preset.title)"
      guard
        let (row, change) = comparison.largestChange(of: metric, method: method, to: preset.title),
        let turned = row.turned
      else { return text + "; no switch changes it." }
      return text + "; the largest part is \(turned) (\(row.statement)), \(signed(change))."
    }
  }

  private static func signedCell(_ change: Double?) -> DisplayTable.Cell {
    var cell = DisplayTable.Cell(signed(change))
    cell.value = change
    return cell
  }

  private static func signed(_ change: Double?) -> String {
    guard let change else { return "–" }
    return (change > 0 ? "+" : "") + Rounded.number(change, digits: 3)
  }
}
