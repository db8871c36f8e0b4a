import DepthFusion

/// A method's sparsification curves, averaged over frames and scenes: what `sparsification.csv` shows.
public struct MeanSparsification: Sendable {
  public let method: String
  public let space: String?
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

  /// - Parameters:
  ///   - scenes: One method's rows, scene by scene.
  ///   - mode: Whether scenes or frames count alike.
  /// - Returns: nil for an oracle, whose error no confidence can know, and where no frame has curves.
  init?(_ method: String, _ scenes: [[FrameRecord]], mode: AggregationMode) {
    let curves = scenes.map { $0.filter { !$0.isOracle }.compactMap(\.sparsification) }.filter { !$0.isEmpty }
    guard !curves.isEmpty else { return nil }
    let groups = mode == .images ? [Array(curves.joined())] : curves
    func averaged(_ curve: (Sparsification) -> [Double]) -> [Double] {
      (0..<Sparsification.steps).compactMap { step in
        mean(groups.map { frames in mean(frames.map { curve($0)[step] }) })
      }
    }
    self.method = method
    space = scenes.first?.first?.space?.rawValue
    self.scenes = curves.count
    frames = curves.reduce(0) { $0 + $1.count }
    (byConfidence, byError) = (averaged(\.byConfidence), averaged(\.oracle))
  }
}
