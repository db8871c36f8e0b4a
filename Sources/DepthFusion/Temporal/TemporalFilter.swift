public import DepthCore

/// Why frames could not be averaged.
public enum TemporalFailure: Error, Sendable, Equatable, CustomStringConvertible {
  case unknownConvention, noPose, noIntrinsics

  public var description: String {
    switch self {
    case .unknownConvention: "the camera convention of the poses is unknown"
    case .noPose: "the frame has no usable pose"
    case .noIntrinsics: "the frame has no intrinsics"
    }
  }
}

/// Averages a LiDAR map with those of the frames before it: what ARKit's smoothedSceneDepth is for.
///
/// Earlier maps are warped by the poses (``FrameWarp``) and weigh 1/σ² of their confidence; depths that disagree with
/// the present one are skipped, and so are whole frames that are too old (``TemporalOptions/maxAgeSeconds``) or disagree in
/// the median (``TemporalOptions/largestMedian``). Where the present map has no return, the newest earlier one takes its place.
public struct TemporalFilter: Sendable {
  let options: FusionOptions, convention: CameraConvention

  public init(_ context: FusionContext) {
    (options, convention) = (context.options, context.cameraConvention)
  }

  /// A map averaged with earlier ones.
  public struct Smoothed: Sendable {
    public let map: DepthMap
    /// The mean of the earlier maps alone, where they agree with the present one; NaN elsewhere.
    public let earlier: DepthMap
    /// Earlier frames that took part.
    public let frames: Int
    /// How well the mean of the earlier frames predicts the present map, in place of the newest of them alone: ratio of the squares of the
    /// median differences, where at least two agree. Two frames of independent noise give ¾, many ½; above 1 the older
    /// ones only add errors of poses. nil where too few pixels have two.
    public let agreement: Double?
    /// Whether the frames' noise is independent enough for their mean to be better than the present map.
    public var isSupported: Bool { agreement.map { $0 <= TemporalFilter.largestAgreement } ?? false }
  }

  /// The largest ``Smoothed/agreement`` at which earlier frames are believed to help.
  public static let largestAgreement = 0.8
  /// Fewest pixels that can show it.
  static let fewestPixels = 300

  /// The smoothed map.
  /// - Parameter history: Frames before `frame`, newest first; those without a usable pose or intrinsics are passed over.
  public func smoothed(_ frame: DepthFrame, history: [DepthFrame]) throws(TemporalFailure) -> Smoothed {
    guard let pose = frame.worldFromCamera, pose.isUsable else { throw .noPose }
    guard convention != .unknown else { throw .unknownConvention }
    guard let camera = frame.intrinsics else { throw .noIntrinsics }
    let present = frame.lidar, weights = LidarNoise.assumedWeights(frame, options)
    let own = present.values.map { $0 > 0 && $0.isFinite ? Double($0) : .nan }
    var sums = TemporalSums(own, weights: weights), used = 0
    for earlier in history.prefix(options.temporal.frames) {
      guard let earlierPose = earlier.worldFromCamera, earlierPose.isUsable,
        let earlierCamera = earlier.intrinsics
      else { continue }
      if isTooOld(earlier, for: frame) { continue }
      let warp = FrameWarp(
        earlier.lidar, earlierCamera, weights: LidarNoise.assumedWeights(earlier, options), to: present.size,
        camera, targetFromSource: .cameraMotion(from: earlierPose, to: pose, convention))
      guard isConsistent(warp, present: present, weights: weights) else { continue }
      used += 1
      sums.add(warp, options.temporal)
    }
    let earlier = own.indices.map(sums.mean)
    let values = own.indices.map { i -> Float in
      own[i].isNaN
        ? Float(earlier[i])
        : Float((own[i] * weights[i] + sums.sum(i)) / (weights[i] + sums.weight(i)))
    }
    var (fromMean, fromNewest) = ([Double](), [Double]())
    for i in own.indices where sums.frames(i) >= 2 && !own[i].isNaN {
      fromMean.append(abs(earlier[i] / own[i] - 1))
      fromNewest.append(abs(sums.newest(i) / own[i] - 1))
    }
    var agreement: Double?
    if fromMean.count >= Self.fewestPixels, let mean = OrderStatistics.median(of: fromMean),
      let single = OrderStatistics.median(of: fromNewest), single > 0
    {
      agreement = mean / single * (mean / single)
    }
    return Smoothed(
      map: DepthMap(width: present.width, height: present.height, values: values),
      earlier: DepthMap(width: present.width, height: present.height, values: earlier.map(Float.init)),
      frames: used, agreement: agreement)
  }

  private func isTooOld(_ earlier: DepthFrame, for frame: DepthFrame) -> Bool {
    guard let now = frame.timestampSeconds, let then = earlier.timestampSeconds else { return false }
    // Stamps are sums of intervals: five of 0.2 s may be more than 1 s by rounding.
    return abs(now - then) > options.temporal.maxAgeSeconds * (1 + 1e-6)
  }

  /// Every so many pixels tell whether a frame is consistent; neighbours have similar errors.
  private static let apart = 3

  /// Whether the warped frame differs from the present one by no more than noise. Without common returns nothing speaks
  /// against it.
  private func isConsistent(_ warp: FrameWarp, present: DepthMap, weights: [Double]) -> Bool {
    var sizes: [Double] = []
    for i in stride(from: 0, to: present.values.count, by: Self.apart) where warp.weight[i] > 0 {
      let (now, then) = (Double(present.values[i]), Double(warp.depth[i]))
      guard now > 0, now.isFinite else { continue }
      sizes.append(abs(then / now - 1) / (1 / Double(warp.weight[i]) + 1 / weights[i]).squareRoot())
    }
    return (OrderStatistics.median(of: sizes) ?? 0) <= options.temporal.largestMedian
  }
}
