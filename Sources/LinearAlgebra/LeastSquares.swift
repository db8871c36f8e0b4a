import CLAPACK

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
  let (m, n) = (a.rows, a.columns)
  var x = b
  if n > m { x += [Double](repeating: 0, count: n - m) }
  var singularValues = [Double](repeating: 0, count: min(m, n))
  var rank: Int32 = 0
  let leading = Int32(x.count)
  try lapack("dgelsd", positive: .notConverged) {
    LAPACKE_dgelsd(
      LAPACK_COL_MAJOR, Int32(m), Int32(n), 1, &a.storage, Int32(m), &x, leading, &singularValues,
      relativeTolerance, &rank)
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
/// - SeeAlso: LAPACK Users' Guide, 3rd ed., driver routine xGELS.
public func leastSquaresByQR(
  _ a: consuming Matrix, _ b: consuming [Double]
) throws(LAPACKError) -> [Double] {
  precondition(b.count == a.rows, "one observation per row")
  precondition(a.rows >= a.columns, "QR least squares needs at least as many rows as columns")
  let (m, n) = (a.rows, a.columns)
  try lapack("dgels", positive: .singular) {
    LAPACKE_dgels(
      LAPACK_COL_MAJOR, Int8(UInt8(ascii: "N")), Int32(m), Int32(n), 1, &a.storage, Int32(m), &b, Int32(m))
  }
  return Array(b.prefix(n))
}
