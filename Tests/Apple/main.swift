// Every routine of FathomLinearAlgebra on a few problems: what was computed, bit by bit, or the error.

/// Not random, and of no structure: (k² + 3 k) modulo a prime, in −1...1.
func number(_ k: Int) -> Double { Double((k * k + 3 * k) % 101) / 50 - 1 }

func matrix(_ rows: Int, _ columns: Int, _ change: (inout Matrix) -> Void = { _ in }) -> Matrix {
  var made = Matrix(rows: rows, columns: columns, columnMajor: (0..<rows * columns).map { number($0 + rows) })
  change(&made)
  return made
}

func vector(_ count: Int) -> [Double] { (0..<count).map { number(7 * $0 + 5) } }

func bits(_ values: [Double]) -> String {
  values.map { String($0.bitPattern, radix: 16) }.joined(separator: " ")
}

func say(_ name: String, _ body: () throws(LAPACKError) -> String) {
  do throws(LAPACKError) { print(name, try body()) } catch { print(name, error) }
}

print(LinearAlgebraLibrary.description)
print("ilaver", LinearAlgebraLibrary.version)
for n in [1, 2, 5, 40] {
  say("dgesv \(n)") { () throws(LAPACKError) in bits(try linearSolve(matrix(n, n), vector(n))) }
  say("dsyev \(n)") { () throws(LAPACKError) in
    let eigen = try SymmetricEigen(matrix(n, n))
    return bits(eigen.values + eigen.vectors.storage)
  }
}
for (m, n) in [(1, 1), (3, 2), (40, 3), (2000, 4), (3, 5)] {
  say("dgelsd \(m) \(n)") { () throws(LAPACKError) in
    let solution = try leastSquaresBySVD(matrix(m, n), vector(m))
    return "\(solution.rank) \(bits(solution.coefficients + solution.singularValues))"
  }
  guard m >= n else { continue }
  say("dgeqrf, dormqr, dtrtrs \(m) \(n)") { () throws(LAPACKError) in
    bits(try leastSquaresByQR(matrix(m, n), vector(m)))
  }
  say("dgels \(m) \(n)") { () throws(LAPACKError) in
    bits(try leastSquaresByQR(matrix(m, n) { $0[0, 0] = 1e300 }, vector(m)))
  }
}
say("dgesv, singular") { () throws(LAPACKError) in
  bits(try linearSolve(Matrix(rows: [[1, 2], [2, 4]]), [1, 2]))
}
say("dtrtrs, singular") { () throws(LAPACKError) in
  bits(try leastSquaresByQR(Matrix(rows: [[1, 0], [2, 0], [3, 0]]), [1, 2, 3]))
}
for place in 0..<2 {
  let broken = matrix(3, 3) { if place == 0 { $0[1, 2] = .nan } }
  let values = place == 0 ? vector(3) : [1, .nan, 2]
  say("dgesv, not a number") { () throws(LAPACKError) in bits(try linearSolve(broken, values)) }
  say("dgelsd, not a number") { () throws(LAPACKError) in
    bits(try leastSquaresBySVD(broken, values).coefficients)
  }
  say("dgels, not a number") { () throws(LAPACKError) in bits(try leastSquaresByQR(broken, values)) }
  say("dsyev, not a number") { () throws(LAPACKError) in bits(try SymmetricEigen(broken).values) }
}
var (solution, pivots, right) = ([1.0], [Int32(0)], [1.0])
print("dgesv, refused", LAPACKRoutine.dgesv(-1, &solution, &pivots, &right))
