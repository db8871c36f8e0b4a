import DepthCore
import DepthDataset
import DepthSynthesis
import Testing

@testable import DepthObjects

@Suite("Placement in simulated rooms")
struct SimulatedPlacementTests {
  @Test("by depth and by hit test: a standing object's place is off by about half its depth")
  func rooms() throws {
    var options = SynthesisPreset.sample.options
    (options.sceneCount, options.framesPerScene) = (3, 1)
    options.truthSize = RasterSize(width: 4, height: 3)
    options.relativeSize = RasterSize(width: 40, height: 30)
    options.colourSize = RasterSize(width: 4, height: 3)
    var errors: [String: [Double]] = [:]
    for index in 0..<options.sceneCount {
      let scene = SyntheticScene(options: options, index: index)
      let (frame, found) = (scene.frame(0), scene.objects())
      let camera = try #require(PosedCamera(of: frame, in: scene.header))
      let planes = HorizontalPlaneFinder().planes(
        in: frame.lidar, confidence: frame.confidence, camera: camera)
      for object in found.objects {
        guard let truth = object.truth,
          let points = try? ObjectPoints(
            of: object, in: frame, camera: camera, conventions: found.conventions)
        else { continue }
        for outcome in PlacementOutcome.all(of: points, box: truth, truth: truth, planes: planes) {
          if let error = outcome.error { errors[outcome.method.id, default: []].append(error.total) }
        }
      }
    }
    func median(_ method: String) -> Double {
      let sorted = (errors[method] ?? []).sorted()
      return sorted.isEmpty ? .infinity : sorted[sorted.count / 2]
    }
    for (method, values) in errors.sorted(by: { $0.key < $1.key }) {
      print("placement error, \(method): median \(median(method)) cm over \(values.count) objects")
    }
    #expect(median("box") == 0)
    // A true place lies under the middle of the object: at its picture's lower edge the two differ by half its depth.
    #expect(median("hit-test@bottom-centre") < 60 && median("depth@bottom-centre") < 60)
    #expect(median("hit-test@bottom-centre") < median("hit-test@centre"))
    #expect(median("depth@bottom-centre") < median("depth@centre"))
  }
}
