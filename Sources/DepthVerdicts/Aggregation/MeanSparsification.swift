import DepthEvaluation

/// A method's sparsification curves, averaged over frames and scenes: what `sparsification.csv` shows.
public struct MeanSparsification: Sendable {
  public let method: String, space: String?
  /// Scenes and frames that have curves.
  public let scenes: Int, frames: Int
  /// Mean error when 0, 1, … 99 % of the least confident pixels are removed.
  public let byConfidence: [Double]
  /// The same when the largest errors are removed.
  public let byError: [Double]
  /// The same when pixels are removed at random: the error of all.
  public var random: Double { byConfidence[0] }
  /// Share of the pixels that are removed at a step.
  public static func removedShare(_ step: Int) -> Double { Double(step) / Double(Sparsification.steps) }
}
