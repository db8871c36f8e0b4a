import DepthCore
import DepthEvaluation
import DepthFusion
import FathomPlainText
import FathomTestSupport
import Testing

@testable import FathomRuns

@Suite("A plan fits the scenes")
struct AdaptedPlanTests {
  private let maps = SceneContext(
    header: MapScene.header(
      "a", [MapScene.Network("mynet", factor: 1), MapScene.Network("half", factor: 1)]), name: "a")

  private func room() -> SceneContext {
    var header = maps.header
    header.lidarSize = RasterSize(width: 4, height: 3)
    return SceneContext(header: header, name: "room")
  }

  private func plan(_ methods: String) throws -> EvaluationPlan {
    EvaluationPlan(methods: try MethodCatalogue.parse(methods))
  }

  private func names(_ plan: EvaluationPlan) -> [String] { plan.methods.map(\.description) }

  @Test("with a LiDAR in some scene the baseline, the raw LiDAR and the specified fit are added")
  func lidar() throws {
    for scenes in [[room()], [maps, room()], []] {
      var plan = try plan("ols,stored:half")
      #expect(try plan.adapt(to: scenes, baseline: nil) == .lidarBilinear)
      #expect(names(plan) == ["lidar-bilinear", "spec", "ols", "stored:half"])
      var other = try self.plan("ols")
      #expect(try other.adapt(to: scenes, baseline: .smoothed) == .smoothed)
      #expect(names(other) == ["smoothed", "lidar-bilinear", "spec", "ols"])
    }
  }

  @Test(
    "without one the first prediction is the baseline, in the order of the data, and all that needs a LiDAR goes"
  )
  func withoutLidar() throws {
    var plan = try plan("default")
    #expect(try plan.adapt(to: [maps], baseline: nil).description == "stored:mynet")
    #expect(names(plan) == ["stored:mynet", "stored"])
    let half = try #require(try MethodCatalogue.parse("stored:half").first)
    var chosen = try self.plan("default")
    #expect(try chosen.adapt(to: [maps], baseline: half) == half)
    #expect(names(chosen) == ["stored:half", "stored"])
  }

  @Test("a bound for fits stays where there is a relative map")
  func oracle() throws {
    var header = maps.header
    header.relativeSize = header.truthSize
    var plan = try plan("default")
    _ = try plan.adapt(to: [SceneContext(header: header, name: "a")], baseline: nil)
    #expect(names(plan) == ["stored:mynet", "oracle", "stored"])
  }

  @Test("what somebody named and cannot be is said, by its option")
  func named() throws {
    func problem(_ plan: EvaluationPlan, baseline: MethodSelection? = nil) -> OptionProblem? {
      var plan = plan
      do throws(OptionProblem) {
        _ = try plan.adapt(to: [maps], baseline: baseline)
        return nil
      } catch {
        return error
      }
    }
    let methods = try #require(problem(try plan("default,tukey")))
    #expect(methods.option == "methods" && methods.description.contains("'tukey' needs a LiDAR"))
    #expect(problem(try plan("default"), baseline: .smoothed)?.option == "baseline")
    var asking = try plan("default")
    asking.contrast = Contrast(.auto, against: .lidarBilinear)
    #expect(problem(asking)?.option == "contrast")
    var bare = maps
    bare.header.predictions = []
    var empty = try plan("default")
    #expect(throws: OptionProblem.self) { try empty.adapt(to: [bare], baseline: nil) }
  }
}
