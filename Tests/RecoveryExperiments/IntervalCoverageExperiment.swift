import ArgumentParser
import DepthCore
import Foundation
import FathomPlainText
import FathomStatistics

/// Scenes whose mean is known: how often the intervals of errors and of differences hold it, and beside them BCa and Student's.
struct IntervalCoverageExperiment: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "interval-coverage",
    abstract: "Scenes whose mean is known: how often intervals of 95 % hold it.",
    discussion:
      "Ends with 1 where a printed interval holds it less or more often than docs/statistics.md promises."
  )

  static let seeds = 0..<40
  static let scenes = [4, 5, 6, 7, 8, 12, 20, 30]
  private static let dataSets = 100

  @OptionGroup var files: ExperimentOutput

  /// How the scenes' values are distributed.
  enum Law: String, CaseIterable, Sendable {
    /// 1 ± 0.25.
    case normal
    /// 1 ± 0.1 times Student's t with three degrees of freedom: every scene has a spread of its own.
    case heavyTailed = "heavy-tailed"
    /// Lognormal with σ = 0.7.
    case skewed
    /// 1 ± 0.4; one scene in ten has three times as much.
    case oneInTen = "one in ten"
    /// One scene in five comes from 4 ± 1, the others from 1 ± 0.5.
    case oneInFive = "one in five"

    var mean: Double {
      switch self {
      case .normal, .heavyTailed: 1
      case .skewed: exp(0.7 * 0.7 / 2)
      case .oneInTen: 1.2
      case .oneInFive: 1.6
      }
    }

    /// Coverage that is promised at every number of scenes, of errors and of differences.
    var promised: (errors: ClosedRange<Double>, differences: ClosedRange<Double>)? {
      switch self {
      case .normal: (0.93...0.97, 0.925...0.98)
      case .heavyTailed, .skewed: (0.93...0.975, 0.925...0.98)
      case .oneInTen: (0.93...0.97, 0.91...0.98)
      case .oneInFive: nil
      }
    }

    func draw(_ generator: inout SplitMix64) -> Double {
      switch self {
      case .normal: return 1 + 0.25 * generator.exactNormal()
      case .heavyTailed:
        let squares = (0..<3).reduce(0) { sum, _ in
          let z = generator.exactNormal()
          return sum + z * z
        }
        return 1 + 0.1 * generator.exactNormal() / (squares / 3).squareRoot()
      case .skewed: return exp(0.7 * generator.exactNormal())
      case .oneInTen:
        let factor = generator.uniform() < 0.1 ? 3.0 : 1
        return factor * (1 + 0.4 * generator.exactNormal())
      case .oneInFive:
        return generator.uniform() < 0.2 ? 4 + generator.exactNormal() : 1 + 0.5 * generator.exactNormal()
      }
    }
  }

  /// Intervals of one kind.
  private struct Tally: Sendable {
    var held = 0, below = 0, above = 0
    var width = 0.0  // Of all together.

    /// - Parameter mean: The true one.
    mutating func add(_ low: Double, _ high: Double, mean: Double) {
      if high < mean { below += 1 } else if low > mean { above += 1 } else { held += 1 }
      width += high - low
    }

    static func + (a: Tally, b: Tally) -> Tally {
      Tally(
        held: a.held + b.held, below: a.below + b.below, above: a.above + b.above, width: a.width + b.width)
    }

    var coverage: Double { Double(held) / Double(max(1, held + below + above)) }
    var cells: String { "\(held),\(below),\(above),\(Quantity.fixed(width, 2))" }
  }

  private struct Row: Sendable {
    let law: Law, scenes: Int, seed: Int
    var errors = Tally(), differences = Tally(), bca = Tally(), student = Tally()
    static let tallies: [(name: String, path: any KeyPath<Row, Tally> & Sendable)] = [
      ("errors", \.errors), ("differences", \.differences), ("bca", \.bca), ("student", \.student),
    ]
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
        let sums = Row.tallies.map { tally in group.reduce(Tally()) { $0 + $1[keyPath: tally.path] } }
        // Two standard errors of 4,000 data sets.
        func keeps(_ promised: ClosedRange<Double>, _ tally: Tally) -> Bool {
          tally.coverage > promised.lowerBound - 0.008 && tally.coverage < promised.upperBound + 0.008
        }
        if let promised = law.promised {
          isKept = isKept && keeps(promised.errors, sums[0]) && keeps(promised.differences, sums[1])
        }
        let cells = sums.map {
          "\(Quantity.fixed($0.coverage, 3)) (\(Quantity.fixed($0.width / sums[3].width, 2)))"
        }
        lines.append("| \(law.rawValue) | \(scenes) | \(cells.joined(separator: " | ")) |")
      }
    }
    let table = """
      | scenes' values | scenes | errors | differences | BCa | Student's t |
      |---|---:|---:|---:|---:|---:|
      \(lines.joined(separator: "\n"))
      """
    print(table)
    let columns = Row.tallies.map(\.name).map { "\($0),\($0)_below,\($0)_above,\($0)_width" }
    let csv =
      (["law,scenes,seed,\(columns.joined(separator: ","))"]
      + rows.map { row in
        let cells = Row.tallies.map { row[keyPath: $0.path].cells }.joined(separator: ",")
        return "\(row.law.rawValue),\(row.scenes),\(row.seed),\(cells)"
      }).joined(separator: "\n") + "\n"
    try files.write(
      "interval-coverage", table: csv,
      page: """
        # How often do intervals of 95 % hold the true mean over scenes?

        Written by `make experiments`; every hundred data sets are a row of `interval-coverage.csv`. In
        brackets: the mean width, as a multiple of Student's. What is simulated is in `README.md`.

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
      guard let error = bootstrap.interval(ofMean: values, scenes: names, possible: 0...(.infinity)),
        let difference = bootstrap.interval(ofMean: values, scenes: names)
      else { continue }
      row.errors.add(error.low, error.high, mean: law.mean)
      row.differences.add(difference.low, difference.high, mean: law.mean)
      row.bca.add(error.bcaLow, error.bcaHigh, mean: law.mean)
      let estimate = values.reduce(0, +) / Double(scenes)
      let squares = values.reduce(0) { $0 + ($1 - estimate) * ($1 - estimate) }
      let width = reach * (squares / Double(scenes - 1)).squareRoot()
      row.student.add(estimate - width, estimate + width, mean: law.mean)
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
