import DepthCore
import DepthEvaluation

/// How much of its frames the truth of a run covers.
public struct TruthShare: Codable, Sendable, Equatable {
  /// Share of a frame's pixels whose truth counts: mean over frames, then scenes.
  public let mean: Double
  /// Of the frame that has least.
  public let least: Double
  /// Whether so much is missing that it is worth a word.
  public var isPartial: Bool { mean < 0.9 }
  /// Whether so few pixels have truth that they say little of a frame.
  public var isThin: Bool { mean < 0.1 }

  /// - Parameter scenes: Shares of the frames of each scene.
  init?(_ scenes: [TruthOfScene], sizes: [String: Int]) {
    let shares = scenes.compactMap { scene in scene.shares(of: sizes[scene.name] ?? 0) }
    guard let least = shares.map(\.least).min() else { return nil }
    self.least = least
    mean = shares.reduce(0) { $0 + $1.mean } / Double(shares.count)
  }
}

extension EvaluationRun {
  /// Pixels of a map of the truth, by scene.
  package var truthSizes: [String: Int] {
    Dictionary(
      scenes.map { ($0.name, $0.header.truthSize?.count ?? 0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// Truth pixels of the frames of a scene.
public struct TruthOfScene: Sendable {
  let name: String
  private var sum = 0, count = 0, fewest = Int.max

  init(_ name: String) { self.name = name }

  mutating func add(_ pixels: Int) {
    (sum, count, fewest) = (sum + pixels, count + 1, min(fewest, pixels))
  }

  fileprivate func shares(of size: Int) -> (mean: Double, least: Double)? {
    guard size > 0, count > 0 else { return nil }
    return (min(1, Double(sum) / Double(size * count)), min(1, Double(fewest) / Double(size)))
  }

  /// Frames with less truth pixels are thin: less than half of the median of their scene. An error of so few pixels is not called the
  /// worst.
  public static func fewest(_ counts: [Int]) -> Double {
    (OrderStatistics.quantile(0.5, of: counts.map(Double.init)) ?? 0) / 2
  }
}
