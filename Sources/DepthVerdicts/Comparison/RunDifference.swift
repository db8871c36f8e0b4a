/// A method of one run and what it is compared with in another.
public struct MethodPair: Sendable, Hashable {
  /// Ids in the two runs: mostly the same.
  public let reference: String, candidate: String

  public init(reference: String, candidate: String) {
    (self.reference, self.candidate) = (reference, candidate)
  }

  /// "auto", or "huber@disparity → auto".
  public var title: String { reference == candidate ? reference : "\(reference) → \(candidate)" }
}

/// A method in two runs, in one column and form.
public struct RunDifference: Sendable {
  /// What stands in where a run refused a frame.
  public enum Form: String, Sendable, CaseIterable {
    /// Nothing: only frames that both runs solved.
    case solved
    /// That run's raw LiDAR, which an app shows when its fusion fails.
    case fallback
    /// A refused frame counts as nothing delivered: coverage 0, not solved.
    case all
  }

  public let pair: MethodPair, column: ComparedColumn, form: Form
  /// Candidate against reference; nil where no frame has both.
  public internal(set) var comparison: PairedComparison?

  /// By how much the candidate is worse, in the column's unit; nil where the column has no better direction.
  public var worsening: Double? { comparison.flatMap { column.worsening($0.difference) } }
}
