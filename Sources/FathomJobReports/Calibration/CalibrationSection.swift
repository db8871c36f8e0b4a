public import FathomDocuments
public import FathomTables
public import DepthCharts

/// A part of a calibration's report: what it adds to the findings, and what it shows.
///
/// The report is a list of these; another estimate of something about the sensor is another section.
public struct CalibrationSection: Sendable {
  /// A table with a line above it.
  public struct Table: Sendable {
    public var caption: String?
    public var table: DisplayTable

    public init(_ table: DisplayTable, caption: String? = nil) {
      (self.table, self.caption) = (table, caption)
    }
  }
  public var title: String
  /// Sentences for the head of the report.
  public var findings: [String] = []
  /// What the section says first.
  public var sentences: [String] = []
  public var tables: [Table] = []
  /// Drawn as `figures/NAME.svg`, with their data beside them as CSV.
  public var figures: [Figure] = []
  /// How it was done and what it cannot show.
  public var notes: [String] = []
  /// Files of the section beside the report.
  public var files: [(name: String, table: DataTable)] = []
  public init(_ title: String) { self.title = title }
}
