import DepthCore

/// How finely LiDAR depth is stored, and whether it wraps: millimetres in 16 bits end at 65.535 m, and begin anew. Depth of
/// 8 bits has at most 256 levels.
public struct DepthStepsConvention: Convention {
  /// Metres at which counts begin anew; how near neighbours must be once that is undone; how many of them.
  private static let (wrap, nearness, fewest) = (65.536, 0.5, 30)
  /// The largest number of millimetres in 16 bits, metres; hardly a return is that.
  static let largest: Float = 65.535
  /// A value just before and just after it.
  private static let (high, low) = (60.0, 5.5)

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    let scene = sample.header
    let maps = sample.frames.map(\.lidar).filter { !$0.values.isEmpty }
    func finding(
      _ id: String, _ title: String, _ verdict: Finding.Verdict, _ declared: String?, _ supported: String?,
      _ summary: String, fix: String? = nil
    ) -> Finding {
      Finding(
        id, title, in: scene, verdict: verdict, declared: declared, supported: supported, summary: summary,
        fix: fix, property: "lidar/depth")
    }
    let (wrapID, wrapTitle) = ("depth-wrap", "Depth beyond 65.535 m")
    let (stepID, stepTitle) = ("depth-steps", "Steps of the LiDAR depth")
    guard scene.lidarSize != nil, !maps.isEmpty else {
      let reason = "the scene has no LiDAR depth"
      return [
        finding(wrapID, wrapTitle, .notTestable, nil, nil, reason),
        finding(stepID, stepTitle, .notTestable, nil, nil, reason),
      ]
    }
    let (id, words) = Self.steps(maps)
    let steps =
      Self.eightBits(maps).map { levels, step in
        finding(
          stepID, stepTitle, .contradicted, "depth", "levels-256",
          "every map holds at most \(levels) numbers, \((1000 * step).rounded1) mm apart: depth went through 8 bits. What it "
            + "looks like: surfaces are stairs",
          fix: "convert the recording again from its depth of 16 bits or more")
      } ?? finding(stepID, stepTitle, .found, nil, id, words)
    let fills = maps.reduce(0) { $0 + $1.values.count { $0 == Self.largest } }
    if fills >= Self.fewest {
      return [
        finding(
          wrapID, wrapTitle, .contradicted, "none", "fill-value",
          "\(fills) returns are 65.535 m, the largest number of millimetres in 16 bits: it stands for no return. What it "
            + "looks like: holes lie far behind the room",
          fix: "store 0 or NaN in lidar/depth where there is no return"),
        steps,
      ]
    }
    let jumps = maps.reduce(0) { $0 + Self.jumps($1) }
    let isWrapped = jumps >= Self.fewest
    let farthest = Double(maps.lazy.flatMap(\.values).filter(\.isFinite).max() ?? 0)
    // What begins anew never gets there.
    let passesWrap = farthest > Self.wrap
    return [
      isWrapped
        ? finding(
          wrapID, wrapTitle, .contradicted, "none", "wraps",
          "\(jumps) neighbours differ by 65.536 m: depth was stored as millimetres in 16 bits and begins anew beyond "
            + "65.535 m. What it looks like: the far end of the scene lies before the camera",
          fix: "store float32, or leave out what is beyond 65 m")
        : finding(
          wrapID, wrapTitle, passesWrap ? .confirmed : .undecidable, "none", passesWrap ? "none" : nil,
          passesWrap
            ? "depths reach \(farthest.rounded1) m"
            : "depths end at \(farthest.rounded1) m, and no neighbours differ by 65.536 m: whether anything lay beyond "
              + "65.535 m these maps do not show"),
      steps,
    ]
  }

  private static func jumps(_ map: DepthMap) -> Int {
    guard (map.values.lazy.filter(\.isFinite).max() ?? 0) > Float(high),
      !map.values.contains(where: { $0.isFinite && Double($0) > wrap })
    else { return 0 }
    var count = 0
    for row in 0..<map.height {
      for column in 1..<max(1, map.width) {
        let (a, b) = (Double(map[row, column - 1]), Double(map[row, column]))
        let (near, far) = (min(a, b), max(a, b))
        if near > 0, near < low, far > high, abs(far - near - wrap) < nearness { count += 1 }
      }
    }
    return count
  }

  /// Most levels of 8 bits; fewest of a map that shows their distance; least distance, metres.
  private static let (eightBitLevels, fewestLevels, leastStep) = (256, 32, 0.005)

  /// The most levels of a map and the largest distance between them, metres, where all maps have evenly spaced ones and at
  /// most 256; nil where one has not, and where sensors have such levels: whole millimetres, whole counts per metre.
  static func eightBits(_ maps: [DepthMap]) -> (levels: Int, step: Double)? {
    var (levels, step, judged) = (0, 0.0, 0)
    for map in maps {
      var numbers: Set<Float> = []
      for value in map.values where value > 0 && value.isFinite {
        numbers.insert(value)
        if numbers.count > eightBitLevels { return nil }
      }
      guard numbers.count >= fewestLevels else { continue }
      let sorted = numbers.sorted().map(Double.init), gaps = zip(sorted.dropFirst(), sorted).map { $0 - $1 }
      guard let least = gaps.min(), let first = sorted.first, let last = sorted.last else { continue }
      let count = ((last - first) / least).rounded(), distance = (last - first) / count
      func isWhole(_ number: Double, within tolerance: Double) -> Bool {
        abs(number - number.rounded()) < tolerance
      }
      guard Int(count) < eightBitLevels, distance >= leastStep,
        !isWhole(1000 * distance, within: 0.001), !isWhole(1 / distance, within: 0.001),
        gaps.allSatisfy({ isWhole($0 / distance, within: 0.02) })
      else { return nil }
      (levels, step, judged) = (max(levels, numbers.count), max(step, distance), judged + 1)
    }
    return 2 * judged >= maps.count && judged > 0 ? (levels, step) : nil
  }

  private static func steps(_ maps: [DepthMap]) -> (id: String, words: String) {
    let values = maps.prefix(4).flatMap(\.values).filter { $0 > 0 && $0.isFinite }
    guard values.count > 100 else { return ("unknown", "too few returns to tell steps") }
    // Half precision has ten bits after the point, single precision 23.
    if values.allSatisfy({ $0.bitPattern & 0x1fff == 0 }) {
      return (
        "half-precision", "half precision: a step is 1 mm at 1 to 2 m, 2 mm at 2 to 4 m, 4 mm at 4 to 8 m"
      )
    }
    let isWhole = values.allSatisfy { abs(Double($0) * 1000 - (Double($0) * 1000).rounded()) < 0.01 }
    return isWhole ? ("millimetres", "steps of 1 mm") : ("fine", "finer than 1 mm")
  }
}
