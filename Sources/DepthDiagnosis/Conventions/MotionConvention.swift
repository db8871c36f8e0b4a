import DepthCore
import Foundation

/// Whether frames agree at all once they are carried into each other, and what would make them agree where the named
/// conventions do not: poses that lag behind, quaternions in another order, another scale, another focal length.
///
/// A part of ``GeometryConvention``, which asks it about the best of its own readings. Where nothing makes the frames agree,
/// the verdict is that no reading fits.
struct MotionConvention {
  static let (id, title) = ("frame-agreement", "Agreement of frames")
  static let property = "camera/world_from_camera beside lidar/depth"
  /// A reading with a number in it must agree so much better than one without: recordings are never perfect. The second where it is
  /// better by six standard errors.
  fileprivate static let (largestShare, largestSureShare) = (0.7, 0.8)
  /// Fewest frames for a reading with a number in it; least share of points that meet, for calling all readings wrong.
  static let (fewestFrames, leastMeeting) = (8, 0.1)
  /// Least share of the frames that a reading must have a pose for.
  static let leastFrames = 0.6
  /// Poses that make frames differ so much more than no motion at all do not belong to them.
  private static let worseThanStill = 1.2
  /// Share of the points that agree if the camera stands still; so many of them agree with poses that are right but shake.
  private static let poorShare = 0.8
  let sample: SceneSample, chosen: [Int]
  private let columns: Int
  /// The chosen frames with the returns that are compared.
  private let thinned: [DepthFrame]
  /// Fewer of them with fewer returns, to choose among readings.
  private let rough: (frames: [DepthFrame], columns: Int)
  /// How well frames agree if the camera stands still.
  let still: WarpAgreement
  /// Which frames are carried into each other.
  let reach: WarpAgreement.Reach

  /// - Parameter rough: How many frames and columns are enough to choose among readings.
  init(_ sample: SceneSample, frames: Int, columns: Int, rough: (frames: Int, columns: Int)) {
    (self.sample, self.columns) = (sample, columns)
    self.rough = (
      WarpAgreement.spread(sample.frames, limit: rough.frames).map {
        sample.frames[$0].thinned(to: rough.columns)
      }, rough.columns
    )
    chosen = WarpAgreement.spread(sample.frames, limit: frames)
    thinned = chosen.map { sample.frames[$0].thinned(to: columns) }
    let standing = thinned.map { frame -> PosedDepth? in
      guard let k = frame.intrinsics else { return nil }
      return PosedDepth(
        depth: DepthGrid(frame, limit: columns).depth, intrinsics: k,
        worldFromCamera: .identity, convention: .opencv)
    }
    reach = WarpAgreement.reach(ofStill: standing)
    still = WarpAgreement(standing, reach)
  }

  static func notTestable(in sample: SceneSample, _ reason: String) -> Finding {
    Finding(id, title, in: sample.header, verdict: .notTestable, summary: reason, property: property)
  }

  fileprivate struct Candidate {
    var reading: MotionReading, agreement: WarpAgreement
    /// Standard errors by which it is better than the base; negative where it is worse.
    var margin: Double
    /// Whether it is what cameras usually have, and what is declared is rarer.
    var isUsual = false
  }

  /// Of every part of the chosen frames, the position of its frame.
  var positions: [Int] { chosen.flatMap { [Int](repeating: $0, count: WarpAgreement.parts) } }

  /// How well frames agree in a reading; nil where too few of them have a pose then.
  func agreement(_ reading: MotionReading, base: GeometryReading, isRough: Bool = false) -> WarpAgreement? {
    // A map that is turned over has others of its pixels on the grid.
    let frames = reading.movesPixels ? chosen.map { sample.frames[$0] } : isRough ? rough.frames : thinned
    let views = frames.map { frame in
      reading.read(frame, in: sample).flatMap { base.view($0, limit: isRough ? rough.columns : columns) }
    }
    let share = Double(views.count { $0 != nil }) / Double(max(1, views.count))
    return share >= Self.leastFrames ? WarpAgreement(views, reach, stored: reading.stored) : nil
  }

  /// The same of several readings at once.
  func agreements(
    _ readings: [MotionReading], base: GeometryReading, isRough: Bool = false
  ) -> [WarpAgreement?] {
    concurrentMap(readings.count, threads: sample.threads) {
      agreement(readings[$0], base: base, isRough: isRough)
    }
  }

  /// The readings that do best with fewer frames and returns.
  private func likeliest(_ readings: [MotionReading], base: GeometryReading) -> [MotionReading] {
    guard readings.count > 2 * Self.finalists else { return readings }
    let costs = agreements(readings, base: base, isRough: true).map { $0?.meanCost ?? .infinity }
    return readings.indices.sorted { costs[$0] < costs[$1] }.prefix(Self.finalists).map { readings[$0] }
  }

  /// Readings of one kind that are compared in detail.
  private static let finalists = 3

  /// Standard errors by which frames agree better than in another reading, by what meets and by how much of it does;
  /// where the two contradict each other, the one that is against it.
  func margin(of agreement: WarpAgreement, over other: WarpAgreement) -> Double {
    let margins = [
      margin(of: agreement.costs, over: other.costs, positions),
      margin(of: agreement.differences, over: other.differences, positions),
    ]
    let least = min(margins[0], margins[1])
    return least <= Finding.Witness.objection ? least : max(margins[0], margins[1])
  }

  /// Standard errors by which frames agree better than if the camera stood still.
  func marginOverStill(of agreement: WarpAgreement) -> Double {
    max(
      margin(of: agreement.costs, over: still.costs, positions),
      margin(of: agreement.differences, over: still.differences, positions))
  }

  /// Standard errors over views by which costs are lower than others; negative where they are higher.
  private func margin(of costs: [Double], over base: [Double], _ positions: [Int]) -> Double {
    let pooled = sample.pooled(zip(base, costs).map { [$0, $1] }, of: positions)
    return Evidence.margin(pooled.rows, views: pooled.views) ?? 0
  }

  /// - Parameter base: The reading of the named conventions that frames are carried into each other by.
  /// - Parameter agreement: How well they agree in it.
  /// - Parameter declared: How well they agree in what the file declares; nil where it declares no axes.
  /// - Parameter isDeclared: Whether the base is that.
  /// - Parameter worst: Mean difference above which another reading explains nothing.
  /// - Parameter lies: How the LiDAR maps lie by maps that are not carried by poses; nil where none tells.
  /// - Returns: Also the best reading of each kind.
  func finding(
    base: GeometryReading, _ agreement: WarpAgreement, declared: WarpAgreement?, isDeclared: Bool,
    unlessAbove worst: Double = 1, lies: () -> Symmetry?
  ) -> (finding: Finding, readings: [MotionReading]) {
    let positions = positions
    func candidate(_ reading: MotionReading, _ there: WarpAgreement) -> Candidate {
      Candidate(
        reading: reading, agreement: there,
        margin: max(
          margin(of: there.costs, over: agreement.costs, positions),
          margin(of: there.differences, over: agreement.differences, positions)))
    }
    func best(_ readings: [MotionReading]) -> Candidate? {
      let readings = likeliest(readings, base: base)
      return zip(readings, agreements(readings, base: base)).compactMap { reading, there in
        there.map { (reading, $0) }
      }
      .min { $0.1.meanCost < $1.1.meanCost }.map(candidate)
    }
    let numbers = thinned.flatMap(\.lidar.values).filter { $0 > 0 && $0.isFinite }.map(Double.init)
    let (largest, median) = (numbers.max() ?? 0, OrderStatistics.median(of: numbers) ?? 0)
    // A few frames have no lag and no scale that would not look like another motion.
    let isLong = chosen.count >= Self.fewestFrames
    var kinds = [
      best(MotionReading.RotationOrder.allCases.map { .rotation($0) }),
      best(MotionReading.flips.map { .flipped($0) }),
      isLong ? best(MotionReading.lags.map { .lag($0) } + [.reversed]) : nil,
      isLong ? best(MotionReading.scales.map { .scale($0) }) : nil,
      isLong ? best(MotionReading.focals.map { .focal($0) }) : nil,
      isLong ? best(MotionReading.stretches) : nil,
      isLong ? best(MotionReading.offsets.map { .offset($0) }) : nil,
      isLong ? best([false, true].map { .leftHanded(isTurned: $0) }) : nil,
      isLong ? best(DepthLaw.all(upTo: largest, median: median).map { .law($0) }) : nil,
      isLong ? best(DepthLaw.powers.map { .law($0) }) : nil,
    ].compactMap(\.self)
    // Between the steps of the search.
    kinds = kinds.map { found in
      guard let (value, make) = found.reading.number, let step = found.reading.step else { return found }
      let finer = (-3...3).filter { $0 != 0 }.map { make(value * Foundation.exp(step * Double($0) / 4)) }
      guard let better = best(finer), better.agreement.meanCost < found.agreement.meanCost
      else { return found }
      return better
    }
    // Translations that say nothing have no scale.
    let turning = self.agreement(.scale(0), base: base)
    kinds.removeAll { found in
      guard case .scale = found.reading, let turning else { return false }
      return found.agreement.residual > Self.largestShare * turning.residual
    }
    if isLong, isDeclared {
      kinds += usual.compactMap(best).map {
        Candidate(reading: $0.reading, agreement: $0.agreement, margin: $0.margin, isUsual: true)
      }
    }
    kinds.removeAll { $0.agreement.residual > worst }
    // A world of the other hand looks as LiDAR maps that are upside down: other maps tell.
    let better = kinds.filter { $0.isBetter(than: agreement) }
    if better.contains(where: \.reading.movesPixels), better.contains(where: \.reading.isLeftHanded),
      let symmetry = lies()
    {
      kinds.removeAll {
        symmetry == .upright ? $0.reading.movesPixels : $0.reading.isLeftHanded
      }
    }
    if isLong, !kinds.contains(where: { $0.isBetter(than: agreement) }) {
      kinds += [movedAxis(from: agreement) { best([$0]) }].compactMap(\.self)
        .filter { $0.agreement.residual <= worst }
    }
    // Poses that say less than none: by how much frames agree better if the camera stands still.
    let standing = declared.map {
      $0.residual > Self.worseThanStill * still.residual
        && margin(of: still.differences, over: $0.differences, positions) >= Evidence.rejection
    }
    let finding = Self.finding(
      sample, agreement, kinds, still, isDeclared: isDeclared, isWorseThanStill: standing ?? false,
      overStill: marginOverStill(of: agreement))
    return (finding, kinds.map(\.reading))
  }

  /// What cameras usually have where the declared K has not, reading by reading of each number: square pixels, an axis in the middle.
  var usual: [[MotionReading]] {
    guard let k = sample.header.intrinsics else { return [] }
    let (x, y) = (0.5 - k.cx / Double(k.imageSize.width), 0.5 - k.cy / Double(k.imageSize.height))
    return [
      [.stretched(x: k.fy / k.fx, y: 1), .stretched(x: 1, y: k.fx / k.fy)],
      max(abs(x), abs(y)) < MotionReading.axisStep ? [] : [.axis(x: x, y: y)],
    ].map { $0.filter { !$0.isSmall } }
  }

  /// Where the axis fits best, step by step from what is declared; nil where no step is much better.
  private func movedAxis(from base: WarpAgreement, _ candidate: (MotionReading) -> Candidate?) -> Candidate? {
    var (place, found): (SIMD2<Double>, Candidate?) = (.zero, nil)
    for _ in 0..<4 {
      let steps: [SIMD2<Double>] = [[1, 0], [-1, 0], [0, 1], [0, -1]]
      let next = steps.compactMap { step -> (SIMD2<Double>, Candidate)? in
        let to = place + MotionReading.axisStep * step
        return candidate(.axis(x: to.x, y: to.y)).map { (to, $0) }
      }.min { $0.1.agreement.meanCost < $1.1.agreement.meanCost }
      guard let next, next.1.margin >= Evidence.rejection,
        next.1.agreement.meanCost < (found?.agreement ?? base).meanCost
      else { break }
      (place, found) = next
    }
    return found
  }

  private static func finding(
    _ sample: SceneSample, _ base: WarpAgreement, _ kinds: [Candidate], _ still: WarpAgreement,
    isDeclared: Bool, isWorseThanStill: Bool, overStill: Double
  ) -> Finding {
    func finding(
      _ verdict: Finding.Verdict, _ supported: String?, _ summary: String, _ fix: String? = nil,
      margin: Double? = nil
    ) -> Finding {
      var finding = Finding(
        id, title, in: sample.header, verdict: verdict, declared: "agree", supported: supported,
        summary: summary, fix: fix, property: property)
      (finding.margin, finding.costUnit) = (margin, WarpAgreement.costUnit)
      return finding
    }
    let words =
      "\(percent(base.agreeing)) of the points that meet agree within 5 %, they differ by "
      + "\(percent(base.residual)) on the average"
    // Poses that stand still carry nothing: what then changes is noise.
    let carries =
      abs(base.residual - still.residual) > 0.02 * still.residual
      || abs(base.agreeing - still.agreeing) > 0.005
    let better = kinds.filter { carries && $0.isBetter(than: base) }
      .sorted { $0.agreement.meanCost < $1.agreement.meanCost }
    if let first = better.first(where: \.isUsual) ?? better.first {
      let name = first.reading.named
      let gain =
        "frames then differ by \(percent(first.agreement.residual)) instead of \(percent(base.residual))"
      // What explains as much is no less likely, unless it is rarer.
      let rivals = better.dropFirst().filter {
        !first.isUsual && $0.agreement.residual < 1.15 * first.agreement.residual
          && (first.reading.isUncommon || !$0.reading.isUncommon)
      }
      guard rivals.isEmpty else {
        let list = ([first] + rivals).map(\.reading.named.statement).joined(separator: ", or ")
        return finding(
          .noReadingFits, nil,
          "as declared frames do not agree (\(words)). Possible corrections: \(list); \(gain)",
          first.reading.named.fix)
      }
      return finding(
        .contradicted, name.id,
        "\(name.statement)\(first.isUsual ? ", as cameras usually have it" : ""): \(gain)", name.fix,
        margin: first.margin)
    }
    let stands = still.agreeing >= base.agreeing - 0.02 && still.residual <= 1.1 * base.residual
    if isWorseThanStill && base.residual > largestShare * still.residual {
      guard base.agreeing < Self.poorShare * still.agreeing else {
        return finding(
          .undecidable, nil,
          "the errors of the poses exceed the camera's motion: frames differ by \(percent(base.residual)) on average, and by "
            + "\(percent(still.residual)) if it stood still")
      }
      return finding(
        .noReadingFits, nil,
        "no reading makes the frames agree: \(percent(base.agreeing)) of the points that meet lie within 5 % of each "
          + "other at best, and \(percent(still.agreeing)) if the camera stood still. "
          + "Best of each kind: \(tried(kinds))", advice)
    }
    if stands && still.fits {
      return finding(.undecidable, nil, "the camera hardly moves: frames agree as well if it stands still")
    }
    guard base.landing >= 0.02 else {
      return finding(
        .undecidable, nil,
        "in every reading hardly a point of one frame lies in another (\(percent(base.landing)))")
    }
    // Maps so noisy that half of their points agree say the same of the poses and of a camera that stands still.
    let isNoise = base.agreeing >= 0.4 && abs(base.agreeing - still.agreeing) < 0.02
    if base.agreeing < 0.5 && !isNoise && base.residual > largestShare * still.residual
      && base.landing >= leastMeeting
    {
      return finding(
        .noReadingFits, nil,
        "no reading makes the frames agree: at best \(percent(base.agreeing)) of the points that meet lie within "
          + "5 % of each other, \(percent(still.agreeing)) if the camera stood still. Best of each kind: "
          + tried(kinds), advice)
    }
    guard base.fits else { return finding(.undecidable, nil, "frames agree in part only: \(words)") }
    guard overStill >= Evidence.rejection else {
      return finding(.undecidable, nil, "frames agree hardly better than if the camera stood still: \(words)")
    }
    return finding(
      isDeclared ? .confirmed : .undecidable, isDeclared ? "agree" : nil, words, margin: overStill)
  }

  private static let advice =
    "see whether the poses are those of this recording and of these frames: their time stamps, the order of their "
    + "quaternions' numbers, camera to world, scale of depth and translations"

  /// "quaternion-w-first 40 %, poses-late-2 38 %".
  private static func tried(_ kinds: [Candidate]) -> String {
    kinds.map { "\($0.reading.named.id) \(percent($0.agreement.agreeing))" }.joined(separator: ", ")
  }

  static func percent(_ share: Double) -> String { "\((100 * share).rounded2) %" }
}

extension WarpAgreement {
  /// The mean difference that a fault with a number in it may leave; any where frames do not agree as they are.
  var mostAfterFault: Double { fits ? MotionConvention.largestShare * residual : 1 }
}

extension MotionConvention.Candidate {
  /// By three standard errors over views, by much, and well.
  fileprivate func isBetter(than base: WarpAgreement) -> Bool {
    let isSure = margin >= Evidence.certainty
    let share = isSure ? MotionConvention.largestSureShare : MotionConvention.largestShare
    return margin >= Evidence.rejection && agreement.fits && !reading.isSmall
      && agreement.residual <= (isUsual ? 0.95 : share) * base.residual
      && agreement.landing >= base.landing / 2
      // Among many unusual readings one comes near to frames that agree as they are.
      && (isUsual || !reading.isUncommon || !base.fits
        || agreement.residual <= (isSure ? 0.6 : 0.5) * base.residual)
  }
}
