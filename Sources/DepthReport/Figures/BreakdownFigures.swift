import FathomPlainText
import DepthCharts
import DepthEvaluation
import DepthFusion
import DepthVerdicts
import FathomStatistics

/// Error against what the truth pixels are divided by.
enum BreakdownFigures {
  static func range(_ methods: FigureMethods) -> Chart? {
    let bins = Self.bins(.range, methods)
    guard bins.count > 1 else { return nil }
    let measure = FigureMeasure(.mae, methods.run.plan.units)
    let lines = lines(.range, bins, methods)
    let all = pixelsOfBin(.range, methods)
    let pixels = all.keys.sorted().map { ($0, all[$0] ?? 0) }
    let hidden = pixels.map(\.0).filter { !bins.contains($0) }
    let total = pixels.reduce(0) { $0 + $1.1 }
    let (most, least) = (pixels.max { $0.1 < $1.1 }, pixels.min { $0.1 < $1.1 })
    func place(_ bin: Int) -> String { "at \(Quantity.fixed(centre(bin), 2)) m" }
    let pixelWords =
      most.flatMap { most in
        least.map { least in
          " \(Quantity(Double(most.1) / Double(max(1, total)), .percent()).text) of the truth pixels lie \(place(most.0)), "
            + "the most of all bins; the fewest, \(least.1), \(place(least.0))."
        }
      } ?? ""
    let hiddenWords =
      hidden.isEmpty
      ? ""
      : " Not drawn, because only one scene has them: \(hidden.map { "\(Quantity.fixed(centre($0), 2)) m" }.joined(separator: ", "))."
    return Chart(
      "error-by-range", title: "Error by range",
      alt: alt(
        "Mean absolute error by true depth in bins of half a metre", lines, bins, measure, methods, place)
        + pixelWords + hiddenWords,
      x: ChartAxis("true depth", unit: "m"), y: measure.axis(lines.flatMap { $0.values(bins) }),
      series: lines.map { line in
        measure.series(
          methods.title(line.method), x: bins.map(centre), line.values(bins), line.intervals(bins),
          style: .linePoints, look: methods.look([line.method]))
      },
      caption:
        "Shows at which depths a method has large errors: look for curves that rise with the distance, and for where they cross."
    )
  }

  static func confidence(_ methods: FigureMethods) -> Chart? {
    let bins = Self.bins(.confidence, methods)
    guard !bins.isEmpty else { return nil }
    let measure = FigureMeasure(.mae, methods.run.plan.units)
    let lines = lines(.confidence, bins, methods)
    return Chart(
      "error-by-confidence", title: "Error by LiDAR confidence",
      alt: alt("Mean absolute error by confidence of the LiDAR pixel", lines, bins, measure, methods) {
        "at level \($0)"
      },
      x: ChartAxis("LiDAR confidence, 2 is surest"), y: measure.axis(lines.flatMap { $0.values(bins) }),
      series: lines.map { line in
        measure.series(
          methods.title(line.method), x: bins.indices.map(Double.init), line.values(bins),
          line.intervals(bins), style: .points, look: methods.look([line.method]))
      }, categories: bins.map { Breakdown.confidence.key($0).joined() },
      caption:
        "Errors should fall from confidence 0 to 2. If they do not, the confidence does not predict the error."
    )
  }

  /// One method's bins.
  private struct Line {
    let method: String, rows: [Int: Aggregation.BinRow]
    let intervalOfBin: [Int: ConfidenceInterval]
    func values(_ bins: [Int]) -> [Double?] { bins.map { rows[$0]?.value(.mae) } }
    func intervals(_ bins: [Int]) -> [ConfidenceInterval?] { bins.map { intervalOfBin[$0] } }
  }

  private static func lines(_ breakdown: Breakdown, _ bins: [Int], _ methods: FigureMethods) -> [Line] {
    let rows = methods.run.aggregation.breakdowns[breakdown.id] ?? []
    return methods.few.map { method in
      let own = rows.filter { $0.method == method }
      let intervals = own.compactMap { row in
        methods.run.statistics.interval(of: method, in: breakdown, bin: row.bin, metric: .mae).map {
          (row.bin, $0)
        }
      }
      return Line(
        method: method, rows: Dictionary(uniqueKeysWithValues: own.map { ($0.bin, $0) }),
        intervalOfBin: Dictionary(uniqueKeysWithValues: intervals))
    }.filter { line in line.values(bins).contains { $0 != nil } }
  }

  /// Truth pixels of every bin that the report's table has: the raw LiDAR's row counts them, else any method's.
  private static func pixelsOfBin(_ breakdown: Breakdown, _ methods: FigureMethods) -> [Int: Int] {
    let rows = methods.run.aggregation.breakdowns[breakdown.id] ?? []
    return Dictionary(grouping: rows, by: \.bin).compactMapValues { rows in
      (rows.first { $0.method == MethodSelection.lidarBilinear.id } ?? rows.first)?.pixels
    }
  }

  /// Bins in which a shown method has a value, ascending.
  private static func bins(_ breakdown: Breakdown, _ methods: FigureMethods) -> [Int] {
    let rows = methods.run.aggregation.breakdowns[breakdown.id] ?? []
    // A bin of one scene among many is that scene's accident.
    let fewest = methods.sceneCount > 1 ? 2 : 1
    let filled = rows.filter { row in
      methods.few.contains(row.method) && row.scenes >= fewest && row.value(.mae) != nil
    }
    return Set(filled.map(\.bin)).sorted()
  }

  /// Half metres: the middle of a bin.
  private static func centre(_ bin: Int) -> Double { (Double(bin) + 0.5) * 0.5 }

  private static func alt(
    _ subject: String, _ lines: [Line], _ bins: [Int], _ measure: FigureMeasure, _ methods: FigureMethods,
    _ place: (Int) -> String
  ) -> String {
    let words = lines.compactMap { line -> String? in
      let values = zip(bins, line.values(bins)).compactMap { bin, value in value.map { (bin, $0) } }
      guard let first = values.first, let last = values.last else { return nil }
      let start = "\(methods.name(line.method)) \(measure.text(first.1)) \(place(first.0))"
      return first.0 == last.0 ? start : "\(start), \(measure.text(last.1)) \(place(last.0))"
    }
    // A scene without confidence levels has no such bins.
    let counts = bins.compactMap { bin in lines.compactMap { $0.rows[bin]?.scenes }.max() }
    let (fewest, scenes) = (counts.min() ?? 0, counts.max() ?? 0)
    let perBin = fewest < scenes ? " (\(fewest) to \(scenes) in a bin)" : ""
    let partial = methods.partial(lines.map(\.method)).map { " \($0)." } ?? ""
    return
      "\(subject), \(methods.means(of: lines.map(\.method), in: scenes))\(scenes > 1 ? " where two or more have a value" : "")\(perBin). Lower is better. \(words.joined(separator: "; ")).\(partial) \(methods.selection)."
  }
}
