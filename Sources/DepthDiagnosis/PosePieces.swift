import DepthCore
import FathomLinearAlgebra
import Foundation

/// Whether the poses are of one piece: no new origin midway, no frame beside its place, no stop.
///
/// Neighbouring frames are carried into each other. Where those on both sides of a frame agree among themselves and not
/// with each other, the motion is sought that brings one side to the other. Only if it makes them agree as well as all
/// others is anything called wrong: the correction is the proof.
struct PosePieces {
  static let (id, title) = ("pose-pieces", "Pieces of the poses")
  private static let property = "one world for all of camera/world_from_camera"
  /// A relative difference counts as this at most; where hardly anything lands, all of it.
  private static let limit = 0.1
  /// Least share of a map that must land for a difference to be one.
  private static let leastLanding = 0.1
  /// Frames are looked at where they cost so many times as much as others do, or so much more; a break costs more still.
  private static let (suspectRatio, suspectExcess, breakRatio) = (1.6, 0.008, 2.5)
  /// What a correction must move, in shares of depth: trackers have smaller errors from frame to frame.
  private static let leastMotion = 0.06
  /// What would be seen is tried with such a break: metres, and radians about the camera's y axis.
  private static let tried = (metres: 0.1, radians: 0.05)
  private static let columns = 48
  private let sample: SceneSample
  var threads: Int { sample.threads }
  let views: [PosedDepth]
  /// Of every view, the position of its frame.
  let frames: [Int]

  /// - Parameter reading: Applied to the frames first.
  init(_ sample: SceneSample, base: GeometryReading, reading: MotionReading = .scale(1)) {
    self.sample = sample
    let all = sample.frames.indices.compactMap { position -> (Int, PosedDepth)? in
      reading.read(sample.frames[position], in: sample)
        .flatMap { base.view($0.thinned(to: Self.columns), limit: Self.columns) }.map { (position, $0) }
    }
    (frames, views) = (all.map(\.0), all.map(\.1))
  }

  static func notTestable(in scene: SceneHeader, _ reason: String) -> Finding {
    Finding(id, title, in: scene, verdict: .notTestable, summary: reason, property: property)
  }

  /// - Parameter isLost: Whether no reading makes frames agree.
  /// - Parameter rivals: The frames in other readings.
  func finding(isLost: Bool, rivals: () -> [PosePieces]) -> Finding {
    func finding(
      _ verdict: Finding.Verdict, _ supported: String?, _ summary: String, margin: Double? = nil,
      fix: String? = nil
    ) -> Finding {
      var finding = Finding(
        Self.id, Self.title, in: sample.header, verdict: verdict, declared: "one", supported: supported,
        summary: summary, fix: fix, property: Self.property)
      finding.margin = margin
      return finding
    }
    guard views.count >= 6 else { return finding(.undecidable, nil, "fewer than 6 frames have no pieces") }
    if let stop {
      return finding(
        .contradicted, "stop-at-\(stop.first)",
        "the poses stop at frame \(stop.first): up to frame \(stop.last) they are equal number by number, while depths "
          + "change by \(MotionConvention.percent(stop.change))",
        fix: "see whether tracking was lost there; leave these frames out")
    }
    if let missing = missingTranslations {
      return finding(
        .contradicted, "no-translations",
        "the translations of all poses are equal number by number, but neighbouring frames differ by "
          + "\(MotionConvention.percent(missing.before)), and by \(MotionConvention.percent(missing.after)) once the camera "
          + "moves by \((100 * missing.metres).rounded1) cm",
        margin: missing.margin, fix: Self.missingTranslationsFix)
    }
    if let errors = PoseErrors(self, isLost: isLost, rivals: rivals) {
      return areAtOnePlace
        ? finding(
          .contradicted, "no-translations",
          "the translations of all poses are equal number by number, but \(errors.numbers)",
          margin: errors.margin, fix: Self.missingTranslationsFix)
        : finding(.contradicted, errors.id, errors.words, margin: errors.margin, fix: errors.fix)
    }
    let costs = Dictionary(
      uniqueKeysWithValues: pairs(0..<views.count, reach: 2).map { ($0, cost(of: $0)) })
    guard let typical = OrderStatistics.median(of: Array(costs.values)), typical < Self.limit / 2
    else { return finding(.undecidable, nil, "neighbouring frames do not agree: pieces do not show") }
    let bound = max(Self.suspectRatio * typical, typical + Self.suspectExcess)
    func crossing(_ k: Int) -> [Pair] {
      pairs(max(0, k - 2)..<min(views.count, k + 2), reach: 2).filter { $0.from < k && $0.to >= k }
    }
    func mean(_ pairs: [Pair]) -> Double {
      pairs.reduce(0) { $0 + (costs[$1] ?? Self.limit) } / Double(max(1, pairs.count))
    }
    let suspects = (1..<views.count).filter { mean(crossing($0)) > bound }
      .sorted { mean(crossing($0)) > mean(crossing($1)) }.prefix(3)
    for k in suspects {
      // A frame whose neighbours agree without it stands alone.
      let isAlone = k + 1 < views.count && (costs[Pair(from: k - 1, to: k + 1)] ?? Self.limit) <= bound
      // The pose of a first or last frame may be off by itself.
      guard isAlone || (2...views.count - 2).contains(k) else { continue }
      let moved = isAlone ? k..<k + 1 : k..<views.count
      let touched = isAlone ? costs.keys.filter { ($0.from == k) != ($0.to == k) } : crossing(k)
      let pairs = touched.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
      guard let mended = mended(moved, pairs, bound: bound), mended.before >= Self.breakRatio * typical
      else { continue }
      let number = sample.frames[frames[k]].index
      let numbers =
        "carried into each other they differ by \(MotionConvention.percent(mended.before)), and by "
        + "\(MotionConvention.percent(mended.after)) once moved by \((100 * mended.metres).rounded1) cm and "
        + "\((mended.degrees).rounded1)°; elsewhere frames differ by \(MotionConvention.percent(typical))"
      return finding(
        .contradicted, (isAlone ? "one-frame-at-" : "new-origin-at-") + "\(number)",
        isAlone
          ? "the pose of frame \(number) lies beside those before and after it: \(numbers)"
          : "from frame \(number) on the poses have another origin than before: \(numbers). What it looks like: two "
            + "copies of the room",
        margin: mended.margin,
        fix: isAlone
          ? "leave frame \(number) out, or track again"
          : "split the recording at frame \(number), or bring both parts into one world")
    }
    if let k = suspects.first {
      return finding(
        .undecidable, nil,
        "frames before frame \(sample.frames[frames[k]].index) differ from those after it by "
          + "\(MotionConvention.percent(mean(crossing(k)))), other frames by \(MotionConvention.percent(typical)). "
          + "Trackers can be off by as much, and no motion of the poses improves it")
    }
    let places = [1, 2, 3].map { $0 * views.count / 4 }.filter { $0 > 0 }
    let missed = places.filter { k in
      let broken = crossing(k).map { cost(of: $0, shares(k..<views.count), by: probe(k)) }
      return broken.reduce(0, +) / Double(max(1, broken.count)) <= max(bound, Self.breakRatio * typical)
    }
    func list(_ places: [Int]) -> String {
      places.map { String(sample.frames[frames[$0]].index) }.joined(separator: ", ")
    }
    let words = "a new origin \((100 * Self.tried.metres).rounded1) cm and 3° off"
    return missed.isEmpty
      ? finding(
        .confirmed, "one",
        "no frame lies beside its neighbours; \(words) would show at frames \(list(places))")
      : finding(
        .undecidable, nil,
        "no frame lies beside its neighbours, but \(words) would not show at \(list(missed))")
  }

  private static let missingTranslationsFix =
    "see whether the last column of the matrices was lost, or the tracker gives rotations only"

  /// Whether all translations are equal number by number.
  var areAtOnePlace: Bool {
    views.allSatisfy { $0.worldFromCamera.translation == views[0].worldFromCamera.translation }
  }

  /// What makes frames agree in the middle of the recording where all poses are at one place; nil where they are not, or
  /// where nothing need be made to agree: cameras on tripods only turn.
  private var missingTranslations: Mended? {
    guard areAtOnePlace else { return nil }
    return [1, 2, 3].lazy.map { $0 * views.count / 4 }.compactMap { k in
      mended(k..<views.count, [Pair(from: k - 1, to: k)], bound: Self.limit)
    }.first
  }

  /// The break that is tried: sideways of the camera, and about its y axis.
  private func probe(_ k: Int) -> Motion {
    let pose = views[k].worldFromCamera
    return Motion(
      turn: pose.yAxis * Self.tried.radians, shift: pose.xAxis * Self.tried.metres, about: pose.translation)
  }

  struct Pair: Hashable {
    var from: Int, to: Int
  }

  func pairs(_ range: Range<Int>, reach: Int) -> [Pair] {
    range.flatMap { from in
      (1...reach).map { Pair(from: from, to: from + $0) }.filter { range.contains($0.to) }
    }
  }

  /// A motion of the world: a turn about a place, then a shift.
  struct Motion: Hashable {
    var turn = SIMD3<Double>.zero, shift = SIMD3<Double>.zero, about = SIMD3<Double>.zero

    func callAsFunction(_ pose: RigidTransform) -> RigidTransform {
      let angle = (turn * turn).sum().squareRoot()
      let axis = angle > 1e-12 ? turn / angle : SIMD3(0, 0, 1)
      let (c, s) = (Foundation.cos(angle), Foundation.sin(angle))
      func turned(_ v: SIMD3<Double>) -> SIMD3<Double> {
        let cross = SIMD3(
          axis.y * v.z - axis.z * v.y, axis.z * v.x - axis.x * v.z, axis.x * v.y - axis.y * v.x)
        return v * c + cross * s + axis * ((axis * v).sum() * (1 - c))
      }
      return RigidTransform(
        xAxis: turned(pose.xAxis), yAxis: turned(pose.yAxis), zAxis: turned(pose.zAxis),
        translation: turned(pose.translation - about) + about + shift)
    }

    /// So much of it.
    static func * (motion: Motion, share: Double) -> Motion {
      Motion(turn: motion.turn * share, shift: motion.shift * share, about: motion.about)
    }

    func changed(_ parameter: Int, by step: Double) -> Motion {
      var motion = self
      if parameter < 3 { motion.turn[parameter] += step } else { motion.shift[parameter - 3] += step }
      return motion
    }
  }

  /// For every pixel of one view the share by which its point lies before or behind the other view's surface.
  /// - Parameter shares: How much of the motion each view makes.
  private func differences(_ pair: Pair, _ shares: [Double], by motion: Motion?) -> [Double] {
    var (from, to) = (views[pair.from], views[pair.to])
    if let motion {
      if shares[pair.from] != 0 { from.worldFromCamera = (motion * shares[pair.from])(from.worldFromCamera) }
      if shares[pair.to] != 0 { to.worldFromCamera = (motion * shares[pair.to])(to.worldFromCamera) }
    }
    guard let excess = from.excess(in: to) else { return [] }
    return zip(excess, from.depth.values).map { $0 / Double($1) }
  }

  /// The whole motion of some views, none of the others.
  private func shares(_ moved: Range<Int>) -> [Double] { views.indices.map { moved.contains($0) ? 1 : 0 } }

  func cost(of pair: Pair, _ shares: [Double] = [], by motion: Motion? = nil) -> Double {
    let known = differences(pair, shares, by: motion).filter(\.isFinite)
    let points = views[pair.from].depth.values.count { $0 > 0 && $0.isFinite }
    guard Double(known.count) >= Self.leastLanding * Double(points), !known.isEmpty else { return Self.limit }
    return known.reduce(0) { $0 + min(abs($1), Self.limit) } / Double(known.count)
  }

  private struct Mended {
    var before: Double, after: Double, margin: Double, metres: Double, degrees: Double
  }

  /// The motion of some frames that makes pairs agree; nil where none does, or one as small as errors of trackers.
  private func mended(_ moved: Range<Int>, _ pairs: [Pair], bound: Double) -> Mended? {
    guard let k = moved.first else { return nil }
    let starts = guesses(k)
    let found = concurrentMap(starts.count, threads: sample.threads) {
      number -> (Double, [RigidTransform])? in
      refined(moved, pairs, from: starts[number])
    }.compactMap(\.self).min { $0.0 < $1.0 }
    guard let found, found.0 <= bound else { return nil }
    let before = pairs.map { cost(of: $0) }
    let mean = before.reduce(0, +) / Double(before.count)
    guard found.0 <= 0.6 * mean else { return nil }
    let corrected = replacing(moved, found.1)
    let rows = zip(pairs, before).flatMap { pair, _ -> [[Double]] in
      zip(parts(pair), corrected.parts(pair)).map { [$0, $1] }
    }
    guard let margin = Evidence.margin(rows, views: nil), margin >= Evidence.rejection else { return nil }
    let (old, new) = (views[k].worldFromCamera, found.1[0])
    let step = new.translation - old.translation, metres = (step * step).sum().squareRoot()
    let trace = (old.xAxis * new.xAxis).sum() + (old.yAxis * new.yAxis).sum() + (old.zAxis * new.zAxis).sum()
    let radians = Foundation.acos(min(1, max(-1, (trace - 1) / 2)))
    let depths = views[k].depth.values.filter { $0 > 0 && $0.isFinite }.map(Double.init)
    guard let depth = OrderStatistics.median(of: depths), metres / depth + radians >= Self.leastMotion
    else { return nil }
    return Mended(
      before: mean, after: found.0, margin: margin, metres: metres, degrees: radians * 180 / .pi)
  }

  /// The frames as they are, and where they would be if the camera had hardly moved, or moved on as before.
  private func guesses(_ k: Int) -> [RigidTransform] {
    let before = views[k - 1].worldFromCamera
    let steady = k >= 2 ? before.after(views[k - 2].worldFromCamera.inverse.after(before)) : before
    return [views[k].worldFromCamera, before, steady]
  }

  /// Moves frames so that their first one has a pose, and then until pairs agree best.
  func refined(
    _ moved: Range<Int>, _ pairs: [Pair], from start: RigidTransform
  ) -> (Double, [RigidTransform])? {
    guard let k = moved.first else { return nil }
    let toStart = start.after(views[k].worldFromCamera.inverse)
    let poses = moved.map { $0 == k ? start : toStart.after(views[$0].worldFromCamera) }
    let (placed, shares) = (replacing(moved, poses), shares(moved))
    var motion = Motion(about: start.translation)
    func mean(_ motion: Motion) -> Double {
      pairs.reduce(0) { $0 + placed.cost(of: $1, shares, by: motion) } / Double(pairs.count)
    }
    var (best, lost) = (mean(motion), 0)
    var result = motion
    for _ in 0..<12 where lost < 2 {
      guard let step = placed.step(shares, pairs, from: motion) else { break }
      for parameter in 0..<6 { motion = motion.changed(parameter, by: step[parameter]) }
      let now = mean(motion)
      if now < 0.999 * best { (best, result, lost) = (now, motion, 0) } else { lost += 1 }
    }
    return (best, poses.map(result.callAsFunction))
  }

  /// One step of Gauss and Newton, of differences that count the less the larger they are.
  /// - Parameter reach: How much of the motion a pair makes: slopes are taken over as much more of it.
  func step(_ shares: [Double], _ pairs: [Pair], from motion: Motion, reach: Double = 1) -> [Double]? {
    var normal = [[Double]](repeating: [Double](repeating: 0, count: 6), count: 6)
    var right = [Double](repeating: 0, count: 6)
    for pair in pairs {
      let here = differences(pair, shares, by: motion)
      let known = here.filter(\.isFinite).map { abs($0) }
      guard let scale = OrderStatistics.median(of: known) else { continue }
      let width = max(0.01, 2 * scale)
      let steps = (0..<6).map { ($0 < 3 ? 0.002 : 0.004) / reach }
      let there = (0..<6).map { differences(pair, shares, by: motion.changed($0, by: steps[$0])) }
      for pixel in here.indices where here[pixel].isFinite && abs(here[pixel]) < 3 * width {
        let slope = (0..<6).map { (there[$0][pixel] - here[pixel]) / steps[$0] }
        guard slope.allSatisfy({ $0.isFinite && abs($0) < 20 * reach }) else { continue }
        let weight = 1 / (1 + here[pixel] * here[pixel] / (width * width))
        for i in 0..<6 {
          right[i] -= weight * slope[i] * here[pixel]
          for j in 0..<6 { normal[i][j] += weight * slope[i] * slope[j] }
        }
      }
    }
    let trace = (0..<6).reduce(0) { $0 + normal[$1][$1] }
    guard trace > 0 else { return nil }
    for i in 0..<6 { normal[i][i] += 1e-3 * trace / 6 }
    guard let step = try? linearSolve(Matrix(rows: normal), right), step.allSatisfy(\.isFinite)
    else { return nil }
    let largest = step.map { abs($0) }.max() ?? 0
    return largest > 0.3 ? step.map { $0 * 0.3 / largest } : step
  }

  func replacing(_ moved: Range<Int>, _ poses: [RigidTransform]) -> PosePieces {
    var views = views
    for (position, pose) in zip(moved, poses) { views[position].worldFromCamera = pose }
    return PosePieces(sample: sample, views: views, frames: frames)
  }

  private init(sample: SceneSample, views: [PosedDepth], frames: [Int]) {
    (self.sample, self.views, self.frames) = (sample, views, frames)
  }

  /// Mean differences of a pair by quarters of rows and columns; the limit where nothing lands.
  private func parts(_ pair: Pair) -> [Double] {
    let size = views[pair.from].depth.size
    var (sums, counts) = ([Double](repeating: 0, count: 16), [Double](repeating: 0, count: 16))
    for (index, value) in differences(pair, [], by: nil).enumerated() where value.isFinite {
      let part = index / size.width * 4 / size.height * 4 + index % size.width * 4 / size.width
      sums[part] += min(abs(value), Self.limit)
      counts[part] += 1
    }
    return zip(sums, counts).map { $1 >= 5 ? $0 / $1 : Self.limit }
  }

  /// Frames whose poses are equal while their maps change, of a camera that moves elsewhere.
  private var stop: (first: Int, last: Int, change: Double)? {
    var (start, best): (Int?, Range<Int>?) = (nil, nil)
    for k in 1..<views.count {
      guard views[k].worldFromCamera == views[k - 1].worldFromCamera else {
        start = nil
        continue
      }
      let first = start ?? k - 1
      start = first
      if k - first > (best?.count ?? 1) { best = first..<k }
    }
    // Three frames at least, and not all of them.
    guard let best, best.count >= 2, best.count < views.count - 2 else { return nil }
    let (a, b) = (views[best.lowerBound].depth.values, views[best.upperBound].depth.values)
    let changes = zip(a, b).map { abs(Foundation.log(Double($0) / Double($1))) }.filter(\.isFinite)
    guard let change = OrderStatistics.median(of: changes), change >= 0.03 else { return nil }
    return (
      sample.frames[frames[best.lowerBound]].index, sample.frames[frames[best.upperBound]].index, change
    )
  }
}

extension RigidTransform {
  /// This after another one.
  func after(_ first: RigidTransform) -> RigidTransform {
    RigidTransform(
      xAxis: direction(first.xAxis), yAxis: direction(first.yAxis), zAxis: direction(first.zAxis),
      translation: self(first.translation))
  }
}
