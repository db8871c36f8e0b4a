import FathomPlainText
import DepthCalibration
import DepthCore

/// Parameters with their intervals over many seeds.
struct RecoveryTable {
  /// One parameter of one seed.
  struct Row: Sendable {
    let seed: Int, level: Int, parameter: String, truth: Double, estimate: Double
    let interval: Interval?
    var isCovered: Bool { interval?.contains(truth) ?? false }

    init(
      _ seed: Int, _ level: Int, _ parameter: String, _ truth: Double, _ estimate: Double,
      _ interval: Interval?
    ) {
      (self.seed, self.level, self.parameter) = (seed, level, parameter)
      (self.truth, self.estimate, self.interval) = (truth, estimate, interval)
    }
  }

  let rows: [Row]
  let seeds: Int

  private var groups: [(level: Int, parameter: String, rows: [Row])] {
    [2, 1, 0].flatMap { level in
      ["a", "b"].map { name in (level, name, rows.filter { $0.level == level && $0.parameter == name }) }
    }
  }

  /// Fewest intervals of a parameter that contain its truth.
  var smallest: Int { groups.map { $0.rows.count(where: \.isCovered) }.min() ?? 0 }

  /// Five digits, so that the mathematics library of another processor gives the same text.
  var csv: String {
    let lines = rows.map { row in
      let numbers = [row.estimate, row.interval?.low, row.interval?.high].map {
        Quantity($0, .significant(5)).text
      }
      return "\(row.seed),\(row.level),\(row.parameter),\(row.truth),\(numbers.joined(separator: ",")),"
        + "\(row.isCovered)"
    }
    return (["seed,confidence,parameter,truth,estimate,low,high,contained"] + lines).joined(separator: "\n")
      + "\n"
  }

  var markdown: String {
    let lines = groups.map { level, name, rows in
      let estimates = rows.map(\.estimate)
      let middle = OrderStatistics.median(of: estimates)
      let widths = rows.compactMap { row in row.interval.map { $0.high - $0.low } }
      return "| \(level) | \(name) | \(rows.first?.truth ?? 0) | \(Quantity(middle, .significant()).text) | "
        + "\(Quantity(OrderStatistics.median(of: widths), .significant(2)).text) | "
        + "\(rows.count(where: \.isCovered)) of \(seeds) |"
    }
    return """
      | confidence | parameter | truth | median estimate | median width of the interval | intervals that contain the truth |
      |---:|---|---:|---:|---:|---:|
      \(lines.joined(separator: "\n"))
      """
  }

  var page: String {
    """
    # Does `calibrate` recover a known noise law?

    Written by `make experiments`; every interval is in `noise-law.csv`. What is simulated is in `README.md`.

    \(markdown)

    """
  }
}
