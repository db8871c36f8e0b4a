import DepthCore
import Foundation

/// Whether the truth agrees with the LiDAR in orientation and kind.
///
/// The LiDAR comes first in the order of tests, so it is the truth that is called wrong; a fault of the LiDAR that no
/// other test can see would look the same.
public struct TruthConvention: Convention {
  public let correctable = ["truth-orientation", "truth-kind"]
  /// The tests that it is made of, in this order.
  public static let orientation: any CompetingConvention = TruthOrientationTest()
  public static let kind: any CompetingConvention = TruthKindConvention()

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    var sample = sample, findings: [Finding] = []
    for test in [Self.orientation, Self.kind] {
      let reason = earlier.reasonToWait(for: [
        "aspect-ratio", "repeated-frames", "depth-per-frame", "truth-per-frame",
      ])
      let found =
        reason.map { reason in
          test.axes(for: sample).map { Finding(notTestable: $0, in: sample.header, reason) }
        }
        ?? test.findings(in: sample, after: earlier, seed: seed).map { Self.doubting($0, after: earlier) }
      for finding in found { finding.correction?.apply(to: &sample) }
      findings += found
    }
    return findings + [Self.scale(sample, after: earlier)]
  }

  /// Farther from 1 than this no sensor that works puts the median ratio of LiDAR and truth.
  private static let largestRatio = 0.05
  /// A constant difference is looked at from here on, metres and share of the depths.
  private static let leastOffset = (metres: 0.05, share: 0.025)
  /// An exponent of depth nearer to 1 than this is one.
  private static let leastExponent = 0.1
  /// What explains the differences leaves at most this share of them.
  private static let largestShare = 0.5

  /// Whether LiDAR and truth are of one scale and zero, beyond what units do.
  private static func scale(_ sample: SceneSample, after earlier: [Finding]) -> Finding {
    func finding(
      _ verdict: Finding.Verdict, _ words: String, supported: String? = nil, fix: String? = nil,
      margin: Double? = nil
    ) -> Finding {
      var finding = Finding(
        "truth-scale", "Scale of truth and LiDAR", in: sample.header, verdict: verdict,
        declared: verdict == .notTestable ? nil : "equal", supported: supported, summary: words, fix: fix,
        property: "metres in truth/depth and lidar/depth")
      finding.margin = margin
      return finding
    }
    if let reason = objection(to: sample)
      ?? earlier.reasonToWait(
        for: [
          "aspect-ratio", "repeated-frames", "depth-per-frame", "truth-per-frame", "depth-unit", "truth-unit",
          "depth-wrap",
        ])
    {
      return finding(.notTestable, reason)
    }
    let medians = sample.frames.compactMap { frame -> [Double]? in
      guard let truth = frame.truth else { return nil }
      let grid = DepthGrid(frame), pairs = pairs(grid, grid.samples(of: truth))
      return [
        pairs.map { Foundation.log($0.lidar / $0.truth) }, pairs.map { $0.lidar - $0.truth },
        pairs.map(\.truth),
      ].compactMap { OrderStatistics.median(of: $0.filter(\.isFinite)) }
    }.filter { $0.count == 3 }
    func median(_ position: Int) -> Double? { OrderStatistics.median(of: medians.map { $0[position] }) }
    guard let ratio = median(0), let offset = median(1), let depth = median(2)
    else { return finding(.notTestable, "too little data") }
    let words = "the median ratio of LiDAR and truth is \(Foundation.exp(ratio).rounded3)"
    var readings: [(id: String, statement: String, fix: String, taken: (Double) -> Double)] = []
    let asksOffset = abs(offset) > leastOffset.metres && abs(offset) > leastOffset.share * depth
    // A factor below the limit may be what looks like an offset.
    if abs(ratio) > largestRatio || asksOffset {
      // Of the numbers as they are stored: another unit was tried before.
      let stored = earlier.reduce(Foundation.exp(ratio)) { stored, finding in
        guard case .unit(let object, let factor)? = finding.correction else { return stored }
        return object == "lidar/depth" ? stored / factor : object == "truth/depth" ? stored * factor : stored
      }
      readings.append(
        (
          "factor-\(stored.rounded2)",
          "the LiDAR's depths are \(stored.rounded3) times the truth's"
            + (MotionReading.knownWords(stored).map { " (\($0))" } ?? ""),
          "compare both with a known length, and correct the scale of the wrong one",
          { $0 / Foundation.exp(ratio) }
        ))
    }
    if asksOffset {
      readings.append(
        (
          "offset-\(offset.rounded2)",
          "the LiDAR's depths are the truth's \(offset > 0 ? "plus" : "minus") \((100 * abs(offset)).rounded1) cm",
          "see where each of the two counts depth from", { $0 - offset }
        ))
    }
    let bent = law(sample)
    if let bent {
      readings.append(
        (
          "power-\(bent.exponent.rounded2)",
          "the LiDAR's depths are the truth's to the power of \(bent.exponent.rounded2)"
            + (abs(bent.exponent + 1) < leastExponent ? ", its reciprocals" : "")
            + (abs(bent.factor - 1) < largestRatio ? "" : ", times \(bent.factor.rounded3)"),
          "see how depth was coded: a gamma, or numbers that are not linear in metres",
          { Foundation.pow($0 / bent.factor, 1 / bent.exponent) }
        ))
    }
    // As declared, then in each of the readings.
    let taken = [{ $0 }] + readings.map(\.taken)
    let costs = scaleCosts(sample, taken)
    func margin(_ reading: Int, over other: Int) -> Double {
      Evidence.margin(costs.rows.map { [$0[other], $0[reading]] }, views: costs.views) ?? 0
    }
    func mean(_ reading: Int) -> Double { costs.rows.reduce(0) { $0 + $1[reading] } }
    func explains(_ reading: Int, over other: Int) -> Bool {
      mean(reading) <= largestShare * mean(other) && margin(reading, over: other) >= Evidence.rejection
    }
    var better = readings.indices.map { $0 + 1 }.filter { explains($0, over: 0) }.sorted {
      mean($0) < mean($1)
    }
    // A law with two numbers comes near to all others.
    if bent != nil, better.contains(readings.count) {
      better.removeAll { $0 == readings.count }
      if better.allSatisfy({ explains(readings.count, over: $0) }) { better = [readings.count] }
    }
    if areEqual(sample) {
      return finding(
        .undecidable,
        "LiDAR and truth are equal number by number: one is a copy of the other, or a simulated sensor without errors, so that "
          + "errors of the LiDAR are 0 and say nothing")
    }
    guard let best = better.first else {
      return abs(ratio) <= largestRatio
        ? finding(.confirmed, words, supported: "equal")
        : finding(.undecidable, words + ": one of the two is off by a factor, which they cannot tell")
    }
    let reading = readings[best - 1]
    let gain =
      "they differ by \(MotionConvention.percent(mean(0) / Double(costs.rows.count))), and by "
      + "\(MotionConvention.percent(mean(best) / Double(costs.rows.count))) without that"
    if better.count > 1, margin(best, over: better[1]) < Evidence.rejection {
      return finding(
        .noReadingFits,
        words + ", where both should be metres: \(reading.statement), or "
          + readings[better[1] - 1].statement.replacing("the LiDAR's depths are ", with: "")
          + "; \(gain)", fix: "\(reading.fix); \(readings[better[1] - 1].fix)")
    }
    return finding(
      .contradicted, "\(reading.statement): \(gain). Which of the two is wrong they cannot tell",
      supported: reading.id, fix: reading.fix, margin: margin(best, over: 0))
  }

  /// Whether hardly a pixel that both have differs at all.
  private static func areEqual(_ sample: SceneSample) -> Bool {
    var (equal, known) = (0, 0)
    for frame in sample.frames {
      guard let truth = frame.truth, truth.size == frame.lidar.size else { continue }
      for (a, b) in zip(truth.values, frame.lidar.values) where a > 0 && b > 0 {
        known += 1
        if a == b { equal += 1 }
      }
    }
    return known > 0 && Double(equal) >= 0.999 * Double(known)
  }

  /// Exponent and factor of the truth that the LiDAR's depths are, by medians of its nearer and its farther half; nil where the
  /// exponent is about 1.
  private static func law(_ sample: SceneSample) -> (exponent: Double, factor: Double)? {
    let known = sample.frames.flatMap { frame -> [SIMD2<Double>] in
      guard let truth = frame.truth else { return [] }
      let grid = DepthGrid(frame)
      return pairs(grid, grid.samples(of: truth)).filter { $0.lidar.isFinite && $0.truth.isFinite }
        .map { SIMD2(Foundation.log($0.truth), Foundation.log($0.lidar)) }
    }
    guard let middle = OrderStatistics.median(of: known.map(\.x)) else { return nil }
    let halves = [known.filter { $0.x < middle }, known.filter { $0.x > middle }].compactMap { half in
      OrderStatistics.median(of: half.map(\.x)).flatMap { x in
        OrderStatistics.median(of: half.map(\.y)).map { SIMD2(x, $0) }
      }
    }
    guard halves.count == 2, halves[1].x - halves[0].x > leastExponent else { return nil }
    let exponent = (halves[1].y - halves[0].y) / (halves[1].x - halves[0].x)
    guard abs(exponent) > leastExponent, abs(exponent - 1) > leastExponent else { return nil }
    return (exponent, Foundation.exp(halves[0].y - exponent * halves[0].x))
  }

  /// Per block of every view the mean of min(|ln(LiDAR/truth)|, 0.25) with the LiDAR's depth read in several ways.
  private static func scaleCosts(
    _ sample: SceneSample, _ readings: [(Double) -> Double]
  ) -> (rows: [[Double]], views: [Int]) {
    var (rows, frames): ([[Double]], [Int]) = ([], [])
    for (position, frame) in sample.frames.enumerated() {
      guard let truth = frame.truth else { continue }
      let grid = DepthGrid(frame), pairs = pairs(grid, grid.samples(of: truth))
      let means = readings.map { reading in
        grid.blockMeans(
          pairs.map { pair in
            let ratio = reading(pair.lidar) / pair.truth
            return ratio.isNaN ? .nan : ratio > 0 ? min(abs(Foundation.log(ratio)), 0.25) : 0.25
          })
      }
      for block in 0..<9 {
        rows.append(means.map { $0[block] ?? .nan })
        frames.append(position)
      }
    }
    return sample.pooled(rows, of: frames)
  }

  /// Depths of LiDAR and truth at the points of a grid, metres; NaN where either is missing.
  private static func pairs(_ grid: DepthGrid, _ truth: [Double]) -> [(lidar: Double, truth: Double)] {
    zip(grid.disparity, truth).map { disparity, truth in
      truth > 0 && truth.isFinite && disparity.isFinite ? (1 / disparity, truth) : (.nan, .nan)
    }
  }

  /// Kinds that differ where nothing tells which is right: there is a contradiction, but nothing to correct.
  private static func doubting(_ finding: Finding, after earlier: [Finding]) -> Finding {
    guard finding.test == "truth-kind", finding.correction != nil,
      let lidar = earlier.first(where: { $0.test == "depth-kind" }), lidar.supported == nil
    else { return finding }
    var finding = finding
    finding.correction = nil
    finding.summary += "; or it is the LiDAR's kind that is wrong, which these frames cannot tell"
    finding.fix = finding.fix
      .map { "find out which of the two is right, then \($0), or change that of lidar/depth" }
    return finding
  }

  static func objection(to sample: SceneSample) -> String? {
    if sample.header.lidarSize == nil { return "the scene has no LiDAR depth" }
    return sample.frames.contains { $0.truth != nil } ? nil : "the scene has no truth"
  }

  /// ln(LiDAR/map) at the points of a frame's grid; NaN where either is missing.
  static func logRatios(_ frame: DepthFrame, _ grid: DepthGrid, to map: DepthMap) -> [Double] {
    zip(grid.disparity, grid.samples(of: map))
      .map { disparity, depth in depth > 0 && depth.isFinite ? -Foundation.log(disparity * depth) : .nan }
  }
}

/// Cost: mean difference of the logarithms of truth and LiDAR, but for a factor that all pixels share, block by block of
/// the image.
struct TruthOrientationTest: CompetingConvention {
  func axes(for sample: SceneSample) -> [ConventionAxis] {
    [
      ConventionAxis(
        id: "truth-orientation", title: "Truth against the LiDAR",
        hypotheses: Symmetry.allCases.map { symmetry in
          Hypothesis(
            symmetry.rawValue,
            symmetry == .upright
              ? "the truth lies on the LiDAR map as stored"
              : "the truth is \(symmetry.name) with respect to the LiDAR map",
            symptom: "errors are as large as the room, and largest where the picture is least symmetric",
            fix: symmetry == .upright
              ? "nothing"
              : "store truth/depth with rows from the top and columns from the left of the LiDAR's view",
            correction: symmetry == .upright ? nil : .orientation(object: "truth/depth", stored: symmetry))
        }, declared: Symmetry.upright.rawValue, leastExcess: 0.01,
        costUnit: "mean of min(|ln(LiDAR/truth)|, 0.25)", fittingCost: 0.1,
        property: "rows from the top, columns from the left")
    ]
  }

  func objection(to sample: SceneSample) -> String? { TruthConvention.objection(to: sample) }

  func costs(_ sample: SceneSample, _ axes: [ConventionAxis]) -> [ReadingCosts] {
    sample.costs(of: Symmetry.allCases.count) { frame in
      guard let truth = frame.truth else { return [] }
      let grid = DepthGrid(frame, leastConfidence: 0)
      let blocks = Symmetry.allCases.map { Self.differences(grid, truth, at: $0) }
      return (0..<RankCost.side * RankCost.side).map { part in blocks.map { $0[part] } }
    }
  }

  /// Per block of the image the mean of min(|ln(LiDAR/truth)|, limit), both as they lie, after the median of all; NaN for
  /// a block with hardly a pixel.
  static func differences(_ grid: DepthGrid, _ truth: DepthMap, at symmetry: Symmetry = .upright) -> [Double]
  { differences(grid, truth, at: symmetry.place) }

  /// The same with the truth read at other places, in shares of width and height.
  static func differences(
    _ grid: DepthGrid, _ truth: DepthMap, at place: (Double, Double) -> (x: Double, y: Double)
  ) -> [Double] {
    let ratios = zip(grid.disparity, grid.samples(of: truth, at: place)).map { disparity, depth in
      depth > 0 && depth.isFinite ? -Foundation.log(disparity * depth) : .nan
    }
    let side = RankCost.side, known = ratios.filter(\.isFinite)
    guard known.count >= 100, let median = OrderStatistics.median(of: known)
    else { return [Double](repeating: .nan, count: side * side) }
    var sums = [Double](repeating: 0, count: side * side), counts = [Int](repeating: 0, count: side * side)
    for (index, ratio) in ratios.enumerated() where ratio.isFinite {
      let block =
        index / grid.size.width * side / grid.size.height * side
        + index % grid.size.width * side / grid.size.width
      sums[block] += min(abs(ratio - median), 0.25)
      counts[block] += 1
    }
    return sums.indices.map { counts[$0] > 10 ? sums[$0] / Double(counts[$0]) : .nan }
  }
}

/// Whether truth and LiDAR are of one kind once the file's `kind` was applied.
///
/// Cost: mean |ln(LiDAR/truth)| after the median of all, outside of the image's middle, where ray length and planar depth
/// differ.
struct TruthKindConvention: CompetingConvention {
  /// Least ratio of ray length and depth at a point that is looked at.
  private static let leastLength = 1.03

  func axes(for sample: SceneSample) -> [ConventionAxis] {
    let (declared, other) = (sample.header.truthKind, sample.header.truthKind.other)
    return [
      ConventionAxis(
        id: "truth-kind", title: "Planar truth or ray length",
        hypotheses: [
          Hypothesis(declared.rawValue, Self.statement(declared), fix: "nothing"),
          Hypothesis(
            other.rawValue, Self.statement(other), symptom: "errors grow towards the corners of the image",
            fix: "set the attribute kind of truth/depth to '\(other.rawValue)'",
            correction: .attribute(object: "truth/depth", name: "kind", value: other.rawValue)),
        ], declared: declared.rawValue, leastExcess: 0.003, costUnit: "mean |ln(LiDAR/truth)| off the middle",
        fittingCost: 0.1, property: "kind of truth/depth")
    ]
  }

  private static func statement(_ kind: DepthKind) -> String {
    kind == .planar ? "the truth is the distance to the camera's plane" : "the truth is the length of the ray"
  }

  func objection(to sample: SceneSample) -> String? {
    TruthConvention.objection(to: sample)
      ?? (sample.header.intrinsics == nil ? "the scene has no intrinsics" : nil)
  }

  func costs(_ sample: SceneSample, _ axes: [ConventionAxis]) -> [ReadingCosts] {
    let other = sample.header.truthKind.other
    return sample.costs(of: 2) { frame in
      guard let truth = frame.truth, let camera = frame.intrinsics else { return [] }
      return [[truth, truth.converted(to: other, seenBy: camera)].map { Self.cost(frame, $0, camera) }]
    }
  }

  private static func cost(_ frame: DepthFrame, _ truth: DepthMap, _ camera: CameraIntrinsics) -> Double {
    let grid = DepthGrid(frame), k = camera.scaled(to: grid.size)
    var (sum, count) = (0.0, 0)
    let ratios = TruthConvention.logRatios(frame, grid, to: truth)
    // A scale that all pixels share is another fault.
    let common = OrderStatistics.median(of: ratios.filter(\.isFinite)) ?? 0
    for (index, ratio) in ratios.enumerated() where ratio.isFinite {
      let x = (Double(index % grid.size.width) + 0.5 - k.cx) / k.fx
      let y = (Double(index / grid.size.width) + 0.5 - k.cy) / k.fy
      guard (1 + x * x + y * y).squareRoot() >= leastLength else { continue }
      // Edges and missed surfaces say nothing about kinds.
      sum += min(abs(ratio - common), 0.2)
      count += 1
    }
    return count >= 100 ? sum / Double(count) : .nan
  }
}
