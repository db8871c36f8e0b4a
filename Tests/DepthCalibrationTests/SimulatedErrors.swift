import DepthCore
import DepthEvaluation
import DepthFusion
import Foundation

@testable import DepthCalibration
import FathomStatistics

/// Errors drawn from a known law.
struct SimulatedErrors {
  var law = RangeLaw(a: 0.01, b: 0.012)
  /// Metres, and per metre.
  var bias = 0.003, biasSlope = -0.002
  var outlierShare = 0.0
  /// Standard deviation of a bias that all pixels of a scene share, metres.
  var sceneBias = 0.0

  /// Scenes of `count` pixels each at 0.5–5 m.
  func scenes(_ number: Int, of count: Int, seed: UInt64) -> [[ErrorSample]] {
    var generator = SplitMix64(seed: seed)
    func unit() -> Double { Double(generator.next() >> 11) * 0x1p-53 }
    func normal() -> Double { NormalDistribution.quantile(max(1e-300, unit())) }
    return (0..<number).map { _ in
      let shared = sceneBias * normal()
      return (0..<count).map { _ in
        let depth = 0.5 + 4.5 * unit()
        if unit() < outlierShare { return ErrorSample(depth: depth, error: (2 * unit() - 1) * depth) }
        let deviation = law.variance(at: depth).squareRoot()
        return ErrorSample(
          depth: depth, error: bias + biasSlope * depth + shared + deviation * normal())
      }
    }
  }
}

/// A scene that holds frames with these LiDAR, confidence and truth values.
func sceneErrors(
  _ frames: [DepthFrame], name: String = "scene", plan: CalibrationPlan = CalibrationPlan(),
  hasConfidence: Bool = true
) -> SceneErrors {
  var header = SceneHeader(name: name, frameCount: frames.count)
  header.hasConfidence = hasConfidence
  header.truthIndependence = .render
  var scene = SceneErrors(SceneContext(header: header, name: name), plan: plan)
  for frame in frames { if let errors = scene.errors(of: frame) { scene.add(errors) } }
  return scene
}

/// A frame of one row; error by pixel, metres; a level of nil has no return.
func rowFrame(_ index: Int, truth: [Float], errors: [Float], levels: [UInt8]?) -> DepthFrame {
  let width = truth.count
  return DepthFrame(
    index: index, lidar: DepthMap(width: width, height: 1, values: zip(truth, errors).map { $0 + $1 }),
    confidence: levels.map { Raster(width: width, height: 1, values: $0) },
    truth: DepthMap(width: width, height: 1, values: truth))
}
