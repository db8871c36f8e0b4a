/// Eigenvalues and eigenvectors of a real symmetric matrix.
public struct SymmetricEigen: Sendable, Equatable {
  /// n eigenvalues, ascending.
  public let values: [Double]
  /// n × n; column k is the unit eigenvector of `values[k]`, its sign arbitrary.
  public let vectors: Matrix

  /// The decomposition A = V diag(λ) Vᵀ.
  ///
  /// - Parameter a: Symmetric matrix, n × n; only its upper triangle is read.
  /// - Throws: `LAPACKError` `.notConverged`; `.invalidArgument(index: 5)` if `a` contains NaN.
  /// - Precondition: `a.rows == a.columns`.
  /// - Complexity: O(n³).
  /// - SeeAlso: LAPACK Users' Guide, 3rd ed., driver routine xSYEV.
  public init(_ a: consuming Matrix) throws(LAPACKError) {
    precondition(a.rows == a.columns, "an eigenproblem needs a square matrix")
    let n = a.rows
    for column in 0..<n where (0...column).contains(where: { a[$0, column].isNaN }) {
      throw .invalidArgument(routine: "dsyev", index: 5)
    }
    var eigenvalues = [Double](repeating: 0, count: n)
    try withWorkspace { (work, size) throws(LAPACKError) in
      try lapack("dsyev", positive: .notConverged) {
        LAPACKRoutine.dsyev(Int32(n), &a.storage, &eigenvalues, &work, size)
      }
    }
    values = eigenvalues
    vectors = a
  }
}
