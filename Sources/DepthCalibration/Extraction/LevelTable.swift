import DepthEvaluation
public import FathomStatistics

/// Errors per confidence level and range: means over frames, then over scenes, with intervals over scenes.
public struct LevelTable: Sendable {
  /// One cell.
  public struct Row: Sendable {
    public let cell: ErrorCell
    /// Pixels with truth, those with a return, and where they come from.
    public let pixels: Int, returns: Int, frames: Int, units: Int
    fileprivate(set) var values: [ErrorStatistic: Double] = [:]
    fileprivate(set) var intervals: [ErrorStatistic: ConfidenceInterval] = [:]
    /// Mean over scenes; nil where none has a value.
    public func value(_ statistic: ErrorStatistic) -> Double? { values[statistic] }
    /// Over scenes, or over blocks of frames where there is one scene.
    public func interval(_ statistic: ErrorStatistic) -> ConfidenceInterval? { intervals[statistic] }
  }

  /// Levels 2, 1, 0, all; each over the whole range first, then by bin.
  public let rows: [Row]

  init(_ units: CalibrationUnits, _ bootstrap: inout SceneBootstrap) {
    let cells = Set(units.units.flatMap(\.cells.keys)).sorted()
    rows = cells.map { cell in Self.row(cell, units, &bootstrap) }
  }

  private static func row(
    _ cell: ErrorCell, _ units: CalibrationUnits, _ bootstrap: inout SceneBootstrap
  ) -> Row {
    let present = units.units.compactMap { unit in unit.cells[cell].map { (unit.name, $0) } }
    var row = Row(
      cell: cell, pixels: present.reduce(0) { $0 + $1.1.pixels },
      returns: present.reduce(0) { $0 + $1.1.returns }, frames: present.reduce(0) { $0 + $1.1.frames },
      units: present.count)
    for statistic in ErrorStatistic.allCases {
      let values = present.compactMap { name, tally in
        tally.mean(statistic).map { (name: name, value: $0, frames: Double(tally.frameCount(statistic))) }
      }
      guard !values.isEmpty else { continue }
      // Scenes count alike; within a scene it is the frames that do.
      let weights = values.map { units.kind == .scenes ? 1 : $0.frames }
      let total = weights.reduce(0, +)
      row.values[statistic] = zip(values, weights).reduce(0) { $0 + $1.0.value * $1.1 } / total
      row.intervals[statistic] = bootstrap.interval(
        ofMean: values.map(\.value), scenes: values.map(\.name), weights: weights,
        possible: statistic.metric.possible)
    }
    return row
  }

  /// A cell; nil where it has no pixels.
  public func row(level: Int?, bin: Int? = nil) -> Row? {
    rows.first { $0.cell == ErrorCell(level: level, bin: bin) }
  }
}
