public import FathomStatistics

/// Depth errors of a sensor against a printed board whose pose its colour camera sees: the planes are known in the camera's frame, so errors are
/// absolute. The pose as reference is in the manner of ASTM E2919.
///
/// Model: z = a + (1 + s)·d + e on each pixel: z the depth, d that of the board by the picture, a and s the sensor's offset and scale error, e
/// the errors of frames and of the fixed pattern over the map. d holds the errors of the print, and of the intrinsics.
public struct BoardTest: Sendable {
  public let poses: [BoardPose], board: CharucoBoard, declaration: WallTest.Declaration
  private let line: DepthSums
  /// By change of the camera.
  private let changed: [DepthSums]
  /// Poses of each scene, in the order of the scenes, and its day, counted from 0; no days where they are not known.
  private let recordings: [[Int]], days: [Int]?
  /// Repeatability and reproducibility of a pose's error from the line; placements are scenes.
  public private(set) var components: NestedComponents
  /// By scene, from the line, metres; 0 where ``components`` has no placements.
  private let effects: [Double]

  /// A value of the line of error over depth.
  private enum Figure {
    /// Error at the mean depth.
    case mean
    case slope
    /// Error at depth 0.
    case offset

    /// Of the error at the mean depth and of the slope.
    func weights(_ line: DepthSums) -> (error: Double, slope: Double) {
      switch self {
      case .mean: (1, 0)
      case .slope: (0, 1)
      case .offset: (1, -line.mean)
      }
    }

    func value(_ line: DepthSums) -> Double {
      let weights = weights(line)
      return weights.error * line.error + weights.slope * line.slope
    }

    /// ∂/∂ of a relative error of the print, which stretches the board's depths, but for its sign.
    func printSensitivity(_ line: DepthSums) -> Double {
      switch self {
      case .mean: line.mean
      case .slope: 1 + line.slope
      case .offset: 0
      }
    }
  }

  /// Farthest over nearest mean depth that the scale asks for.
  static let leastDepthRatio = 1.2
  /// Of ``BoardPose/reprojectionShare``: more is a wrong board, a bent one, or a distorted picture.
  static let mostReprojection = 1e-3

  /// - Parameter starts: When each scene began, seconds, as its time stamps count.
  /// - Precondition: At least one pose.
  public init(
    _ poses: [BoardPose], _ board: CharucoBoard, _ declaration: WallTest.Declaration,
    starts: [String: Double] = [:]
  ) {
    precondition(!poses.isEmpty, "a board test has a pose")
    (self.poses, self.board, self.declaration) = (poses, board, declaration)
    let lines = poses[0].sums.indices.map { variant in
      poses.reduce(DepthSums()) { $0 + $1.sums[variant].reduce(DepthSums(), +) }
    }
    let line = lines[0]
    (self.line, changed) = (line, Array(lines.dropFirst()))
    let recordings = Dictionary(grouping: poses.indices) { poses[$0].scene }.values.sorted { $0[0] < $1[0] }
    let days = NestedComponents.days(recordings.map { starts[poses[$0[0]].scene] })
    let sums = recordings.map { $0.map { poses[$0].total }.reduce(DepthSums(), +) }
    let errors = sums.map { $0.error - line.error - line.slope * ($0.mean - line.mean) }
    let series = recordings.map { recording in
      recording.map { poses[$0].error - line.error - line.slope * (poses[$0].depth - line.mean) }
    }
    // Scenes at distances of their own move the line, not their distances from it.
    let isComparable = recordings.count > 1 && 2 * sums.reduce(0) { $0 + $1.square } >= line.square
    components = NestedComponents(
      (isComparable ? recordings.indices : 0..<0).map { index in
        .init(
          distance: 0, error: errors[index], day: days?[index],
          frameVariance: WallPlacement.meanVariance(series[index]))
      }, frames: series)
    effects = isComparable ? errors : errors.map { _ in 0 }
    (self.recordings, self.days) = (recordings, days)
    // The slope of the line takes one too, as in the budget.
    let (frames, _) = scatter(.mean)
    components.frames?.freedom = frames.freedom
  }

  /// Of the board on all pixels that were taken, metres.
  public var meanDepth: Double { line.mean }
  /// Error at ``meanDepth``, metres.
  public var rangeError: WallTest.Quantity { quantity(.mean, limit: declaration.rangeLimit) }
  /// s, a share.
  public var scaleError: WallTest.Quantity { quantity(.slope, limit: declaration.scaleLimit) }
  /// a, metres: the error at depth 0.
  public var offset: WallTest.Quantity { quantity(.offset, limit: nil) }

  /// Root mean square distance of depth from the plane of its own frame, metres.
  public var noise: WallTest.Quantity {
    let noises = poses.map(\.noise)
    let value = (noises.reduce(0) { $0 + $1 * $1 } / Double(noises.count)).squareRoot()
    let freedom = max(1, WallPlacement.effectiveCount(noises) - 1)
    let spread = noises.count > 1 ? WallPlacement.moments(noises).variance : 0
    let deviation = (spread / (freedom + 1)).squareRoot()
    return .init(
      value: value, budget: UncertaintyBudget([.init("frames", deviation, .student, freedom: freedom)]))
  }

  private func quantity(_ figure: Figure, limit: Double?) -> WallTest.Quantity {
    let budget = budget(figure)
    var quantity = WallTest.Quantity(value: figure.value(line), budget: budget)
    guard let limit, !findings.contains(where: \.prevents) else { return quantity }
    quantity.decide(
      limit, fixed: Set(shared.map(\.name) + ["fixed pattern"]))
    return quantity
  }

  /// Standard deviation of depth because of the file's steps, metres.
  private var resolutionDeviation: Double { (poses.map(\.resolution).max() ?? 0) / 12.squareRoot() }

  /// ∂/∂ of the focal length and of the principal point's coordinates, shares of the focal length.
  private func cameraSensitivity(_ figure: Figure) -> [Double] {
    changed.map { (figure.value($0) - figure.value(line)) / BoardPose.change }
  }

  private func budget(_ figure: Figure) -> UncertaintyBudget {
    let (frames, pattern) = scatter(figure)
    let camera = cameraSensitivity(figure)
    return UncertaintyBudget(
      [
        .init("print scale", board.printDeviation, .normal, sensitivity: figure.printSensitivity(line)),
        .init("frames", frames.deviation, .student, freedom: frames.freedom),
        .init("fixed pattern", pattern.deviation, .student, freedom: pattern.freedom),
        .init("resolution", resolutionDeviation, .uniform, sensitivity: figure.weights(line).error),
        .init("focal length", declaration.focalDeviation, .normal, sensitivity: camera[0]),
        .init(
          "principal point", declaration.centreDeviation, .normal,
          sensitivity: (camera[1] * camera[1] + camera[2] * camera[2]).squareRoot()),
      ] + reproducibility(figure))
  }

  /// What differences between scenes and between days add.
  private func reproducibility(_ figure: Figure) -> [UncertaintyBudget.Component] {
    let weights = figure.weights(line)
    let factors = recordings.map { recording in
      let sums = recording.map { poses[$0].total }.reduce(DepthSums(), +)
      return weights.error * sums.count / line.count
        + (line.square > 0 ? weights.slope * (sums.d - sums.count * line.mean) / line.square : 0)
    }
    let days = days ?? []
    return components.reproducibility(
      factors, cells: Dictionary(grouping: days.indices) { days[$0] }.values, name: "recordings")
  }

  /// Causes that act on all poses alike.
  private var shared: [UncertaintyBudget.Component] {
    [
      .init("print scale", board.printDeviation, .normal),
      .init("resolution", resolutionDeviation, .uniform),
      .init("focal length", declaration.focalDeviation, .normal),
      .init("principal point", declaration.centreDeviation, .normal),
      .init("principal point", declaration.centreDeviation, .normal),
    ]
  }

  /// Checks of ``rangeError``, ``scaleError``, ``offset`` and ``noise``, in this order. The print stretches the board in each trial; the
  /// intrinsics act by their sensitivities.
  public func monteCarlo(trials: Int = MonteCarloCheck.usualTrials) -> [MonteCarloCheck] {
    let figures = [Figure.mean, .slope, .offset]
    let quantities = figures.map { quantity($0, limit: nil) } + [noise]
    let shared = shared
    let own = quantities.map { quantity in
      quantity.budget.components.filter { part in !shared.contains { $0.name == part.name } }
    }
    let width = own[0].count
    let (line, noise) = (line, quantities[3].value)
    let camera = figures.map(cameraSensitivity)
    let steps = figures.map { $0.weights(line).error }
    return MonteCarloCheck.checks(
      quantities.map { ($0.value, $0.budget) }, inputs: shared + own.flatMap(\.self), trials: trials
    ) { draws, results in
      let stretched = line.stretched(by: 1 + draws[0])
      for index in figures.indices {
        let slopes = camera[index]
        let fixed =
          figures[index].value(stretched) + steps[index] * draws[1] + slopes[0] * draws[2]
          + slopes[1] * draws[3] + slopes[2] * draws[4]
        results[index] = (5 + width * index..<5 + width * (index + 1)).reduce(fixed) { $0 + draws[$1] }
      }
      results[3] = noise + draws[5 + 3 * width]
    }
  }

  /// u because frames differ, and because tiles of the map do: residuals of the line are clustered both ways, and what a tile of one frame has
  /// for itself counts once (Cameron, Gelbach & Miller 2011). Successive frames are correlated: fewer of them are independent.
  private func scatter(_ figure: Figure) -> (
    frames: (deviation: Double, freedom: Double), pattern: (deviation: Double, freedom: Double)
  ) {
    let weights = figure.weights(line)
    // What a scene's frames share is not frames' scatter.
    var shared = [Double](repeating: 0, count: poses.count)
    for (recording, effect) in zip(recordings, effects) { for pose in recording { shared[pose] = effect } }
    let parts = zip(poses, shared).map { pose, shared in
      pose.sums[0].map { tile -> Double in
        let error = line.error + shared
        let residual = tile.e - tile.count * error - line.slope * (tile.d - tile.count * line.mean)
        let moment =
          tile.de - line.mean * tile.e - error * (tile.d - tile.count * line.mean)
          - line.slope * (tile.dd - 2 * line.mean * tile.d + tile.count * line.mean * line.mean)
        return weights.error * residual / line.count
          + (line.square > 0 ? weights.slope * moment / line.square : 0)
      }
    }
    func squares(_ values: [Double]) -> Double { values.reduce(0) { $0 + $1 * $1 } }
    let frames = parts.map { $0.reduce(0, +) }
    let counts =
      components.placements == nil && components.days == nil
      ? [WallPlacement.effectiveCount(frames)]
      : recordings.map { WallPlacement.effectiveCount($0.map { frames[$0] }) }
    let frameFreedom = max(1, counts.reduce(0, +) - Double(counts.count) - 1)
    let used = Set(poses.flatMap { pose in pose.sums[0].indices.filter { pose.sums[0][$0].count > 0 } })
    let tiles = used.map { tile in parts.reduce(0) { $0 + $1[tile] } }
    let tileFreedom = Double(max(1, tiles.count - 2))
    let own = parts.reduce(0) { $0 + squares($1) }
    let pattern = squares(tiles) * Double(tiles.count) / tileFreedom - own
    return (
      ((squares(frames) * Double(frames.count) / frameFreedom).squareRoot(), frameFreedom),
      (max(0, pattern).squareRoot(), tileFreedom)
    )
  }

  /// What is wrong with the recording; what prevents a decision first.
  public var findings: [WallFinding] {
    var findings: [WallFinding] = []
    func add(_ kind: WallFinding.Kind, _ value: Double, prevents: Bool) {
      findings.append(WallFinding(kind: kind, scene: nil, value: value, prevents: prevents))
    }
    if poses.count < WallTest.advisedFrames {
      add(.fewFrames, Double(poses.count), prevents: poses.count < 3)
    }
    if let worst = poses.max(by: { $0.reprojectionShare < $1.reprojectionShare }),
      worst.reprojectionShare > Self.mostReprojection
    {
      findings.append(
        WallFinding(kind: .misfit, scene: worst.scene, value: worst.reprojection, prevents: true))
    }
    let factor = 1 + line.error / line.mean
    if !(0.8...1.25).contains(factor) { add(.distanceFactor, factor, prevents: true) }
    let share = poses.reduce(0) { $0 + $1.share } / Double(poses.count)
    if share < 0.6 { add(.smallWall, share, prevents: false) }
    let depths = poses.map(\.depth)
    let ratio = (depths.max() ?? 1) / (depths.min() ?? 1)
    if ratio < Self.leastDepthRatio { add(.oneDistance, ratio, prevents: false) }
    return findings.filter(\.prevents) + findings.filter { !$0.prevents }
  }
}
