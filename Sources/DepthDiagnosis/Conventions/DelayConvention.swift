import DepthCore
import Foundation

/// Whether relative maps and truth are of their frame, or of the one before or after.
///
/// Of frames that follow each other, a map is held against its own LiDAR map and against that of its neighbour. Cost: the
/// mean difference of depths, or by 1 ∓ ρ of ranks, block by block.
public struct DelayConvention: Convention {
  public init() {}

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    let waits: Set = ["repeated-frames", "aspect-ratio", "depth-per-frame", "depth-unit"]
    return [DelayTest(isTruth: false), DelayTest(isTruth: true)].flatMap { test -> [Finding] in
      if let reason = earlier.reasonToWait(for: waits) {
        return test.axes(for: sample).map { Finding(notTestable: $0, in: sample.header, reason) }
      }
      return test.findings(in: sample, seed: seed).map { test.judged($0, in: sample) }
    }
  }
}

private struct DelayTest: CompetingConvention {
  let isTruth: Bool
  /// A neighbour must fit so much better: maps that hardly change fit both.
  private static let leastGain = 0.15

  func axes(for sample: SceneSample) -> [ConventionAxis] {
    let object = isTruth ? "truth/depth" : "relative/values"
    return [
      ConventionAxis(
        id: isTruth ? "truth-delay" : "relative-delay",
        title: isTruth ? "Frames of the truth" : "Frames of the relative map",
        hypotheses: [
          Hypothesis("own", "every map is of its frame", fix: "nothing"),
          Hypothesis(
            "late", "\(object) comes one frame late", symptom: "errors grow where the camera moves",
            fix: "give every frame the map that stands one frame later in \(object)"),
          Hypothesis(
            "early", "\(object) comes one frame early", symptom: "errors grow where the camera moves",
            fix: "give every frame the map that stands one frame earlier in \(object)"),
        ], declared: "own", leastExcess: isTruth ? 0.001 : 0.02,
        costUnit: isTruth ? "mean of min(|ln(LiDAR/truth)|, 0.25)" : "ln(1 + (1 ∓ ρ of ranks)/0.05)",
        fittingCost: isTruth ? 0.1 : RankCost.sharpened(0.45), property: "one map of \(object) for each frame"
      )
    ]
  }

  func objection(to sample: SceneSample) -> String? {
    if sample.header.lidarSize == nil { return "the scene has no LiDAR depth" }
    guard sample.frames.contains(where: { map($0) != nil }) else {
      return "the scene has no \(isTruth ? "truth" : "relative map")"
    }
    return sample.neighbours.isEmpty ? "no two frames follow each other" : nil
  }

  private func map(_ frame: DepthFrame) -> DepthMap? { isTruth ? frame.truth : frame.relative }

  /// Only where the neighbour explains much more, and more than a LiDAR that lies beside the map: to a camera that moves steadily
  /// to one side the two look alike.
  func judged(_ finding: Finding, in sample: SceneSample) -> Finding {
    guard finding.verdict == .contradicted,
      let best = finding.readings.first(where: { $0.hypothesis.id == finding.supported }),
      let own = finding.readings.first(where: { $0.hypothesis.id == "own" })
    else { return finding }
    guard 1 - best.cost / own.cost >= Self.leastGain else {
      return finding.undecided(
        "the neighbour's map fits hardly better: \(best.cost.rounded3) instead of \(own.cost.rounded3)")
    }
    let pairs = sample.neighbours.compactMap { pair -> [(map: DepthMap, grid: DepthGrid)]? in
      let own = [sample.frames[pair.position], pair.next].compactMap { frame in
        map(frame).map { ($0, DepthGrid(frame)) }
      }
      return own.count == 2 ? own : nil
    }
    let displaced = concurrentMap(Self.shifts.count, threads: sample.threads) {
      ownCost(pairs, in: sample, displacedBy: Self.shifts[$0])
    }.compactMap(\.self).min()
    if let displaced, 1 - best.cost / displaced < Self.leastGain {
      return finding.undecided(
        "a LiDAR that lies beside the map explains about as much as a delay: "
          + "\(displaced.rounded3) and \(best.cost.rounded3)")
    }
    return finding
  }

  /// Displacements of up to two pixels of a phone's LiDAR, in shares of the width.
  private static let shifts = (-4...4).flatMap { y in (-4...4).map { SIMD2(Double($0), Double(y)) / 512 } }

  /// Mean cost of maps of their own frames, read beside their places; nil where nothing can be compared.
  private func ownCost(
    _ pairs: [[(map: DepthMap, grid: DepthGrid)]], in sample: SceneSample, displacedBy shift: SIMD2<Double>
  ) -> Double? {
    let costs = pairs.flatMap { pair -> [Double] in
      let parts = pair.map { cost(of: $0.map, on: $0.grid, in: sample, displacedBy: shift) }
      return zip(parts[0], parts[1]).map { ($0 + $1) / 2 }.filter(\.isFinite)
    }
    return costs.isEmpty ? nil : costs.reduce(0, +) / Double(costs.count)
  }

  /// By block of the image.
  private func cost(
    of map: DepthMap, on grid: DepthGrid, in sample: SceneSample, displacedBy shift: SIMD2<Double> = .zero
  ) -> [Double] {
    // As many pixels down as to the side.
    let down = shift.y * Double(grid.size.width) / Double(grid.size.height)
    func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      (min(max(x + shift.x, 0), 1), min(max(y + down, 0), 1))
    }
    if isTruth { return TruthOrientationTest.differences(grid, map, at: place) }
    let isDepth = sample.header.relativeKind == .depth
    return RankCost.blocks(grid.disparity, grid.samples(of: map, at: place), grid.size).map {
      ($0.map { isDepth ? $0.falling : $0.rising }).map(RankCost.sharpened) ?? .nan
    }
  }

  func costs(_ sample: SceneSample, _ axes: [ConventionAxis]) -> [ReadingCosts] {
    let pairs = sample.neighbours
    let found = concurrentMap(pairs.count, threads: sample.threads) { number -> [[Double]] in
      let (a, b) = (sample.frames[pairs[number].position], pairs[number].next)
      guard let first = map(a), let second = map(b) else { return [] }
      let (before, after) = (DepthGrid(a), DepthGrid(b))
      func parts(_ map: DepthMap, on grid: DepthGrid) -> [Double] { cost(of: map, on: grid, in: sample) }
      let (own, own2) = (parts(first, on: before), parts(second, on: after))
      let (late, early) = (parts(second, on: before), parts(first, on: after))
      return own.indices.map { [(own[$0] + own2[$0]) / 2, late[$0], early[$0]] }
    }
    let frames = zip(pairs, found).flatMap { pair, rows in rows.map { _ in pair.position } }
    return (0..<3).map { h in ReadingCosts([h], found.joined().map { $0[h] }, of: frames) }
  }
}
