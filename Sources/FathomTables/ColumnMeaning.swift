/// What a column of a table is: for the table dictionary, and for everybody who reads the file.
public struct ColumnMeaning: Codable, Sendable, Equatable {
  /// How its cells are read.
  public enum Kind: String, Codable, Sendable { case text, integer, number }
  /// Stable name, in the file's first line.
  public let id: String
  public let type: Kind
  /// "m", "share"; empty for a text or a number without one; ``ofMetric`` where the row's metric says it.
  public let unit: String
  public let meaning: String
  /// When a cell is empty; empty where none is.
  public let missing: String
  /// The metric that the column holds; nil for every other column.
  public let metric: String?
  /// The pixels that the metric is about.
  public let support: String?
  /// Stands for the unit of the metric that the row names.
  public static let ofMetric = "metric"
  /// ``support`` of a metric of every pixel with truth, which its column does not name.
  package static let allPixels = "all"

  package init(
    _ id: String, _ type: Kind, unit: String = "", _ meaning: String, missing: String = "",
    metric: String? = nil, support: String? = nil
  ) {
    (self.id, self.type, self.unit, self.meaning, self.missing) = (id, type, unit, meaning, missing)
    (self.metric, self.support) = (metric, support)
  }

  /// A name alone, of a table that is shown and not kept.
  package init(named id: String) { self.init(id, .text, "") }
}
