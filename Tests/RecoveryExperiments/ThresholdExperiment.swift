import FathomPlainText
import ArgumentParser
import DepthCore
import DepthEvaluation
import DepthFusion
import DepthTuning
import FathomTestSupport

/// Data that were made for known thresholds: whether a search finds and recommends them.
struct ThresholdExperiment: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "known-thresholds",
    abstract:
      "Returns that are wrong below one confidence and beyond one depth: how often a search finds both.",
    discussion: "Ends with 1 where fewer than 95 of 100 are found.")

  static let seeds = 0..<100
  static let target = 95
  /// What is right in turn.
  private static let confidences: [UInt8] = [0, 1, 2]
  private static let depths = [2.5, 3, 3.5]
  private static let scenes = 12

  @OptionGroup var files: ExperimentOutput

  private struct Row: Sendable {
    let seed: Int, confidence: UInt8, depth: Double
    let recommended: [String]
    let reason: TuningVerdict.Reason
    let gain: Double?

    /// Loss of what is recommended, and of the thresholds that the data were made for, metres.
    let loss: Double, rightLoss: Double

    /// No wrong return is let in, and what is recommended is as good as the right thresholds.
    var isFound: Bool {
      guard let least = recommended.first.flatMap(UInt8.init), let far = recommended.last.flatMap(Double.init)
      else { return false }
      return least >= confidence && far <= depth && loss <= 1.05 * rightLoss
    }
  }

  func run() async throws {
    let rows = await forEachSeed(files.chosen(Self.seeds)) { await Self.row(seed: $0) }
    let found = rows.count(where: \.isFound)
    let line =
      "\(found) of \(rows.count) seeds: a change is recommended to thresholds that let no wrong return in and are as good as those that the data were made for."
    print(line)
    let csv =
      ([
        "seed,least_right_confidence,farthest_right_m,recommended_confidence,recommended_max_depth_m,reason,gain_m,loss_m,loss_right_m,found"
      ]
      + rows.map { row in
        "\(row.seed),\(row.confidence),\(row.depth),\(row.recommended.joined(separator: ",")),\(row.reason.rawValue),\(Quantity(row.gain, .significant(5)).text),\(Quantity(row.loss, .significant(5)).text),\(Quantity(row.rightLoss, .significant(5)).text),\(row.isFound)"
      }).joined(separator: "\n") + "\n"
    try files.write(
      "known-thresholds", table: csv,
      page: """
        # Does `tune` find thresholds that are known?

        Written by `make experiments`; every seed is in `known-thresholds.csv`. What is simulated is in `README.md`.

        \(line)

        """)
    if files.sample == nil, found < Self.target { throw ExitCode.failure }
  }

  private static func row(seed: Int) async -> Row {
    let confidence = confidences[seed % confidences.count]
    let depth = depths[seed / confidences.count % depths.count]
    let places = (0..<scenes).map { index in
      var place = ThresholdScene(seed: UInt64(1000 * seed + index))
      (place.leastRight, place.farthestRight) = (confidence, depth)
      return place
    }
    let values = [
      "min-confidence": ["0", "1", "2"], "max-depth": ["2", "2.5", "3", "3.5", "4", "4.5", "5", "6"],
    ]
    guard let grid = try? SearchGrid(values, base: FusionOptions()),
      let objective = try? TuningObjective(TuningObjective.standard)
    else { preconditionFailure("a grid of the product's own dimensions") }
    let plan = TuningPlan(grid: grid, objective: objective, seed: UInt64(seed))
    let search = await scores(.everything(plan), places)
    let confirmed = await scores(.finalists(TuningRun.finalists(plan, search), plan), places)
    let run = TuningRun(plan: plan, scenes: places.map(context), search: search, confirmed: confirmed)
    let right = grid.configurations.indices.first {
      grid.labels(of: $0) == ["\(confidence)", SearchGrid.written(depth)]
    }
    return Row(
      seed: seed, confidence: confidence, depth: depth, recommended: grid.labels(of: run.verdict.recommended),
      reason: run.verdict.reason, gain: run.verdict.nested?.gain.mean,
      loss: run.searched.loss(of: run.verdict.recommended),
      rightLoss: right.map(run.searched.loss) ?? .nan)
  }

  private static func context(_ place: ThresholdScene) -> SceneContext {
    SceneContext(header: place.header, name: place.header.name)
  }

  private static func scores(_ search: SceneSearch, _ places: [ThresholdScene]) async -> [SceneScores] {
    var results: [SceneScores] = []
    for place in places {
      var scene = context(place)
      results.append(
        await search.scores(of: &scene, frames: 0..<place.header.frameCount, jobs: 1) {
          (place.frame($0), nil)
        })
    }
    return results
  }
}
