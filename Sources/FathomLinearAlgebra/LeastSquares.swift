/// Solution of a least-squares problem by singular value decomposition.
public struct LeastSquaresSolution: Sendable, Equatable {
  /// Minimum-norm coefficients, length n.
  public let coefficients: [Double]
  /// Number of singular values above the tolerance.
  public let rank: Int
  /// min(m, n) singular values, descending.
  public let singularValues: [Double]

  /// 2-norm condition number; infinite where the smallest singular value is zero.
  public var condition: Double {
    guard let largest = singularValues.first, let smallest = singularValues.last else { return .infinity }
    return smallest > 0 ? largest / smallest : .infinity
  }
}

/// Minimum-norm solution of `min ‖A x − b‖₂`, by divide-and-conquer SVD.
///
/// - Parameters:
///   - a: Design matrix, m × n. Any shape; rank deficiency is allowed and reported.
///   - b: Observations, length m, in the unit the residual should have.
///   - relativeTolerance: Singular values below this share of the largest count as zero.
/// - Returns: Coefficients (length n), numerical rank, and singular values in descending order.
/// - Throws: `LAPACKError` `.notConverged` if the SVD fails; `.invalidArgument` if `a` (5) or `b` (7)
///   contains NaN.
/// - Precondition: `b.count == a.rows`.
/// - Complexity: O(m n²) for m ≥ n.
/// - SeeAlso: LAPACK Users' Guide, 3rd ed., driver routine xGELSD.
public func leastSquaresBySVD(
  _ a: consuming Matrix, _ b: consuming [Double], relativeTolerance: Double = 1e-12
) throws(LAPACKError) -> LeastSquaresSolution {
  precondition(b.count == a.rows, "one observation per row")
  try requireNumbers(a.storage, 5, b, 7, of: "dgelsd")
  let (m, n) = (a.rows, a.columns)
  var x = b
  if n > m { x += [Double](repeating: 0, count: n - m) }
  var singularValues = [Double](repeating: 0, count: min(m, n))
  var rank: Int32 = 0
  var integers: [Int32] = [0]
  try withWorkspace { (work, size) throws(LAPACKError) in
    // The question for the sizes has its second answer here.
    if size >= 0 { integers = [Int32](repeating: 0, count: max(1, Int(integers[0]))) }
    try lapack("dgelsd", positive: .notConverged) {
      LAPACKRoutine.dgelsd(
        Int32(m), Int32(n), &a.storage, &x, &singularValues, relativeTolerance, &rank, &work, size, &integers)
    }
  }
  return LeastSquaresSolution(
    coefficients: Array(x.prefix(n)), rank: Int(rank), singularValues: singularValues)
}

/// Solution of `min ‖A x − b‖₂` for a matrix of full column rank, by QR factorisation.
///
/// - Parameters:
///   - a: Design matrix, m × n with m ≥ n, of full rank.
///   - b: Observations, length m.
/// - Returns: Coefficients, length n.
/// - Throws: `LAPACKError` `.singular` where a diagonal element of R is exactly zero; a matrix that is
///   nearly rank-deficient passes (use ``leastSquaresBySVD(_:_:relativeTolerance:)`` to see the rank);
///   `.invalidArgument` if `a` (6) or `b` (8) contains NaN.
/// - Precondition: `b.count == a.rows`, `a.rows >= a.columns`.
/// - Complexity: O(m n²).
/// - SeeAlso: LAPACK Users' Guide, 3rd ed., driver routine xGELS, whose three steps this takes itself where none of
///   its scaling applies: the driver and LAPACKE's check look at every element through a function call each, which
///   costs as much as the factorisation of two columns. The result is the driver's, bit by bit.
public func leastSquaresByQR(
  _ a: consuming Matrix, _ b: consuming [Double]
) throws(LAPACKError) -> [Double] {
  precondition(b.count == a.rows, "one observation per row")
  precondition(a.rows >= a.columns, "QR least squares needs at least as many rows as columns")
  let (m, n) = (Int32(a.rows), Int32(a.columns))
  guard let matrixSize = largestMagnitude(a.storage), let size = largestMagnitude(b),
    unscaled.contains(matrixSize), size == 0 || unscaled.contains(size)
  else {
    try requireNumbers(a.storage, 6, b, 8, of: "dgels")
    try withWorkspace { (work, size) throws(LAPACKError) in
      try lapack("dgels", positive: .singular) {
        LAPACKRoutine.dgels(m, n, &a.storage, &b, &work, size)
      }
    }
    return Array(b.prefix(Int(n)))
  }
  var reflectors = [Double](repeating: 0, count: Int(n))
  // Failures are reported as the driver's, which is what a reader can look up. dormqr keeps a triangular factor of 65 × 64 in it.
  var work = [Double](repeating: 0, count: 65 * 64 + 64 * Int(n))
  try lapack("dgels", positive: .singular) {
    LAPACKRoutine.dgeqrf(m, n, &a.storage, &reflectors, &work)
  }
  try lapack("dgels", positive: .singular) {
    LAPACKRoutine.dormqr(m, n, &a.storage, &reflectors, &b, &work)
  }
  try lapack("dgels", positive: .singular) {
    LAPACKRoutine.dtrtrs(n, m, &a.storage, &b)
  }
  return Array(b.prefix(Int(n)))
}

/// Magnitudes that dgels leaves as they are; its own bounds are wider.
private let unscaled = 1e-250...1e250

/// Largest |v|; nil where one is not finite.
private func largestMagnitude(_ values: [Double]) -> Double? {
  values.withUnsafeBufferPointer { values in
    var (largest, zeros) = (SIMD4<Double>(), SIMD4<Double>())
    let body = values.count - values.count % 4
    for i in stride(from: 0, to: body, by: 4) {
      let four = SIMD4(values[i], values[i + 1], values[i + 2], values[i + 3])
      let sizes = four.replacing(with: -four, where: four .< 0)
      largest.replace(with: sizes, where: sizes .> largest)
      // 0·v is 0 for every finite v.
      zeros += 0 * four
    }
    var (most, zero) = (largest.max(), zeros.sum())
    for i in body..<values.count {
      most = max(most, abs(values[i]))
      zero += 0 * values[i]
    }
    return zero == 0 ? most : nil
  }
}
