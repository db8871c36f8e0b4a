import FathomStatistics
public import FathomDocuments
import FathomRunFolders
import DepthCore
import DepthEvaluation
import DepthFusion
public import DepthVerdicts
import FathomPlainText

/// The tables that people read, from the same numbers as the CSV files.
public enum ReportTables {
  /// What the first table of a report shows.
  static let errors: [Metric] = [.absRel, .mae, .rmse, .delta1, .deltaHalf, .bias, .coverage]

  /// Errors, one row per method that has some: the short table of the terminal, and with intervals that of the report.
  public static func methods(
    _ run: EvaluationRun, _ verdict: RunVerdict, intervals: Bool = false
  ) -> DisplayTable {
    methods(run, verdict, errors, intervals: intervals)
  }

  /// What a mean hides: one row per method.
  static func tails(_ run: EvaluationRun, _ verdict: RunVerdict) -> DisplayTable {
    methods(run, verdict, [.medianAE, .p95AE, .boundaryF1, .temporalAbsRel, .flicker], intervals: true)
  }

  /// Columns and rows without any value are omitted, and columns that say of every method that nothing is missing.
  static func methods(
    _ run: EvaluationRun, _ verdict: RunVerdict, _ metrics: [Metric], intervals: Bool
  ) -> DisplayTable {
    let methods = MethodRows(run, metrics)
    let columns = metrics.filter { $0 != .coverage || !methods.coversEverything }.map { MetricColumn($0) }
    let supports = Dictionary(uniqueKeysWithValues: columns.map { ($0.id, ValueSupport(run, column: $0)) })
    let table = DisplayTable(
      columns: [.text("method")]
        + (methods.solvedEverything ? [] : [.init("frames with depth")])
        + columns.map { .init($0, run.plan.units) },
      cells: methods.rows.map { row in
        [run.cell(of: row.method, row.isOracle ? "(oracle)" : nil)]
          + (methods.solvedEverything ? [] : [.init(methods.solved(row))])
          + columns.map { column in
            let isComplete = supports[column.id]?.isComplete(row.method) ?? true
            // What a fit leaves of nothing is nothing.
            let value = row.value(column).map { !run.basis.hasLidar && abs($0) < 1e-9 ? 0 : $0 }
            let cell = DisplayTable.Cell(
              value, run.plan.units.display(column.metric),
              interval: column.metric.hasInterval && (run.basis.hasLidar || value != 0)
                ? run.statistics.interval(of: row.method, column: column) : nil,
              isBest: verdict.leads(row.method, in: column), isPartial: !isComplete)
            return intervals ? cell : cell.withoutInterval
          }
      })
    return table.withoutEmptyColumns()
  }

  /// Methods that gave no depth where it could be scored, in a run that scores some.
  static func withoutDepth(_ run: EvaluationRun) -> [String] {
    let summary = run.aggregation.summary
    guard summary.contains(where: { $0.framesSolved > 0 }) else { return [] }
    return summary.filter { $0.framesSolved == 0 }.map(\.method)
  }

  /// Methods × scenes, or with many scenes methods × the spread over them, with the scene in which each has the largest error.
  static func scenes(_ run: EvaluationRun, column: MetricColumn) -> DisplayTable {
    let units = run.plan.units
    let display = units.display(column.metric)
    let names = run.aggregation.scenes.map(\.scene).firstAppearances
    let byMethod = Dictionary(grouping: run.aggregation.scenes, by: \.method)
    let methods = run.aggregation.summary.map(\.method).filter { method in
      byMethod[method]?.contains { $0.value(column) != nil } ?? false
    }
    let most = Dictionary(grouping: run.aggregation.scenes, by: \.scene).mapValues { rows in
      rows.map(\.framesSolved).max() ?? 0
    }
    guard names.count > PageLimits.columns else {
      return DisplayTable(
        columns: [.text("method")] + names.map { .init($0, of: column, display) },
        cells: methods.map { method in
          let rows = Dictionary(
            (byMethod[method] ?? []).map { ($0.scene, $0) }, uniquingKeysWith: { first, _ in first })
          return [run.cell(of: method)]
            + names.map { name in
              .init(
                rows[name]?.value(column), display,
                isPartial: (rows[name]?.framesSolved ?? 0) < (most[name] ?? 0))
            }
        })
    }
    return DisplayTable(
      columns: [.text("method"), .init("scenes")]
        + ["lowest", "lower quartile", "median", "upper quartile", "highest"].map {
          .init($0, column.metric.direction)
        } + [.text("highest in")],
      cells: methods.map { method in
        let rows = (byMethod[method] ?? []).compactMap { row in row.value(column).map { (row.scene, $0) } }
        let values = rows.map(\.1)
        let worst =
          column.metric.direction == .higherIsBetter ? rows.min { $0.1 < $1.1 } : rows.max { $0.1 < $1.1 }
        return [run.cell(of: method), .init(count: values.count)]
          + [0, 0.25, 0.5, 0.75, 1].map { .init(OrderStatistics.quantile($0, of: values), display) }
          + [.init(worst?.0 ?? "")]
      })
  }

  /// Methods × bins: AbsRel. Of many bins those that hold most pixels. nil where no frame could be divided this way.
  static func breakdown(_ breakdown: Breakdown, _ run: EvaluationRun) -> DisplayTable? {
    let rows = run.aggregation.breakdowns[breakdown.id] ?? []
    guard !rows.isEmpty else { return nil }
    let (metric, display) = (Metric.absRel, run.plan.units.display(.absRel))
    let pixels = Dictionary(grouping: rows, by: \.bin).mapValues { rows in
      (rows.first { $0.method == MethodSelection.lidarBilinear.id } ?? rows[0]).pixels
    }
    let bins = pixels.keys.sorted { (pixels[$1] ?? 0, $0) < (pixels[$0] ?? 0, $1) }
      .prefix(PageLimits.columns).sorted()
    let whole = max(1, pixels.values.reduce(0, +))
    let byMethod = Dictionary(grouping: rows, by: \.method)
    let frames = Dictionary(grouping: rows, by: \.bin).mapValues { $0.map(\.frames).max() ?? 0 }
    let methods = run.aggregation.summary.map(\.method).filter { byMethod[$0] != nil }
    func share(_ bin: Int) -> DisplayTable.Cell {
      .init(Quantity(Double(pixels[bin] ?? 0) / Double(whole), .percent()))
    }
    func row(_ method: String) -> [DisplayTable.Cell] {
      let own = Dictionary(
        (byMethod[method] ?? []).map { ($0.bin, $0) }, uniquingKeysWith: { first, _ in first })
      let values = bins.map { bin -> DisplayTable.Cell in
        let isPartial = (own[bin]?.frames ?? 0) < (frames[bin] ?? 0)
        return .init(own[bin]?.value(metric), display, isPartial: isPartial)
      }
      return [run.cell(of: method)] + values
    }
    let shares = [DisplayTable.Cell("share of the truth pixels")] + bins.map(share)
    return DisplayTable(
      columns: [.text("method")] + bins.map { .init(breakdown.name($0), of: .absRel, display) },
      cells: [shares] + methods.map(row))
  }

  /// What the lines looked like, per scene and method.
  static func fits(_ run: EvaluationRun) -> DisplayTable {
    // Medians need the numbers of a scene, and no more of its rows.
    var (rows, scene) = ([[DisplayTable.Cell]](), nil as String?)
    var (methods, lines) = ([String](), [String: LineNumbers]())
    func endScene() {
      for method in methods {
        if let scene, let numbers = lines[method] { rows.append(numbers.cells(scene, run.name(of: method))) }
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
    let columns: [DisplayTable.Column] = [
      .text("scene"), .text("method"), .init("frames"), .init("scale"), .init("scale in Double"),
      .init("shift"), .init("pairs"), .init("inliers"), .init("condition"), .init("spread"),
    ]
    // A fit to the truth has no inliers, and other columns that stay empty.
    let kept = columns.indices.filter { index in index < 3 || rows.contains { $0[index].value != nil } }
    return DisplayTable(columns: kept.map { columns[$0] }, cells: rows.map { row in kept.map { row[$0] } })
  }

  /// Reasons with the methods and frames that it befell; nil where every frame was solved.
  static func refusals(_ run: EvaluationRun) -> DisplayTable? {
    var groups: [Refusal] = []
    var places: [[String]: Int] = [:]
    for record in run.records where record.fusion.status != .ok {
      let key = [record.method, record.fusion.status.rawValue]
      if places[key] == nil {
        places[key] = groups.count
        groups.append(Refusal(first: record, place: run.place(record.scene, record.frame)))
      }
      if let place = places[key] { groups[place].count += 1 }
    }
    guard !groups.isEmpty else { return nil }
    // Methods that met the same in the same number of frames are one row.
    var rows: [(refusal: Refusal, methods: [String])] = []
    for group in groups {
      if let row = rows.firstIndex(where: { $0.refusal.isLike(group) }) {
        rows[row].methods.append(group.first.method)
      } else {
        rows.append((group, [group.first.method]))
      }
    }
    return DisplayTable(
      columns: [.text("reason"), .init("frames"), .text("for example"), .text("methods")],
      cells: rows.map { refusal, methods in
        [
          .init(refusal.first.fusion.status.words(run.basis)), .init(count: refusal.count),
          .init(refusal.example), .init(methods.map { run.name(of: $0) }.joined(separator: ", ")),
        ]
      })
  }

  /// Frames that a method did not solve, for one status.
  private struct Refusal {
    let first: FrameRecord, place: String
    var count = 0
    /// "room-01/0: negative slope"
    var example: String { "\(place): \(first.fusion.reason ?? "no reason given")" }

    func isLike(_ other: Refusal) -> Bool {
      first.fusion.status == other.first.fusion.status && count == other.count && example == other.example
    }
  }

  /// What a scene holds, one column of a table.
  private typealias DataColumn = (head: String, text: @Sendable (SceneContext) -> String?)

  /// The scenes; what none of them has needs no column.
  static func data(_ run: EvaluationRun) -> DisplayTable {
    let frames = run.frameCounts
    let columns = run.basis.hasLidar ? sensorColumns : mapColumns
    let heads = ["scene", "\(run.frameWord)s"] + columns.map(\.head)
    let rows = run.scenes.map { scene -> [String] in
      [scene.name, "\(frames[scene.name] ?? 0)"] + columns.map { $0.text(scene) ?? "–" }
    }
    return DisplayTable(columns: heads.map { .text($0) }, rows: rows).withoutEmptyColumns()
  }

  /// What a device records, and a truth.
  private static let sensorColumns: [DataColumn] = [
    ("LiDAR", { $0.header.lidarSize?.description }),
    ("confidence", { $0.header.hasConfidence ? "yes" : "no" }),
    ("relative", { $0.header.relativeSize?.description }),
    ("kind", { $0.header.relativeSize == nil ? nil : kind(of: $0) }),
    ("truth", { $0.header.truthSize?.description }),
    ("independence", { $0.header.truthSize == nil ? nil : $0.header.truthIndependence.rawValue }),
  ]

  /// Maps of networks, and a truth.
  private static let mapColumns: [DataColumn] = [
    ("predictions", { sizes(of: $0.header.predictions) }), ("truth", { $0.header.truthSize?.description }),
    ("image", { $0.header.colourSize?.description }),
  ]

  /// "disparity (by rank correlation)"
  private static func kind(of scene: SceneContext) -> String {
    scene.relativeKind.rawValue + (scene.header.relativeKind == .unknown ? " (by rank correlation)" : "")
  }

  /// "mynet 640×480, half 320×240"
  private static func sizes(of predictions: [StoredPrediction]) -> String? {
    predictions.isEmpty ? nil : predictions.map { "\($0.name) \($0.size)" }.joined(separator: ", ")
  }

  static func methodDefinitions(_ run: EvaluationRun) -> DisplayTable {
    let used = Set(run.aggregation.summary.map { $0.method.prefix { $0 != "@" } }.map(String.init))
    return DisplayTable(
      columns: ["method", "what", "source"].map { .text($0) },
      cells: MethodCatalogue.families.filter { used.contains($0.id) }.map {
        [defined($0.id), .init($0.title), .init($0.source)]
      }
        + run.plan.methods.compactMap { selection in
          selection.storedName.map { name in
            let kinds = run.kinds(of: name).map(\.rawValue).joined(separator: ", ")
            return [
              .init(defining: run.name(of: selection.family), Definition.anchor(method: selection.family))
            ]
              + (run.basis.hasLidar
                ? ["stored prediction", .init("predictions/\(name)/depth of the data")]
                : [.init("network's map (\(kinds))"), "the data"])
          }
        })
  }

  private static func defined(_ method: String) -> DisplayTable.Cell {
    .init(defining: method, Definition.anchor(method: method))
  }

  /// What the columns are.
  static func metricDefinitions(_ run: EvaluationRun) -> DisplayTable {
    DisplayTable(
      columns: ["column", "name", "unit", "definition"].map { .text($0) },
      cells: run.columns.map(\.metric).firstAppearances.map { metric in
        [
          .init(defining: metric.id, Definition.anchor(metric)), .init(metric.title),
          // "1" is the unit of what has none.
          .init(metric.unit == .none ? "1" : metric.unit.rawValue), .init(metric.formula),
        ]
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
    func medians(_ lists: [[Double]]) -> [DisplayTable.Cell] {
      lists.map { .init(OrderStatistics.median(of: $0)) }
    }
    let counts = [pairs, inliers].map {
      DisplayTable.Cell(Quantity(OrderStatistics.median(of: $0), .decimals(0)))
    }
    return [.init(scene), .init(method), .init("\(frames)")]
      + medians([scale, scaleInDouble, shift]) + counts + medians([condition, spread])
  }
}
