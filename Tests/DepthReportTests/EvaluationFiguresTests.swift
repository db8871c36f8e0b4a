import FathomTables
@testable import FathomRunFolders
import DepthCharts
import DepthCore
import DepthEvaluation
import DepthFusion
import DepthVerdicts
import FathomStatistics
import FathomTestSupport
import Testing

@testable import DepthReport
@testable import FathomDocuments

/// Rooms whose LiDAR is wrong by a per cent or more, differently by confidence.
private func run(
  scenes: Int, methods: String = "lidar-bilinear,spec,ols,huber,oracle", truth: Bool = true,
  confidence: Bool = true, mode: AggregationMode = .scene, refusing: String? = nil,
  lidarDeviations: [Double]? = nil
) throws -> EvaluationRun {
  var plan = EvaluationPlan(methods: try MethodCatalogue.parse(methods))
  plan.rules.aggregation = mode
  plan.options.local.lidarDeviations = lidarDeviations
  var (contexts, records) = ([SceneContext](), [FrameRecord]())
  for number in 0..<scenes {
    var header = SceneHeader(name: "room-\(number)", frameCount: 1)
    header.lidarSize = RasterSize(width: 32, height: 24)
    header.relativeSize = header.lidarSize
    header.relativeKind = .disparity
    header.hasConfidence = confidence
    header.truthSize = truth ? header.lidarSize : nil
    let scene = SceneContext(header: header, name: header.name)
    var frame = LineScene.frame(kind: .disparity, scale: 0.5, shift: 0.1)
    for i in frame.lidar.values.indices {
      frame.lidar.values[i] *= 1 + Float(i % 2 * 2 - 1) * Float(number + 1 + i % 3) / 100
    }
    if confidence {
      frame.confidence = Raster(
        width: 32, height: 24, values: frame.lidar.values.indices.map { UInt8(2 - $0 % 3) })
    } else {
      frame.confidence = nil
    }
    if !truth { frame.truth = nil }
    if number == 0, refusing != nil { frame.relative = nil }
    records += plan.evaluate(frame, of: scene)
    contexts.append(scene)
  }
  return EvaluationRun(plan: plan, scenes: contexts, records: records, baseline: "lidar-bilinear")
}

private func evaluationFigures(of run: EvaluationRun) -> EvaluationFigures {
  EvaluationFigures(run, RunVerdict(run))
}

@Suite("Charts of an evaluation")
struct EvaluationFiguresTests {
  private func chart(_ name: String, _ run: EvaluationRun) throws -> Chart {
    let figure = try #require(evaluationFigures(of: run).all.first { $0.name == name }, "\(name)")
    guard case .chart(let chart) = figure else { throw NotAChart() }
    return chart
  }
  private struct NotAChart: Error {}

  @Test("every figure has its section, a name of its own, an alt with numbers, and axes with units")
  func all() throws {
    let figures = evaluationFigures(of: try run(scenes: 4))
    #expect(figures.sections.map(\.section) == [.methods, .ranges, .confidence, .scenes, .frames])
    #expect(
      figures.all.map(\.name) == [
        "mae-by-method", "abs-rel-by-method", "gain-by-method", "cumulative-error",
        "error-by-range", "error-by-confidence", "sparsification", "error-by-scene", "error-over-time",
      ])
    #expect(figures.figures(in: .scenes).map(\.name) == ["error-by-scene"])
    for figure in figures.all {
      #expect(figure.alt.contains { $0.isNumber } && figure.alt.hasSuffix("."), "\(figure.name)")
      #expect(!figure.table.rows.isEmpty)
      if case .chart(let chart) = figure { #expect(chart.y.unit != nil && !chart.x.title.isEmpty) }
    }
  }

  @Test("error per method: sorted, with the intervals of the run, oracle apart, baseline as a line")
  func errors() throws {
    let run = try run(scenes: 4)
    let chart = try self.chart("mae-by-method", run)
    let points = try #require(chart.series.first { $0.name == "value in every frame" })
    let methods = points.x.compactMap { x in chart.categories.map { $0[Int(x)] } }
    #expect(methods.count == 3 && methods.contains("lidar-bilinear"))
    #expect(chart.categories?.suffix(2) == ["", "oracle@disparity"])
    let values = points.y.compactMap(\.self)
    #expect(values == values.sorted())
    for (index, method) in methods.enumerated() {
      let row = try #require(run.aggregation.summary.first { $0.method == method })
      let interval = try #require(run.statistics.interval(of: method, column: .maeMeasured))
      #expect(points.y[index] == row.value(.maeMeasured).map { $0 * 1000 })
      #expect(points.low?[index] == interval.low * 1000 && points.high?[index] == interval.high * 1000)
    }
    let baseline = try #require(chart.series.first { $0.isReference })
    let raw = try #require(run.aggregation.summary.first { $0.method == "lidar-bilinear" })
    #expect(baseline.y[0] == raw.value(.maeMeasured).map { $0 * 1000 })
    #expect(chart.alt.contains("Without any value: spec"))
    #expect(chart.alt.contains("oracles, which look at the truth: oracle@disparity"))
    #expect(chart.alt.contains("means over 4 scenes with 95 % intervals"))
  }

  @Test("a method that gave nothing in some frames is told apart")
  func partial() throws {
    let run = try run(scenes: 4, refusing: "relative")
    let chart = try self.chart("mae-by-method", run)
    #expect(chart.series.first { $0.name == "value in some frames only" }?.x.count == 2)
    #expect(chart.alt.contains("On fewer than 4 frames, easier or harder ones: "))
    let coverage = try self.chart("coverage-error", run)
    #expect(coverage.series.first { $0.name == "huber@disparity" }?.x == [75])
    #expect(coverage.series.first { $0.name == "lidar-bilinear (baseline)" }?.x == [100])
    for name in ["cumulative-error", "error-by-range"] {
      let lines = try self.chart(name, run).series.map(\.name)
      #expect(lines.contains("lidar-bilinear (baseline)") && !lines.contains("huber@disparity"), "\(name)")
    }
  }

  @Test("methods that tie for the lowest error of a scene are all marked")
  func ties() throws {
    // Without anything to fuse, auto passes a LiDAR through whose noise is given, not found.
    let run = try run(
      scenes: 3, methods: "lidar-bilinear,ols,auto", refusing: "relative", lidarDeviations: [0.1, 0.1, 0.1])
    let figure = try #require(evaluationFigures(of: run).all.first { $0.name == "error-by-scene" })
    guard case .heatMap(let map) = figure else { throw NotAChart() }
    let columns = map.marks.filter { $0.row == 0 }.map { map.columns[$0.column] }
    #expect(columns == ["lidar-bilinear", "auto"])
    #expect(map.alt.contains("equal ones each counted"))
  }

  @Test("a mean over fewer frames is marked and never the best of a column")
  func partialCells() throws {
    let refused = try run(scenes: 5, refusing: "relative")
    let table = ReportTables.methods(refused, RunVerdict(refused), intervals: true)
    let row = try #require(table.rows.first { $0[0].text == "huber@disparity" })
    #expect(row[1].text == "4/5" && row[2].text.contains("† [") && row.allSatisfy { $0.isBest != true })
    let raw = try #require(table.rows.first { $0[0].text == "lidar-bilinear" })
    #expect(raw[1].text == "5/5" && !raw[2].text.contains("†"))
    #expect(table.partialNote?.hasPrefix("† ") == true)
    let whole = try run(scenes: 4)
    #expect(ReportTables.methods(whole, RunVerdict(whole)).partialNote == nil)
  }

  @Test("range and confidence hold the means and intervals of their tables")
  func breakdowns() throws {
    let run = try run(scenes: 4)
    let mae = try #require(Breakdown.metrics.firstIndex { $0.id == "mae_m" })
    for (name, breakdown) in [("error-by-range", Breakdown.range), ("error-by-confidence", .confidence)] {
      let chart = try self.chart(name, run)
      let line = try #require(chart.series.first { $0.name == "lidar-bilinear (baseline)" })
      let all = try #require(run.aggregation.breakdowns[breakdown.id])
      let rows = all.filter { $0.method == "lidar-bilinear" }
      #expect(line.y == rows.map { $0.values[mae].map { $0 * 1000 } } && rows.count > 1)
      let intervals = rows.map {
        run.statistics.interval(of: "lidar-bilinear", in: breakdown, bin: $0.bin, metric: .mae)
      }
      #expect(line.low == intervals.map { $0.map { $0.low * 1000 } } && intervals[0] != nil)
    }
  }

  @Test("the distribution rises to the share that is covered; the curves are those of cumulative.csv")
  func cumulative() throws {
    let run = try run(scenes: 4)
    let chart = try self.chart("cumulative-error", run)
    let names = ["lidar-bilinear (baseline)", "ols@disparity", "huber@disparity"]
    #expect(Set(chart.series.map(\.name)) == Set(names) && chart.series[0].name == names[0])
    for line in chart.series {
      let values = line.y.compactMap(\.self)
      #expect(values == values.sorted() && abs((values.last ?? 0) - 100) < 0.11)
      let method = String(line.name.prefix { $0 != " " })
      let curve = try #require(run.statistics.cumulative.first { $0.method == method })
      #expect(line.y == curve.shares.prefix(line.y.count).map { $0 * 100 })
    }
    let table = CumulativeTable.table(run)
    #expect(table.columns == ["method", "space", "error_m", "share", "low", "high", "scenes", "frames"])
    #expect(table.rows.count == run.statistics.cumulative.count * ErrorCounts.limits.count)
  }

  @Test("scenes: worst forty of many, the lowest of each marked")
  func scenes() throws {
    let run = try run(scenes: 45, methods: "lidar-bilinear,ols")
    let figure = try #require(evaluationFigures(of: run).figures(in: .scenes).first)
    guard case .heatMap(let map) = figure else { throw NotAChart() }
    // The LiDAR gets worse from room to room.
    #expect(map.rows == (5..<45).map { "room-\($0)" } && map.columns == ["lidar-bilinear", "ols@disparity"])
    #expect(map.title.contains("the worst 40 of 45 scenes") && map.alt.contains("Of 45 scenes"))
    #expect(map.marks.count == 40)
    for mark in map.marks {
      #expect(map.values[mark.row].compactMap(\.self).min() == map.values[mark.row][mark.column])
    }
  }

  @Test("many methods: as many as can be read, and it says so")
  func manyMethods() throws {
    let figures = evaluationFigures(of: try run(scenes: 2, methods: "all"))
    let chart = try self.chart("mae-by-method", try run(scenes: 2, methods: "all"))
    let names = (chart.categories ?? []).filter { !$0.isEmpty }
    #expect(names.count == 36 && chart.title.contains("36 of ") && chart.alt.contains("are not shown"))
    #expect(names.contains("lidar-bilinear"))
    for case .heatMap(let map) in figures.all { #expect(map.columns.count <= 20) }
    for case .chart(let chart) in figures.all where chart.name != "coverage-error" {
      #expect(chart.series.count <= 6, "\(chart.name)")
    }
  }

  @Test("one scene: values without intervals, and the alt says why")
  func oneScene() throws {
    let figures = evaluationFigures(of: try run(scenes: 1))
    #expect(figures.figures(in: .scenes).isEmpty)
    for case .chart(let chart) in figures.all {
      #expect(chart.series.allSatisfy { $0.low == nil }, "\(chart.name)")
    }
    #expect(figures.all[0].alt.contains("one scene, so no intervals"))
  }

  @Test("only what exists: no truth, no confidence, pooled pixels")
  func absent() throws {
    #expect(evaluationFigures(of: try run(scenes: 2, truth: false)).all.isEmpty)
    #expect(evaluationFigures(of: try run(scenes: 2, confidence: false)).figures(in: .confidence).isEmpty)
    let pooled = evaluationFigures(of: try run(scenes: 3, mode: .pooled))
    #expect(pooled.figures(in: .confidence).map(\.name) == ["error-by-confidence"])
    #expect(pooled.all[0].alt.contains("means over all pixels of 3 scenes"))
  }

  @Test("all of them can be drawn, twice alike")
  func drawn() throws {
    let run = try run(scenes: 3)
    let first = ChartRenderer.svg(evaluationFigures(of: run).all)
    #expect(first == ChartRenderer.svg(evaluationFigures(of: run).all))
    #expect(first.allSatisfy { $0.hasSuffix("</svg>\n") && !$0.contains("no data<") })
  }

  @Test("what the eye is told stands in a caption of its own, without the numbers of the alternative text")
  func captions() throws {
    for figure in evaluationFigures(of: try run(scenes: 4)).all {
      let caption = try #require(figure.caption, "\(figure.name)")
      #expect(caption.hasSuffix(".") && caption.count < 260 && caption != figure.alt, "\(figure.name)")
      #expect(!caption.contains(/[0-9]+\.[0-9]/), "\(figure.name): \(caption)")
    }
  }

  @Test("a chart of coverage is drawn where coverages differ")
  func equalCoverage() throws {
    let names = evaluationFigures(of: try run(scenes: 4)).all.map(\.name)
    #expect(!names.contains("coverage-error"))
    let refusing = evaluationFigures(of: try run(scenes: 4, refusing: "ols")).all.map(\.name)
    #expect(refusing.contains("coverage-error"))
  }

  @Test("every mark of the frames over time leads to the row of its frame, or to its pictures")
  func strip() throws {
    let run = try run(scenes: 4)
    let verdict = RunVerdict(run)
    let strip = try #require(FrameStrip(run, verdict))
    #expect(strip.counts == (4, 4) && !strip.isPart)
    let manifest = RunManifest(
      run, inputs: [.init(file: "my data.h5", sha256: "ab")], scenePattern: nil, frameRange: nil)
    let gallery = GalleryBlock(
      frames: [.init(rank: "worst", title: "room-3/0", caption: "", pictures: [], anchor: "gallery-4")],
      scales: [])
    let table = FrameErrorTable(
      strip: strip, commands: RunCommands(run.scenes, manifest), gallery: gallery, basis: run.basis
    ).block.table
    let anchors = table.rows.compactMap(\.first?.anchor)
    #expect(Set(anchors) == ["frame-1", "frame-2", "frame-3", "frame-4"])
    // The worst first; the one with pictures leads to them, the others say how they are drawn.
    #expect(table.rows[0][0].number == "room-3/0" && table.rows[0].last?.target == "gallery-4")
    let method = strip.lines[strip.subject].method
    #expect(
      table.rows[1].last?.number
        == "fathom render 'my data.h5' --scene room-2 --frame 0 --source \(method) --panel depth --panel error"
    )
    let figures = EvaluationFigures(run, verdict, gallery: gallery)
    guard case .chart(let chart)? = figures.all.first(where: { $0.name == FrameStripFigure.name }) else {
      throw NotAChart()
    }
    for series in chart.series {
      let targets = try #require(series.targets).compactMap(\.self)
      #expect(targets.map(\.anchor) == ["frame-1", "frame-2", "frame-3", "gallery-4"])
      #expect(targets[0].label.hasPrefix("room-0/0: "))
    }
    let svg = ChartRenderer.svg([.chart(chart)])[0]
    #expect(svg.contains("href=\"../report.html#gallery-4\""))
    let page = try EmbeddedChart(Array(svg.utf8), title: "t", file: "f").markup.html
    #expect(
      page.contains("<a href=\"#gallery-4\"") && !page.contains("report.html")
        && page.contains("role=\"group\""))
  }
}
