import ArgumentParser
import DepthCore
import DepthVerdicts
import Foundation
import FathomPlainText
import FathomStatistics

/// Runs whose means are equal: how often the gate calls the candidate worse, and a run's question better or worse.
struct GateErrorExperiment: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gate-error",
    abstract: "Runs with equal means: how often the gate calls one worse.",
    discussion: "Ends with 1 where symmetric noise trips the gate in more than 5 %, within chance.")

  static let seeds = 0..<20
  static let scenes = [5, 8, 12, 20, 30]
  private static let dataSets = 50

  @OptionGroup var files: ExperimentOutput

  /// How the worsening of the scenes is distributed; its mean is zero.
  enum Law: String, CaseIterable, Sendable {
    case normal
    /// Lognormal with σ = 0.7, mirrored: a few scenes are better.
    case skewed
    /// One scene in five is better by 2.4 ± 1, the others are worse by 0.6 ± 0.5.
    case fewMuchBetter = "one in five much better"
    /// One scene in ten is better by 4.5 ± 1, the others are worse by 0.5 ± 0.3.
    case rarelyMuchBetter = "one in ten much better"

    func draw(_ generator: inout SplitMix64) -> Double {
      let noise = generator.exactNormal()
      switch self {
      case .normal: return noise
      case .skewed: return exp(0.7 * 0.7 / 2) - exp(0.7 * noise)
      case .fewMuchBetter: return generator.uniform() < 0.2 ? noise - 2.4 : 0.6 + 0.5 * noise
      case .rarelyMuchBetter: return generator.uniform() < 0.1 ? noise - 4.5 : 0.5 + 0.3 * noise
      }
    }
  }

  private struct Row: Sendable {
    let law: Law, scenes: Int, seed: Int
    /// Data sets that trip the gate; whose question has an answer; that trip the gate with Student's interval.
    var tripped = 0, answered = 0, byStudent = 0
  }

  func run() async throws {
    var rows: [Row] = []
    for law in Law.allCases {
      for scenes in Self.scenes {
        rows += await forEachSeed(files.chosen(Self.seeds)) { Self.row(law, scenes: scenes, seed: $0) }
      }
    }
    var (lines, isKept) = ([String](), true)
    for law in Law.allCases {
      for scenes in Self.scenes {
        let group = rows.filter { $0.law == law && $0.scenes == scenes }
        let cases = Double(group.count * Self.dataSets)
        let shares = [\Row.tripped, \.answered, \.byStudent].map { part in
          Double(group.reduce(0) { $0 + $1[keyPath: part] }) / cases
        }
        // Two standard errors of 1,000 data sets.
        isKept = isKept && (law != .normal || shares.allSatisfy { $0 <= WorseningGate.level + 0.014 })
        let cells = shares.map { Quantity($0, .percent()).text }
        lines.append("| \(law.rawValue) | \(scenes) | \(cells.joined(separator: " | ")) |")
      }
    }
    let table = """
      | worsening of the scenes | scenes | gate | a run's question | gate with Student's interval |
      |---|---:|---:|---:|---:|
      \(lines.joined(separator: "\n"))
      """
    print(table)
    let csv =
      (["law,scenes,seed,tripped,answered,tripped_by_student"]
      + rows.map { "\($0.law.rawValue),\($0.scenes),\($0.seed),\($0.tripped),\($0.answered),\($0.byStudent)" })
      .joined(separator: "\n") + "\n"
    try files.write(
      "gate-error", table: csv,
      page: """
        # How often does the gate call equal means worse, and a run's question better or worse?

        Written by `make experiments`; every fifty data sets are a row of `gate-error.csv`. What is simulated is in `README.md`.

        \(table)

        """)
    if files.sample == nil, !isKept { throw ExitCode.failure }
  }

  private static func row(_ law: Law, scenes: Int, seed: Int) -> Row {
    var generator = SplitMix64(seed: UInt64(seed), stream: "gate error", law.rawValue, "\(scenes)")
    var bootstrap = SceneBootstrap(seed: UInt64(seed))
    let names = (0..<scenes).map { "scene \($0)" }
    let reach =
      StudentDistribution.criticalValue(0.05, freedom: Double(scenes - 1)) / Double(scenes).squareRoot()
    var row = Row(law: law, scenes: scenes, seed: seed)
    for _ in 0..<dataSets {
      let values = names.map { _ in law.draw(&generator) }
      let interval = bootstrap.interval(ofMean: values, scenes: names)
      func chances(_ samples: [[Double]]) -> [Double] {
        JointSignFlips.pValues(samples.map { .init(scenes: names, values: $0) }, seed: UInt64(seed))
      }
      if interval?.excludesZero == true, scenes >= ContrastVerdict.fewestScenes {
        let chance = chances([values, values.map { -$0 }]).min() ?? 1
        row.answered += chance <= ContrastVerdict.level ? 1 : 0
      }
      let mean = values.reduce(0, +) / Double(scenes)
      guard mean > 0 else { continue }
      let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      let byStudent = mean > reach * (squares / Double(scenes - 1)).squareRoot()
      let isBeyond = (interval?.low ?? 0) > 0
      guard byStudent || isBeyond, chances([values])[0] <= WorseningGate.level else { continue }
      row.tripped += isBeyond ? 1 : 0
      row.byStudent += byStudent ? 1 : 0
    }
    return row
  }
}
