import FathomStatistics
import FathomDocuments
import FathomRunSamples
import FathomTables
@testable import FathomRunFolders
import DepthFusion
import DepthVerdicts
import FathomPlainText
import FathomTestSupport
import Testing

@testable import DepthEvaluation
@testable import DepthReport

/// What tables, charts and checks make of every metric, whichever it is.
@Suite("How metrics are shown and checked")
struct MetricPresentationTests {
  @Test("the linter knows every column, and refuses what cannot be", arguments: MetricColumn.all)
  func linted(_ column: MetricColumn) throws {
    let metric = column.metric
    let found = try #require(ResultColumn(header: column.id))
    #expect(found.metric == metric && found.support == column.support && found.scale == 1)
    func problems(_ value: Double) throws -> [ResultLinter.Violation] {
      var rows = try ResultRows("\(column.id)\n\(value)")
      #expect(try rows.next())
      return ResultLinter(header: rows.header).violations(in: rows.row, number: 1)
    }
    let (low, high) = (metric.possible.lowerBound, metric.possible.upperBound)
    #expect(try problems(0.5).isEmpty)
    #expect(try problems(.infinity).count == 1)
    if low.isFinite { #expect(try problems(low).isEmpty && problems(low - 0.1).count == 1) }
    if high.isFinite { #expect(try problems(high).isEmpty && problems(high + 0.1).count == 1) }
    if !low.isFinite { #expect(try problems(-0.5).isEmpty) }
  }

  @Test("a metric that only bins have is known by its name too", arguments: Breakdown.metrics)
  func binned(_ metric: Metric) {
    #expect(ResultColumn(header: metric.id)?.metric == metric)
  }

  @Test("charts show the metric's unit", arguments: MetricColumn.all)
  func units(_ column: MetricColumn) {
    let display = column.metric.display
    let measure = FigureMeasure(column)
    #expect(measure.unit == display.symbol && measure.title.hasPrefix(column.metric.title))
    #expect(
      measure.text(0.5) == Quantity(0.5 * display.scale, .significant(3)).text
        + (display.symbol.map { " \($0)" } ?? ""))
  }

  @Test("tables mark every metric where frames are missing, and rank none that rests on other pixels")
  func tables() throws {
    let metrics = Metric.depth + Metric.structure
    var run = try StoredRunSample.run(scenes: 5, frames: 1, methods: "lidar-bilinear,ols,huber")
    // One method lacks a frame, another covers less of the truth than the rest.
    var records = run.records.filter { !($0.method == "huber@disparity" && $0.scene == "room-0") }
    for index in records.indices where records[index].method == "ols@disparity" {
      records[index].values[MetricColumn.coverage.position] = 0.9
    }
    run = EvaluationRun(
      plan: run.plan, scenes: run.scenes, records: records, baseline: run.baseline, unreadable: [])
    #expect(!RunVerdict(run).coverageIsEqual)
    let table = ReportTables.methods(run, RunVerdict(run), metrics, intervals: true)
    let partial = try #require(table.rows.first { $0[0].text == "huber@disparity" })
    let units = LengthUnit.millimetres
    for metric in metrics {
      // What no method has a value of is excluded.
      guard let index = table.columns.firstIndex(where: { $0.source?.column == metric.id }) else {
        #expect(run.aggregation.summary.allSatisfy { $0.value(MetricColumn(metric)) == nil }, "\(metric.id)")
        continue
      }
      let unit = units.display(metric).symbol.map { " [\($0)]" } ?? ""
      #expect(table.columns[index].title == "\(metric.title)\(unit) \(metric.direction.arrow)")
      let cells = table.rows.map { $0[index] }
      #expect(partial[index].text.contains("†") == (partial[index].value != nil), "\(metric.id)")
      #expect(cells.allSatisfy { $0.isBest != true } || metric.basis != .predictedPixels, "\(metric.id)")
      let hasValues = cells.contains { $0.value != nil }
      #expect(cells.contains { $0.low != nil } == (metric.hasInterval && hasValues), "\(metric.id)")
    }
  }
}
