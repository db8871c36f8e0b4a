import DepthCharts
import DepthCore
import DepthEvaluation
import DepthVerdicts
import FathomPlainText

/// Every scene under every method: is a method better everywhere, or in one scene?
struct SceneFigure {
  static let mostScenes = 40, mostMethods = 20  // More rows or columns cannot be read.
  /// Relative difference that Float32 maps alone can make: methods that differ by less are equal.
  private static let rounding = 1e-6
  private let methods: FigureMethods, measure: FigureMeasure, columns: [String]
  private let rows: [String], values: [[Double?]], counts: (scenes: Int, methods: Int)
  static func figure(_ methods: FigureMethods) -> Figure? { SceneFigure(methods)?.figure }

  private init?(_ methods: FigureMethods) {
    self.methods = methods
    measure = FigureMeasure(methods.run.basis.absRel)
    let column = measure.column
    let present = methods.run.aggregation.scenes.filter { $0.value(column) != nil }
    let byScene = Dictionary(grouping: present, by: \.scene)
    let scenes = present.map(\.scene).firstAppearances
    guard scenes.count > 1 else { return nil }
    let all = methods.run.aggregation.summary.filter { $0.value(column) != nil }
    let columns = Self.columns(all, methods, by: column)
    let values = scenes.map { scene in
      let own = Dictionary(
        (byScene[scene] ?? []).map { ($0.method, $0.value(column)) }, uniquingKeysWith: { first, _ in first })
      return columns.map { own[$0] ?? nil }
    }
    let shown = Self.worst(values)
    (self.columns, counts) = (columns, (scenes.count, all.count))
    (rows, self.values) = (shown.map { scenes[$0] }, shown.map { values[$0] })
  }

  /// In the order of the run, oracles last; of too many, the named and those with the lowest errors.
  private static func columns(
    _ all: [Aggregation.SummaryRow], _ methods: FigureMethods, by column: MetricColumn
  ) -> [String] {
    let candidates = all.filter { !$0.isOracle }
    let oracles = all.filter(\.isOracle).map(\.method)
    let room = max(mostMethods - oracles.count, mostMethods / 2)
    let byError = candidates.enumerated().sorted {
      ($0.element.value(column) ?? 0, $0.offset) < ($1.element.value(column) ?? 0, $1.offset)
    }.map(\.element.method)
    let kept = Set((methods.few + byError).firstAppearances.prefix(room))
    return candidates.map(\.method).filter(kept.contains)
      + oracles.prefix(mostMethods - min(room, candidates.count))
  }

  /// Rows to show, ascending: of too many, those with the largest median over the methods.
  private static func worst(_ values: [[Double?]]) -> [Int] {
    let medians = values.map { OrderStatistics.median(of: $0.compactMap(\.self)) ?? 0 }
    return values.indices.sorted { (medians[$1], $0) < (medians[$0], $1) }.prefix(mostScenes).sorted()
  }

  private var figure: Figure {
    let (oracles, word) = (methods.oracles, methods.run.sceneWord)
    let marks = rows.indices.flatMap { row -> [HeatMap.Mark] in
      let candidates = columns.indices.filter { !oracles.contains(columns[$0]) && values[row][$0] != nil }
      let least = candidates.compactMap { values[row][$0] }.min() ?? 0
      let best = candidates.filter { (values[row][$0] ?? 0) <= least * (1 + Self.rounding) }
      return candidates.count > 1
        ? best.map { HeatMap.Mark(row: row, column: $0, label: "lowest of the \(word)") } : []
    }
    let isCut = rows.count < counts.scenes
    return .heatMap(
      HeatMap(
        "error-by-scene",
        title: "\(measure.title) by \(word) and method"
          + (isCut ? ": the worst \(rows.count) of \(counts.scenes) \(word)s" : ""),
        alt: alt(marks), x: ChartAxis("method"),
        columns: columns.map { oracles.contains($0) ? "\($0) (oracle)" : methods.name($0) },
        y: ChartAxis(word),
        rows: rows,
        values: values.map { $0.map { $0.map { $0 * measure.scale } } },
        value: measure.axis(Array(values.joined())), marks: marks,
        caption:
          "Read along the rows: is a method better in every \(word), or because of a few? Dark is a small error."
      ))
  }

  private func alt(_ marks: [HeatMap.Mark]) -> String {
    let cells = rows.indices.flatMap { row in
      columns.indices.compactMap { column in values[row][column].map { (row: row, column: column, value: $0) }
      }
    }.sorted { ($0.value, $0.row, $0.column) < ($1.value, $1.row, $1.column) }
    var sentences = [
      "Mean relative error on \(measure.column.support.title ?? "all truth that counts") of \(counted(rows.count, methods.run.sceneWord)) (rows) under \(counted(columns.count, "method")) (columns), means over frames. Lower is better"
    ]
    for (word, cell) in [("Lowest", cells.first), ("Highest", cells.last)] {
      if let cell {
        let equal = columns.indices.filter { column in
          values[cell.row][column].map { abs($0 - cell.value) <= Self.rounding * cell.value } ?? false
        }.map { methods.name(columns[$0]) }
        sentences.append(
          "\(word): \(equal.listed(atMost: 3)) in \(rows[cell.row]), \(measure.text(cell.value))")
      }
    }
    let wins = Dictionary(grouping: marks, by: \.column).map { (column: $0.key, count: $0.value.count) }
      .sorted { ($1.count, $0.column) < ($0.count, $1.column) }
    if !wins.isEmpty {
      let ties = marks.count > Set(marks.map(\.row)).count ? ", equal ones each counted" : ""
      sentences.append(
        "Lowest in its \(methods.run.sceneWord), oracles aside\(ties): "
          + wins.prefix(5).map { "\(methods.name(columns[$0.column])) in \($0.count)" }.joined(
            separator: ", "))
    }
    if rows.count < counts.scenes {
      sentences.append(
        "Of \(counts.scenes) \(methods.run.sceneWord)s those with the largest median over the methods are shown; scenes.csv holds all"
      )
    }
    if columns.count < counts.methods {
      sentences.append("Of \(counts.methods) methods those with the lowest errors are shown")
    }
    return sentences.joined(separator: ". ") + "."
  }
}
