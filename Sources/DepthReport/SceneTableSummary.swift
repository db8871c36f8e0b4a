import FathomDocuments
import DepthCore

/// What a page shows of a table with a row per scene: the table, or where that has more rows than ``PageLimits/rows``, its
/// quartiles, the rows most worth a look, and which file holds all.
struct SceneTableSummary {
  let blocks: [ReportDocument.Block]  // What stands under the heading, in order.

  /// Lines by scene and method.
  /// - Parameter block: Its first columns are scene, method and number of frames; one is called "condition".
  static func fits(_ block: TableBlock) -> SceneTableSummary {
    let table = block.table
    let names = 3
    guard table.rows.count > PageLimits.rows else { return SceneTableSummary(nil, [block]) }
    let byMethod = Dictionary(grouping: table.rows) { $0[1].text }
    let rows = table.rows.map { $0[1].text }.firstAppearances.flatMap { method -> [[DisplayTable.Cell]] in
      let own = byMethod[method] ?? []
      let frames = own.reduce(0) { $0 + (Int($1[2].text) ?? 0) }
      return [("lower quartile", 0.25), ("median", 0.5), ("upper quartile", 0.75)].map { name, share in
        [.init(method), .init(name), .init(count: own.count), .init(count: frames)]
          + table.columns.indices.dropFirst(names).map { column in
            .init(OrderStatistics.quantile(share, of: own.compactMap { $0[column].value }))
          }
      }
    }
    let condition = table.columns.firstIndex { $0.title == "condition" }
    let conditions = table.rows.map { row in condition.flatMap { row[$0].value } }
    let hasConditions = conditions.contains { $0 != nil }
    return SceneTableSummary(
      "Quartiles over the scenes' medians"
        + (hasConditions
          ? ", and the \(PageLimits.shown) scenes and methods whose fits are worst conditioned" : "")
        + ". `frames.csv` has the line of every frame.",
      [
        TableBlock(
          block.id, caption: "Medians of the fitted lines over the frames of a scene: quartiles over scenes.",
          DisplayTable(
            columns: [
              .text("method"), .text("over scenes"), .init("scenes"), .init("frames"),
            ] + table.columns.dropFirst(names), cells: rows))
      ]
        + (hasConditions
          ? [
            TableBlock(
              block.id + "-worst",
              caption:
                "Medians of the fitted lines over the frames of a scene: the \(PageLimits.shown) largest conditions.",
              table.greatest(by: conditions))
          ] : []))
  }

  /// What scenes hold, in words.
  /// - Parameter block: Its first columns are scene and number of frames.
  /// - Parameter limit: Most rows of the whole table.
  static func data(_ block: TableBlock, limit: Int = PageLimits.rows) -> SceneTableSummary {
    let table = block.table
    guard table.rows.count > limit else { return SceneTableSummary(nil, [block]) }
    let kinds = Dictionary(grouping: table.rows) { $0.dropFirst(2).map { $0.text } }
    let order = table.rows.map { $0.dropFirst(2).map { $0.text } }.firstAppearances
    let rows = order.prefix(PageLimits.rows).map { kind -> [DisplayTable.Cell] in
      let frames = (kinds[kind] ?? []).compactMap { Int($0[1].text) }
      let (fewest, most) = (frames.min() ?? 0, frames.max() ?? 0)
      return [.init(count: frames.count), .init(fewest == most ? "\(most)" : "\(fewest) to \(most)")]
        + kind.map { .init($0) }
    }
    return SceneTableSummary(
      "Scenes with the same values share a row. `run.json` names each of the \(table.rows.count) scenes.",
      [
        TableBlock(
          block.id, caption: block.caption, role: block.role,
          DisplayTable(
            columns: [.init("scenes"), .text("frames each")] + table.columns.dropFirst(2),
            cells: rows))
      ])
  }

  /// - Parameter sentence: Why these tables are not the whole one; nil where they are.
  private init(_ sentence: String?, _ tables: [TableBlock]) {
    let note = tables.lazy.compactMap { $0.table.partialNote }.first
    blocks =
      (sentence.map { [.paragraph($0)] } ?? []) + tables.map { .table($0) }
      + (note.map { [.paragraph($0)] } ?? [])
  }
}

extension DisplayTable {
  /// The rows with the greatest numbers, from the greatest on; equal ones in their order.
  /// - Parameter numbers: One per row; a row without one is never among them.
  fileprivate func greatest(by numbers: [Double?]) -> DisplayTable {
    let known = numbers.enumerated().compactMap { row, number in number.map { (row: row, number: $0) } }
    let order = known.sorted { ($1.number, $0.row) < ($0.number, $1.row) }.prefix(PageLimits.shown)
    return DisplayTable(columns: columns, cells: order.map { rows[$0.row] })
  }
}
