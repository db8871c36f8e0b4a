internal import FathomLinearAlgebra

/// First and second derivatives of the samples' log-likelihood by m₀, m₁, A, B, ε.
///
/// The Gaussian's own curvature is the expected one (Fisher's), which is positive whatever the residuals; what is not known about
/// who is an outlier enters as observed.
struct NoiseLikelihood: Sendable {
  /// Σ ∂ ln f.
  private(set) var score = [Double](repeating: 0, count: NoiseParameters.count)
  /// −Σ ∂² ln f, row by row: the information.
  private(set) var information = [Double](
    repeating: 0, count: NoiseParameters.count * NoiseParameters.count)

  init(_ samples: [ErrorSample], _ parameters: NoiseParameters) {
    for sample in samples { add(sample, parameters) }
  }

  /// ln f = ln((1−ε)φ + εu). With w the Gaussian's share, g = ∇ ln φ and h = ∇² ln φ: ∇ ln f = w·g and
  /// ∇² ln f = w·h + w(1−w)·g·gᵀ by the Gaussian's parameters, (u−φ)/f and −((u−φ)/f)² by ε, −φ·u·g/f² mixed.
  private mutating func add(_ sample: ErrorSample, _ parameters: NoiseParameters) {
    let part = parameters.density(sample)
    guard part.total > 0 else { return }
    let share = part.inlierShare(parameters.outlierShare)
    let (r, v) = (part.residual, part.variance)
    let (byMean, byVariance) = (r / v, 0.5 * (r * r / v - 1) / v)
    let depth = sample.depth, powers = SIMD4(1, depth, 1, depth * depth)
    let gradient = SIMD4(byMean, byMean, byVariance, byVariance) * powers
    // Expected over the residual: E r = 0, E r² = v.
    let (ofMean, ofVariance) = (-1 / v, -0.5 / (v * v))
    for i in 0..<4 {
      score[i] += share * gradient[i]
      for j in 0..<4 {
        let h = i < 2 && j < 2 ? ofMean : i >= 2 && j >= 2 ? ofVariance : 0
        information[i * 5 + j] -=
          share * (h * powers[i] * powers[j] + (1 - share) * gradient[i] * gradient[j])
      }
      let crossed = part.gaussian / part.total * (part.background / part.total) * gradient[i]
      information[i * 5 + 4] += crossed
      information[20 + i] += crossed
    }
    let byOutliers = (part.background - part.gaussian) / part.total
    score[4] += byOutliers
    information[24] += byOutliers * byOutliers
  }

  static func += (total: inout NoiseLikelihood, part: NoiseLikelihood) {
    for index in total.score.indices { total.score[index] += part.score[index] }
    for index in total.information.indices { total.information[index] += part.information[index] }
  }

  static func -= (total: inout NoiseLikelihood, part: NoiseLikelihood) {
    for index in total.score.indices { total.score[index] -= part.score[index] }
    for index in total.information.indices { total.information[index] -= part.information[index] }
  }

  /// Newton's step towards the maximum in these parameters; the others stay. nil where it is not determined.
  func step(_ free: [Int]) -> [Double]? {
    // Scaled to a unit diagonal: A and B differ by orders of magnitude from the rest.
    let sizes = free.map { abs(information[$0 * 5 + $0]).squareRoot() }
    guard sizes.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
    let matrix = Matrix(
      rows: free.enumerated().map { i, row in
        free.enumerated().map { j, column in information[row * 5 + column] / sizes[i] / sizes[j] }
      })
    let right = free.enumerated().map { score[$1] / sizes[$0] }
    guard let solution = try? linearSolve(matrix, right), solution.allSatisfy(\.isFinite) else { return nil }
    var step = [Double](repeating: 0, count: NoiseParameters.count)
    for (position, index) in free.enumerated() { step[index] = solution[position] / sizes[position] }
    return step
  }
}
