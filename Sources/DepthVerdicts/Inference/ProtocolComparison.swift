public import DepthEvaluation
public import FathomStatistics

/// The same predictions under every protocol.
public struct ProtocolComparison: Sendable {
  /// A method at one step of the way to a protocol.
  public struct Row: Sendable {
    /// The protocol at the end of the way.
    public let preset: EvaluationProtocol
    /// Number of the step, from 0.
    public let step: Int
    /// Whether all of the preset's rules are in force.
    public let isLast: Bool
    /// The switch that was turned, and what it now says.
    public let turned: String?, statement: String
    /// Whether the method, or by now the protocol, looks at the truth.
    public let isOracle: Bool
    public let method: String
    /// Scenes and frames that have a value.
    public let scenes: Int, frames: Int
    /// One per `ProtocolPaths.metrics`.
    public let values: [Double?]
    /// Intervals over scenes; nil for fewer than four scenes.
    public let intervals: [ConfidenceInterval?]
    /// Value minus that of the step before.
    public let changes: [Double?]
  }

  /// Protocol by protocol, step by step, method by method.
  public let rows: [Row]
  /// The run's own protocol, where every way begins.
  public let start: EvaluationProtocol
  /// Presets that are not defined on the run's scenes, and why.
  public let refused: [(preset: EvaluationProtocol, reason: String)]

  /// - Parameter withoutUnit: Methods whose maps have no unit: by kind, too, they are fitted to the truth.
  init(
    _ records: RowStore<FrameRecord>, _ paths: ProtocolPaths, fallback: String?,
    withoutUnit: Set<String> = [], seed: UInt64
  ) {
    (refused, start) = (paths.refused, paths.start)
    let columns = ProtocolPaths.metrics.map { MetricColumn($0).position }
    var bootstrap = SceneBootstrap(seed: seed)
    var rows: [Row] = []
    for path in paths.paths {
      var previous: [String: [Double?]] = [:]
      for (number, step) in path.steps.enumerated() {
        let fitted = step.rules.alignment.fit == .byKind ? withoutUnit : []
        guard let rule = paths.index(of: step) else { continue }
        let panel = ScenePanel(
          records, mode: step.rules.aggregation, fallback: fallback, holding: columns
        ) { [$0.under(rule, columns)] }
        for method in panel.methods {
          let found = columns.map { panel.values(of: method, column: $0) }
          let values = found.map { $0.scenes.isEmpty ? nil : $0.value(0) }
          let before = previous[method]
          rows.append(
            Row(
              preset: path.preset, step: number, isLast: number == path.steps.count - 1, turned: step.turned,
              statement: step.statement,
              isOracle: panel.oracles.contains(method) || step.rules.isOracle || fitted.contains(method),
              method: method, scenes: found.map(\.scenes.count).max() ?? 0,
              frames: found.map(\.frames).max() ?? 0, values: values,
              intervals: found.map { bootstrap.interval(of: $0) },
              changes: values.indices.map { k in
                values[k].flatMap { value in before?[k].map { value - $0 } }
              }))
          previous[method] = values
        }
      }
    }
    self.rows = rows
  }

  /// A metric's position in a row.
  public static func index(of metric: Metric) -> Int { ProtocolPaths.metrics.firstIndex(of: metric) ?? 0 }

  /// The switch that moves a method's metric most on the way to a protocol; nil where none moves it.
  /// - Parameter preset: Its title.
  public func largestChange(
    of metric: Metric, method: String, to preset: String
  ) -> (row: Row, change: Double)? {
    let index = Self.index(of: metric)
    return rows.filter { $0.preset.title == preset && $0.method == method }.compactMap { row in
      row.changes[index].map { (row, $0) }
    }.filter { $0.1 != 0 }.max { abs($0.1) < abs($1.1) }
  }
}

extension FrameRecord {
  /// The row as it would be under one of the rules.
  fileprivate func under(_ rule: Int, _ columns: [Int?]) -> FrameRecord {
    var row = self
    row.alternatives = []
    guard rule < alternatives.count else {
      row.values = []
      return row
    }
    row.values = Array(repeating: nil, count: MetricColumn.all.count)
    for case (let column?, let value) in zip(columns, alternatives[rule]) { row.values[column] = value }
    return row
  }
}
