import FathomStatistics

/// The mean of values that are independent between clusters, and half the width of its 95 % interval.
struct ClusteredMean {
  /// Values of one cluster.
  struct Cell: Sendable {
    var count = 0.0, sum = 0.0

    mutating func add(_ value: Double) {
      count += 1
      sum += value
    }

    static func + (one: Cell, two: Cell) -> Cell {
      Cell(count: one.count + two.count, sum: one.sum + two.sum)
    }
  }

  let count: Int, mean: Double, reach: Double

  /// u² is the sum of the squared contributions of the clusters.
  /// - Returns: nil with fewer than 3 clusters, which leave the interval unknown.
  init?(_ clusters: [Cell]) {
    let used = clusters.filter { $0.count > 0 }
    guard used.count >= 3 else { return nil }
    let total = used.reduce(Cell(), +)
    let mean = total.sum / total.count
    let squares = used.reduce(0) { sum, cell in
      let part = (cell.sum - mean * cell.count) / total.count
      return sum + part * part
    }
    let freedom = Double(used.count - 1)
    reach =
      StudentDistribution.criticalValue(1 - UncertaintyBudget.usualCoverage, freedom: freedom)
      * (squares * Double(used.count) / freedom).squareRoot()
    (count, self.mean) = (Int(total.count), mean)
  }
}
