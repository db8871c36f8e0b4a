import DepthCore
import DepthFusion
import Foundation

/// In which space the relative map is nearest to a line of the LiDAR: disparity, depth or log depth. A statement beside
/// the kind, and never a contradiction .
///
/// Cost: mean of min(|d̂/d − 1|, 0.5) after a least-squares line in that space, frame by frame.
public struct RelativeFormConvention: CompetingConvention {
  private static let limit = 0.5
  private static let spaces: [(Space, String)] = [(.disparity, "1/d"), (.depth, "d"), (.log, "ln d")]

  public func axes(for sample: SceneSample) -> [ConventionAxis] {
    [
      ConventionAxis(
        id: "relative-form", title: "Best form of the fit",
        hypotheses: Self.spaces.map { space, name in
          Hypothesis(
            space.rawValue, "the map is nearest to a line in \(name)",
            fix: "fit in that space: for example ols@\(space.rawValue)")
        }, declared: nil, leastExcess: 0.002, costUnit: "mean |d̂/d − 1| after a line")
    ]
  }

  public func objection(to sample: SceneSample) -> String? {
    if sample.header.lidarSize == nil { return "the scene has no LiDAR depth" }
    return sample.header.relativeSize == nil ? "the scene has no relative map" : nil
  }

  public func costs(_ sample: SceneSample, _ axes: [ConventionAxis]) -> [ReadingCosts] {
    sample.costs(of: Self.spaces.count) { frame in
      guard let relative = frame.relative else { return [] }
      let grid = DepthGrid(frame)
      let pairs = zip(grid.samples(of: relative), grid.disparity).filter { $0.isFinite && $1.isFinite }
      guard pairs.count >= 30 else { return [] }
      let (values, depths) = (pairs.map(\.0), pairs.map { 1 / $0.1 })
      return [Self.spaces.map { Self.error(of: values, depths, in: $0.0) }]
    }
  }

  private static func error(of relative: [Double], _ depths: [Double], in space: Space) -> Double {
    let x = relative.map(space.regressor), y = depths.map(space.target)
    let isUsable = x.map(\.isFinite)
    let n = Double(isUsable.count { $0 })
    guard n >= 30 else { return .nan }
    let used = x.indices.filter { isUsable[$0] }
    let (mx, my) = (used.reduce(0) { $0 + x[$1] } / n, used.reduce(0) { $0 + y[$1] } / n)
    let sxx = used.reduce(0) { $0 + (x[$1] - mx) * (x[$1] - mx) }
    let sxy = used.reduce(0) { $0 + (x[$1] - mx) * (y[$1] - my) }
    guard sxx > 0 else { return .nan }
    // A value that the space cannot hold counts as wrong.
    return x.indices.reduce(0) { sum, index in
      guard isUsable[index] else { return sum + limit }
      let depth = space.depth(fitted: my + sxy / sxx * (x[index] - mx))
      return sum + (depth > 0 && depth.isFinite ? min(abs(depth / depths[index] - 1), limit) : limit)
    } / Double(x.count)
  }
}
