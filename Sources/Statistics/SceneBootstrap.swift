/// Intervals over scenes; resamples and equal questions are computed once.
public struct SceneBootstrap: Sendable {
  private let seed: UInt64
  private var resamples: [[String]: SceneResamples] = [:]
  private var known: [SceneValues: ConfidenceInterval?] = [:]

  /// - Parameter seed: Of the resamples; the names of the scenes are hashed in.
  public init(seed: UInt64) { self.seed = seed }

  /// The interval of a mean over scenes.
  ///
  /// - Parameters:
  ///   - values: One per scene.
  ///   - scenes: Their names.
  ///   - weights: How much each counts; nil for once.
  /// - Returns: nil for fewer than two scenes, where nothing can be resampled.
  /// - Precondition: equal lengths.
  public mutating func interval(
    ofMean values: [Double], scenes: [String], weights: [Double]? = nil
  ) -> ConfidenceInterval? {
    precondition(values.count == scenes.count, "one value per scene")
    let weights = weights ?? values.map { _ in 1 }
    let side = zip(values, weights).map { WeightedSum(sum: $0 * $1, weight: $1) }
    return interval(of: SceneValues(scenes: scenes, frames: 0, sides: [side], isRoot: false))
  }

  /// The interval of a mean, or of the difference of two.
  ///
  /// - Returns: nil for fewer than two scenes, where nothing can be resampled.
  package mutating func interval(of values: SceneValues) -> ConfidenceInterval? {
    guard values.scenes.count >= 2 else { return nil }
    var key = values
    key.frames = 0
    if values.isPlainMean { key.sides = [values.differences.map { WeightedSum(sum: $0, weight: 1) }] }
    if let result = known[key] { return result }
    let drawn = resamples(of: values.scenes)
    let result = Self.interval(of: key, drawn)
    remembered += key.sides.reduce(0) { $0 + $1.count }
    if remembered > Self.mostRemembered { (known, remembered) = ([:], 0) }
    known[key] = .some(result)
    return result
  }

  /// Sums in the questions that were answered.
  private var remembered = 0
  /// More are forgotten: with many scenes a question is long.
  private static let mostRemembered = 1 << 18

  /// Room for resamples that are kept, bytes: columns and methods often have the same scenes, but bins of many scenes rarely do.
  private static let mostKept = 1 << 25

  private mutating func resamples(of scenes: [String]) -> SceneResamples {
    if let known = resamples[scenes] { return known }
    let drawn = SceneResamples(scenes: scenes, seed: seed)
    if resamples.values.reduce(drawn.size, { $0 + $1.size }) > Self.mostKept { resamples = [:] }
    resamples[scenes] = drawn
    return drawn
  }

  private static func interval(of values: SceneValues, _ drawn: SceneResamples) -> ConfidenceInterval? {
    // Side by side: an array for each resample would take longer than its sums.
    func replicates(_ side: [WeightedSum]) -> [Double] {
      let sums = drawn.sums(of: side.map { $0.sum })
      // As many scenes as there are, whichever they are.
      guard side.contains(where: { $0.weight != 1 }) else {
        let count = Double(side.count)
        return sums.map { WeightedSum(sum: $0, weight: count).value(root: values.isRoot) ?? .nan }
      }
      let weights = drawn.sums(of: side.map { $0.weight })
      return sums.indices.map { index in
        WeightedSum(sum: sums[index], weight: weights[index]).value(root: values.isRoot) ?? .nan
      }
    }
    func difference(_ sides: [[Double]]) -> [Double] {
      sides.count == 2 ? sides[0].indices.map { sides[0][$0] - sides[1][$0] } : sides[0]
    }
    let totals = values.sides.map { LeaveOneOut($0) }
    let whole = difference(totals.map { [$0.whole.value(root: values.isRoot) ?? .nan] })
    return ConfidenceInterval(
      estimate: whole[0], replicates: difference(values.sides.map(replicates)),
      multiplicities: drawn.multiplicities,
      jackknife: difference(
        totals.map { total in
          values.scenes.indices.map { total.without($0).value(root: values.isRoot) ?? .nan }
        }))
  }
}
