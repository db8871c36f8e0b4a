public import DepthEvaluation
import DepthFusion
public import FathomStatistics

/// One method compared with another on the frames that both have, in one column, with the scene as the unit.
public struct PairedComparison: Sendable {
  /// What stands in where a method refused a frame.
  public enum Form: String, Sendable, CaseIterable {
    /// Nothing: only frames that both solved.
    case solvedFrames = "solved"
    /// The raw LiDAR: what an app shows when its fusion fails. Both sides fall back.
    case fallback
  }

  public let method: String, reference: String
  /// Column id.
  public let column: MetricColumn
  public let form: Form
  /// Mean over scenes of the method's scene means; where pixels are pooled, their mean.
  public let value: Double
  /// The same of the reference, on the same frames.
  public let referenceValue: Double
  public let scenes: Int, frames: Int
  /// Of the difference, over scenes; nil for fewer than ``ConfidenceInterval/fewestScenes`` scenes.
  public let interval: ConfidenceInterval?
  /// Wilcoxon's test of the scenes' differences; nil for one scene.
  public let test: SignedRank?
  /// Of the difference, over scenes; nil for one scene.
  public let standardError: Double?
  /// What the scenes say, one by one.
  public let sceneDifferences: [SceneDifference]
  /// The test's p after Holm's correction over ``familySize`` comparisons.
  public internal(set) var adjustedP: Double?
  /// Comparisons that were corrected for together; 0 where none were.
  public internal(set) var familySize = 0

  /// Level that "significant" refers to.
  public static let level = 0.05
  /// method − reference; negative is a gain where lower is better.
  public var difference: Double { value - referenceValue }
  /// Share by which the method's error is lower; negative where it is higher.
  public var relativeGain: Double? { referenceValue > 0 ? -difference / referenceValue : nil }
  /// The smallest adjusted p that so many scenes and comparisons can give: min(1, m·2^(1−k)).
  public var smallestAttainableP: Double? {
    test.map { min(1, Double(max(1, familySize)) * $0.smallestAttainable) }
  }
  /// Whether the adjusted p is below 0.05; nil where there is none.
  public var isSignificant: Bool? { adjustedP.map { $0 < Self.level } }

  /// - Returns: nil where no frame has both.
  init?(
    _ method: String, against reference: String, column: MetricColumn, form: Form, in panel: ScenePanel,
    _ bootstrap: inout SceneBootstrap
  ) {
    let values = panel.values(of: method, and: reference, column: column.position, form: form)
    guard !values.scenes.isEmpty, let value = values.value(0), let referenceValue = values.value(1)
    else { return nil }
    (self.method, self.reference, self.column, self.form) = (method, reference, column, form)
    (self.value, self.referenceValue) = (value, referenceValue)
    (scenes, frames) = (values.scenes.count, values.frames)
    interval = bootstrap.interval(of: values)
    let differences = values.differences
    standardError = values.standardError
    let (own, reference) = (values.perScene(0), values.perScene(1))
    let contributions = values.contributions
    sceneDifferences = values.scenes.indices.map { index in
      SceneDifference(
        scene: values.scenes[index], value: own[index], referenceValue: reference[index],
        contribution: contributions[index])
    }
    test = scenes >= 2 && differences.allSatisfy(\.isFinite) ? SignedRank(differences) : nil
  }

  /// A scene's mean of both sides, on the frames that both have.
  public struct SceneDifference: Sendable, Hashable {
    public let scene: String, value: Double, referenceValue: Double
    /// What the scene adds to the comparison's difference, times the number of scenes: ``difference`` where scenes count alike.
    public let contribution: Double
    /// method − reference.
    public var difference: Double { value - referenceValue }
  }

  /// A comparison of rows that belong to no run: a scene counts once, the raw LiDAR stands in where the form asks for it.
  /// - Parameter seed: Of the resamples.
  /// - Returns: nil where no frame has both.
  public init?(
    _ method: String, against reference: String, column: MetricColumn, form: Form, in records: [FrameRecord],
    seed: UInt64
  ) {
    let panel = ScenePanel(records, mode: .scene, fallback: MethodSelection.lidarBilinear.id)
    var bootstrap = SceneBootstrap(seed: seed)
    self.init(method, against: reference, column: column, form: form, in: panel, &bootstrap)
  }
}

extension [PairedComparison?] {
  /// Corrects all of them together.
  mutating func adjust() {
    let pValues = map { $0?.test?.pValue }
    let adjusted = HolmAdjustment.adjusted(pValues)
    let size = pValues.count { $0 != nil }
    for index in indices {
      self[index]?.adjustedP = adjusted[index]
      self[index]?.familySize = size
    }
  }
}
