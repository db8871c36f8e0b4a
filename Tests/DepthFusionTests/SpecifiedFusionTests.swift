import DepthCore
import FathomTestSupport
import Testing

@testable import DepthFusion

private func fuse(_ method: some FusionMethod, _ frame: DepthFrame) -> FusionResult {
  var generator = SplitMix64(seed: 0)
  return method.fuse(frame, in: FusionContext(), using: &generator)
}

/// The document's loop, written out pixel by pixel.
private func documentLoop(_ frame: DepthFrame) -> (alpha: Float, beta: Float, pairs: Int)? {
  guard let relative = frame.relative else { return nil }
  var (n, sumX, sumY, sumXY, sumX2): (Int, Float, Float, Float, Float) = (0, 0, 0, 0, 0)
  for ly in 0..<frame.lidar.height {
    for lx in 0..<frame.lidar.width {
      let d = frame.lidar[ly, lx]
      guard (frame.confidence?[ly, lx] ?? 2) >= 2, d > 0.1, d < 4, d.isFinite else { continue }
      let x = Float(lx) / Float(frame.lidar.width - 1) * Float(relative.width - 1)
      let y = Float(ly) / Float(frame.lidar.height - 1) * Float(relative.height - 1)
      let (x0, y0) = (Int(x), Int(y))
      let (x1, y1) = (min(x0 + 1, relative.width - 1), min(y0 + 1, relative.height - 1))
      let (fx, fy) = (x - Float(x0), y - Float(y0))
      var r = relative[y0, x0] * (1 - fx) * (1 - fy)
      r = r + relative[y0, x1] * fx * (1 - fy)
      r = r + relative[y1, x0] * (1 - fx) * fy
      r = r + relative[y1, x1] * fx * fy
      guard r.isFinite, r > 0 else { continue }
      n += 1
      sumX += r
      sumY += d
      sumXY += r * d
      sumX2 += r * r
    }
  }
  let denominator = Float(n) * sumX2 - sumX * sumX
  return (
    (Float(n) * sumXY - sumX * sumY) / denominator, (sumY * sumX2 - sumX * sumXY) / denominator, n
  )
}

@Suite("The specified and the published fusion")
struct SpecifiedFusionTests {
  @Test("equal to the document's loop to the last bit", arguments: [UInt64(1), 2, 3])
  func literal(_ seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let lidar = DepthMap(
      width: 48, height: 36, values: (0..<(48 * 36)).map { _ in Float.random(in: 0...5, using: &generator) })
    let relative = DepthMap(
      width: 97, height: 71,
      values: (0..<(97 * 71)).map { _ in Float.random(in: -0.1...1, using: &generator) })
    let confidence = Raster<UInt8>(
      width: 48, height: 36, values: (0..<(48 * 36)).map { _ in UInt8.random(in: 0...2, using: &generator) })
    let frame = DepthFrame(index: 0, lidar: lidar, confidence: confidence, relative: relative)
    let expected = try #require(documentLoop(frame))
    let result = fuse(SpecifiedFusion.spec, frame)
    #expect(result.pairs == expected.pairs)
    #expect(result.line == Line(scale: Double(expected.alpha), shift: Double(expected.beta)))
  }

  @Test func solvesDepth() throws {
    let result = fuse(SpecifiedFusion.spec, LineScene.frame(kind: .depth, scale: 2, shift: 0.25))
    #expect(result.status == .ok)
    #expect(result.pairs == 768)
    let line = try #require(result.line)
    #expect(abs(line.scale - 2) < 1e-3)
    let map = try #require(result.prediction?.depth)
    #expect(abs(map[0, 0] - 1) < 1e-3)
  }

  @Test("disparity has a negative slope, which spec rejects and shipped lets pass")
  func disparity() {
    let frame = LineScene.frame(kind: .disparity, scale: 0.5, shift: 0.1)
    let spec = fuse(SpecifiedFusion.spec, frame)
    #expect(spec.status == .rejectedScale)
    #expect((spec.line?.scale ?? 0) < 0)
    #expect(spec.reason?.contains("negative slope") == true)
    #expect(spec.prediction == nil)
    #expect(fuse(SpecifiedFusion.shipped, frame).status == .ok)
  }

  @Test("bounds are exclusive in one and inclusive in the other")
  func bounds() {
    var frame = LineScene.frame(kind: .depth, scale: 1, shift: 0)
    frame.lidar.values[0] = 4
    frame.lidar.values[1] = 0.1
    frame.lidar.values[2] = 4.0001
    #expect(fuse(SpecifiedFusion.spec, frame).pairs == 765)
    #expect(fuse(SpecifiedFusion.shipped, frame).pairs == 767)
  }

  @Test("no confidence map counts as high in one and as nothing in the other")
  func noConfidence() {
    var frame = LineScene.frame(kind: .depth, scale: 1, shift: 0)
    frame.confidence = nil
    #expect(fuse(SpecifiedFusion.spec, frame).status == .ok)
    let shipped = fuse(SpecifiedFusion.shipped, frame)
    #expect(shipped.status == .tooFewPairs)
    #expect(shipped.pairs == 0)
  }

  @Test("19 pairs are too few, 20 are enough")
  func fewPairs() {
    var frame = LineScene.frame(kind: .depth, scale: 1, shift: 0)
    frame.confidence = Raster(width: 32, height: 24, filledWith: 0)
    for i in 0..<19 { frame.confidence?.values[i * 37] = 2 }
    #expect(fuse(SpecifiedFusion.spec, frame).status == .tooFewPairs)
    frame.confidence?.values[19 * 37] = 2
    #expect(fuse(SpecifiedFusion.spec, frame).status == .ok)
  }

  @Test("a flat relative map: identity in one, refusal in the other")
  func degenerate() {
    var frame = LineScene.frame(kind: .depth, scale: 1, shift: 0)
    frame.relative = DepthMap(width: 32, height: 24, filledWith: 1)
    let spec = fuse(SpecifiedFusion.spec, frame)
    #expect(spec.status == .ok)
    #expect(spec.line == Line(scale: 1, shift: 0))
    #expect(fuse(SpecifiedFusion.shipped, frame).status == .degenerate)
  }

  @Test("clamped to 0.01–100 m; values that are not finite become 0.01 m and are counted")
  func clampAndNotFinite() throws {
    var frame = LineScene.frame(kind: .depth, scale: 1, shift: 0)
    frame.relative?.values[700] = .nan
    frame.relative?.values[701] = .infinity
    frame.relative?.values[702] = 1e6
    frame.confidence?.values[702] = 0
    frame.relative?.values[703] = -5
    for index in 699...704 { frame.confidence?.values[index] = 0 }
    let result = fuse(SpecifiedFusion.spec, frame)
    let map = try #require(result.prediction?.depth)
    #expect(Array(map.values[700...703]) == [0.01, 0.01, 100, 0.01])
    #expect(result.reason?.hasPrefix("2 relative values") == true)
    let shipped = try #require(fuse(SpecifiedFusion.shipped, frame).prediction?.depth)
    #expect(shipped.values[702] > 1000)
  }

  @Test func noRelativeMap() {
    var frame = LineScene.frame(kind: .depth, scale: 1, shift: 0)
    frame.relative = nil
    #expect(fuse(SpecifiedFusion.spec, frame).status == .noRelative)
    #expect(fuse(FittedFusion(.ols, in: .depth), frame).status == .noRelative)
  }
}
