import DepthCore
public import DepthEvaluation
import DepthFusion

/// The tables that people read, from the same numbers as the CSV files.
public enum ReportTables {
  /// One row per method: the short table of the terminal, and with intervals that of the report.
  public static func methods(
    _ run: EvaluationRun, _ verdict: RunVerdict, intervals: Bool = false
  ) -> DisplayTable {
    methods(
      run, verdict, [.absRel, .mae, .rmse, .delta1, .deltaHalf, .bias, .coverage], intervals: intervals)
  }

  /// What a mean hides: one row per method.
  static func tails(_ run: EvaluationRun, _ verdict: RunVerdict) -> DisplayTable {
    methods(run, verdict, [.medianAE, .p95AE, .boundaryF1, .temporalAbsRel, .flicker], intervals: true)
  }

  static func methods(
    _ run: EvaluationRun, _ verdict: RunVerdict, _ metrics: [Metric], intervals: Bool
  ) -> DisplayTable {
    let columns = metrics.map { MetricColumn($0) }
    let supports = Dictionary(
      uniqueKeysWithValues: columns.map { ($0.id, ValueSupport(run, column: $0)) })
    let unscored = FramesWithoutTruth(run)
    return DisplayTable(
      columns: [.init("method", numeric: false), .init("solved")] + columns.map { .init($0.metric) },
      cells: run.aggregation.summary.map { row in
        [
          .init(row.isOracle ? "\(row.method) (oracle)" : row.method),
          .init("\(row.framesSolved)/\(row.frames - unscored.count(row.method))"),
        ]
          + columns.map { column in
            let isComplete = supports[column.id]?.isComplete(row.method) ?? true
            let hasInterval = intervals && column.metric.hasInterval
            let value = row.value(column)
            return .init(
              value,
              interval: hasInterval
                ? run.statistics.interval(of: row.method, column: column) : nil,
              isBest: verdict.leads(row.method, in: column),
              isPartial: !isComplete)
          }
      })
  }

  /// Scenes × methods.
  static func scenes(_ run: EvaluationRun, column: MetricColumn) -> DisplayTable {
    let methods = run.aggregation.summary.map(\.method)
    let names = run.aggregation.scenes.map(\.scene).firstAppearances
    let rows = Dictionary(grouping: run.aggregation.scenes, by: \.scene)
    return DisplayTable(
      columns: [.init("scene", numeric: false)] + methods.map { .init($0) },
      cells: names.map { name in
        let own = rows[name] ?? []
        let most = own.map(\.framesSolved).max() ?? 0
        return [.init(name)]
          + methods.map { method in
            let row = own.first { $0.method == method }
            return .init(row?.value(column), isPartial: (row?.framesSolved ?? 0) < most)
          }
      })
  }

  /// Bins × methods: AbsRel, with the median relative error of the raw LiDAR beside it. nil where no frame could
  /// be divided this way.
  static func breakdown(_ breakdown: Breakdown, _ run: EvaluationRun) -> DisplayTable? {
    let rows = run.aggregation.breakdowns[breakdown.id] ?? []
    guard !rows.isEmpty else { return nil }
    let methods = rows.map(\.method).firstAppearances
    let bins = Set(rows.map(\.bin)).sorted()
    return DisplayTable(
      columns: breakdown.keyColumns.map { .init($0) } + [.init("truth pixels"), .init("scenes")]
        + methods.map { .init("\($0) \(Metric.absRel.title)", Metric.absRel.direction) } + [
          .init("\(MethodSelection.lidarBilinear) median", .lowerIsBetter)
        ],
      cells: bins.map { bin in
        let ofBin = rows.filter { $0.bin == bin }
        let raw = ofBin.first { $0.method == MethodSelection.lidarBilinear.id }
        let most = ofBin.max { ($0.frames, $0.scenes) < ($1.frames, $1.scenes) }
        return breakdown.key(bin).map { .init($0) }
          + [.init("\((raw ?? ofBin.first)?.pixels ?? 0)"), .init("\(most?.scenes ?? 0)")]
          + methods.map { method in
            let row = ofBin.first { $0.method == method }
            return .init(row?.value(.absRel), isPartial: (row?.frames ?? 0) < (most?.frames ?? 0))
          }
          + [.init(raw?.value(.medianRel))]
      })
  }

  /// What the lines looked like, per scene and method.
  static func fits(_ run: EvaluationRun) -> DisplayTable {
    // Medians need the numbers of a scene, and no more of its rows.
    var (rows, scene) = ([[DisplayTable.Cell]](), nil as String?)
    var (methods, lines) = ([String](), [String: LineNumbers]())
    func endScene() {
      for method in methods {
        if let scene, let numbers = lines[method] { rows.append(numbers.cells(scene, method)) }
      }
      (methods, lines) = ([], [:])
    }
    for record in run.records {
      if record.scene != scene { endScene() }
      scene = record.scene
      if !methods.contains(record.method) { methods.append(record.method) }
      if let line = record.fusion.line {
        lines[record.method, default: LineNumbers()].add(line, record.fusion)
      }
    }
    endScene()
    return DisplayTable(
      columns: [
        .init("scene", numeric: false), .init("method", numeric: false), .init("frames"), .init("scale"),
        .init("scale in Double"), .init("shift"), .init("pairs"), .init("inliers"), .init("condition"),
        .init("spread"),
      ],
      cells: rows)
  }

  /// Method × status with the first reason; nil where every frame was solved.
  static func refusals(_ run: EvaluationRun) -> DisplayTable? {
    var groups: [(first: FrameRecord, count: Int)] = []
    var places: [[String]: Int] = [:]
    for record in run.records where record.fusion.status != .ok {
      let key = [record.method, record.fusion.status.rawValue]
      if places[key] == nil {
        places[key] = groups.count
        groups.append((record, 0))
      }
      if let place = places[key] { groups[place].count += 1 }
    }
    guard !groups.isEmpty else { return nil }
    return DisplayTable(
      columns: [
        .init("method", numeric: false), .init("status", numeric: false), .init("frames"),
        .init("for example", numeric: false),
      ],
      rows: groups.map { first, count in
        [
          first.method, first.fusion.status.rawValue, "\(count)",
          "\(first.scene)/\(first.frame): \(first.fusion.reason ?? "no reason given")",
        ]
      })
  }

  /// The scenes.
  static func data(_ run: EvaluationRun) -> DisplayTable {
    let frames = run.frameCounts
    return DisplayTable(
      columns: ["scene", "frames", "LiDAR", "confidence", "relative", "kind", "truth", "independence"].map {
        .init($0, numeric: false)
      },
      rows: run.scenes.map { scene in
        let header = scene.header
        let kind =
          header.relativeSize == nil
          ? "–"
          : scene.relativeKind.rawValue + (header.relativeKind == .unknown ? " (by rank correlation)" : "")
        return [
          scene.name, "\(frames[scene.name] ?? 0)", header.lidarSize?.description ?? "–",
          header.hasConfidence ? "yes" : "no", header.relativeSize?.description ?? "–", kind,
          header.truthSize?.description ?? "–",
          header.truthSize == nil ? "–" : header.truthIndependence.rawValue,
        ]
      })
  }

  /// What the methods of the run are.
  static func methodDefinitions(_ run: EvaluationRun) -> DisplayTable {
    let used = Set(run.aggregation.summary.map { $0.method.prefix { $0 != "@" } }.map(String.init))
    return DisplayTable(
      columns: ["method", "what", "source"].map { .init($0, numeric: false) },
      rows: MethodCatalogue.families.filter { used.contains($0.id) }.map { [$0.id, $0.title, $0.source] }
        + run.plan.methods.compactMap { selection in
          selection.storedName.map {
            [selection.family, "stored prediction", "predictions/\($0)/depth of the data"]
          }
        })
  }

  /// What the columns are.
  static var metricDefinitions: DisplayTable {
    DisplayTable(
      columns: ["column", "name", "unit", "definition"].map { .init($0, numeric: false) },
      rows: (Metric.depth + Metric.structure).map { metric in
        // "1" is the unit of what has none.
        [metric.id, metric.title, metric.unit == .none ? "1" : metric.unit.rawValue, metric.formula]
      })
  }
}

/// What the lines of a method looked like in the frames of a scene.
private struct LineNumbers {
  private var frames = 0
  private var scale: [Double] = [], scaleInDouble: [Double] = [], shift: [Double] = []
  private var pairs: [Double] = [], inliers: [Double] = []
  private var condition: [Double] = [], spread: [Double] = []

  mutating func add(_ line: Line, _ fusion: FusionResult) {
    frames += 1
    scale.append(line.scale)
    shift.append(line.shift)
    if let value = fusion.scaleInDouble { scaleInDouble.append(value) }
    if let count = fusion.pairs { pairs.append(Double(count)) }
    if let count = fusion.inliers { inliers.append(Double(count)) }
    guard let design = fusion.design else { return }
    condition.append(design.condition)
    spread.append(design.spread)
  }

  func cells(_ scene: String, _ method: String) -> [DisplayTable.Cell] {
    [.init(scene), .init(method), .init("\(frames)")]
      + [scale, scaleInDouble, shift, pairs, inliers, condition, spread].map {
        .init(OrderStatistics.median(of: $0))
      }
  }
}
