/// A LAPACK routine that did not deliver, after its `info` value.
public enum LAPACKError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Argument number `index` (from 1) was refused; LAPACKE reports a NaN in a matrix this way.
  case invalidArgument(routine: String, index: Int)
  /// An exact zero on the diagonal of a factor: no unique solution.
  case singular(routine: String, index: Int)
  /// The iteration for eigenvalues or singular values did not converge.
  case notConverged(routine: String)
  /// LAPACKE could not allocate its work array.
  case outOfMemory(routine: String)

  public var description: String {
    switch self {
    case .invalidArgument(let routine, let index):
      "\(routine): argument \(index) is invalid (a NaN in a matrix is reported this way)"
    case .singular(let routine, let index): "\(routine): singular at diagonal element \(index)"
    case .notConverged(let routine): "\(routine): no convergence"
    case .outOfMemory(let routine): "\(routine): out of memory"
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
  case -1011, -1010: throw .outOfMemory(routine: routine)  // LAPACK_TRANSPOSE_/WORK_MEMORY_ERROR
  case ..<0: throw .invalidArgument(routine: routine, index: -info)
  default:
    switch positive {
    case .singular: throw .singular(routine: routine, index: info)
    case .notConverged: throw .notConverged(routine: routine)
    }
  }
}
