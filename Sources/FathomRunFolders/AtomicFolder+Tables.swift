public import FathomStorage
public import FathomTables

extension AtomicFolder {
  /// Writes tables, and what their columns mean: `tables.json`.
  /// - Throws: `FathomError`.
  public func write(tables: [(name: String, table: DataTable)]) throws {
    for (name, table) in tables { try write(table, to: name) }
    try write(try TableDictionary(tables, knowing: MetricMeaning.all).json, to: TableDictionary.fileName)
  }

  /// Writes a table row by row.
  public func write(_ table: DataTable, to name: String) throws(FathomError) {
    let file = try file(name)
    try table.writeCSV { (lines) throws(FathomError) in try file.write(lines) }
  }
}
