/// Solution of the square system `A x = b`, by LU factorisation with partial pivoting.
///
/// - Parameters:
///   - a: n × n.
///   - b: Right-hand side, length n.
/// - Returns: x, length n.
/// - Throws: `LAPACKError` `.singular` where a pivot is exactly zero; `.invalidArgument` if `a` (4) or
///   `b` (7) contains NaN.
/// - Precondition: `a.rows == a.columns`, `b.count == a.rows`.
/// - Complexity: O(n³).
/// - SeeAlso: LAPACK Users' Guide, 3rd ed., driver routine xGESV.
public func linearSolve(
  _ a: consuming Matrix, _ b: consuming [Double]
) throws(LAPACKError) -> [Double] {
  precondition(a.rows == a.columns, "a linear system needs a square matrix")
  precondition(b.count == a.rows, "one right-hand side per row")
  try requireNumbers(a.storage, 4, b, 7, of: "dgesv")
  var pivots = [Int32](repeating: 0, count: a.rows)
  try lapack("dgesv", positive: .singular) {
    LAPACKRoutine.dgesv(Int32(a.rows), &a.storage, &pivots, &b)
  }
  return b
}
