import DepthCore
import DepthFusion
import Foundation
import FathomTestSupport
import Testing

@testable import DepthEvaluation

@Suite("Any number of threads")
struct ThreadCountTests {
  @Test(
    "every estimator in every form and every local method gives the same rows, with and without weights",
    arguments: [UInt64(1), 2], [PairWeights.none, .confidence])
  func jobs(seed: UInt64, weights: PairWeights) async throws {
    let fitted = Estimator.all.flatMap { estimator in Space.allCases.map { "\(estimator.id)@\($0.rawValue)" }
    }
    let methods = try MethodCatalogue.parse(
      (fitted + ["lwlr", "knn-affine", "guided", "residual"]).joined(separator: ","))
    var options = FusionOptions()
    (options.maxTrials, options.weights) = (60, weights)
    let plan = EvaluationPlan(methods: methods, options: options, seed: seed)
    let frames = frames(seed)
    var tables: [[String]] = []
    for jobs in [1, 3] {
      var header = SceneHeader(name: "s", frameCount: frames.count)
      header.relativeKind = .depth
      var context = SceneContext(header: header, name: "s")
      let rows = await plan.evaluate(&context, frames: 0..<frames.count, jobs: jobs) {
        (index) throws(Never) in frames[index]
      }
      tables.append(rows.map { "\($0.frame) \($0.method) \($0.fusion.line as Any) \($0.values)" })
    }
    #expect(tables[0].count == frames.count * methods.count)
    #expect(tables[0] == tables[1])
  }

  /// Small ones, a seventh of whose returns are wrong and a third of low confidence.
  private func frames(_ seed: UInt64) -> [DepthFrame] {
    var generator = SplitMix64(seed: seed)
    return (0..<4).map { index in
      var frame = LineScene.frame(
        kind: .depth, scale: 1 + Double(index) / 10, shift: 0.05, width: 12, height: 8)
      frame.index = index
      for i in 0..<96 {
        frame.lidar.values[i] *= Float.random(in: 0.98...1.02, using: &generator)
        if i % 7 == index { frame.lidar.values[i] *= 1.4 }
        if i % 3 == 0 { frame.confidence?.values[i] = 1 }
      }
      return frame
    }
  }
}
