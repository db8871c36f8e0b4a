import DepthCore

/// Errors that poses make all along a recording: a drift, where they add up in one direction, or noise, where every frame has its own.
///
/// The motion between adjacent frames is refined until their depths agree, and the refined motions are chained. Frames farther apart,
/// which were not used, are the proof: if the poses are wrong, these then differ by half as much. Motions also make up for a wrong
/// scale or K; so no other reading may do nearly as well.
struct PoseErrors {
  var isDrift: Bool
  /// Medians over pairs of frames, adjacent and farther apart, and of these once motions are refined.
  var adjacent: Double, before: Double, after: Double
  /// Median of what motions are off by.
  var degrees: Double, metres: Double
  var margin: Double

  /// Frames so many places apart are the proof.
  private static let reaches = [2, 4]
  /// Share of the differences that may be left, and how much must go.
  private static let (largestShare, leastGain) = (0.5, 0.005)
  /// Drift makes frames two places apart differ by at least so many times as much as adjacent ones (less than twice: differences are
  /// cut), noise by at most so many.
  private static let (growth, noiseGrowth) = (1.1, 1.3)
  /// The mean motion that is missing, in shares of the root mean square: of a drift, and of one that poses of another recording never have.
  private static let (common, surelyCommon) = (0.6, 0.75)
  /// Least noise, and the most of both: radians and shares of depth from frame to frame. Trackers have a third of the least; what is
  /// beyond the most is another fault.
  private static let (leastNoise, most) = (0.03, 0.1)
  /// Another reading that leaves at most so many times as much may be the cause.
  private static let rivalShare = 1.15

  /// - Parameter isLost: Whether no reading makes frames agree: then noise is not told from poses of another recording.
  /// - Parameter rivals: The same frames in other readings.
  init?(_ pieces: PosePieces, isLost: Bool, rivals: () -> [PosePieces]) {
    let views = pieces.views
    guard views.count >= MotionConvention.fewestFrames else { return nil }
    func median(_ values: [Double]) -> Double { OrderStatistics.median(of: values) ?? 0 }
    func costs(_ pieces: PosePieces, _ reaches: [Int] = Self.reaches) -> [Double] {
      reaches.flatMap { reach in
        (0..<max(0, pieces.views.count - reach)).map { pieces.cost(of: .init(from: $0, to: $0 + reach)) }
      }
    }
    let far = costs(pieces)
    before = median(far)
    guard before >= Self.leastGain else { return nil }
    let chained = pieces.chained, mended = costs(chained)
    after = median(mended)
    guard after <= Self.largestShare * before, before - after >= Self.leastGain,
      let margin = Evidence.margin(zip(far, mended).map { [$0, $1] }, views: nil),
      margin >= Evidence.rejection
    else { return nil }
    let missing = (1..<views.count).map { k in
      PosePieces.step(views, k).inverse.after(PosePieces.step(chained.views, k))
    }
    let turns = missing.map(\.smallTurn), shifts = missing.map(\.translation)
    func length(_ v: SIMD3<Double>) -> Double { (v * v).sum().squareRoot() }
    func common(_ all: [SIMD3<Double>]) -> Double {
      let square = all.reduce(0) { $0 + ($1 * $1).sum() } / Double(all.count)
      return length(all.reduce(.zero, +) / Double(all.count)) / max(square.squareRoot(), 1e-12)
    }
    adjacent = median(costs(pieces, [1]))
    let growth = median(costs(pieces, [2])) / max(adjacent, 1e-6)
    isDrift =
      growth >= Self.growth
      && max(common(turns), common(shifts)) >= (isLost ? Self.surelyCommon : Self.common)
    let (turn, shift) = (median(turns.map(length)), median(shifts.map(length)))
    let depths = views[0].depth.values.filter { $0 > 0 && $0.isFinite }.map(Double.init)
    let size = turn + shift / max(median(depths), 1e-3)
    (self.margin, degrees, metres) = (margin, turn * 180 / .pi, shift)
    guard isDrift || !isLost && growth <= Self.noiseGrowth && size >= Self.leastNoise, size <= Self.most,
      rivals().allSatisfy({ median(costs($0)) > Self.rivalShare * after })
    else { return nil }
  }

  var id: String { isDrift ? "drift" : "noise" }

  private var sizes: String { "about \(degrees.rounded1)° and \((100 * metres).rounded1) cm" }

  /// What shows them.
  var numbers: String {
    "adjacent frames differ by \(MotionConvention.percent(adjacent)), those 2 and 4 places apart by "
      + "\(MotionConvention.percent(before)), and by \(MotionConvention.percent(after)) once the motions between adjacent "
      + "frames are refined by \(sizes)"
  }

  var words: String {
    (isDrift
      ? "the poses drift, mostly in one direction"
      : "the poses are off from frame to frame, in no common direction")
      + ": \(numbers). What it looks like: "
      + (isDrift
        ? "surfaces grow thick, and ends of the room do not meet"
        : "every frame lies a little beside the others")
  }

  var fix: String {
    isDrift
      ? "track again, with loops closed, or evaluate short parts of the recording"
      : "see whether the poses are of the moments of the frames, and track again"
  }
}

extension PosePieces {
  /// From the camera of a view to that of the one before.
  static func step(_ views: [PosedDepth], _ k: Int) -> RigidTransform {
    views[k - 1].worldFromCamera.inverse.after(views[k].worldFromCamera)
  }

  /// The views with motions from each to the next that make their depths agree best.
  fileprivate var chained: PosePieces {
    let steps = concurrentMap(views.count - 1, threads: threads) { k in
      refined(k + 1..<k + 2, [Pair(from: k, to: k + 1)], from: views[k + 1].worldFromCamera)?.1.first
        .map { views[k].worldFromCamera.inverse.after($0) } ?? Self.step(views, k + 1)
    }
    let poses = steps.reduce(into: [views[0].worldFromCamera]) { poses, step in
      poses.append((poses.last ?? .identity).after(step))
    }
    return replacing(0..<views.count, poses)
  }
}

extension RigidTransform {
  /// Axis times angle, radians, of a turn so small that its sine is it.
  fileprivate var smallTurn: SIMD3<Double> {
    SIMD3(yAxis.z - zAxis.y, zAxis.x - xAxis.z, xAxis.y - yAxis.x) / 2
  }
}
