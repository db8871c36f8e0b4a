import DepthCore
import Foundation

/// How finely LiDAR depth is stored, and whether it wraps: counts of so many bits begin anew at a power of two. Depth of
/// 8 bits has at most 256 levels.
public struct DepthStepsConvention: Convention {
  public let correctable = ["depth-wrap"]
  /// Where counts begin anew: bits, and counts per metre.
  private static let words: [(bits: Int, perMetre: Double)] =
    (10...16).map { ($0, 1000) } + [(16, 10_000), (16, 5000), (16, 256)]
  /// In shares of that: how near to it depths must come, how near neighbours must be once it is undone, and how much they may
  /// differ from those beside them. How many such neighbours there must be; how many numbers just beyond it: a fill is one.
  private static let (top, nearness, slope, fewest, fewestNumbers) = (0.97, 0.02, 0.05, 30, 8)
  /// The largest number of millimetres in 16 bits, metres; hardly a return is that.
  static let largest: Float = 65.535

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    let truths = sample.frames.compactMap(\.truth)
    return Self.lidar(sample)
      + [Self.eightBits(truths, "truth-steps", "Steps of the truth", in: sample.header, isTruth: true)]
      .compactMap(\.self)
  }

  /// Depth that went through 8 bits; nil where it did not.
  private static func eightBits(
    _ maps: [DepthMap], _ id: String, _ title: String, in scene: SceneHeader, isTruth: Bool
  ) -> Finding? {
    eightBits(maps).map { levels, step in
      let (what, looks, source) =
        isTruth
        ? ("the truth", "errors are at least a quarter of a step", "truth")
        : ("depth", "surfaces are stairs", "recording")
      return Finding(
        id, title, in: scene, verdict: .contradicted, declared: "depth", supported: "levels-256",
        summary:
          "every map holds at most \(levels) numbers, \((1000 * step).rounded1) mm apart: \(what) went through 8 bits. What it "
          + "looks like: \(looks)",
        fix: "convert the \(source) again from its depth of 16 bits or more",
        property: isTruth ? "truth/depth" : "lidar/depth")
    }
  }

  private static func lidar(_ sample: SceneSample) -> [Finding] {
    let scene = sample.header
    let maps = sample.frames.map(\.lidar).filter { !$0.values.isEmpty }
    func finding(
      _ id: String, _ title: String, _ verdict: Finding.Verdict, _ declared: String?, _ supported: String?,
      _ summary: String, fix: String? = nil, correction: Correction? = nil
    ) -> Finding {
      Finding(
        id, title, in: scene, verdict: verdict, declared: declared, supported: supported, summary: summary,
        fix: fix, correction: correction, property: "lidar/depth")
    }
    let (wrapID, wrapTitle) = ("depth-wrap", "Wrap-around of depth")
    let (stepID, stepTitle) = ("depth-steps", "Steps of the LiDAR depth")
    guard scene.lidarSize != nil, !maps.isEmpty else {
      let reason = "the scene has no LiDAR depth"
      return [
        finding(wrapID, wrapTitle, .notTestable, nil, nil, reason),
        finding(stepID, stepTitle, .notTestable, nil, nil, reason),
      ]
    }
    let (id, words) = Self.steps(maps)
    let coarse = Self.coarse(maps).map { count, step in
      finding(
        stepID, stepTitle, .contradicted, "depth", "coarse",
        "every depth is a whole multiple of \((1000 * step).rounded1) mm, and all maps together hold \(count) numbers: low bits of "
          + "the depth are lost. What it looks like: surfaces are stairs",
        fix: "convert the recording again from all bits of its depth")
    }
    let steps =
      coarse ?? eightBits(maps, stepID, stepTitle, in: scene, isTruth: false)
      ?? finding(stepID, stepTitle, .found, nil, id, words)
    let fills = maps.reduce(0) { $0 + $1.values.count { $0 == largest } }
    if fills >= fewest {
      return [
        finding(
          wrapID, wrapTitle, .contradicted, "none", "fill-value",
          "\(fills) returns are 65.535 m, the largest number of millimetres in 16 bits: it stands for no return. What it "
            + "looks like: holes lie far behind the room",
          fix: "store 0 or NaN in lidar/depth where there is no return",
          correction: .noDepth(object: "lidar/depth", metres: largest)),
        steps,
      ]
    }
    if let wrap = Self.wrap(maps) {
      let length = "\(RepeatedValue.text(wrap.metres)) m"
      return [
        finding(
          wrapID, wrapTitle, .contradicted, "none", "wraps-at-\(RepeatedValue.text(wrap.metres))",
          "\(wrap.jumps) pairs of adjacent pixels jump by \(length), where the surface goes on without that: depth was cut to "
            + "\(wrap.bits) bits and begins anew at \(length). What it looks like: the far end of the scene lies before the camera",
          fix:
            "convert the recording again from all bits of its depth, or remove pixels beyond \(length): in these maps "
            + "nothing else tells them from near ones"),
        steps,
      ]
    }
    let farthest = Double(maps.lazy.flatMap(\.values).filter(\.isFinite).max() ?? 0)
    // What begins anew never gets there.
    let passesWrap = farthest > Double(largest)
    return [
      finding(
        wrapID, wrapTitle, passesWrap ? .confirmed : .undecidable, "none", passesWrap ? "none" : nil,
        passesWrap
          ? "depths reach \(farthest.rounded1) m"
          : "depths end at \(farthest.rounded1) m, and no adjacent pixels jump by a power of two: "
            + "whether anything lay beyond 65.535 m these maps do not show"),
      steps,
    ]
  }

  /// Where depths begin anew, and how many adjacent pixels show it; nil where none do.
  private static func wrap(_ maps: [DepthMap]) -> (metres: Double, bits: Int, jumps: Int)? {
    let farthest = Double(maps.lazy.flatMap(\.values).filter(\.isFinite).max() ?? 0)
    for word in words {
      let metres = Foundation.pow(2, Double(word.bits)) / word.perMetre
      guard farthest <= metres, farthest > top * metres else { continue }
      let (most, least, limit) = (
        Float((1 + nearness) * metres), Float((1 - nearness) * metres), Float(slope * metres)
      )
      var jumps = 0, numbers: Set<Float> = []
      for map in maps {
        let (values, width) = (map.values, map.width)
        for index in values.indices {
          for (step, place, count) in [(1, index % width, width), (width, index / width, map.height)]
          where place > 0 && place + 2 < count {
            let (a, b, c, d) = (
              values[index - step], values[index], values[index + step], values[index + 2 * step]
            )
            let jump = abs(b - c)
            guard jump >= least, jump <= most, min(a, d) > 0, abs(a - b) < limit, abs(c - d) < limit
            else { continue }
            jumps += 1
            numbers.insert(min(b, c))
          }
        }
      }
      if jumps >= fewest, numbers.count >= fewestNumbers { return (metres, word.bits, jumps) }
    }
    return nil
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

  /// Least multiple that no sensor has, metres; fewest and most numbers that show it.
  private static let (coarsest, coarseNumbers) = (0.03, 10...256)

  /// The length that divides all depths, where it is longer than sensors have it, and how many they are.
  static func coarse(_ maps: [DepthMap]) -> (numbers: Int, step: Double)? {
    var numbers: Set<Float> = []
    for map in maps {
      for value in map.values where value > 0 && value.isFinite {
        if numbers.insert(value).inserted, numbers.count > coarseNumbers.upperBound { return nil }
      }
    }
    let sorted = numbers.sorted().map(Double.init)
    guard coarseNumbers.contains(sorted.count), let last = sorted.last,
      let gap = zip(sorted.dropFirst(), sorted).map({ $0 - $1 }).min(), gap >= coarsest
    else { return nil }
    let step = last / (last / gap).rounded()
    return sorted.allSatisfy { abs($0 / step - ($0 / step).rounded()) < 0.02 } ? (sorted.count, step) : nil
  }

  private static func steps(_ maps: [DepthMap]) -> (id: String, words: String) {
    let values = maps.prefix(4).flatMap(\.values).filter { $0 > 0 && $0.isFinite }
    guard values.count > 100 else { return ("unknown", "too few returns to tell steps") }
    // Half precision has ten bits after the point, single precision 23.
    if values.allSatisfy({ $0.bitPattern & 0x1fff == 0 }), let least = values.min() {
      // Whole multiples of a power of two that is coarser than half precision is for the nearest of them.
      let steps = (1...10).map { Foundation.pow(2, -Float($0)) }
      if let step = steps.first(where: { step in values.allSatisfy { $0.remainder(dividingBy: step) == 0 } }),
        step > least.binade / 1024
      {
        return ("fixed-steps", "steps of 1/\(Int(1 / step)) m")
      }
      return (
        "half-precision", "half precision: a step is 1 mm at 1 to 2 m, 2 mm at 2 to 4 m, 4 mm at 4 to 8 m"
      )
    }
    let isWhole = values.allSatisfy { abs(Double($0) * 1000 - (Double($0) * 1000).rounded()) < 0.01 }
    return isWhole ? ("millimetres", "steps of 1 mm") : ("fine", "finer than 1 mm")
  }
}
