import DepthEvaluation
import FathomStatistics

/// How honest the standard deviations of one method are, added up frame by frame and scene by scene.
struct DeviationSums: Sendable {
  let method: String, mode: AggregationMode
  /// One per `DeviationScore`.
  private(set) var scores = DeviationScore.allCases.map { _ in SceneSums() }
  private(set) var isOfConfidence = false
  private(set) var scenes: [Scene] = []  // What is known of each scene, in order.
  private var shares: Means  // Shares of the pixels: by the probability integral transform, then by |z|.
  private var groups: Means
  private var current: Scene?

  struct Scene: Sendable {
    let name: String
    var frames = 0, pixels = 0
    var shares: Means, groups: Means
    /// Of its frames, with their weights, then one of the scene.
    var curves: [(curve: RetentionCurve, weight: Double)] = []
  }

  init(_ method: String, _ mode: AggregationMode) {
    (self.method, self.mode) = (method, mode)
    (shares, groups) = (Means(), Means())
  }

  mutating func add(_ scores: DeviationScores, of scene: String) {
    var own = current.take() ?? Scene(name: scene, shares: Means(), groups: Means())
    own.frames += 1
    own.pixels += scores.pixels
    isOfConfidence = scores.isOfConfidence
    let weight = mode == .pooled ? Double(scores.pixels) : 1
    for (index, value) in scores.values.enumerated() {
      guard let value else { continue }
      // The share without a usable σ is one of all predicted pixels.
      let isOfAll = index == DeviationScore.unusable.position && mode == .pooled
      let weight = weight + (isOfAll ? Double(scores.unusable) : 0)
      self.scores[index].add(WeightedSum(sum: value * weight, weight: weight), of: scene)
    }
    if let curve = scores.retention { own.curves.append((curve, weight)) }
    if scores.pixels > 0, !scores.isOfConfidence {
      own.shares.add((scores.transform + scores.counts).map { Double($0) / Double(scores.pixels) }, weight)
    }
    if !scores.groups.isEmpty { own.groups.add(scores.groups, weight) }
    current = own
  }

  /// Takes the scene that is under way into the means.
  mutating func endScene() {
    guard var scene = current.take() else { return }
    let weight = mode == .scene ? 1 : scene.curves.reduce(0) { $0 + $1.weight }
    scene.curves = RetentionCurve(meanOf: scene.curves).map { [($0, weight)] } ?? []
    scenes.append(scene)
    shares.add(scene.shares, isOne: mode == .scene)
    groups.add(scene.groups, isOne: mode == .scene)
  }

  var whole: (shares: [Double], groups: [Double]) { (shares.values, groups.values) }  // Over all scenes.

  /// Means of lists of numbers.
  struct Means: Sendable {
    private var sums: [Double] = [], weight = 0.0
    var values: [Double] { sums.map { $0 / weight } }  // Empty where nothing was added.

    mutating func add(_ values: [Double], _ weight: Double) {
      if sums.isEmpty { sums = values.map { _ in 0 } }
      for (index, value) in values.enumerated() { sums[index] += value * weight }
      self.weight += weight
    }

    /// - Parameter isOne: Whether the other means count once, whatever they are made of.
    mutating func add(_ other: Means, isOne: Bool) {
      guard other.weight > 0 else { return }
      add(other.values, isOne ? 1 : other.weight)
    }
  }
}
