import Foundation
public import FathomStorage

/// `tables.json`: what every column and every metric of a folder's CSV files means.
public struct TableDictionary: Codable, Sendable {
  /// A CSV file.
  public struct Table: Codable, Sendable {
    public let file: String
    /// What a row is: "scene × frame × method".
    public let row: String
    /// Number of rows.
    public let rows: Int
    public let columns: [ColumnMeaning]
    /// Metrics that it has values of, as columns are called: "abs_rel_measured".
    public let metrics: [String]
    /// Whether there is a value of a metric.
    public func holds(_ metric: String) -> Bool { metrics.contains(metric) }
  }

  /// Its name in a folder.
  public static let fileName = "tables.json"
  /// Of the format of this file.
  public var version = 1
  public let tables: [Table]
  /// The metrics that the tables name.
  public let metrics: [MetricMeaning]

  /// - Parameter known: What the metrics are that they may name.
  package init(_ files: [(name: String, table: DataTable)], knowing known: [MetricMeaning]) {
    var named: Set<String> = []
    tables = files.map { name, table in
      named.formUnion(table.baseMetrics)
      return Table(
        file: name, row: table.unit, rows: table.rows.count, columns: table.meanings, metrics: table.metrics)
    }
    metrics = known.filter { named.contains($0.id) }
  }

  /// The dictionary of a stored folder; nil where a version without one wrote it.
  /// - Throws: `FathomError` `.badData` where it is damaged.
  public init?(of folder: StoredFolder) throws(FathomError) {
    guard folder.has(Self.fileName) else { return nil }
    let text = try folder.text(of: Self.fileName)
    guard let found = try? JSONDecoder().decode(TableDictionary.self, from: Data(text.utf8)) else {
      throw folder.damaged(Self.fileName, "it is not a table dictionary")
    }
    self = found
  }

  /// A part of the tables.
  public init(_ whole: TableDictionary, isWanted: (Table) -> Bool) {
    (tables, metrics) = (whole.tables.filter(isWanted), whole.metrics)
  }

  /// The table of this file; nil where the folder has none.
  public subscript(_ file: String) -> Table? { tables.first { $0.file == file } }
  /// Pretty-printed with sorted keys.
  public var json: String { get throws { try CanonicalJSON.text(self) + "\n" } }
}

extension DataTable {
  /// Ids of the metrics that rows or columns name, without their pixels.
  fileprivate var baseMetrics: [String] {
    guard let place = columns.firstIndex(of: metricID) else { return meanings.compactMap(\.metric) }
    return rows.compactMap { if case .text(let id) = $0[place] { id } else { nil } }
  }
}
