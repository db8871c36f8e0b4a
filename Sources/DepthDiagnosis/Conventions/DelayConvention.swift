import DepthCore
import Foundation

/// Whether relative maps and truth are of their frame, or of the one before or after.
///
/// Of frames that follow each other, a map is held against its own LiDAR map and against that of its neighbour. Cost: the
/// mean difference of depths, or by 1 ∓ ρ of ranks, block by block.
public struct DelayConvention: Convention {
  public init() {}

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    let waits: Set = ["repeated-frames", "aspect-ratio", "depth-unit"]
    return [DelayTest(isTruth: false), DelayTest(isTruth: true)].flatMap { test -> [Finding] in
      if let reason = earlier.reasonToWait(for: waits) {
        return test.axes(for: sample).map { Finding(notTestable: $0, in: sample.header, reason) }
      }
      return test.findings(in: sample, seed: seed).map(test.judged)
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

  /// Only where the neighbour explains much more.
  func judged(_ finding: Finding) -> Finding {
    guard finding.verdict == .contradicted,
      let best = finding.readings.first(where: { $0.hypothesis.id == finding.supported }),
      let own = finding.readings.first(where: { $0.hypothesis.id == "own" })
    else { return finding }
    guard 1 - best.cost / own.cost >= Self.leastGain else {
      return finding.undecided(
        "the neighbour's map fits hardly better: \(best.cost.rounded3) instead of \(own.cost.rounded3)")
    }
    return finding
  }

  func costs(_ sample: SceneSample, _ axes: [ConventionAxis]) -> [ReadingCosts] {
    var (rows, frames): ([[Double]], [Int]) = ([], [])
    for pair in sample.neighbours {
      let (a, b) = (sample.frames[pair.position], pair.next)
      guard let first = map(a), let second = map(b) else { continue }
      let (before, after) = (DepthGrid(a), DepthGrid(b))
      let kind = sample.header.relativeKind
      func parts(_ map: DepthMap, on grid: DepthGrid) -> [Double] {
        isTruth
          ? TruthOrientationTest.differences(grid, map)
          : RankCost.blocks(grid.disparity, grid.samples(of: map), grid.size).map {
            ($0.map { kind == .depth ? $0.falling : $0.rising }).map(RankCost.sharpened) ?? .nan
          }
      }
      let (own, own2) = (parts(first, on: before), parts(second, on: after))
      let (late, early) = (parts(second, on: before), parts(first, on: after))
      for part in own.indices where part < own2.count && part < late.count && part < early.count {
        rows.append([(own[part] + own2[part]) / 2, late[part], early[part]])
        frames.append(pair.position)
      }
    }
    return (0..<3).map { h in ReadingCosts([h], rows.map { $0[h] }, of: frames) }
  }
}
