import DepthCore
import DepthFusion
import Foundation
import FathomStatistics
import Testing

@testable import DepthEvaluation

@Suite("Scoring sample")
struct ScoringSampleTests {
  /// LiDAR, relative map and truth of three resolutions, with holes in all of them.
  private static func frame() -> DepthFrame {
    func depth(_ width: Int, _ height: Int, _ hole: Int) -> DepthMap {
      DepthMap(
        width: width, height: height,
        values: (0..<width * height).map { index in
          let (x, y) = (Double(index % width) / Double(width), Double(index / width) / Double(height))
          return index % hole == 0 ? .nan : Float(1 + x + 2 * y + 0.3 * sin(9 * x * y))
        })
    }
    var frame = DepthFrame(index: 0, lidar: depth(32, 24, 41))
    frame.truth = depth(97, 73, 29)
    frame.relative = DepthMap(
      width: 61, height: 45, values: depth(61, 45, 500).values.map { 0.3 / $0 + 0.02 })
    return frame
  }

  @Test("all pixels: every value of an evaluation, in all three forms", arguments: Space.allCases)
  func sameValues(_ form: Space) throws {
    let frame = Self.frame()
    var header = SceneHeader(name: "s", frameCount: 1)
    header.relativeKind = .disparity
    let methods = try MethodCatalogue.parse("lidar-bilinear,ols@\(form.rawValue)")
    let records = EvaluationPlan(methods: methods).evaluate(
      frame, of: SceneContext(header: header, name: "s"))
    var generator = SplitMix64(seed: 0)
    let sample = try #require(ScoringSample(frame, rules: .fathom, limit: nil, using: &generator))
    let line = try #require(records[1].fusion.line)
    let found = [sample.lidar, sample.values(of: line, in: form, options: FusionOptions())]
    var compared = 0
    for (record, values) in zip(records, found) {
      for (index, column) in MetricColumn.all.enumerated()
      where !Metric.structure.contains(where: { $0.id == column.metric.id }) {
        // The same terms, added in another order and in double precision.
        let (value, expected) = (values[index], record.values[index])
        #expect((value == nil) == (expected == nil), "\(record.method) \(column.id)")
        if let value, let expected {
          #expect(abs(value - expected) <= 1e-7 * abs(expected), "\(record.method) \(column.id)")
        }
        if values[index] != nil { compared += 1 }
      }
    }
    #expect(compared >= 40)
  }

  @Test("a few pixels: as many as asked for, near the whole, and repeatable")
  func fewPixels() throws {
    let frame = Self.frame()
    let line = Line(scale: 3.2, shift: -0.05)
    func values(_ limit: Int?, seed: UInt64) throws -> [Double?] {
      var generator = SplitMix64(seed: seed)
      let sample = try #require(ScoringSample(frame, rules: .fathom, limit: limit, using: &generator))
      if let limit { #expect(sample.count == limit) }
      return sample.values(of: line, in: .disparity, options: FusionOptions())
    }
    let column = MetricColumn.maeMeasured.position
    let (all, few) = (try values(nil, seed: 1)[column], try values(1000, seed: 1)[column])
    #expect(abs((all ?? 0) - (few ?? 1)) < 0.05 * (all ?? 0))
    #expect(try values(1000, seed: 1) == values(1000, seed: 1))
    #expect(try values(1000, seed: 1) != values(1000, seed: 2))
  }

  @Test("one position from each of equal stretches")
  func stretches() {
    var generator = SplitMix64(seed: 1)
    let draw = Stretches(count: 10, parts: 4).draw(using: &generator)
    #expect(zip(draw, [0..<2, 2..<5, 5..<7, 7..<10]).allSatisfy { $1.contains($0) })
  }

  @Test("protocols that change predictions or pool pixels are refused")
  func objections() {
    let refused = EvaluationProtocol.presets.filter { ScoringSample.objection(to: $0) != nil }.map(\.name)
    #expect(ScoringSample.objection(to: .fathom) == nil)
    #expect(refused.contains("nyu-eigen") || refused.contains("marigold"))
    var pooled = EvaluationProtocol.fathom
    pooled.aggregation = .pooled
    #expect(ScoringSample.objection(to: pooled) != nil)
  }
}
