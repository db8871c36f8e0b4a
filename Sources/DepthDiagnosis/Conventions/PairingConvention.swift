import DepthCore
import Foundation

/// Whether truth, relative maps, camera images and predictions are of their frame, or of one before or after: each is held
/// against the depth of its own frame and against that of the neighbours.
public struct PairingConvention: Convention {
  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    let waits: Set = ["repeated-frames", "aspect-ratio", "depth-per-frame", "depth-unit"]
    let tests =
      [PairingTest(.relative), PairingTest(.truth)]
      // Listed only where there is something to be held.
      + (sample.frames.contains { $0.image != nil } ? [PairingTest(.image)] : [])
      + sample.header.predictions.map { PairingTest(.prediction($0)) }
    let findings = tests.flatMap { test -> [Finding] in
      let placement = test.placement(in: sample, after: earlier, waits)
      return [test.finding(in: sample, after: earlier, waits, isPlaced: placement.isEmpty)] + placement
    }
    let blamed = findings.filter { $0.verdict == .contradicted }
    // What several others agree on is a fault of the depth itself.
    guard blamed.count > 1, Set(blamed.map(\.supported)).count == 1, Set(blamed.map(\.property)).count > 1,
      !findings.contains(where: { $0.verdict == .confirmed })
    else { return findings }
    return findings.map { finding in
      guard finding.verdict == .contradicted else { return finding }
      var finding = finding
      finding.summary += ". Others show the same, so that it is lidar/depth that stands in the wrong place"
      return finding
    }
  }
}

/// One kind of map against the depth of frames around its own.
private struct PairingTest {
  enum Content {
    case relative, truth, image, prediction(StoredPrediction)
  }

  /// What a frame's depth is compared by.
  private struct Depth {
    let grid: DepthGrid
    /// For camera images only.
    let edges: EdgeMap?
  }

  /// What the maps of the frames cost as they stand, and with the depth of a frame so many later.
  private struct Comparison {
    let shift: Int
    /// Means over all parts.
    let own: Double, other: Double
    /// Standard errors by which the other is better; negative where the own is.
    let margin: Double
    /// Frames in which the other is better, of how many.
    let better: Int, count: Int
  }

  let content: Content
  init(_ content: Content) { self.content = content }
  /// By how many frames a map may be off.
  private static let shifts = [-1, 1, -2, 2]
  /// Fewest frames that are compared; the least share of them in which the neighbour is better.
  private static let (fewestFrames, leastShare) = (3, 0.75)
  /// Columns of depth whose ranks are compared.
  private static let rankLimit = 48

  /// "truth-delay" of "delay", "prediction-delay:NAME".
  private func id(_ property: String) -> String {
    switch content {
    case .relative: "relative-\(property)"
    case .truth: "truth-\(property)"
    case .image: "image-\(property)"
    case .prediction(let prediction): "prediction-\(property):\(prediction.name)"
    }
  }

  /// "the truth"
  private var noun: String {
    switch content {
    case .relative: "the relative map"
    case .truth: "the truth"
    case .image: "the camera image"
    case .prediction(let prediction): "the prediction '\(prediction.name)'"
    }
  }

  private var object: String {
    switch content {
    case .relative: "relative/values"
    case .truth: "truth/depth"
    case .image: "image/rgb"
    case .prediction(let prediction): "predictions/\(prediction.name)/depth"
    }
  }

  private var costUnit: String {
    switch content {
    case .truth: "mean of min(|ln(LiDAR/truth)|, 0.25)"
    case .image: "1 − ρ of ranks of edges"
    case .relative, .prediction: RankCost.unit
    }
  }

  /// Whether only the order of near and far is compared.
  private var comparesRanks: Bool {
    switch content {
    case .relative, .prediction: true
    case .truth, .image: false
    }
  }

  /// Largest cost of what fits, and the least difference of costs that is one.
  private var limits: (fit: Double, excess: Double) {
    switch content {
    case .truth: (0.1, 0.001)
    case .image: (0.9, 0.04)
    case .relative, .prediction: (RankCost.sharpened(0.45), 0.02)
    }
  }

  /// Whether a neighbour explains so much more that chance in the view does not. Edges of pictures never fit well.
  private func explainsMore(_ other: Double, than own: Double) -> Bool {
    if case .image = content { return own - other >= limits.excess }
    return 1 - other / own >= 0.15
  }

  func finding(
    in sample: SceneSample, after earlier: [Finding], _ waits: Set<String>, isPlaced: Bool
  ) -> Finding {
    func finding(
      _ verdict: Finding.Verdict, _ supported: String?, _ summary: String, _ fix: String? = nil
    ) -> Finding {
      var finding = Finding(
        id("delay"), "Frames of \(noun)", in: sample.header, verdict: verdict,
        declared: verdict == .notTestable ? nil : "own", supported: supported, summary: summary, fix: fix,
        property: "one map of \(object) for each frame")
      finding.costUnit = costUnit
      return finding
    }
    if let reason = earlier.reasonToWait(for: waits) ?? objection(to: sample) {
      return finding(.notTestable, nil, reason)
    }
    let found = comparisons(in: sample)
    guard let best = found.comparisons.max(by: { $0.margin < $1.margin })
    else { return finding(.notTestable, nil, "too little data") }
    let numbers =
      "\(costUnit) \(best.other.rounded3) with the neighbour's depth, \(best.own.rounded3) with its own"
    var result: Finding
    if best.margin >= Evidence.rejection, Double(best.better) >= Self.leastShare * Double(best.count),
      best.count >= Self.fewestFrames
    {
      result = finding(.undecidable, nil, "a neighbour's depth fits hardly better: \(numbers)")
      guard best.other <= limits.fit, explainsMore(best.other, than: best.own) else { return result }
      if let displaced = displacedCost(in: sample), !explainsMore(best.other, than: displaced) {
        result.summary =
          "a \(sample.reference == .lidar ? "LiDAR" : "truth") that lies beside the map explains about as much as a "
          + "delay: \(displaced.rounded3) and \(best.other.rounded3)"
        return result
      }
      let count = abs(best.shift)
      let (frames, word) = (count == 1 ? "one frame" : "\(count) frames", best.shift < 0 ? "late" : "early")
      result = finding(
        .contradicted, word + (count == 1 ? "" : "-\(count)"),
        "\(object) comes \(frames) \(word): in \(best.better) of \(best.count) frames it fits the depth \(frames) "
          + "\(best.shift < 0 ? "earlier" : "later") better than its own. What it looks like: errors grow where the "
          + "camera moves. Evidence: \(numbers)")
      result.fix =
        "give every frame the one that stands \(frames) \(best.shift < 0 ? "later" : "earlier") in \(object), and "
        + "see where numbers of files begin"
    } else {
      let nearest = found.comparisons.filter { abs($0.shift) == 1 }
      result =
        !nearest.isEmpty && found.comparisons.allSatisfy { $0.margin <= -Evidence.rejection }
        ? finding(.confirmed, "own", "every map is of its frame, as declared")
        : finding(.undecidable, nil, "these frames cannot tell neighbours apart: \(numbers)")
    }
    (result.margin, result.units, result.views) = (abs(best.margin), found.parts, found.views)
    return result.verdict.isWrong || !isPlaced
      ? result
      : strays(in: sample).map { strays in
        let list = strays.prefix(6).map { "\($0.frame) that of \($0.of)" }.joined(separator: ", ")
        return finding(
          .contradicted, "other-frames",
          "\(strays.count) maps of \(object) fit the depth of another frame much better than that of their own: "
            + "\(list)\(strays.count > 6 ? ", …" : ""). What it looks like: errors of these frames are as large as the room",
          "see in which order files were read, and whether one map was stored for several frames")
      } ?? result
  }

  /// A neighbour is one of few, and another frame one of many: standard errors over the parts of one map, and the share of its cost that
  /// may be left. Of a single map chance would do.
  private static let (straying, strayShare, fewestStrays) = (4.5, 0.5, 2)

  /// Maps that fit the depth of another frame as well as maps should, and their own not at all; nil where fewer than two do.
  private func strays(in sample: SceneSample) -> [(frame: Int, of: Int)]? {
    if case .image = content { return nil }
    let frames = sample.frames, depths = depths(of: frames, sample)
    guard frames.count >= Self.fewestFrames else { return nil }
    let found = concurrentMap(frames.count, threads: sample.threads) { position -> (frame: Int, of: Int)? in
      let all = self.costs(frames[position], on: frames.map { depths[$0.index] }, in: sample)
      let means = all.map { parts -> Double in
        let known = parts.filter(\.isFinite)
        return known.isEmpty ? .infinity : known.reduce(0, +) / Double(known.count)
      }
      guard all.indices.contains(position), let best = means.indices.min(by: { means[$0] < means[$1] }),
        best != position, means[best] <= limits.fit, means[best] <= Self.strayShare * means[position],
        let margin = Evidence.margin(zip(all[position], all[best]).map { [$0, $1] }, views: nil),
        margin >= Self.straying
      else { return nil }
      return (frames[position].index, frames[best].index)
    }.compactMap(\.self)
    return found.count >= Self.fewestStrays ? found : nil
  }

  /// By so much of the width a map may lie beside the LiDAR; a right one does by less than half of the least.
  private static let displacements = [1.0 / 24, 1.0 / 12]
  /// Share of the cost that a map elsewhere leaves.
  private static let displacedShare = 0.7

  /// Whether the map lies beside the LiDAR's: listed only where it does. Pictures of a camera beside it may.
  func placement(in sample: SceneSample, after earlier: [Finding], _ waits: Set<String>) -> [Finding] {
    if case .image = content { return [] }
    guard earlier.reasonToWait(for: waits) == nil, sample.header.lidarSize != nil else { return [] }
    let sides: [(id: String, words: String, step: SIMD2<Double>)] = [
      ("right", "to the right", [1, 0]), ("left", "to the left", [-1, 0]), ("down", "down", [0, 1]),
      ("up", "up", [0, -1]),
    ]
    let places = Self.displacements.flatMap { size in sides.map { ($0, size) } }
    let depths = depths(of: sample.frames, sample)
    let costs = concurrentMap(sample.frames.count, threads: sample.threads) { position -> [[Double]] in
      let frame = sample.frames[position]
      // Ranks of a plane are the same wherever it lies.
      if comparesRanks, depths[frame.index]?.grid.isOnePlane == true { return [] }
      return ([SIMD2<Double>.zero] + places.map { $0.0.step * $0.1 }).map {
        self.costs(frame, on: [depths[frame.index]], in: sample, displacedBy: $0).first ?? []
      }
    }
    let found = places.indices.compactMap { number -> (Int, own: Double, other: Double, margin: Double)? in
      var (rows, frames): ([[Double]], [Int]) = ([], [])
      for (position, costs) in costs.enumerated() where !costs.isEmpty {
        rows += zip(costs[0], costs[number + 1]).map { [$0, $1] }
        frames += costs[0].map { _ in position }
      }
      let pooled = sample.pooled(rows, of: frames), count = Double(pooled.rows.count)
      guard let margin = Evidence.margin(pooled.rows, views: pooled.views), margin >= Self.straying
      else { return nil }
      let means = (0..<2).map { column in pooled.rows.reduce(0) { $0 + $1[column] } / count }
      return means[1] <= min(limits.fit, Self.displacedShare * means[0])
        ? (number, means[0], means[1], margin) : nil
    }
    guard let best = found.min(by: { $0.other < $1.other }) else { return [] }
    let (side, size) = places[best.0], share = "\((100 * size).rounded1) % of the width"
    var finding = Finding(
      id("placement"), "Place of \(noun)",
      in: sample.header,
      verdict: .contradicted, declared: "own", supported: "shifted-\(side.id)",
      summary:
        "\(object) lies about \(share) too far \(side.words) beside the LiDAR map. What it looks like: edges have a "
        + "double. Evidence: \(costUnit) \(best.own.rounded3) as stored, \(best.other.rounded3) moved back",
      fix: "see whether \(object) was cropped, padded or moved, and store the same view as lidar/depth has",
      property: "the view of \(object)")
    (finding.margin, finding.costUnit) = (best.margin, costUnit)
    return [finding]
  }

  private func objection(to sample: SceneSample) -> String? {
    if sample.header.lidarSize == nil { return "the scene has no LiDAR depth" }
    switch content {
    case .relative where !sample.frames.contains { $0.relative != nil }:
      return "the scene has no relative map"
    case .truth where !sample.frames.contains { $0.truth != nil }: return "the scene has no truth"
    default: break
    }
    let known = Set((sample.frames + sample.around).map(\.index))
    return sample.frames.contains { known.contains($0.index + 1) || known.contains($0.index - 1) }
      ? nil : "no two frames follow each other"
  }

  private func comparisons(in sample: SceneSample) -> (comparisons: [Comparison], parts: Int, views: Int) {
    let depths = depths(of: sample.frames + sample.around, sample)
    /// By frames, then by what it is compared with, its own depth first.
    let costs = concurrentMap(sample.frames.count, threads: sample.threads) { position -> [[Double]] in
      let frame = sample.frames[position]
      return self.costs(frame, on: ([0] + Self.shifts).map { depths[frame.index + $0] }, in: sample)
    }
    var (parts, views) = (0, 0)
    let comparisons = Self.shifts.enumerated().compactMap { number, shift -> Comparison? in
      var (rows, frames, better, count) = ([[Double]](), [Int](), 0, 0)
      for (position, costs) in costs.enumerated() where !costs.isEmpty {
        let own = zip(costs[0], costs[number + 1]).map { [$0, $1] }
        let known = own.filter { $0.allSatisfy(\.isFinite) }
        guard !known.isEmpty else { continue }
        rows += own
        frames += own.map { _ in position }
        if known.reduce(0, { $0 + $1[0] - $1[1] }) > 0 { better += 1 }
        count += 1
      }
      let pooled = sample.pooled(rows, of: frames)
      guard count > 0, let margin = Evidence.margin(pooled.rows, views: pooled.views) else { return nil }
      let means = (0..<2).map { column in
        pooled.rows.reduce(0) { $0 + $1[column] } / Double(pooled.rows.count)
      }
      (parts, views) = (max(parts, pooled.rows.count), max(views, Set(pooled.views).count))
      return Comparison(
        shift: shift, own: means[0], other: means[1],
        margin: abs(means[0] - means[1]) < limits.excess / 2 ? 0 : margin, better: better, count: count)
    }
    return (comparisons, parts, views)
  }

  private func depths(of frames: [DepthFrame], _ sample: SceneSample) -> [Int: Depth] {
    let found = concurrentMap(frames.count, threads: sample.threads) { number -> Depth in
      var (limit, edges): (Int, EdgeMap?) = (Self.rankLimit, nil)
      switch content {
      case .truth: limit = DepthGrid.limit
      case .image: edges = EdgeMap(depth: frames[number].lidar)
      case .relative, .prediction: break
      }
      return Depth(grid: DepthGrid(frames[number], limit: limit), edges: edges)
    }
    return Dictionary(zip(frames.map(\.index), found)) { first, _ in first }
  }

  /// Costs of the parts of a frame's map on several depths; NaN on what is not there. Empty where the frame has no map.
  private func costs(
    _ frame: DepthFrame, on depths: [Depth?], in sample: SceneSample, displacedBy shift: SIMD2<Double> = .zero
  ) -> [[Double]] {
    // As many pixels down as to the side.
    let down = shift.y * Double(frame.lidar.width) / Double(max(1, frame.lidar.height))
    func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      (min(max(x + shift.x, 0), 1), min(max(y + down, 0), 1))
    }
    func each(_ cost: (Depth) -> [Double]) -> [[Double]] {
      let found = depths.map { $0.map(cost) }
      let parts = found.lazy.compactMap { $0?.count }.max() ?? 0
      return found.map { $0 ?? [Double](repeating: .nan, count: parts) }
    }
    func ranks(of map: DepthMap, isDepth: Bool) -> [[Double]] {
      each { depth in
        RankCost.blocks(depth.grid.disparity, depth.grid.samples(of: map, at: place), depth.grid.size)
          .map { ($0.map { isDepth ? $0.falling : $0.rising }).map(RankCost.sharpened) ?? .nan }
      }
    }
    switch content {
    case .truth:
      guard let truth = frame.truth else { return [] }
      return each { TruthOrientationTest.differences($0.grid, truth, at: place) }
    case .relative:
      guard let map = frame.relative else { return [] }
      return ranks(of: map, isDepth: sample.header.relativeKind == .depth)
    case .prediction(let prediction):
      guard let stored = frame.predictions.first(where: { $0.header.name == prediction.name })
      else { return [] }
      return ranks(of: stored.map, isDepth: stored.header.kind != .disparity)
    case .image:
      guard let edges = frame.image.map(EdgeMap.init(image:)) else { return [] }
      return each { depth in
        depth.edges.map { EdgeMap.costs(of: edges, on: $0, at: [place]).map { $0[0] } } ?? []
      }
    }
  }

  /// The least mean cost of maps on their own depth, read beside their places: to a camera that moves steadily to one side a
  /// depth that lies beside its map and one of another frame look alike. nil where nothing can be compared.
  private func displacedCost(in sample: SceneSample) -> Double? {
    let depths = depths(of: sample.frames, sample)
    // Two pixels of a phone's LiDAR; a camera beside it sees some per cent of the picture elsewhere.
    let steps: [Double]
    if case .image = content {
      steps = [-0.04, -0.02, 0, 0.02, 0.04]
    } else {
      steps = (-4...4).map { Double($0) / 512 }
    }
    let places = steps.flatMap { y in steps.map { SIMD2($0, y) } }
    let means = concurrentMap(places.count, threads: sample.threads) { number -> Double? in
      let costs = sample.frames.flatMap { frame -> [Double] in
        let own = self.costs(frame, on: [depths[frame.index]], in: sample, displacedBy: places[number])
        return own.joined().filter(\.isFinite)
      }
      return costs.isEmpty ? nil : costs.reduce(0, +) / Double(costs.count)
    }
    return means.compactMap(\.self).min()
  }
}
