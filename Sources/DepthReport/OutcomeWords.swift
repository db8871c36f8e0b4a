import DepthEvaluation
import DepthFusion
import DepthVerdicts
import FathomStatistics

/// How tables and sentences name what CSV files name by an id.
extension FusionStatus {
  /// Where there are networks' maps alone, none of them is to be fused.
  func words(_ basis: ComparisonBasis) -> String {
    guard !basis.hasLidar else { return words }
    return self == .noRelative ? "no map" : self == .degenerate ? "no usable depth" : words
  }

  var words: String {
    switch self {
    case .noLidar: "no LiDAR"
    case .noRelative: "no relative map"
    case .tooFewPairs: "too few pairs"
    case .degenerate: "no clear slope"
    case .rejectedScale: "slope out of bounds"
    case .noTruth: "no truth"
    case .impossible: "impossible result"
    case .ok: "has depth"
    }
  }
}

extension ObjectRecord.Status {
  var words: String {
    switch self {
    case .ok: "has a box"
    case .lowScore: "detection not sure enough"
    case .noMap: "no depth map"
    case .noDepth: "no depth in its image box"
    case .badImageBox: "image box not finite"
    case .tooFewPoints: "too few points"
    case .notFinite: "coordinate not finite"
    case .numerical: "no numerical solution"
    }
  }
}

/// Which frames a comparison takes.
package enum FrameWords {
  package static let all = "all"
  package static let both = "both have depth"  // Frames in which both sides have depth of their own.
  package static let standIn = "all, raw LiDAR where refused"  // All frames, some of them refused.
  package static let head = "which frames"  // The head of the column that says so.
}

extension PairedComparison {
  /// What the interval of an error's difference says: better where all of it lies below zero, worse above; empty without interval.
  var outcomeWords: String {
    interval.map { $0.excludesZero ? (difference < 0 ? "better" : "worse") : "unclear" } ?? ""
  }
}
