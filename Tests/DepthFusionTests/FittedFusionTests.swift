import DepthCore
import Foundation
import FathomTestSupport
import Testing

@testable import DepthFusion

private func fuse(
  _ method: some FusionMethod, _ frame: DepthFrame, _ change: (inout FusionContext) -> Void = { _ in }
) -> FusionResult {
  var context = FusionContext()
  change(&context)
  var generator = SplitMix64(seed: 1)
  return method.fuse(frame, in: context, using: &generator)
}

@Suite("Fitted methods")
struct FittedFusionTests {
  // Float32 storage of the maps limits what can be recovered.
  @Test(
    "every estimator with a shift recovers an exact line in every form's own space",
    arguments: Estimator.all.map(\.id).filter { $0 != "median-scale" })
  func recovers(_ id: String) throws {
    let estimator = try #require(Estimator.all.first { $0.id == id })
    let depth = fuse(
      FittedFusion(estimator, in: .depth), LineScene.frame(kind: .depth, scale: 2, shift: 0.25))
    #expect(depth.status == .ok)
    #expect(abs((depth.line?.scale ?? 0) - 2) < 1e-5)
    #expect(abs((depth.line?.shift ?? 0) - 0.25) < 1e-5)
    let frame = LineScene.frame(kind: .disparity, scale: 0.04, shift: 0.2)
    let disparity = fuse(FittedFusion(estimator, in: .disparity), frame)
    #expect(abs((disparity.line?.scale ?? 0) - 0.04) < 1e-6)
    #expect(disparity.design?.rank == 2)
    let map = try #require(disparity.prediction?.depth)
    for (d, g) in zip(map.values, frame.lidar.values) { #expect(abs(d - g) < 1e-4) }
    // ln d = 2 ln r − 0.3
    var power = frame
    power.relative = DepthMap(
      width: 32, height: 24, values: frame.lidar.values.map { Float(exp((log(Double($0)) + 0.3) / 2)) })
    let fitted = fuse(FittedFusion(estimator, in: .log), power)
    #expect(abs((fitted.line?.scale ?? 0) - 2) < 1e-5)
    #expect(abs((fitted.line?.shift ?? 0) + 0.3) < 1e-5)
  }

  @Test("a slope of the wrong sign is solved and flagged")
  func wrongSign() {
    let frame = LineScene.frame(kind: .disparity, scale: 0.5, shift: 0.1)
    let method = FittedFusion(.ols, in: .depth)
    let right = fuse(method, frame) { $0.relativeKind = .disparity }
    #expect(right.status == .ok && right.reason == nil)
    let wrong = fuse(method, frame) { $0.relativeKind = .depth }
    #expect(wrong.status == .ok)
    #expect(wrong.reason?.contains("wrong sign") == true)
  }

  @Test("in disparity, r = 0 is 1/β and a fitted disparity of at most 1/100 is 100 m")
  func infinitelyFar() {
    let relative = DepthMap(width: 4, height: 1, values: [0, -10, 1, .nan])
    let map = FittedFusion.apply(
      Line(scale: 0.5, shift: 0.25), in: .disparity, to: relative, FusionOptions())
    #expect(map.values[0] == 4)
    #expect(map.values[1] == 100)
    #expect(abs(map.values[2] - 1 / 0.75) < 1e-6)
    #expect(map.values[3].isNaN)
  }

  @Test("in log, r ≤ 0 is missing; everything is clamped")
  func logMap() {
    let relative = DepthMap(width: 4, height: 1, values: [0, -1, 1e6, 1e-6])
    let map = FittedFusion.apply(Line(scale: 1, shift: 0), in: .log, to: relative, FusionOptions())
    #expect(map.values[0].isNaN && map.values[1].isNaN)
    #expect(map.values[2] == 100 && map.values[3] == 0.01)
  }

  @Test("options change the selection")
  func selection() {
    var frame = LineScene.frame(kind: .depth, scale: 1, shift: 0)
    for i in 0..<100 { frame.confidence?.values[i] = 1 }
    for i in 100..<150 { frame.confidence?.values[i] = 0 }
    let ols = FittedFusion(.ols, in: .depth)
    let wls = FittedFusion(.wls, in: .depth)
    #expect(fuse(ols, frame).pairs == 618)
    #expect(fuse(wls, frame).pairs == 718)
    #expect(fuse(wls, frame) { $0.options.minConfidence = 0 }.pairs == 718)  // weight 0 = absent
    #expect(
      fuse(wls, frame) {
        $0.options.confidenceWeights = [1, 1, 1]; $0.options.minConfidence = 0
      }.pairs == 768)
    #expect(fuse(ols, frame) { $0.options.minConfidence = 1 }.pairs == 718)
    let near = frame.lidar.values.filter { $0 < 2 }.count - frame.lidar.values[..<150].filter { $0 < 2 }.count
    #expect(fuse(ols, frame) { $0.options.maxDepth = 2 }.pairs == near)
    #expect(fuse(ols, frame) { $0.options.minPairs = 619 }.status == .tooFewPairs)
    #expect(fuse(ols, frame) { $0.options.maxScale = 0.5 }.status == .rejectedScale)
    #expect(fuse(ols, frame) { $0.options.minScale = 2 }.status == .rejectedScale)
  }

  @Test("weights decide between two lines, and no confidence map is said")
  func weights() {
    var frame = LineScene.frame(kind: .depth, scale: 1, shift: 0)
    for i in 0..<384 {
      frame.confidence?.values[i] = 1
      frame.lidar.values[i] += 0.3
    }
    let ols = fuse(FittedFusion(.ols, in: .depth), frame) { $0.options.minConfidence = 1 }
    let wls = fuse(FittedFusion(.wls, in: .depth), frame)
    #expect(abs((wls.line?.shift ?? 9)) < abs((ols.line?.shift ?? 0)))
    frame.confidence = nil
    #expect(fuse(FittedFusion(.wls, in: .depth), frame).reason == "no confidence map: all weights 1")
  }

  @Test("content that cannot be fitted is a status, not a crash")
  func badContent() {
    let ols = FittedFusion(.ols, in: .disparity)
    var frame = LineScene.frame(kind: .disparity, scale: 1, shift: 0)
    frame.relative = DepthMap(width: 32, height: 24, filledWith: .nan)
    #expect(fuse(ols, frame).status == .tooFewPairs)
    frame.relative = DepthMap(width: 32, height: 24, filledWith: 0.5)
    let flat = fuse(ols, frame)
    #expect(flat.status == .degenerate)
    #expect(flat.design?.rank == 1 || (flat.design?.spread ?? 1) < 1e-6)
    frame = LineScene.frame(kind: .disparity, scale: 1, shift: 0)
    frame.lidar = DepthMap(width: 32, height: 24, filledWith: .infinity)
    #expect(fuse(ols, frame).status == .tooFewPairs)
    frame.confidence = Raster(width: 32, height: 24, filledWith: 0)
    #expect(fuse(ols, frame).status == .tooFewPairs)
    #expect(fuse(FittedFusion(.ols, in: .depth, isOracle: true), frame).status == .ok)
  }

  @Test("huber and ransac ignore what ols follows")
  func outliers() {
    var frame = LineScene.frame(kind: .disparity, scale: 0.5, shift: 0.1)
    for i in stride(from: 0, to: 768, by: 5) { frame.lidar.values[i] = 0.4 }
    func error(_ estimator: Estimator) -> Double {
      let map = fuse(FittedFusion(estimator, in: .disparity), frame).prediction?.depth.values ?? []
      return zip(map, frame.truth?.values ?? []).reduce(0) { $0 + Double(abs($1.0 - $1.1) / $1.1) } / 768
    }
    #expect(error(.huber) < error(.ols) / 3)
    #expect(error(.ransac) < error(.ols) / 100)
  }
}

@Suite("Which kind, which method")
struct MethodCatalogueTests {
  @Test(arguments: [RelativeKind.disparity, .depth])
  func kindByRankCorrelation(_ kind: RelativeKind) {
    var estimator = RelativeKindEstimator(frameCount: 1)
    estimator.add(LineScene.frame(kind: kind, scale: 0.5, shift: 0.1))
    #expect(estimator.kind == kind)
    #expect(abs(abs(estimator.correlation ?? 0) - 1) < 1e-6)
  }

  @Test func undecidedKind() {
    var frame = LineScene.frame(kind: .depth, scale: 1, shift: 0)
    var generator = SplitMix64(seed: 4)
    frame.relative = DepthMap(
      width: 32, height: 24, values: (0..<768).map { _ in Float.random(in: 1...2, using: &generator) })
    var estimator = RelativeKindEstimator(frameCount: 1)
    estimator.add(frame)
    #expect(estimator.kind == .unknown)
  }

  @Test func names() throws {
    let chosen = try MethodCatalogue.parse("ols@log, spec,huber,ols@log")
    #expect(chosen.map(\.description) == ["ols@log", "spec", "huber"])
    #expect(chosen[2].method(for: .depth).id == "huber@depth")
    #expect(chosen[2].method(for: .unknown).id == "huber@disparity")
    #expect(chosen[0].method(for: .depth).id == "ols@log")
    let standard = try MethodCatalogue.parse("default")
    #expect(standard.map(\.family).contains("ols") && standard.allSatisfy { $0.form == nil })
    let places = standard.dropLast().map { one in MethodCatalogue.families.firstIndex { $0.id == one.family }
    }
    #expect(standard.last == .everyStored && places.allSatisfy { $0 != nil })
    #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted(), "in the order of tables")
    let fixed = MethodCatalogue.families.count { !$0.hasForms }
    #expect(try MethodCatalogue.parse("all").count == fixed + 3 * (Estimator.all.count + 1) + 1)
  }

  @Test("what a method is follows from the method, and an id is only its name")
  func roles() {
    for family in MethodCatalogue.families {
      for form in Space.allCases {
        let method = family.make(form)
        #expect(method.role == family.role, "\(family.id)")
        #expect(MethodCatalogue.role(ofID: method.id) == family.role, "\(method.id)")
        #expect(method.isOracle == (family.role == .oracle))
      }
    }
    #expect(MethodSelection.rawLidar.map(\.role) == [.sensor, .sensor])
    #expect(MethodSelection.smoothed.role == .sensor && !MethodSelection.smoothed.role.isFitted)
    #expect(MethodSelection.literal.map(\.role) == [.literal, .literal])
    #expect(MethodSelection.everyStored.role == .stored)
    #expect(MethodCatalogue.role(ofID: "stored:oracle") == .stored)
    #expect(MethodCatalogue.role(ofID: "oracles@depth") == nil)
    #expect(MethodSelection.ols.formed(as: .log)?.id == "ols@log")
    #expect(MethodSelection.spec.formed(as: .log) == nil)
    #expect(MethodSelection(.huber).formed(as: nil)?.id == "huber")
  }

  @Test(arguments: ["olss", "ols@metric", "spec@depth", "ols@depth@log", "", ","])
  func unknown(_ text: String) { #expect(throws: UnknownMethod.self) { try MethodCatalogue.parse(text) } }

  @Test("streams differ by name and do not depend on order")
  func streams() {
    var a = SplitMix64(seed: 1, stream: "x", "y")
    var b = SplitMix64(seed: 1, stream: "xy", "")
    var c = SplitMix64(seed: 1, stream: "x", "y")
    let first = a.next()
    #expect(first != b.next())
    #expect(first == c.next())
    // Reference values of SplitMix64 with seed 1234567 (Vigna's splitmix64.c).
    var reference = SplitMix64(seed: 1_234_567)
    #expect(reference.next() == 6_457_827_717_110_365_317)
    #expect(reference.next() == 3_203_168_211_198_807_973)
  }
}
