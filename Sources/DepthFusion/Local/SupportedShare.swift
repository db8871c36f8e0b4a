import DepthCore

/// How far the LiDAR itself supports a move towards the map, stratum by stratum.
///
/// A return whose relative error has the variance σ², moved by the share s towards a map that differs from it by r, has its squared error
/// changed by s²r² − 2sσ² in the mean, whatever the map's own error is (Stein's unbiased risk estimate; Stein 1981, Annals of
/// Statistics 9). So of all the moves f·s of a stratum f = Σsσ²/Σs²r² is the best one. Medians do not see that a map is good in most places and far off in
/// a few, as networks are beside depth steps; this sum of squares does.
///
/// A stratum is the pixels of one confidence, at the LiDAR's depth steps or away from them. f counts ``certainty`` standard errors less than found, from blocks
/// as units, because errors are alike within a block; it is at most 1, and a stratum of less than ``least`` stays as the LiDAR has it.
struct SupportedShare {
  /// f of every stratum.
  private let factors: [Double]
  private let strata: Strata

  /// Standard errors of f that are taken off.
  static let certainty = 1.0
  /// Smallest f that moves a stratum.
  static let least = 0.1
  /// Range of ln d in 3×3 LiDAR pixels from which on a pixel is at a depth step, and the same in σ.
  static let step: Float = 0.1, stepInDeviations: Float = 6
  /// Side of the blocks, in the LiDAR's correlations.
  static let blockSide = 3.2

  /// The strata of a map.
  struct Strata {
    let levels: [UInt8]?
    let isAtStep: [Bool]
    static let count = 6

    /// - Parameter range: Range of ln(LiDAR) in 3×3 pixels.
    init(_ levels: [UInt8]?, range: [Float], _ deviation: [Float]) {
      self.levels = levels
      isAtStep = zip(range, deviation).map {
        $0 > max(SupportedShare.step, SupportedShare.stepInDeviations * $1)
      }
    }

    @inline(__always)
    subscript(_ index: Int) -> Int {
      2 * (levels.map { Int(min($0[index], 2)) } ?? 2) + (isAtStep[index] ? 1 : 0)
    }
  }

  /// - Parameters:
  ///   - share: s of every pixel.
  ///   - logRatio: r, as ln(LiDAR/map).
  ///   - counts: Whether a pixel has a return that is not at fault itself.
  ///   - correlation: ``LocalOptions/lidarCorrelation``.
  init(
    _ share: DepthMap, logRatio: DepthMap, _ lidar: DepthMap, _ deviation: [Float], _ strata: Strata,
    correlation: Double, counts: (Int) -> Bool
  ) {
    self.strata = strata
    let side = max(4, Int((Self.blockSide * correlation).rounded()))
    let perRow = (share.width + side - 1) / side
    let blocks = perRow * ((share.height + side - 1) / side)
    var sums = [Sums](repeating: Sums(), count: Strata.count * blocks)
    for row in 0..<share.height {
      for column in 0..<share.width {
        let i = row * share.width + column
        let (s, r) = (Double(share.values[i]), Double(logRatio.values[i]))
        guard s > 0, r.isFinite, counts(i) else { continue }
        // In metres, as errors are measured.
        let depth = Double(lidar.values[i])
        let (sigma, move) = (depth * Double(deviation[i]), depth * s * r)
        sums[strata[i] * blocks + row / side * perRow + column / side].add(s * sigma * sigma, move * move)
      }
    }
    factors = (0..<Strata.count).map { Self.factor(sums[($0 * blocks)..<(($0 + 1) * blocks)]) }
  }

  /// What the share of a pixel is multiplied by.
  @inline(__always)
  subscript(_ index: Int) -> Float { Float(factors[strata[index]]) }

  /// Σsσ² and Σs²r² of a block.
  private struct Sums {
    var gain = 0.0, cost = 0.0

    mutating func add(_ gain: Double, _ cost: Double) {
      self.gain += gain
      self.cost += cost
    }
  }

  /// The ratio of the sums less its error, that of a ratio estimator (Cochran 1977, §6.4).
  private static func factor(_ blocks: ArraySlice<Sums>) -> Double {
    let used = blocks.filter { $0.gain > 0 }
    let (gain, cost) = used.reduce((0.0, 0.0)) { ($0.0 + $1.gain, $0.1 + $1.cost) }
    guard used.count > 1, cost > 0 else { return 0 }
    let ratio = gain / cost
    let squares = used.reduce(0) { sum, block in
      let left = block.gain - ratio * block.cost
      return sum + left * left
    }
    let count = Double(used.count)
    let error = (squares * count / (count - 1)).squareRoot() / cost
    let supported = min(1, ratio - certainty * error)
    return supported >= least ? supported : 0
  }
}
