import FathomLinearAlgebra
import FathomTestSupport
import Testing

private func matrix(_ rowMajor: [Double], _ rows: Int, _ columns: Int) -> Matrix {
  Matrix(rows: (0..<rows).map { Array(rowMajor[($0 * columns)..<(($0 + 1) * columns)]) })
}

/// Largest deviation relative to the largest magnitude.
private func deviation(_ a: [Double], _ b: [Double]) -> Double {
  let scale = b.reduce(0) { max($0, abs($1)) }
  return zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) } / (scale > 0 ? scale : 1)
}

@Suite("LAPACK against numpy and published values")
struct GoldenLinearAlgebraTests {
  @Test("dgelsd: minimum-norm solution, rank, singular values", arguments: GoldenAnswers.shared.least_squares)
  func svd(_ c: GoldenAnswers.LeastSquares) throws {
    let solution = try leastSquaresBySVD(matrix(c.matrix, c.rows, c.columns), c.rhs)
    #expect(solution.rank == c.rank)
    #expect(solution.coefficients.count == c.columns)
    #expect(deviation(solution.singularValues, c.singular_values) < 1e-12)
    // Longley's condition is 5e9; the certified digits are reached to 1e-7.
    #expect(deviation(solution.coefficients, c.solution) < (c.name.contains("Longley") ? 1e-7 : 1e-11))
  }

  @Test("dgels: full-rank problems", arguments: GoldenAnswers.shared.least_squares)
  func qr(_ c: GoldenAnswers.LeastSquares) throws {
    guard c.rank == c.columns, c.rows >= c.columns else { return }
    let x = try leastSquaresByQR(matrix(c.matrix, c.rows, c.columns), c.rhs)
    #expect(deviation(x, c.solution) < (c.name.contains("Longley") ? 1e-7 : 1e-11))
  }

  @Test(
    "dsyev: eigenvalues, eigenspaces, orthonormal vectors", arguments: GoldenAnswers.shared.symmetric_eigen)
  func eigen(_ c: GoldenAnswers.Eigen) throws {
    let eigen = try SymmetricEigen(matrix(c.matrix, c.n, c.n))
    #expect(deviation(eigen.values, c.eigenvalues) < 1e-13)
    let largest = c.eigenvalues.reduce(0) { max($0, abs($1)) }
    let vectors = (0..<c.n).map { column in (0..<c.n).map { eigen.vectors[$0, column] } }
    func dot(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
    for i in 0..<c.n {
      for j in 0..<c.n { #expect(abs(dot(vectors[i], vectors[j]) - (i == j ? 1 : 0)) < 1e-13) }
      for row in 0..<c.n {
        let image = dot(Array(c.matrix[(row * c.n)..<((row + 1) * c.n)]), vectors[i])
        #expect(abs(image - eigen.values[i] * vectors[i][row]) < 1e-13 * largest)
      }
    }
    // Signs, and the basis of a space of several dimensions, are the library's to choose; the projector is not.
    for space in c.eigenspaces {
      let basis = vectors[space.first..<(space.first + space.count)]
      for row in 0..<c.n {
        for column in 0..<c.n {
          let entry = basis.reduce(0) { $0 + $1[row] * $1[column] }
          #expect(abs(entry - space.projector[row * c.n + column]) < 1e-13 / space.gap)
        }
      }
    }
  }

  @Test("dgesv", arguments: GoldenAnswers.shared.solves)
  func solve(_ c: GoldenAnswers.Solve) throws {
    let x = try linearSolve(matrix(c.matrix, c.n, c.n), c.rhs)
    #expect(deviation(x, c.solution) < 1e-15 * max(10, c.condition * 10))
  }
}

@Suite("QR least squares at the edges of Double")
struct ScaledLeastSquaresTests {
  @Test(
    "any magnitude solves alike, by the driver where it has to scale", arguments: [-990, -500, 0, 500, 990])
  func magnitudes(_ exponent: Int) throws {
    let unit = Double(sign: .plus, exponent: exponent, significand: 1)
    let columns = (0..<7).map { Double($0 * $0) - 3 }
    let a = Matrix(
      rows: 7, columns: 2, columnMajor: columns.map { $0 * unit } + [Double](repeating: unit, count: 7))
    let b = columns.enumerated().map { (2.5 * $1 - 1 + 0.1 * Double($0 % 3)) * unit }
    let plain = try leastSquaresByQR(
      Matrix(rows: 7, columns: 2, columnMajor: columns + [Double](repeating: 1, count: 7)),
      b.map { $0 / unit })
    for (x, y) in zip(try leastSquaresByQR(a, b), plain) { #expect(abs(x - y) < 1e-13) }
  }

  @Test("nothing to fit gives zeros")
  func zeros() throws {
    #expect(try leastSquaresByQR(Matrix(rows: [[1, 1], [2, 1], [4, 1]]), [0, 0, 0]) == [0, 0])
    #expect(try leastSquaresByQR(Matrix(rows: [[0, 0], [0, 0], [0, 0]]), [1, 2, 3]) == [0, 0])
  }
}

@Suite("LAPACK refuses")
struct LAPACKErrorTests {
  @Test func nanInMatrix() {
    let a = Matrix(rows: [[1, 1], [.nan, 1], [3, 1]])
    #expect(throws: LAPACKError.invalidArgument(routine: "dgelsd", index: 5)) {
      try leastSquaresBySVD(a, [1, 2, 3])
    }
    #expect(throws: LAPACKError.invalidArgument(routine: "dgels", index: 6)) {
      try leastSquaresByQR(a, [1, 2, 3])
    }
    #expect(throws: LAPACKError.invalidArgument(routine: "dsyev", index: 5)) {
      try SymmetricEigen(Matrix(rows: [[.nan, 0], [0, 1]]))
    }
    #expect(throws: LAPACKError.invalidArgument(routine: "dgesv", index: 4)) {
      try linearSolve(Matrix(rows: [[.nan, 0], [0, 1]]), [1, 1])
    }
  }

  @Test func nanInObservations() {
    let a = Matrix(rows: [[1, 1], [2, 1], [3, 1]])
    #expect(throws: LAPACKError.invalidArgument(routine: "dgelsd", index: 7)) {
      try leastSquaresBySVD(a, [1, .nan, 3])
    }
    #expect(throws: LAPACKError.invalidArgument(routine: "dgels", index: 8)) {
      try leastSquaresByQR(a, [1, .nan, 3])
    }
  }

  @Test func singularSystem() {
    #expect(throws: LAPACKError.singular(routine: "dgesv", index: 2)) {
      try linearSolve(Matrix(rows: [[1, 2], [2, 4]]), [1, 2])
    }
    #expect(throws: LAPACKError.singular(routine: "dgels", index: 2)) {
      try leastSquaresByQR(Matrix(rows: [[1, 0], [1, 0], [1, 0]]), [1, 2, 3])
    }
  }

  @Test func infiniteConditionOfAZeroMatrix() throws {
    let solution = try leastSquaresBySVD(Matrix(rows: [[0, 0], [0, 0]]), [1, 1])
    #expect(solution.rank == 0)
    #expect(solution.condition == .infinity)
    #expect(solution.coefficients == [0, 0])
  }
}
