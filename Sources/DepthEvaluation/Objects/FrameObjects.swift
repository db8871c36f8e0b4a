import DepthCore
import DepthFusion

/// What was found of the objects of one or more frames.
public struct FrameObjects: Sendable {
  /// Rows of `objects.csv`.
  public var records: [ObjectRecord] = []
  /// Detections against true boxes, frame by frame.
  public var detections: [DetectionRecord] = []
  /// Scene by frame: those with detections that no camera was known for.
  public var unposed: [String] = []
  public init() {}

  /// Adds what was found in later frames.
  public mutating func append(_ later: FrameObjects) {
    records += later.records
    detections += later.detections
    unposed += later.unposed
  }
}

extension EvaluationPlan {
  /// Looks at the objects of one frame; nothing without a plan for them.
  func objects(
    in frame: DepthFrame, of scene: SceneContext, _ detections: FrameDetections?, rows: [FrameRecord]
  ) -> FrameObjects {
    var found = FrameObjects()
    guard let objects, let detections, !detections.isEmpty else { return found }
    guard
      let evaluator = ObjectEvaluator(objects, seed: seed, scene: scene, frame: frame, detections: detections)
    else {
      found.unposed = [scene.name]
      return found
    }
    found.records = evaluator.records(rows: rows, depths: depthIDs(in: scene))
    found.detections = [evaluator.detectionRecord]
    return found
  }

  /// The depth maps of a scene's objects, by the ids of its rows.
  func depthIDs(in scene: SceneContext) -> [String] {
    let stored = scene.header.predictions.map(\.name)
    return objectDepths.flatMap { word -> [String] in
      guard word != ObjectPlan.lidar, word != ObjectPlan.truth else { return [word] }
      let selections = (try? MethodCatalogue.parse(word)) ?? []
      return selections.flatMap { $0.resolved(stored: stored) }.map { $0.method(for: scene.relativeKind).id }
    }.firstAppearances
  }

  /// Depth maps of objects as they were asked for; else the LiDAR, `spec` and `auto` where they run, and the truth.
  public var objectDepths: [String] {
    objects?.depths
      ?? ObjectPlan.standardDepths.filter { word in
        word == ObjectPlan.lidar || word == ObjectPlan.truth || methods.contains { $0.family == word }
      }
  }

  /// The first depth source that is not a method of the run; nil where all are.
  public var unknownObjectDepth: String? {
    objects?.depths?.first { word in
      guard word != ObjectPlan.lidar, word != ObjectPlan.truth else { return false }
      guard let selections = try? MethodCatalogue.parse(word) else { return true }
      // "stored" is whatever a scene holds, also nothing.
      return !selections.allSatisfy { methods.contains($0) || $0 == .everyStored }
    }
  }
}
