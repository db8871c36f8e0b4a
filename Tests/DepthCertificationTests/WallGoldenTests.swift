import DepthCore
import FathomStatistics
import FathomTestSupport
import Foundation
import Testing

@testable import DepthCertification

@Suite("Two walls against numpy and scipy")
struct WallGoldenTests {
  struct Golden: Decodable {
    struct Placement: Decodable { let distance, axis, tilt, deviation, effective, noise: Double }
    struct Figure: Decodable {
      let value, combined, freedom, factor, expanded: Double
      let contributions: [Double], trials: [Double]
    }
    let placements: [Placement]
    let range: Figure, scale: Figure
    let probability: Double
    let laws: [NoiseLaw]
    let components: [[Double]]
    let bands: [[Double]]
  }

  private static let size = RasterSize(width: 32, height: 24)

  /// As Tests/CrossCheck/make_wall_golden.py makes them.
  private static func frames(_ index: Int, _ distance: Double, yaw: Double, pitch: Double) -> [DepthMap] {
    func uniforms(_ seed: UInt64, _ count: Int) -> [Double] {
      var generator = SplitMix64(seed: seed)
      return (0..<count).map { _ in Double(generator.next() >> 11) / 0x1p53 - 0.5 }
    }
    let surface = SimulatedSensor.wall(distance, yaw: yaw, pitch: pitch)
    let pattern = uniforms(1, size.count)
    let noise = uniforms(10 + UInt64(index), 24 * (size.count + 1))
    return (0..<24).map { frame in
      let start = frame * (size.count + 1)
      return DepthMap(
        width: size.width, height: size.height,
        values: (0..<size.count).map { pixel in
          let x = (Double(pixel % size.width) + 0.5 - 16) / 28
          let y = (Double(pixel / size.width) + 0.5 - 12) / 28
          let z = surface(SIMD2(x, y))
          let own = 0.004 * pattern[pixel] * z + 0.02 * z * noise[start + 1 + pixel]
          return Float(0.02 + 1.004 * z + own + 0.004 * noise[start])
        })
    }
  }

  @Test("distances, noise, budgets and a decision")
  func golden() throws {
    let url = PackageFiles.root.appendingPathComponent("Tests/CrossCheck/golden/wall.json")
    let golden = try JSONDecoder().decode(Golden.self, from: Data(contentsOf: url))
    let placements = try [
      CoverageTests.placement("near", Self.frames(0, 1, yaw: 0.10, pitch: -0.05)),
      CoverageTests.placement("far", Self.frames(1, 2, yaw: -0.08, pitch: 0.12)),
    ]
    func isNear(_ value: Double, _ expected: Double, _ tolerance: Double) -> Bool {
      abs(value - expected) <= tolerance * abs(expected) + 1e-12
    }
    for (placement, expected) in zip(placements, golden.placements) {
      #expect(isNear(placement.wall.plane.distance, expected.distance, 1e-7))
      #expect(isNear(placement.wall.plane.axisDistance, expected.axis, 1e-7))
      #expect(isNear(placement.wall.plane.tilt * 180 / .pi, expected.tilt, 1e-5))
      // Frames are fitted there, and taken to first order here.
      #expect(isNear(placement.frameDeviation ?? 0, expected.deviation, 2e-3))
      #expect(isNear(placement.effectiveFrames, expected.effective, 0.01))
      #expect(isNear(placement.pixelNoise ?? 0, expected.noise, 1e-6))
    }
    let bands = placements[0].noiseBands
    #expect(bands.count == golden.bands.count && bands.count > 2)
    for (band, expected) in zip(bands, golden.bands) {
      #expect(band.incidence == Int(expected[0]) && band.pixels == Int(expected[1]))
      for (value, wanted) in zip([band.noise, band.low, band.high], expected[2...]) {
        #expect(isNear(value, wanted, 1e-6))
      }
    }
    var declaration = WallTest.Declaration()
    (declaration.tapeDeviation, declaration.focalDeviation, declaration.centreDeviation) = (
      0.0015, 0.004, 0.006
    )
    declaration.rangeLimit = 0.006
    let test = WallTest(placements, distances: [1.001, 1.999], declaration)
    let range = try #require(test.rangeErrors.first?.error)
    let scale = try #require(test.scaleError)
    for (figure, expected) in [(range, golden.range), (scale, golden.scale)] {
      #expect(isNear(figure.value, expected.value, 1e-5))
      for (component, contribution) in zip(figure.budget.components, expected.contributions) {
        #expect(isNear(component.contribution, contribution, 0.005), "\(component.name)")
      }
      #expect(isNear(figure.budget.combined, expected.combined, 1e-4))
      #expect(isNear(figure.budget.coverageFactor, expected.factor, 1e-5))
      #expect(isNear(figure.budget.expanded, expected.expanded, 1e-4))
    }
    // Two ways to draw: of 2,000,000 trials there and 200,000 here the ends are certain to 0.2 and 0.6 % of u.
    let checks = test.monteCarlo()
    #expect(checks.count == 3 && checks == test.monteCarlo())
    for (check, expected) in zip(checks, [golden.range, golden.scale]) {
      #expect(abs(check.low - expected.trials[0]) < 0.03 * expected.combined)
      #expect(abs(check.high - expected.trials[1]) < 0.03 * expected.combined)
      #expect(check.agrees && check.trials == 200_000)
    }
    let decision = try #require(range.decision)
    #expect(decision.outcome == .undecided && abs(decision.probability - golden.probability) < 1e-3)
    // Tape and principal point alone are wider than what is left to the limit: only better placements can decide.
    #expect(range.more?.frames == nil)
  }

  @Test("components between placements and between days, with numbers that differ")
  func components() throws {
    let url = PackageFiles.root.appendingPathComponent("Tests/CrossCheck/golden/wall.json")
    let golden = try JSONDecoder().decode(Golden.self, from: Data(contentsOf: url))
    let repeated: [(Double, Int, Double, Double)] = [
      (1, 0, 3.1, 0.2), (1, 0, 4.0, 0.3), (1, 0, 2.2, 0.2), (1, 1, 9.0, 0.4), (2, 0, 7.5, 0.5),
      (2, 0, 9.1, 0.4), (2, 1, 2.0, 0.3), (2, 1, 3.5, 0.6), (2, 2, 12.0, 0.5), (3, 1, 5.0, 0.7),
    ]
    func components(_ day: (Int) -> Int?) -> NestedComponents {
      NestedComponents(
        repeated.map {
          .init(distance: $0.0, error: $0.2 / 1000, day: day($0.1), frameVariance: $0.3 * $0.3 * 1e-6)
        })
    }
    let nested = components { $0 }
    for (component, expected) in zip([nested.placements, nested.days], golden.components) {
      let component = try #require(component)
      #expect(abs(component.deviation - expected[0]) < 1e-9 && abs(component.freedom - expected[1]) < 1e-9)
    }
    // One day: nothing about days. Days not known: all placements at a distance are of one group.
    #expect(components { _ in 0 }.days == nil && components { _ in nil }.days == nil)
    #expect(components { _ in nil }.placements?.freedom == 7)
    let once = NestedComponents([.init(distance: 1, error: 0, day: 0), .init(distance: 2, error: 0, day: 1)])
    #expect(once.placements == nil && once.days == nil)
  }

  @Test("the law of noise with its covariance, near one and far from one; at a bound, and none")
  func noiseLaw() throws {
    let url = PackageFiles.root.appendingPathComponent("Tests/CrossCheck/golden/wall.json")
    let golden = try JSONDecoder().decode(Golden.self, from: Data(contentsOf: url))
    let points = [
      [(1.0, 0.0031), (2.0, 0.0052), (3.0, 0.0074)],
      [(0.5, 0.004), (1.0, 0.0045), (1.5, 0.009), (2.5, 0.011)],
    ]
    for (points, expected) in zip(points, golden.laws) {
      let law = try #require(NoiseLaw(points.map { (distance: $0.0, deviation: $0.1) }))
      #expect(abs(law.a - expected.a) < 1e-6 * expected.a && abs(law.b - expected.b) < 1e-6 * expected.b)
      for (row, wanted) in zip(law.covariance, expected.covariance) {
        for (value, wanted) in zip(row, wanted) { #expect(abs(value - wanted) < 1e-5 * abs(wanted)) }
      }
    }
    let growing = try #require(NoiseLaw([(distance: 1, deviation: 0.001), (distance: 2, deviation: 0.004)]))
    #expect(growing.a == 0 && growing.covariance[0] == [0, 0] && growing.covariance[1][1] > 0)
    #expect(NoiseLaw([(distance: 1, deviation: 0.001), (distance: 1.1, deviation: 0.002)]) == nil)
    #expect(NoiseLaw([(distance: 1, deviation: 0), (distance: 2, deviation: 0)]) == nil)
  }
}
