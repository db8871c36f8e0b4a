import FathomPlainText
import ArgumentParser
import DepthCore
import DepthTuning

/// Configurations that are equal in expectation: whether a search keeps the app's values.
struct TuningNullExperiment: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tuning-null",
    abstract: "Configurations equal in expectation: how often of 100 a search keeps the app's values.",
    discussion: "Ends with 1 where fewer than 95 of 100 do in a setting.")

  static let seeds = 0..<100
  static let target = 95
  private static let configurations = 200

  @OptionGroup var files: ExperimentOutput

  /// How losses scatter about what is equal.
  enum Setting: String, CaseIterable, Sendable {
    /// Every loss by itself, normal, 5 % of the scene's.
    case independent
    /// Neighbouring configurations alike, as thresholds are.
    case correlated
    /// Few scenes decide: Student's t with three degrees of freedom.
    case heavyTailed = "heavy-tailed"
  }

  private struct Row: Sendable {
    let setting: Setting, scenes: Int, seed: Int
    let reason: TuningVerdict.Reason
    let gain: Double, optimism: Double
  }

  func run() async throws {
    var rows: [Row] = []
    for setting in Setting.allCases {
      for scenes in [6, 12, 30] {
        rows += await forEachSeed(files.chosen(Self.seeds)) { Self.row(setting, scenes: scenes, seed: $0) }
      }
    }
    let groups = Setting.allCases.flatMap { setting in
      [6, 12, 30].map { scenes in rows.filter { $0.setting == setting && $0.scenes == scenes } }
    }
    let lines = groups.map { group in
      let kept = group.count { $0.reason != .gains }
      let optimism = group.reduce(0) { $0 + $1.optimism } / Double(group.count)
      return
        "| \(group[0].setting.rawValue) | \(group[0].scenes) | \(kept) of \(group.count) | \(Quantity(optimism, .percent()).text) |"
    }
    let table = """
      | losses | scenes | app's values kept | optimism of the best, share of the loss |
      |---|---:|---:|---:|
      \(lines.joined(separator: "\n"))
      """
    print(table)
    let csv =
      (["losses,scenes,seed,reason,gain,optimism"]
      + rows.map {
        "\($0.setting.rawValue),\($0.scenes),\($0.seed),\($0.reason.rawValue),\(Quantity($0.gain, .significant(5)).text),\(Quantity($0.optimism, .significant(5)).text)"
      }).joined(separator: "\n") + "\n"
    try files.write(
      "tuning-null", table: csv,
      page: """
        # Does `tune` keep the app's values where nothing is better?

        Written by `make experiments`; every seed is in `tuning-null.csv`. What is simulated is in `README.md`.

        \(table)

        """)
    if files.sample == nil, groups.contains(where: { $0.count { $0.reason != .gains } < Self.target }) {
      throw ExitCode.failure
    }
  }

  private static func row(_ setting: Setting, scenes: Int, seed: Int) -> Row {
    var generator = SplitMix64(seed: UInt64(seed), stream: "tuning null", setting.rawValue, "\(scenes)")
    let base = (0..<scenes).map { _ in 1 + 2 * generator.uniform() }
    var losses = (0..<configurations).map { _ in
      base.map { $0 * (1 + 0.05 * deviate(setting, &generator)) }
    }
    if setting == .correlated {
      for index in losses.indices.dropFirst() {
        // Variance stays what it is.
        for scene in base.indices {
          let (old, new) = (losses[index - 1][scene] - base[scene], losses[index][scene] - base[scene])
          losses[index][scene] = base[scene] + 0.95 * old + (1 - 0.95 * 0.95).squareRoot() * new
        }
      }
    }
    let table = LossTable(
      scenes: base.indices.map { "scene \($0)" }, configurations: Array(losses.indices), losses: losses,
      coverage: losses.map { $0.map { _ in 1 } }, changes: losses.indices.map { $0 == 0 ? 0 : 1 + $0 % 4 })
    let verdict = TuningVerdict(table, folds: nil, confirmed: table)
    let mean = base.reduce(0, +) / Double(scenes)
    return Row(
      setting: setting, scenes: scenes, seed: seed, reason: verdict.reason,
      gain: (verdict.nested?.gain.mean ?? 0) / mean, optimism: (verdict.optimism ?? 0) / mean)
  }

  private static func deviate(_ setting: Setting, _ generator: inout SplitMix64) -> Double {
    guard setting == .heavyTailed else { return generator.normal() }
    // t with 3 degrees of freedom has variance 3.
    let squares = (0..<3).reduce(0) { sum, _ in
      let z = generator.normal()
      return sum + z * z
    }
    return generator.normal() / (squares / 3).squareRoot() / 3.0.squareRoot()
  }
}

extension SplitMix64 {
  /// 0 ≤ u < 1.
  mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Sum of twelve uniform values less six: normal enough here, and without a mathematics library's last digits.
  mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + uniform() } }
}
