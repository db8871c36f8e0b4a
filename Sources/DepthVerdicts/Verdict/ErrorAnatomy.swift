import DepthEvaluation
import DepthFusion

/// How a method's error is made, over all truth pixels that it covers, every pixel counting once.
public struct ErrorAnatomy: Codable, Sendable, Equatable {
  /// Some of the pixels, and what they make of the error.
  public struct Part: Codable, Sendable, Equatable {
    /// Share of the pixels.
    public let pixels: Double
    /// Share of the sum of absolute errors.
    public let error: Double
    /// Whether it makes much more of the error than its pixels' share.
    public var standsOut: Bool { error >= 0.15 && error >= 1.5 * pixels }
  }

  /// Error that all pixels of a range have in common.
  public struct Bias: Codable, Sendable, Equatable {
    public enum Course: String, Codable, Sendable {
      /// The same share of the depth everywhere: a scale that is off.
      case share
      /// The same length everywhere: a shift that is off.
      case length
      /// Either: these depths do not tell a scale from a shift.
      case either
      /// Neither.
      case varying
    }

    /// Of the sum of absolute errors, the share that bins of half a metre have as a bias: 1 where all pixels of a range have the same error,
    /// near 0 where errors cancel out.
    public let share: Double
    /// Mean signed error, metres; positive is too far.
    public let mean: Double
    public let course: Course
    /// Share of the depth by which it is off, where ``course`` is ``Course/share`` or ``Course/either``.
    public let scale: Double?
    /// Bias of the nearest and the farthest range that hold many pixels, metres.
    public let nearest: AtRange, farthest: AtRange
    /// The bins that make most of the bias, the largest first; two at most, without those in which few pixels make the mean.
    public let largest: [AtRange]
    /// RMSE ÷ MAE within bins: 1 where all pixels of a range have the same error, and the larger the fewer of them make the error.
    public let unevenness: Double?
    /// Whether it is worth a word.
    public var isMaterial: Bool { share >= 0.25 }
    /// Whether so few pixels of each range make the error that a bias says nothing of the others.
    public var isOfFewPixels: Bool { (unevenness ?? 1) >= 2 }
  }

  /// What single frames make of the error.
  public struct Frames: Codable, Sendable, Equatable {
    public let count: Int
    /// Share of the sum of absolute errors that the frames have as a bias, each by itself.
    public let bias: Double
    /// The frame with the largest sum of errors.
    public let scene: String, frame: String, largest: Part
    /// The fewest frames that make half of the error; nil in runs of earlier versions.
    public let half: Half?

    /// Frames with the largest sums of errors.
    public struct Half: Codable, Sendable, Equatable {
      public let frames: Int, part: Part
      /// How many scenes they are of, and which one where it is one.
      public let scenes: Int, scene: String?
    }

    /// Whether few frames make half of the error, without many more pixels than the others have.
    public var areFew: Bool {
      half.map { count >= 10 && 5 * $0.frames <= count && 2 * $0.part.pixels <= $0.part.error } ?? false
    }

    /// Whether that one makes most of the error, though it is one of several.
    public var isOfOne: Bool { count >= 4 && largest.error >= 0.5 && largest.error >= 3 * largest.pixels }
  }

  /// What scenes make of the error, each by itself.
  public struct Scenes: Codable, Sendable, Equatable {
    public let count: Int
    /// Share of the sum of absolute errors that the scenes have as a bias.
    public let bias: Double
    /// The mean signed errors farthest down and farthest up, metres.
    public let lowest: InScene, highest: InScene
    /// Share of the pixels whose scene follows the law that ``Bias/course`` names, or has the mean bias where that names none: from half to
    /// twice what it says.
    public let following: Double
    /// Whether a law of all pixels together is one of some scenes.
    public var differ: Bool { count > 1 && following < 0.75 }
  }

  /// A bias in a scene.
  public struct InScene: Codable, Sendable, Equatable {
    public let scene: String
    /// Metres.
    public let bias: Double
  }

  /// The middle of a bin of half a metre, metres.
  static func depth(ofBin bin: Int) -> Double { (Double(bin) + 0.5) * 0.5 }

  /// A bias in a bin of half a metre.
  public struct AtRange: Codable, Sendable, Equatable {
    /// The bin, metres.
    public let from: Double, to: Double
    /// Metres.
    public let bias: Double
    /// Of the sum of all bins' biases; nil in runs of earlier versions.
    public var share: Double?
  }

  /// As it was asked for.
  public let method: String
  /// Mean absolute error over all pixels, metres.
  public let error: Double
  /// nil where nothing is known of the range, or of few pixels.
  public let bias: Bias?
  /// nil where they have few pixels, and in runs of earlier versions.
  public let frames: Frames?
  /// nil where depths say more, and in runs of earlier versions.
  public let scenes: Scenes?
  /// Pixels of the lowest confidence level that the data have, and which level; nil with one level or without confidence.
  public let leastConfident: Part?, leastConfidentLevel: Int?
  /// Pixels within a LiDAR pixel of a depth step.
  public let depthSteps: Part?
  /// MAE where the LiDAR has nothing, metres, as in the tables; nil where there is nothing to fill.
  public let filledError: Double?
  /// Share of the truth that the LiDAR does not measure.
  public let filledPixels: Double?

  /// Of a few pixels the mean of their noise looks like a bias: a fifth of their error for 25. Fewer, of all and of the mean frame, say
  /// nothing.
  private static let (fewestPixels, fewestPixelsOfFrame) = (200.0, 25.0)

  init?(_ method: RankedMethod, _ run: EvaluationRun, _ tally: RunTally) {
    func bins(_ breakdown: Breakdown) -> [(bin: Int, total: ErrorTotal)] {
      let rows = (run.aggregation.breakdowns[breakdown.id] ?? []).filter { method.ids.contains($0.method) }
      return Dictionary(grouping: rows, by: \.bin).map { bin, rows in
        (bin, rows.reduce(into: ErrorTotal()) { $0 += $1.total })
      }.filter { $0.total.pixels > 0 }.sorted { $0.bin < $1.bin }
    }
    let ranges = bins(.range)
    let whole = ranges.reduce(into: ErrorTotal()) { $0 += $1.total }
    guard whole.pixels > 0, whole.absolute > 0 else { return nil }
    self.method = method.method
    error = whole.absolute / whole.pixels
    let medians = (run.aggregation.breakdowns[Breakdown.range.id] ?? [])
      .filter { method.ids.contains($0.method) }
      .compactMap { row in row.value(.medianRel).map { (row.bin, $0) } }
    // Noise alone biases a few pixels.
    bias = whole.pixels < Self.fewestPixels ? nil : Bias(ranges, whole, Dictionary(medians) { max($0, $1) })
    let single = tally.frameErrors(method.ids)
    let knowsFrames = whole.pixels >= Self.fewestPixelsOfFrame * Double(single.count)
    frames = (knowsFrames ? single.largest : nil).map {
      Frames(
        count: single.count, bias: single.biased / single.whole.absolute, scene: $0.scene, frame: $0.frame,
        largest: Part($0.total, of: single.whole), half: single.half)
    }
    scenes = (knowsFrames ? bias : nil).flatMap { Scenes(single.scenes, $0, whole) }
    let levels = bins(.confidence)
    let levelled = levels.reduce(into: ErrorTotal()) { $0 += $1.total }
    leastConfident = levels.count > 1 ? levels.first.map { Part($0.total, of: levelled) } : nil
    leastConfidentLevel = levels.count > 1 ? levels.first?.bin : nil
    let steps = bins(.steps)
    let divided = steps.reduce(into: ErrorTotal()) { $0 += $1.total }
    depthSteps = steps.first { $0.bin == 1 }.map { Part($0.total, of: divided) }
    let summary = run.aggregation.summary.first { method.ids.contains($0.method) }
    let lidar = run.aggregation.summary.first { $0.method == MethodSelection.lidarBilinear.id }
    let gap = lidar?.value(.coverage).map { 1 - $0 } ?? 0
    let filled = gap > 0.001 ? summary?.value(.maeFilled).flatMap { $0.isFinite ? $0 : nil } : nil
    (filledError, filledPixels) = (filled, filled == nil ? nil : gap)
  }
}

extension ErrorAnatomy.Part {
  fileprivate init(_ part: ErrorTotal, of whole: ErrorTotal) {
    pixels = part.pixels / whole.pixels
    error = whole.absolute > 0 ? part.absolute / whole.absolute : 0
  }
}

extension ErrorAnatomy.Bias {
  private static let fewest = 0.02  // Ranges with fewer of the pixels say little.
  private static let explained = 0.35  // A law that leaves less than this share of the bias explains it.
  private static let near = 0.8...1.25  // What ranges have of the bias that one law says they have.
  private static let alike = 0.1  // The better of two laws leaves less by at least this share.

  /// - Parameter medians: Median relative error by bin.
  fileprivate init?(
    _ ranges: [(bin: Int, total: ErrorTotal)], _ whole: ErrorTotal, _ medians: [Int: Double]
  ) {
    let many = ranges.filter { $0.total.pixels >= Self.fewest * whole.pixels }
    guard let first = many.first, let last = many.last else { return nil }
    let absolute = ranges.reduce(0) { $0 + abs($1.total.signed) }
    share = absolute / whole.absolute
    mean = whole.signed / whole.pixels
    (nearest, farthest) = (ErrorAnatomy.AtRange(first), ErrorAnatomy.AtRange(last))
    func depth(_ bin: Int) -> Double { ErrorAnatomy.depth(ofBin: bin) }
    // A few pixels, say at depth steps, can be far off: a mean of more than twice the median says nothing about the others.
    func isOfMost(_ bias: Double, _ bin: Int) -> Bool {
      medians[bin].map { !$0.isFinite || abs(bias) <= 2 * $0 * depth(bin) } ?? true
    }
    largest = ranges.filter { isOfMost($0.total.signed / $0.total.pixels, $0.bin) }.sorted {
      (-abs($0.total.signed), $0.bin) < (-abs($1.total.signed), $1.bin)
    }.prefix(2)
      .map { ErrorAnatomy.AtRange($0, share: absolute > 0 ? abs($0.total.signed) / absolute : 0) }
    // Mean share of the pixels that make a bin's error, were they alike, by the bins' errors.
    let even = ranges.filter { $0.total.squared > 0 }.reduce(0) {
      $0 + $1.total.absolute * $1.total.absolute * $1.total.absolute / ($1.total.pixels * $1.total.squared)
    }
    unevenness = even > 0 ? (whole.absolute / even).squareRoot() : nil
    // Least squares over the pixels: bias = k·depth, and bias = c.
    let squares = ranges.reduce(0) { $0 + $1.total.pixels * depth($1.bin) * depth($1.bin) }
    let products = ranges.reduce(0) { $0 + depth($1.bin) * $1.total.signed }
    let slope = products / squares
    let shift = mean
    func left(_ law: (Int) -> Double) -> Double {
      let rest = ranges.reduce(0) { $0 + abs($1.total.signed - $1.total.pixels * law($1.bin)) }
      return absolute > 0 ? rest / absolute : 1
    }
    func agrees(_ law: (Int) -> Double, within limits: ClosedRange<Double> = 0.5...2) -> Bool {
      many.allSatisfy {
        isOfMost(law($0.bin), $0.bin)
          && limits.contains($0.total.signed / ($0.total.pixels * law($0.bin)))
      }
    }
    let ofScale = left { slope * depth($0) }
    let ofShift = left { _ in shift }
    // One range cannot tell them apart.
    let isScale = many.count > 1 && ofScale < Self.explained && agrees { slope * depth($0) }
    let isShift = many.count > 1 && ofShift < Self.explained && agrees { _ in shift }
    if isScale && isShift && abs(ofScale - ofShift) < Self.alike {
      course = .either
    } else if isScale && (!isShift || ofScale < ofShift) {
      course = agrees({ slope * depth($0) }, within: Self.near) ? .share : .varying
    } else {
      course = isShift && agrees({ _ in shift }, within: Self.near) ? .length : .varying
    }
    scale = course == .share || course == .either ? slope : nil
  }
}

extension ErrorAnatomy.AtRange {
  fileprivate init(_ range: (bin: Int, total: ErrorTotal), share: Double? = nil) {
    self.share = share
    (from, to) = (Double(range.bin) * 0.5, Double(range.bin + 1) * 0.5)
    bias = range.total.signed / range.total.pixels
  }
}

extension ErrorAnatomy.Scenes {
  private static let most = 0.5  // What scenes make of the error at least, where depths make as much.

  /// nil without scenes, and without a law where scenes explain less than depths.
  fileprivate init?(_ scenes: [RunTally.SceneErrors], _ bias: ErrorAnatomy.Bias, _ whole: ErrorTotal) {
    let share = scenes.reduce(0) { $0 + abs($1.signed) } / whole.absolute
    guard bias.course != .varying || share >= max(Self.most, bias.share),
      let lowest = scenes.min(by: { ($0.bias, $0.name) < ($1.bias, $1.name) }),
      let highest = scenes.max(by: { ($0.bias, $0.name) < ($1.bias, $1.name) })
    else { return nil }
    let following = scenes.filter { scene in
      (0.5...2).contains(bias.scale.map { scene.scale / $0 } ?? scene.bias / bias.mean)
    }
    count = scenes.count
    self.bias = share
    self.lowest = .init(scene: lowest.name, bias: lowest.bias)
    self.highest = .init(scene: highest.name, bias: highest.bias)
    self.following = following.reduce(0) { $0 + $1.pixels } / whole.pixels
  }
}
