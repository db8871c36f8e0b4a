/// Names of the columns that make a table one of a row per metric.
package let (metricID, supportID, valueID) = ("metric", "support", "value")

extension DataTable {
  /// The metrics that the rows name, as columns of `frames.csv` would be called: "abs_rel_measured"; none for another table.
  package var metrics: [String] {
    guard let place = columns.firstIndex(of: metricID) else {
      return meanings.compactMap { $0.metric == nil ? nil : $0.id }
    }
    let support = columns.firstIndex(of: supportID)
    var (seen, ids) = (Set<String>(), [String]())
    for row in rows {
      guard case .text(let metric) = row[place] else { continue }
      var id = metric
      if let support, case .text(let word) = row[support], word != ColumnMeaning.allPixels {
        id += "_" + word
      }
      if seen.insert(id).inserted { ids.append(id) }
    }
    return ids
  }
}
