import DepthCore
import DepthEvaluation
import DepthFusion
import Testing

@testable import DepthTuning

@Suite("Search grid")
struct SearchGridTests {
  @Test("the app's values are always there, first, and every axis is in order")
  func reference() throws {
    let grid = try SearchGrid(
      ["max-depth": ["8", "3"], "methods": ["huber"], "min-confidence": ["1"]], base: FusionOptions())
    #expect(grid.axes.map(\.dimension.id) == ["methods", "min-confidence", "max-depth"])
    #expect(grid.axes.map(\.values) == [["ols", "huber"], ["1", "2"], ["3", "4", "8"]])
    #expect(grid.labels(of: SearchGrid.reference) == ["ols", "2", "4"])
    #expect(grid.changes(of: SearchGrid.reference).isEmpty)
    #expect(grid.configurations.count == 12)
    #expect(Set(grid.configurations).count == 12)
    let options = grid.configurations[SearchGrid.reference].options
    #expect(options.minConfidence == 2 && options.maxDepth == 4 && options.minPairs == 20)
  }

  @Test("ranges hit their last value, and numbers are written shortly")
  func ranges() throws {
    let grid = try SearchGrid(
      ["min-depth": ["0.1:0.5:0.1"], "max-depth": ["4.0", "3.50"]], base: FusionOptions())
    #expect(grid.axes[0].values == ["0.1", "0.2", "0.3", "0.4", "0.5"])
    #expect(grid.axes[1].values == ["3.5", "4"])
    #expect(grid.configurations.contains { $0.options.minDepth == 0.3 && $0.options.maxDepth == 3.5 })
  }

  @Test("what contradicts itself is excluded and counted, what does not matter counts once")
  func leftOut() throws {
    let crossed = try SearchGrid(["min-depth": ["3"], "max-depth": ["2"]], base: FusionOptions())
    #expect(crossed.impossible == 1)
    #expect(crossed.configurations.count == 3)
    let thresholds = try SearchGrid(
      ["methods": ["ransac"], "inlier-threshold": ["0.05m", "0.1m"]], base: FusionOptions())
    // ols with one threshold, ransac with three.
    #expect(thresholds.configurations.count == 4)
    #expect(thresholds.repeated == 2)
  }

  @Test(
    "faults name the entry",
    arguments: [
      (["min-deph": ["1"]], "min-deph cannot be searched"), ([:], "the grid is empty"),
      (["min-pairs": []], "min-pairs has no value"),
      (["min-pairs": ["some"]], "'some' is not a value; a whole number of at least 2 is expected"),
      (["max-depth": ["2:10"]], "'2:10' is not a range"), (["max-depth": ["9:2:1"]], "is not a range"),
      (["min-confidence": ["3"]], "'3' is not a value; a whole number from 0 to 2 is expected"),
      (["methods": ["auto"]], "'auto' is not a value"),
      (["methods": ["spec"]], "'spec' is not a value"),
      (["min-depth": ["-1"]], "'-1' is not a value; a number from 0 to 1000000 m is expected"),
      (["weights": ["calibration"]], "weights: calibration needs calibration FILE.yaml"),
      (["methods": ["ols@log"], "space": ["depth"]], "has a form, and space is varied"),
      (["min-depth": ["0:1:0.001"], "max-depth": ["2:10:0.005"]], "combinations, at most"),
    ])
  func faults(_ values: [String: [String]], _ words: String) {
    let error = #expect(throws: GridError.self) { try SearchGrid(values, base: FusionOptions()) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test("a reference that cannot be run, and nothing but the reference")
  func unusable() {
    var guarded = FusionOptions()
    guarded.minScale = 150
    let impossible = #expect(throws: GridError.self) {
      try SearchGrid(["max-scale": ["200", "300"]], base: guarded)
    }
    #expect(impossible?.description.contains("the specified defaults") == true)
    let alone = #expect(throws: GridError.self) {
      try SearchGrid(["min-depth": ["0.1"]], base: FusionOptions())
    }
    #expect(alone?.description.contains("nothing but the specified defaults") == true)
  }

  @Test("forms: natural is the scene's own")
  func forms() throws {
    let grid = try SearchGrid(["space": ["natural", "depth", "log"]], base: FusionOptions())
    let spaces = grid.configurations.map { $0.space(for: .disparity) }
    #expect(spaces == [.disparity, .depth, .log])
  }

  @Test("objectives", arguments: ["abs_rel", "rmse_m_measured", "delta_1", "bias_m", "placement_m"])
  func objectives(_ name: String) throws {
    let objective = try TuningObjective(name)
    #expect(objective.name == name)
    #expect(objective.loss(of: 0.2) == (name == "delta_1" ? -0.2 : 0.2))
    #expect(objective.loss(of: -0.2) == (name == "delta_1" || name == "bias_m" ? 0.2 : -0.2))
  }

  @Test("a search can be for every metric of pixels", arguments: Metric.all)
  func searchable(_ metric: Metric) throws {
    guard metric.isOfPixels, MetricColumn(id: metric.id) != nil else {
      #expect(throws: GridError.self) { try TuningObjective(metric.id) }
      return
    }
    let objective = try TuningObjective(metric.id)
    #expect(objective.column == MetricColumn(metric) && objective.unit == metric.unit)
    #expect(objective.title == "the mean over scenes of \(metric.title)")
  }

  @Test("objectives that cannot be", arguments: ["nonsense", "abs_rel_filled", "boundary_f1"])
  func impossibleObjectives(_ name: String) {
    #expect(throws: GridError.self) { try TuningObjective(name) }
    #expect(throws: GridError.self) { try TuningObjective("abs_rel", coverageFloor: 1.5) }
  }
}
