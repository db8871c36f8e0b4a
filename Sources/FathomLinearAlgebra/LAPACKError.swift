/// A LAPACK routine that did not deliver, after its `info` value.
public enum LAPACKError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Argument number `index` (from 1) was refused; LAPACKE reports a NaN in a matrix this way.
  case invalidArgument(routine: String, index: Int)
  /// An exact zero on the diagonal of a factor: no unique solution.
  case singular(routine: String, index: Int)
  /// The iteration for eigenvalues or singular values did not converge.
  case notConverged(routine: String)

  public var description: String {
    switch self {
    case .invalidArgument(let routine, let index):
      "\(routine): argument \(index) is invalid (a NaN in a matrix is reported this way)"
    case .singular(let routine, let index): "\(routine): singular at diagonal element \(index)"
    case .notConverged(let routine): "\(routine): no convergence"
    }
  }
}

/// What a positive `info` means differs by routine.
enum PositiveInfo { case singular, notConverged }

/// The one place that reads `info`.
func lapack(
  _ routine: String, positive: PositiveInfo, _ body: () -> Int32
) throws(LAPACKError) {
  let info = Int(body())
  switch info {
  case 0: return
  case ..<0: throw .invalidArgument(routine: routine, index: -info)
  default:
    switch positive {
    case .singular: throw .singular(routine: routine, index: info)
    case .notConverged: throw .notConverged(routine: routine)
    }
  }
}

/// What LAPACKE's own drivers look at first; they are passed by, because they allocate, and print where that fails.
func requireNumbers(
  _ a: [Double], _ aIndex: Int, _ b: [Double], _ bIndex: Int, of routine: String
) throws(LAPACKError) {
  if a.contains(where: \.isNaN) { throw .invalidArgument(routine: routine, index: aIndex) }
  if b.contains(where: \.isNaN) { throw .invalidArgument(routine: routine, index: bIndex) }
}

/// Asks a routine how much it needs, and calls it again with that.
///
/// - Parameter body: Gets the work array and its length; −1 where the routine is only to say what it needs.
func withWorkspace(_ body: (inout [Double], Int32) throws(LAPACKError) -> Void) throws(LAPACKError) {
  var work = [0.0]
  try body(&work, -1)
  let size = max(1, Int(work[0]))
  work = [Double](repeating: 0, count: size)
  try body(&work, Int32(size))
}
