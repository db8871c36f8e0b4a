import DepthCore

/// Whether every relative map was stretched to the same range: values of different frames then cannot be compared, and what
/// is fitted over several frames means nothing. The schema declares nothing of it, so this is a finding and no fault.
public struct RelativeRangeConvention: Convention {
  /// Fewest maps whose ends are compared; ends are one where they differ by less than this share of the range.
  private static let (fewest, sameShare) = (3, 1e-4)

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    let finding = SceneTest(
      "relative-range", "Range of the relative maps", in: sample.header, property: "relative/values")
    let maps = sample.frames.compactMap(\.relative)
    guard !maps.isEmpty else { return finding(.notTestable, nil, "the scene has no relative map") }
    // Maps that are equal have equal ends.
    var ends: [SIMD2<Double>] = []
    var last: DepthMap?
    for map in maps where map.values != last?.values {
      last = map
      var (low, high) = (Float.infinity, -Float.infinity)
      for value in map.values where value.isFinite {
        (low, high) = (value < low ? value : low, value > high ? value : high)
      }
      guard high > low else { continue }
      ends.append([Double(low), Double(high)])
    }
    guard let first = ends.first, ends.count >= Self.fewest else {
      return finding(.notTestable, nil, "fewer than \(Self.fewest) different maps have no ends in common")
    }
    let tolerance = Self.sameShare * (first.y - first.x)
    let isOne = ends.allSatisfy { abs($0.x - first.x) <= tolerance && abs($0.y - first.y) <= tolerance }
    return isOne
      ? finding(
        .found, "per-frame",
        "every map goes from \(first.x.rounded3) to \(first.y.rounded3): each was stretched by itself, so fit every frame by "
          + "itself, too")
      : finding(.found, "free", "maps end at different values: they were not stretched one by one")
  }
}
