import DepthCore
import DepthFusion
import Testing

@testable import DepthEvaluation
@testable import DepthVerdicts

@Suite("Mean sparsification curves")
struct MeanSparsificationTests {
  /// Two scenes of two frames and one; errors grow as the confidence falls, differently in every frame.
  private func records(_ methods: String) throws -> [FrameRecord] {
    let plan = EvaluationPlan(methods: try MethodCatalogue.parse(methods))
    return [("a", 0), ("a", 1), ("b", 0)].flatMap { name, index in
      var header = SceneHeader(name: name, frameCount: 2)
      header.relativeKind = .depth
      let (width, height) = (40, 30)
      var generator = SplitMix64(seed: UInt64(index + name.count), stream: name)
      let levels = (0..<width * height).map { _ in UInt8.random(in: 0...2, using: &generator) }
      let truth = (0..<width * height).map { Float(1 + Double($0 % width) / 20) }
      let lidar = zip(truth, levels).map { depth, level in
        depth * (1 + Float.random(in: 0..<0.1, using: &generator) / Float(1 + level * level))
      }
      let frame = DepthFrame(
        index: index, lidar: DepthMap(width: width, height: height, values: lidar),
        confidence: Raster(width: width, height: height, values: levels),
        relative: DepthMap(width: width, height: height, values: truth.map { $0 / 5 }),
        truth: DepthMap(width: width, height: height, values: truth))
      return plan.evaluate(frame, of: SceneContext(header: header, name: name))
    }
  }

  @Test(
    "no area is negative where the error is the same at every pixel, whatever the confidence",
    arguments: 1...60)
  func constantError(number: Int) throws {
    // Sums of equal numbers over different pixels differ in their last digits.
    let error = 0.01 / Double(number)
    let count = 192 * 256 / (number % 4 == 0 ? 1 : 64)
    let errors = (0..<count).map { _ in error }
    for levels in [[UInt8](repeating: 2, count: count), (0..<count).map { UInt8(($0 * 7 + number) % 3) }] {
      let curves = try #require(Sparsification(errors: errors, levels: levels))
      #expect(curves.area == 0 && curves.gainOverRandom == 0)
    }
  }

  @Test(
    "a confidence that is worse than none has a negative gain, and an area that is not due to rounding stays")
  func realAreas() throws {
    let curves = try #require(Sparsification(errors: [1, 2, 3, 4], levels: [0, 0, 2, 2]))
    #expect(curves.gainOverRandom < -0.1 && curves.area > 0.1)
  }

  @Test("the areas of the mean curves are the columns ause and aurg")
  func areas() throws {
    let aggregation = Aggregation(try records("lidar-bilinear,ols@depth"))
    #expect(aggregation.sparsification.map(\.method) == ["lidar-bilinear", "ols@depth"])
    for curve in aggregation.sparsification {
      #expect(curve.scenes == 2 && curve.frames == 3)
      let row = try #require(aggregation.summary.first { $0.method == curve.method })
      func area(_ heights: [Double]) -> Double {
        zip(heights, heights.dropFirst()).reduce(0) { $0 + ($1.0 + $1.1) / 2 * 0.01 }
      }
      let ause = area(zip(curve.byConfidence, curve.byError).map { $0 - $1 })
      let aurg = area(curve.byConfidence.map { curve.random - $0 })
      #expect(abs(ause - (try #require(row.value(.ause)))) < 1e-12)
      #expect(abs(aurg - (try #require(row.value(.aurg)))) < 1e-12)
      #expect(abs(curve.random - (try #require(row.value(.absRel)))) < 1e-12)
      #expect(ause > 0)
    }
  }

  @Test("no curves for an oracle, for pooled pixels, or without confidence")
  func absent() throws {
    let rows = try records("lidar-bilinear,oracle")
    #expect(Aggregation(rows).sparsification.map(\.method) == ["lidar-bilinear"])
    #expect(Aggregation(rows, mode: .pooled).sparsification.isEmpty)
    let bare = rows.map { row in
      var row = row
      row.sparsification = nil
      return row
    }
    #expect(Aggregation(bare).sparsification.isEmpty)
  }
}
