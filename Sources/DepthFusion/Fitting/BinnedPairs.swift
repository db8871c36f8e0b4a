/// Least-squares fits under any limits on confidence and depth, from one pass over a frame's pairs.
///
/// The pairs are sorted into bins between the limits that will be asked for, and every bin keeps its weighted moments
/// about its own means. A fit adds up the bins that its limits let in; its cost does not depend on the number of pairs.
/// Lines agree with fits of the pairs themselves to 1e-9 (tests).
public struct BinnedPairs: Sendable {
  private let space: Space
  /// Limits that bins end at, ascending, in the sensor's Float32.
  private let edges: [Float]
  /// Per confidence, bin after bin: the pairs below edge 0, at edge 0, between edges 0 and 1, at edge 1, …
  private let bins: [[Bin]]

  private struct Bin {
    var count = 0, moments = LeastSquaresLine.Moments()
  }

  /// - Parameter limits: Every depth that will be asked for, metres.
  public init(_ pairs: CandidatePairs, limits: [Double]) {
    space = pairs.space
    let edges = Set(limits.map { Float($0) }).sorted()
    self.edges = edges
    let binCount = 2 * edges.count + 1
    var members = [[Int]](repeating: [], count: 3 * binCount)
    for (index, depth) in pairs.depth.enumerated() {
      members[Int(pairs.confidence[index]) * binCount + Self.bin(of: depth, edges)].append(index)
    }
    bins = (0..<3).map { level in
      (0..<binCount).map { bin in
        let chosen = members[level * binCount + bin]
        guard !chosen.isEmpty else { return Bin() }
        let problem = FitProblem(
          space: pairs.space, x: chosen.map { pairs.x[$0] }, y: chosen.map { pairs.y[$0] },
          weights: pairs.weights.map { weights in chosen.map { weights[$0] } })
        return Bin(
          count: chosen.count, moments: LeastSquaresLine.Moments(problem, weights: problem.weights))
      }
    }
  }

  /// 2k for depths strictly between edges k−1 and k, 2k + 1 for those at edge k: limits are exclusive.
  private static func bin(of depth: Float, _ edges: [Float]) -> Int {
    var (low, high) = (0, edges.count)
    while low < high {
      let middle = (low + high) / 2
      if edges[middle] < depth { low = middle + 1 } else { high = middle }
    }
    return low < edges.count && edges[low] == depth ? 2 * low + 1 : 2 * low
  }

  /// The bins strictly between two limits.
  /// - Precondition: Both are among the limits given.
  private func range(_ minDepth: Double, _ maxDepth: Double) -> Range<Int> {
    let first = 2 * position(of: Float(minDepth)) + 2
    return first..<max(first, 2 * position(of: Float(maxDepth)) + 1)
  }

  private func position(of edge: Float) -> Int {
    guard let position = edges.firstIndex(of: edge) else { preconditionFailure("a limit that was given") }
    return position
  }

  /// Pairs between limits.
  public func count(minConfidence: UInt8, minDepth: Double, maxDepth: Double) -> Int {
    let range = range(minDepth, maxDepth)
    return bins[Int(minConfidence)...].reduce(0) { $0 + $1[range].reduce(0) { $0 + $1.count } }
  }

  /// The line of the pairs between limits.
  /// - Throws: `FitError` `.tooFewPairs` below `minPairs`, `.degenerate` where they determine no slope, `.numerical` if
  ///   LAPACK refuses.
  public func fit(
    minConfidence: UInt8, minDepth: Double, maxDepth: Double, minPairs: Int
  ) throws(FitError) -> LineFit {
    var total = LeastSquaresLine.Moments(), count = 0
    let range = range(minDepth, maxDepth)
    for level in bins[Int(minConfidence)...] {
      for bin in level[range] where bin.count > 0 {
        count += bin.count
        total.merge(bin.moments)
      }
    }
    guard count >= max(2, minPairs) else { throw .tooFewPairs(found: count, needed: max(2, minPairs)) }
    return LineFit(line: total.line, inliers: count, design: try total.determinedDesign())
  }
}
