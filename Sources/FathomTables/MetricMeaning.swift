/// What a metric is, for the table dictionary.
public struct MetricMeaning: Codable, Sendable, Equatable {
  /// As the column `metric` names it: "abs_rel".
  public let id: String
  /// For people: "RMSE".
  public let title: String
  /// "m", "share"; empty for a number without one.
  public let unit: String
  /// What is best: "lower", "higher" or "zero".
  public let direction: String
  /// d predicted depth, g true one, e = ln d − ln g.
  public let definition: String

  package init(id: String, title: String, unit: String, direction: String, definition: String) {
    (self.id, self.title, self.unit, self.direction) = (id, title, unit, direction)
    self.definition = definition
  }
}
