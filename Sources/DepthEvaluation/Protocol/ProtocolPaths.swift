public import DepthCore
import DepthFusion

/// The ways from a run's protocol to every named one, one switch at a time: the answer to "why is my number not the paper's?".
public struct ProtocolPaths: Sendable {
  /// A protocol and how it is reached.
  public struct Path: Sendable, Hashable {
    public let preset: EvaluationProtocol
    /// From the run's protocol; one step alone for itself.
    public let steps: [EvaluationProtocol.Step]
  }

  /// One per preset that these scenes allow.
  public let paths: [Path]
  /// Presets that are not defined on these scenes, and why.
  public let refused: [(preset: EvaluationProtocol, reason: String)]
  /// Everything that has to be scored: each set of rules once, whatever the aggregation, which looks at frames.
  let rules: [EvaluationProtocol]

  /// Metrics of published tables that single pixels determine.
  public static let metrics: [Metric] = [
    .coverage, .absRel, .sqRel, .mae, .rmse, .rmseLog, .log10, .silog, .delta1, .delta2, .delta3,
  ]

  /// Where every way begins.
  public let start: EvaluationProtocol

  /// - Parameter start: The run's protocol.
  /// - Parameter scenes: All scenes of the run; one that a preset refuses leaves that preset out.
  public init(from start: EvaluationProtocol = .fathom, _ scenes: [SceneHeader]) {
    var (paths, refused) = ([Path](), [(preset: EvaluationProtocol, reason: String)]())
    // What a run by that protocol would do with the same maps.
    let presets = EvaluationProtocol.presets.map { preset in
      var preset = preset
      if start.alignment.fit == .byKind, preset.alignment == .none { preset.alignment = start.alignment }
      return preset
    }
    let others = presets.filter { $0 != start }
    for preset in [start] + others {
      let objections = scenes.compactMap { scene in preset.objection(to: scene).map { "\(scene.name): \($0)" }
      }
      if let first = objections.first {
        refused.append((preset, first))
      } else {
        paths.append(Path(preset: preset, steps: start.steps(to: preset)))
      }
    }
    self.init(start: start, paths: paths, refused: refused)
  }

  init(start: EvaluationProtocol, paths: [Path], refused: [(preset: EvaluationProtocol, reason: String)]) {
    (self.start, self.paths, self.refused) = (start, paths, refused)
    rules = paths.flatMap { $0.steps.map { $0.rules.ofPixels } }.firstAppearances
  }

  /// Position of a step's rules in ``rules``.
  package func index(of step: EvaluationProtocol.Step) -> Int? { rules.firstIndex(of: step.rules.ofPixels) }
}

extension EvaluationProtocol {
  /// The rules but for how frames become one number.
  var ofPixels: EvaluationProtocol {
    var rules = self
    rules.aggregation = .scene
    return rules
  }
}

/// Scores a frame's predictions under every rule of some paths.
struct PathScorer {
  private var scorers: [FrameScorer]

  /// - Returns: nil where the frame has no truth.
  init?(_ frame: DepthFrame, _ paths: ProtocolPaths, of scene: SceneContext) {
    scorers = paths.rules.compactMap { FrameScorer(frame, $0, of: scene) }
    if scorers.isEmpty { return nil }
  }

  /// One row of ``ProtocolPaths/metrics`` per rule.
  mutating func values(of prediction: Prediction, by method: String) -> [[Double?]] {
    struct Reading: Hashable { let size: RasterSize, isDisparity: Bool }
    var rasters: [Reading: [Double]] = [:]
    return scorers.indices.map { index in
      let size = scorers[index].size
      let reading = Reading(size: size, isDisparity: scorers[index].readsDisparity)
      let raster = rasters[reading] ?? scorers[index].raster(of: prediction)
      rasters[reading] = raster
      return scorers[index].values(
        of: ProtocolPaths.metrics, raster: raster, of: prediction, by: method, at: size)
    }
  }
}
