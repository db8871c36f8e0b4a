import ArgumentParser
import DepthCalibration
import DepthCore
import DepthEvaluation
import DepthSynthesis
import Foundation

/// Whether the intervals of a and b contain the law that the noise was drawn from.
struct NoiseLawExperiment: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "noise-law",
    abstract: "Known LiDAR noise: how many of 100 intervals contain each a and b.",
    discussion: "Ends with 1 where fewer than 88 of 100 do.")

  static let seeds = 0..<100
  /// Of 100 intervals of 95 %, fewer than this are improbable (p = 0.0015).
  static let target = 88

  @OptionGroup var files: ExperimentOutput

  func run() async throws {
    let seeds = files.chosen(Self.seeds)
    let rows = await forEachSeed(seeds) { await Self.rows(seed: $0) }.joined()
    let table = RecoveryTable(rows: Array(rows), seeds: seeds.count)
    print(table.markdown)
    try files.write("noise-law", table: table.csv, page: table.page)
    // Shares of a few seeds say little; their rows can be compared with the committed table.
    if files.sample == nil, table.smallest < Self.target { throw ExitCode.failure }
  }

  /// The preset's scenes with other rooms and noise, without what a calibration does not look at.
  private static func options(seed: Int) -> SynthesisOptions {
    var options = SynthesisPreset.noiseLaw.options
    options.seed = UInt64(90_000 + seed)
    options.relativeSize = RasterSize(width: 8, height: 6)
    options.colourSize = RasterSize(width: 8, height: 6)
    return options
  }

  private static func rows(seed: Int) async -> [RecoveryTable.Row] {
    let options = options(seed: seed)
    var plan = CalibrationPlan()
    plan.seed = options.seed
    var scenes: [SceneErrors] = []
    for index in 0..<options.sceneCount {
      let simulated = SyntheticScene(options: options, index: index)
      let context = SceneContext(header: simulated.header, name: simulated.header.name)
      var scene = SceneErrors(context, plan: plan)
      for frame in 0..<options.framesPerScene {
        if let errors = scene.errors(of: simulated.frame(frame)) { scene.add(errors) }
      }
      scenes.append(scene)
    }
    let run = await CalibrationRun(scenes, plan: plan)
    return (0...2).flatMap { level -> [RecoveryTable.Row] in
      guard let law = options.noiseLaw?[level], let found = run.noise(level: level) else { return [] }
      return [
        RecoveryTable.Row(seed, level, "a", law.a, found.law.a, found.a),
        RecoveryTable.Row(seed, level, "b", law.b, found.law.b, found.b),
      ]
    }
  }
}
