import ArgumentParser
import DepthCore
import Foundation
import FathomPlainText
import FathomStatistics

/// Scenes whose mean is known: how often the interval that is printed holds it, and beside it BCa and Student's.
struct IntervalCoverageExperiment: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "interval-coverage",
    abstract: "Scenes whose mean is known: how often intervals of 95 % hold it.",
    discussion: "Ends with 1 where the printed interval holds it less often than docs/statistics.md promises."
  )

  static let seeds = 0..<40
  static let scenes = [4, 5, 6, 7, 8, 12, 20, 30]
  private static let dataSets = 100

  @OptionGroup var files: ExperimentOutput

  /// How the scenes' values are distributed.
  enum Law: String, CaseIterable, Sendable {
    case normal
    /// Student's t with three degrees of freedom.
    case heavyTailed = "heavy-tailed"
    /// Lognormal with σ = 0.7.
    case skewed
    /// One scene in five comes from 3 ± 1, the others from 0 ± 0.5.
    case mixed

    var mean: Double {
      switch self {
      case .normal, .heavyTailed: 0
      case .skewed: exp(0.7 * 0.7 / 2)
      case .mixed: 0.6
      }
    }

    /// Coverage that is promised at every number of scenes.
    var promised: ClosedRange<Double>? {
      switch self {
      case .normal, .heavyTailed: 0.93...0.97
      case .skewed: 0.91...1
      case .mixed: nil
      }
    }

    func draw(_ generator: inout SplitMix64) -> Double {
      switch self {
      case .normal: return generator.exactNormal()
      case .heavyTailed:
        let squares = (0..<3).reduce(0) { sum, _ in
          let z = generator.exactNormal()
          return sum + z * z
        }
        return generator.exactNormal() / (squares / 3).squareRoot()
      case .skewed: return exp(0.7 * generator.exactNormal())
      case .mixed:
        return generator.uniform() < 0.2 ? 3 + generator.exactNormal() : 0.5 * generator.exactNormal()
      }
    }
  }

  /// Intervals of one kind.
  private struct Tally: Sendable {
    var held = 0, below = 0, above = 0

    /// - Parameter mean: The true one.
    mutating func add(_ low: Double, _ high: Double, mean: Double) {
      if high < mean { below += 1 } else if low > mean { above += 1 } else { held += 1 }
    }

    static func + (a: Tally, b: Tally) -> Tally {
      Tally(held: a.held + b.held, below: a.below + b.below, above: a.above + b.above)
    }

    var coverage: Double { Double(held) / Double(max(1, held + below + above)) }
    var cells: String { "\(held),\(below),\(above)" }
  }

  private struct Row: Sendable {
    let law: Law, scenes: Int, seed: Int
    var printed = Tally(), bca = Tally(), student = Tally()
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
        let sum = { (part: KeyPath<Row, Tally>) in group.reduce(Tally()) { $0 + $1[keyPath: part] } }
        let printed = sum(\.printed)
        // Two standard errors of 4,000 data sets.
        if let promised = law.promised {
          isKept =
            isKept && printed.coverage > promised.lowerBound - 0.008
            && printed.coverage < promised.upperBound + 0.008
        }
        let cells = [printed, sum(\.student), sum(\.bca)].map { Quantity.fixed($0.coverage, 3) }
        lines.append(
          "| \(law.rawValue) | \(scenes) | \(cells.joined(separator: " | ")) | \(Quantity.fixed(Double(printed.below) / Double(group.count * Self.dataSets), 3)) | \(Quantity.fixed(Double(printed.above) / Double(group.count * Self.dataSets), 3)) |"
        )
      }
    }
    let table = """
      | scenes' values | scenes | interval that is printed | Student's t | BCa | printed lies wholly below | wholly above |
      |---|---:|---:|---:|---:|---:|---:|
      \(lines.joined(separator: "\n"))
      """
    print(table)
    let csv =
      ([
        "law,scenes,seed,printed,printed_below,printed_above,bca,bca_below,bca_above,student,student_below,student_above"
      ]
      + rows.map {
        "\($0.law.rawValue),\($0.scenes),\($0.seed),\($0.printed.cells),\($0.bca.cells),\($0.student.cells)"
      }).joined(separator: "\n") + "\n"
    try files.write(
      "interval-coverage", table: csv,
      page: """
        # How often do intervals of 95 % hold the true mean over scenes?

        Written by `make experiments`; every hundred data sets are a row of `interval-coverage.csv`. What is simulated is in `README.md`.

        \(table)

        """)
    if files.sample == nil, !isKept { throw ExitCode.failure }
  }

  private static func row(_ law: Law, scenes: Int, seed: Int) -> Row {
    var generator = SplitMix64(seed: UInt64(seed), stream: "interval coverage", law.rawValue, "\(scenes)")
    var bootstrap = SceneBootstrap(seed: UInt64(seed))
    let names = (0..<scenes).map { "scene \($0)" }
    let reach =
      StudentDistribution.criticalValue(0.05, freedom: Double(scenes - 1)) / Double(scenes).squareRoot()
    var row = Row(law: law, scenes: scenes, seed: seed)
    for _ in 0..<dataSets {
      let values = names.map { _ in law.draw(&generator) }
      guard let interval = bootstrap.interval(ofMean: values, scenes: names) else { continue }
      row.printed.add(interval.low, interval.high, mean: law.mean)
      row.bca.add(interval.bcaLow, interval.bcaHigh, mean: law.mean)
      let mean = values.reduce(0, +) / Double(scenes)
      let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      let width = reach * (squares / Double(scenes - 1)).squareRoot()
      row.student.add(mean - width, mean + width, mean: law.mean)
    }
    return row
  }
}

extension SplitMix64 {
  /// Standard normal with its tails, by inversion.
  mutating func exactNormal() -> Double {
    NormalDistribution.quantile((Double(next() >> 11) + 0.5) * 0x1p-53)
  }
}
