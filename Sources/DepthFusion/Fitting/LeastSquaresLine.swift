import FathomLinearAlgebra

/// Weighted least squares of a line.
///
/// Columns are centred on their weighted means first: at a relative offset of 1000 + [0, 0.1] that keeps 14
/// digits of the slope where raw sums keep five (engineering facts), and it makes the columns orthogonal.
package enum LeastSquaresLine {
  /// Weighted first and second moments about the means.
  package struct Moments: Sendable {
    package var weight = 0.0, meanX = 0.0, meanY = 0.0, xx = 0.0, xy = 0.0
    var maximumX = 0.0
    package init() {}

    package init(_ problem: FitProblem, weights: [Double]?) {
      let lanes = SIMD4<Double>.scalarCount
      let count = problem.count
      problem.x.withUnsafeBufferPointer { x in
        problem.y.withUnsafeBufferPointer { y in
          let body = count - count % lanes
          func load(_ p: UnsafeBufferPointer<Double>, _ i: Int) -> SIMD4<Double> {
            SIMD4(p[i], p[i + 1], p[i + 2], p[i + 3])
          }
          func accumulate(_ w: UnsafeBufferPointer<Double>?) {
            var (sw, sx, sy, mx) = (SIMD4<Double>(), SIMD4<Double>(), SIMD4<Double>(), SIMD4<Double>())
            for i in stride(from: 0, to: body, by: lanes) {
              let wi = w.map { load($0, i) } ?? SIMD4(repeating: 1)
              let xi = load(x, i)
              sw += wi
              sx += wi * xi
              sy += wi * load(y, i)
              mx.replace(with: xi, where: xi .> mx)
              mx.replace(with: -xi, where: -xi .> mx)
            }
            (weight, meanX, meanY, maximumX) = (sw.sum(), sx.sum(), sy.sum(), mx.max())
            for i in body..<count {
              let wi = w?[i] ?? 1
              weight += wi
              meanX += wi * x[i]
              meanY += wi * y[i]
              maximumX = max(maximumX, abs(x[i]))
            }
            meanX /= weight
            meanY /= weight
            var (sxx, sxy) = (SIMD4<Double>(), SIMD4<Double>())
            for i in stride(from: 0, to: body, by: lanes) {
              let wi = w.map { load($0, i) } ?? SIMD4(repeating: 1)
              let dx = load(x, i) - meanX
              sxx += wi * dx * dx
              sxy += wi * dx * (load(y, i) - meanY)
            }
            (xx, xy) = (sxx.sum(), sxy.sum())
            for i in body..<count {
              let wi = w?[i] ?? 1
              xx += wi * (x[i] - meanX) * (x[i] - meanX)
              xy += wi * (x[i] - meanX) * (y[i] - meanY)
            }
          }
          if let weights {
            weights.withUnsafeBufferPointer { accumulate($0) }
          } else {
            accumulate(nil)
          }
        }
      }
    }

    /// Those of both sets of observations together.
    /// - SeeAlso: Chan, Golub, LeVeque 1979, "Updating formulae and a pairwise algorithm for computing sample variances".
    package mutating func merge(_ other: Moments) {
      guard other.weight > 0 else { return }
      guard weight > 0 else {
        self = other
        return
      }
      let total = weight + other.weight
      let (dx, dy) = (other.meanX - meanX, other.meanY - meanY)
      let shared = weight * (other.weight / total)
      xx += other.xx + dx * dx * shared
      xy += other.xy + dx * dy * shared
      meanX += dx * (other.weight / total)
      meanY += dy * (other.weight / total)
      maximumX = max(maximumX, other.maximumX)
      weight = total
    }

    /// Closed form; for the inner steps of iterative methods.
    package var line: Line {
      let scale = xy / xx
      return Line(scale: scale, shift: meanY - scale * meanX)
    }

    /// Rank and condition of [x 1] from the triangular factor that centring gives,
    /// R = [√W  √W·x̄; 0  √Sxx], so that nothing is squared.
    func design() throws(FitError) -> DesignDiagnostics {
      let spread = maximumX > 0 ? (xx / weight).squareRoot() / maximumX : 0
      var diagnostics = DesignDiagnostics(rank: 0, condition: .infinity, spread: spread)
      guard spread.isFinite else { throw .degenerate(diagnostics) }
      let root = weight.squareRoot()
      do {
        let factor = Matrix(rows: [[root, root * meanX], [0, xx.squareRoot()]])
        let solution = try leastSquaresBySVD(factor, [0, 0])
        (diagnostics.rank, diagnostics.condition) = (solution.rank, solution.condition)
      } catch { throw .numerical("\(error)", diagnostics) }
      return diagnostics
    }

    /// The same, refusing what determines no slope.
    package func determinedDesign() throws(FitError) -> DesignDiagnostics {
      let design = try design()
      guard design.spread >= minimumSpread, design.rank == 2 else { throw .degenerate(design) }
      return design
    }
  }

  /// The line of the observations whose residual from `line` is at most `limit`; the last step of every
  /// estimator that rejects.
  /// - Throws: As ``solve(_:weights:)``.
  static func solve(_ problem: FitProblem, within limit: Double, of line: Line) throws(FitError) -> LineFit {
    try solve(problem.inliers(within: limit, of: line))
  }

  /// Relative spread of x below which a slope is not determined (domain §1).
  static let minimumSpread = 1e-6
  /// Pairs above which the closed form replaces the factorisation: centred columns are orthogonal, so QR adds no
  /// digits, and for the oracle's million pairs it takes 100 ms instead of 2.
  static let factorisationLimit = 1 << 17

  /// The line by QR on centred columns (LAPACK dgels), with rank and condition.
  /// - Throws: `FitError` `.tooFewPairs` below 2, `.degenerate` where the spread of x is under 1e-6 or the
  ///   rank below 2, `.numerical` if LAPACK refuses.
  static func solve(_ problem: FitProblem, weights: [Double]? = nil) throws(FitError) -> LineFit {
    let count = problem.count
    guard count >= 2 else { throw .tooFewPairs(found: count, needed: 2) }
    let weights = weights ?? problem.weights, moments = Moments(problem, weights: weights)
    let design = try moments.determinedDesign()
    guard count <= factorisationLimit
    else { return LineFit(line: moments.line, inliers: count, design: design) }
    let (meanX, meanY) = (moments.meanX, moments.meanY)
    var columns = [Double](repeating: 1, count: 2 * count)
    var observations = [Double](repeating: 0, count: count)
    if let weights {
      for i in 0..<count {
        let root = weights[i].squareRoot()
        columns[i] = (problem.x[i] - meanX) * root
        columns[count + i] = root
        observations[i] = (problem.y[i] - meanY) * root
      }
    } else {
      for i in 0..<count {
        columns[i] = problem.x[i] - meanX
        observations[i] = problem.y[i] - meanY
      }
    }
    do {
      let solution = try leastSquaresByQR(
        Matrix(rows: count, columns: 2, columnMajor: columns), observations)
      let line = Line(scale: solution[0], shift: meanY + solution[1] - solution[0] * meanX)
      return LineFit(line: line, inliers: count, design: design)
    } catch { throw .numerical("\(error)", design) }
  }
}

extension FitProblem {
  /// What all observations can carry, with their weights.
  /// - Throws: `FitError` `.tooFewPairs` below 2, `.degenerate` where they determine no slope, `.numerical` for a
  ///   value that is not finite.
  func design() throws(FitError) -> DesignDiagnostics {
    guard count >= 2 else { throw .tooFewPairs(found: count, needed: 2) }
    let design = try LeastSquaresLine.Moments(self, weights: weights).determinedDesign()
    guard extent.isFinite else { throw .numerical("an observation is not finite", design) }
    return design
  }

  /// Largest |y|; a residual of 1e-12 of it is rounding.
  var magnitude: Double { extent.largest }

  /// Largest |y|, and whether all are finite.
  private var extent: (largest: Double, isFinite: Bool) {
    y.withUnsafeBufferPointer { y in
      var (largest, zeros) = (SIMD8<Double>(), SIMD8<Double>())
      let body = y.count - y.count % 8
      for i in stride(from: 0, to: body, by: 8) {
        let eight = y.eight(at: i)
        largest.replace(with: eight, where: eight .> largest)
        largest.replace(with: -eight, where: -eight .> largest)
        // 0·v is 0 for every finite v.
        zeros += 0 * eight
      }
      var (most, zero) = (largest.max(), zeros.sum())
      for value in y[body...] { (most, zero) = (max(most, abs(value)), zero + 0 * value) }
      return (most, zero == 0)
    }
  }
}
