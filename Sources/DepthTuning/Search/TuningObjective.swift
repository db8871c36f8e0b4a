public import DepthEvaluation
import PlainText

/// What a search makes small.
public struct TuningObjective: Sendable, Hashable {
  /// What is measured.
  public enum Measure: Sendable, Hashable {
    /// A column of `frames.csv`, by its id.
    case column(String)
    /// Distance of an effect on the box from where it belongs, metres; the median of a frame's objects.
    case placement
  }
  public let measure: Measure
  /// Least share of truth pixels with a fused value, frames that were refused counted as without; nil for any.
  public let coverageFloor: Double?
  /// Whether the worst scene counts instead of the mean over scenes.
  public let isWorstScene: Bool

  /// - Throws: ``GridError`` for a measure that does not exist, or one that the raw LiDAR cannot stand in for.
  public init(_ name: String, coverageFloor: Double? = nil, isWorstScene: Bool = false) throws(GridError) {
    if name == Self.placementName {
      measure = .placement
    } else {
      guard let column = Self.columns.first(where: { $0.id == name }) else {
        let known = Self.columns.map(\.id) + [Self.placementName]
        throw GridError(
          description: "objective: '\(name)' is none; \(EditDistance.advice(for: name, among: known))")
      }
      guard column.support != .filled else {
        throw GridError(
          description:
            "objective: \(name) looks at pixels without LiDAR, where nothing stands in for a refused frame; choose \(column.metric.id) or \(column.metric.id)_measured"
        )
      }
      measure = .column(name)
    }
    if let floor = coverageFloor, !(floor >= 0 && floor <= 1) {
      throw GridError(description: "coverage-floor: \(floor) is no share; 0–1 is expected")
    }
    (self.coverageFloor, self.isWorstScene) = (coverageFloor, isWorstScene)
  }

  public static let placementName = "placement_m"
  /// L1 where the LiDAR measures: what the gain over the raw LiDAR is told in.
  public static let standard = "mae_m_measured"

  /// Columns that single pixels determine, so that a search can score them.
  public static let columns = MetricColumn.all.filter { column in
    !Metric.structure.contains { $0.id == column.metric.id }
  }

  /// What finalists are shown with, beside the objective: on solved frames, whatever the objective.
  public static let shownColumns = [
    MetricColumn(.mae, .measured), MetricColumn(.absRel), MetricColumn(.rmse), MetricColumn(.delta1),
    MetricColumn(.coverage),
  ]

  /// Column or measure id.
  public var name: String {
    switch measure {
    case .column(let id): id
    case .placement: Self.placementName
    }
  }

  /// The column; nil for what is not one.
  public var column: MetricColumn? { Self.columns.first { $0.id == name } }

  /// Position among a search's values: a column, or behind the last one.
  public var columnIndex: Int { Self.columns.firstIndex { $0.id == name } ?? Self.columns.count }

  /// Smaller is better.
  public func loss(of value: Double) -> Double {
    switch column?.metric.direction {
    case .higherIsBetter: -value
    case .zeroIsBest: abs(value)
    case .lowerIsBetter, nil: value
    }
  }

  /// In words: "the worst scene's RMSE".
  public var title: String {
    let measure =
      column.map { $0.metric.title + ($0.support == .measured ? " on measured pixels" : "") }
      ?? "placement error of boxes"
    return (isWorstScene ? "the worst scene's " : "the mean over scenes of ") + measure
  }

  /// "m" and the like; empty for none.
  public var unit: String { column?.metric.unit.rawValue ?? "m" }
}
