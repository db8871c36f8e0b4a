import FathomStatistics
import DepthCore
public import DepthEvaluation
import FathomPlainText

/// What a search makes small.
public struct TuningObjective: Sendable, Hashable {
  public enum Measure: Sendable, Hashable {
    /// A column of `frames.csv`.
    case column(MetricColumn)
    /// Distance of an effect on the box from where it belongs, metres; the median of a frame's objects.
    case placement
  }
  public let measure: Measure
  /// Least share of truth pixels with a fused value, frames that were refused counted as without; nil for any.
  public let coverageFloor: Double?
  /// Whether the worst scene counts instead of the mean over scenes.
  public let isWorstScene: Bool

  public init(_ name: String, coverageFloor: Double? = nil, isWorstScene: Bool = false) throws(GridError) {
    var settings = SearchSettings()
    (settings.objective, settings.coverageFloor) = (name, coverageFloor)
    settings.isWorstScene = isWorstScene
    try self.init(settings)
  }

  /// - Throws: ``GridError`` for settings out of their ranges, a measure that does not exist, or one that the raw LiDAR cannot
  ///   replace.
  public init(_ settings: SearchSettings) throws(GridError) {
    if let problem = settings.firstOutOfRange { throw GridError(problem) }
    let name = settings.objective
    if name == Self.placementName {
      measure = .placement
    } else {
      guard let column = Self.columns.first(where: { $0.id == name }) else {
        let known = Self.columns.map(\.id) + [Self.placementName]
        throw GridError(
          OptionProblem("objective", "'\(name)' is none; \(EditDistance.advice(for: name, among: known))"))
      }
      guard column.support != .filled else {
        throw GridError(
          OptionProblem(
            "objective",
            "\(name) looks at pixels without LiDAR, where nothing replaces a refused frame; choose \(column.metric.id) or \(column.metric.id)_measured"
          ))
      }
      measure = .column(column)
    }
    (coverageFloor, isWorstScene) = (settings.coverageFloor, settings.isWorstScene)
  }

  public static let placementName = "placement_m"
  /// L1 where the LiDAR measures: what the gain over the raw LiDAR is told in.
  public static let standard = MetricColumn.maeMeasured.id
  /// Columns that single pixels determine, so that a search can score them.
  public static let columns = MetricColumn.all.filter(\.metric.isOfPixels)

  /// What finalists are shown with, beside the objective: on solved frames, whatever the objective.
  public static let shownColumns = [
    MetricColumn.maeMeasured, .absRel, .rmse, MetricColumn(.delta1), .coverage,
  ]

  /// Column or measure id.
  public var name: String {
    switch measure {
    case .column(let column): column.id
    case .placement: Self.placementName
    }
  }

  /// The column; nil for what is not one.
  public var column: MetricColumn? { if case .column(let column) = measure { column } else { nil } }
  /// Position among a search's values: a column, or behind the last one.
  public var columnIndex: Int { column.flatMap(Self.place) ?? Self.columns.count }
  /// Position of the coverage among a search's values.
  static let coverageIndex = columns.prefix { $0 != .coverage }.count
  /// Place of a column among ``columns``; nil for one that a search cannot score.
  static func place(_ column: MetricColumn) -> Int? { columns.firstIndex(of: column) }

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
    (isWorstScene ? "the worst scene's " : "the mean over scenes of ")
      + (column?.title ?? "placement error of boxes")
  }

  /// That of the measure, which the loss has too.
  public var unit: Metric.Unit { column?.metric.unit ?? .metre }
  /// How people are shown it.
  public var display: DisplayUnit { column?.metric.display ?? .millimetre }
}
