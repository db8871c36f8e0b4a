import DepthCore
package import DepthEvaluation
package import DepthFusion
package import DepthVerdicts
import FathomTestSupport

/// Small runs whose LiDAR is wrong by a per cent or more, so that methods differ.
package enum StoredRunSample {
  /// - Parameter options: What the fitted methods do.
  package static func run(
    scenes: Int = 2, frames: Int = 2, options: FusionOptions = FusionOptions(),
    rules: EvaluationProtocol = .fathom, methods: String = "lidar-bilinear,spec,ols,huber,oracle"
  ) throws -> EvaluationRun {
    let plan = EvaluationPlan(
      methods: try MethodCatalogue.parse(methods), options: options, rules: rules, seed: .max)
    var contexts: [SceneContext] = []
    var records: [FrameRecord] = []
    for number in 0..<scenes {
      var header = SceneHeader(name: "room-\(number)", frameCount: frames)
      header.lidarSize = RasterSize(width: 32, height: 24)
      header.relativeSize = header.lidarSize
      header.relativeKind = .disparity
      header.hasConfidence = true
      header.truthSize = header.lidarSize
      header.truthIndependence = .render
      let scene = SceneContext(header: header, name: header.name)
      for index in 0..<frames {
        var frame = LineScene.frame(kind: .disparity, scale: 0.5, shift: 0.1)
        frame.index = index
        for i in frame.lidar.values.indices {
          frame.lidar.values[i] *= 1 + Float((i + index) % 2 * 2 - 1) * Float(number + 1) / 100
        }
        records += plan.evaluate(frame, of: scene)
      }
      contexts.append(scene)
    }
    return EvaluationRun(
      plan: plan, scenes: contexts, records: records, baseline: "lidar-bilinear",
      unreadable: [UnreadableFile(name: "broken", reason: "it says \"no\",\nand nothing else")])
  }
}
