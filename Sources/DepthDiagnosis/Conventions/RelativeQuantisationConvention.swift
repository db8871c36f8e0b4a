import DepthCore

/// Whether relative maps went through an 8-bit image: at most 256 equally spaced values.
///
/// A picture of a map looks the same and fits worse: one step of a disparity map is centimetres at some metres.
public struct RelativeQuantisationConvention: Convention {
  /// Fewer pixels or values say nothing about steps.
  private static let (fewestPixels, fewestValues) = (1000, 8)

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    let maps = sample.frames.compactMap { frame in frame.relative.map { (frame, $0) } }
    let steps = maps.map { ($0.0, Self.step(of: $0.1.values)) }
    let finding = SceneTest(
      "relative-quantisation", "Steps of the relative map", in: sample.header, declares: "continuous")
    guard steps.contains(where: { $0.1 != nil }) else {
      return finding(
        .notTestable, nil,
        maps.isEmpty
          ? "the scene has no relative map" : "the maps have too few different values to tell steps")
    }
    let coarse = steps.compactMap { frame, step in step.flatMap { $0.size.map { (frame, $0) } } }
    let known = steps.filter { $0.1 != nil }.count
    guard coarse.isEmpty || coarse.count == known else {
      return finding(
        .undecidable, nil,
        "\(coarse.count) of \(known) maps hold at most 256 equally spaced values, the others finer ones")
    }
    guard let (frame, size) = coarse.first
    else { return finding(.confirmed, "continuous", "values are finer than 256 steps") }
    var summary = "relative maps hold at most 256 equally spaced values: they went through an 8-bit image"
    if let cost = Self.depthOfStep(size, in: frame, sample.header.relativeKind) {
      summary +=
        ". What it looks like: terraces on slanted surfaces, one step is \((1000 * cost).rounded1) mm at 2 m"
    }
    return finding(
      .contradicted, "8-bit", summary,
      fix: "export the network's float output instead of a picture of it; what is lost cannot be restored")
  }

  /// The equal distance between values, nil inside where they are finer than 256 steps; nil for too few values.
  private static func step(of values: [Float]) -> (size: Double?, count: Int)? {
    var (distinct, pixels): (Set<Float>, Int) = ([], 0)
    for value in values where value.isFinite {
      pixels += 1
      // Most maps show within a few hundred pixels that they are finer.
      if distinct.count <= 256 { distinct.insert(value) } else if pixels >= fewestPixels { return (nil, 257) }
    }
    guard pixels >= fewestPixels, distinct.count >= fewestValues else { return nil }
    let sorted = distinct.sorted().map(Double.init)
    let gaps = zip(sorted.dropFirst(), sorted).map { $0 - $1 }
    guard let least = gaps.min(), let first = sorted.first, let last = sorted.last else { return nil }
    // The least gap carries the rounding of two floats; the range divided by whole steps is finer.
    let count = ((last - first) / least).rounded()
    let size = (last - first) / count
    let isEven = gaps.allSatisfy { abs($0 / size - ($0 / size).rounded()) < 0.05 }
    return isEven && count <= 255 ? (size, sorted.count) : (nil, sorted.count)
  }

  /// What one step means at 2 m, metres, by the ratio of spreads of LiDAR and relative map.
  private static func depthOfStep(_ step: Double, in frame: DepthFrame, _ kind: RelativeKind) -> Double? {
    guard let relative = frame.relative else { return nil }
    let disparities = DepthGrid(frame).disparity.filter(\.isFinite)
    let targets = kind == .depth ? disparities.map { 1 / $0 } : disparities
    let values = relative.values.filter(\.isFinite).map(Double.init)
    func spread(_ values: [Double]) -> Double? {
      guard let low = OrderStatistics.quantile(0.25, of: values),
        let high = OrderStatistics.quantile(0.75, of: values)
      else { return nil }
      return high - low
    }
    guard let a = spread(targets), let b = spread(values), b > 0 else { return nil }
    return a / b * step * (kind == .depth ? 1 : 4)
  }
}
