public import DepthCore
public import DepthEvaluation
public import DepthFusion

/// Fuses frames with and without a calibration that has not seen their scene.
public struct GainTrial: Sendable {
  /// Methods that are tried, in the order of tables.
  public static let methods = tried.map(\.id)
  private static let tried: [MethodSelection] = [.ols, .wls, .auto]
  /// Frames of a scene, at most; evenly spread.
  public static let mostFrames = 12
  /// What is added to the name of a method that was calibrated.
  static let suffix = "+calibration"
  private let plain: EvaluationPlan

  /// - Parameter rules: Which truth counts.
  /// - Parameter seed: Of the estimators and the resamples.
  public init(rules: EvaluationProtocol, seed: UInt64) {
    plain = EvaluationPlan(methods: [.lidarBilinear] + Self.tried, rules: rules, seed: seed)
  }

  /// Which frames of a scene are fused.
  public static func frames(of count: Int) -> [Int] {
    count <= mostFrames ? Array(0..<count) : (0..<mostFrames).map { (2 * $0 + 1) * count / (2 * mostFrames) }
  }

  /// Frames before each one that the methods look at.
  public var historyLength: Int { plain.historyLength }

  /// Both ways; a pure function of its arguments.
  /// - Parameter before: The frames before, newest first; see ``historyLength``.
  public func records(
    of frame: DepthFrame, after before: [DepthFrame] = [], in scene: SceneContext,
    under calibration: Calibration
  ) -> [FrameRecord] {
    var calibrated = plain
    calibrated.methods.removeFirst()
    calibrated.options.apply(calibration)
    func family(_ record: FrameRecord, _ suffix: String) -> FrameRecord {
      var record = record
      record.method = MethodCatalogue.familyName(ofID: record.method) + suffix
      return record
    }
    return plain.evaluate(frame, of: scene, history: before).map { family($0, "") }
      + calibrated.evaluate(frame, of: scene, history: before).map { family($0, Self.suffix) }
  }
}
