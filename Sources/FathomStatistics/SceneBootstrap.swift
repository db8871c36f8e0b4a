/// Intervals over scenes; resamples and equal questions are computed once.
public struct SceneBootstrap: Sendable {
  private let seed: UInt64
  private var resamples: [[String]: SceneResamples] = [:]
  private var known: [SceneValues: ConfidenceInterval?] = [:]
  /// - Parameter seed: Of the resamples; the names of the scenes are hashed in.
  public init(seed: UInt64) { self.seed = seed }

  /// The interval of a mean over scenes.
  /// - Parameter values: One per scene.
  /// - Parameter weights: How much each counts; nil for once.
  /// - Parameter possible: Values that the mean can have.
  /// - Returns: nil for fewer than ``ConfidenceInterval/fewestScenes`` scenes.
  /// - Precondition: equal lengths.
  public mutating func interval(
    ofMean values: [Double], scenes: [String], weights: [Double]? = nil,
    possible: ClosedRange<Double> = -.infinity ... .infinity
  ) -> ConfidenceInterval? {
    precondition(values.count == scenes.count, "one value per scene")
    let weights = weights ?? values.map { _ in 1 }
    let side = zip(values, weights).map { WeightedSum(sum: $0 * $1, weight: $1) }
    return interval(
      of: SceneValues(scenes: scenes, frames: 0, sides: [side], isRoot: false, possible: possible))
  }

  /// The interval of a mean, or of the difference of two.
  /// - Returns: nil for fewer than ``ConfidenceInterval/fewestScenes`` scenes.
  package mutating func interval(of values: SceneValues) -> ConfidenceInterval? {
    guard values.scenes.count >= ConfidenceInterval.fewestScenes else { return nil }
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

  private var remembered = 0  // Sums in the questions that were answered.
  private static let mostRemembered = 1 << 18  // More are forgotten: with many scenes a question is long.
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
    let means = values.sides.indices.map { values.value($0) ?? .nan }
    return ConfidenceInterval(
      estimate: means.count == 2 ? means[0] - means[1] : means[0], replicates: values.replicates(drawn),
      multiplicities: drawn.multiplicities, jackknife: values.jackknife,
      isRoot: values.isRoot, possible: values.possible)
  }
}
