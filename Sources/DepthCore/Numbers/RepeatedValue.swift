/// One exact number in so many pixels of a stack of maps that it stands for something else than a distance.
///
/// A wall has one distance, too, if it is rendered without noise and seen straight on. Its neighbours reach it, though: floor and
/// side walls have all the distances up to it. And its distance changes when the camera moves. So a number must stand alone, and
/// stay the same while the other depths change, or be one that no depth camera gives.
public struct RepeatedValue: Sendable, Hashable {
  /// What makes a number so frequent.
  public enum Kind: String, Sendable {
    /// It stands alone, far from all others or between them without a pixel that leads up to it: what was not seen.
    case fill = "fill-value"
    /// Others come up to it, and it is the last: what lies beyond was set to it.
    case clamp
  }

  public let kind: Kind
  /// Metres, as it is read.
  public let metres: Float
  /// Share of the pixels that have a depth, 0…1.
  public let share: Double
  /// Whether it is farther than most others.
  public let isFar: Bool
  /// Whether others are near to it, though not beside it in the maps.
  public let isBetween: Bool
  /// The number in whole counts, where the others are such counts; nil where depth is finer.
  public let count: Int?

  // On 210 right stacks of real recordings, renderers and simulated rooms the most frequent number has up to 6.5 % of the pixels,
  // and within a quarter of it are at least half as many others: ten times the limit. Fill values have none there. Of 1,148 stacks
  // of rooms without noise, walls, skies and coarse steps the rules call none wrong but 60 of a wall without a floor along which
  // the camera moves and has no poses; with poses, none.

  /// Fewer pixels, as a share and as a number, say nothing.
  private static let (leastShare, fewest) = (0.005, 50)
  /// A number stands alone where those within this factor are at most this share of its own.
  private static let (aloneWithin, aloneShare) = (1.25, 0.05)
  /// The last number is a clamp where it has so many times the pixels of any other within this factor, and this share of all.
  private static let (clampTimes, clampWithin, clampShare) = (5.0, 1.1, 0.01)
  /// A number between others stands for no depth where it has so many times the pixels of any other within this factor, and few of the
  /// pixels beside it are as far away as it, to 5 %: of a camera that is known to turn or come nearer, and of others.
  private static let (betweenTimes, betweenWithin, leading, leadingUnposed) = (3.0, 1.5, 0.4, 0.2)
  private static let middleWithin = 0.05  // The mean or median may be of all pixels, not of those looked at.
  private static let limit = 96  // Columns and rows on which maps are looked at.
  private static let candidates = 16  // Most frequent numbers that are judged.

  /// - Parameters:
  ///   - maps: Frames of one scene, metres. What is not finite or not above 0 is missing.
  ///   - poses: Camera to world, frame by frame; empty where they are not known. Without them no clamp is told from a wall.
  ///   - acceptsClamps: Whether a last number is a clamp where the other depths change, though the camera's movement is not known.
  ///   - acceptsSkies: Whether one that stands for everything far away, up to a border of the maps, is meant, too.
  /// - Returns: nil where no number stands out.
  public init?(
    in maps: [DepthMap], poses: [RigidTransform?] = [], acceptsClamps: Bool = false,
    acceptsSkies: Bool = false
  ) {
    let thinned = maps.map(Self.thinned)
    let frames = thinned.map { $0.filter { $0 > 0 && $0.isFinite } }
    let numbers = SortedNumbers(frames)
    guard numbers.values.count > 2 * Self.fewest else { return nil }
    let least = max(Self.fewest, Int(Self.leastShare * Double(numbers.values.count)))
    for run in numbers.longestRuns(Self.candidates) where run.count >= least {
      let value = numbers.values[run.lowerBound]
      let isBetween = Self.isBetween(value, run, numbers)
      guard let kind = isBetween ? .fill : Self.kind(of: value, run, numbers) else { continue }
      let rest = OtherDepths(frames, poses, without: value)
      guard let median = rest.median,
        kind == .fill
          ? rest.moves || !isBetween && Self.isNoDistance(value, beside: median)
          : rest.turns || acceptsClamps && rest.moves,
        !isBetween
          || ValueShape.leadingShare(to: value, in: maps)
            <= (rest.turns ? Self.leading : Self.leadingUnposed)
      else { continue }
      let shape = ValueShape(of: value, in: zip(maps.map { $0.size.reduced(to: Self.limit) }, thinned))
      guard !shape.isLine, acceptsSkies || !(shape.isAtBorder && Self.isSky(value, numbers, run))
      else { continue }
      (self.kind, metres, isFar, self.isBetween) = (kind, value, value > median, isBetween)
      share = Double(run.count) / Double(numbers.values.count)
      count = numbers.count(of: value, without: run)
      return
    }
    return nil
  }

  /// A number near the mean or median of a map that fills its gaps, where every map of a stack may have another.
  ///
  /// A wall may have one distance, too, and another in each map; but it seldom has that of the middle.
  /// - Returns: nil where no number between the others has far more pixels than any near to it, with other depths beside them.
  public static func filling(_ map: DepthMap) -> (metres: Float, share: Double)? {
    let values = thinned(map), numbers = SortedNumbers([values.filter { $0 > 0 && $0.isFinite }])
    guard let run = numbers.longestRuns(1).first, run.count >= fewest else { return nil }
    let value = numbers.values[run.lowerBound]
    let others = (numbers.values[..<run.lowerBound] + numbers.values[run.upperBound...]).map { Double($0) }
    guard !others.isEmpty, let median = OrderStatistics.median(of: others) else { return nil }
    let middles = [others.reduce(0, +) / Double(others.count), median]
    let shape = ValueShape(of: value, in: [(map.size.reduced(to: limit), values)])
    guard middles.contains(where: { abs($0 / Double(value) - 1) < middleWithin }),
      isBetween(value, run, numbers), !shape.isLine,
      ValueShape.leadingShare(to: value, in: [map]) <= leadingUnposed
    else { return nil }
    return (value, Double(run.count) / Double(numbers.values.count))
  }

  /// "9999", "0.001", "1e+10"
  public static func text(_ number: Double) -> String {
    let short = Double("\(Float(number))") ?? number
    return short == short.rounded() && abs(short) < 1e7 ? "\(Int(short))" : "\(short)"
  }

  /// Why it stands for no depth, after "is exactly 5 m".
  public var reason: String {
    isBetween
      ? "three times as many as any number near to it, with other depths beside them: it stands for no depth"
      : "and hardly another number is within a quarter of that: it stands for no depth"
  }

  /// Whether a number has far more pixels than any near to it, and others are on both sides of it.
  private static func isBetween(_ value: Float, _ run: Range<Int>, _ numbers: SortedNumbers) -> Bool {
    let count = Double(run.count), both = min(run.lowerBound, numbers.values.count - run.upperBound)
    return count >= clampShare * Double(numbers.values.count) && Double(both) > aloneShare * count
      && numbers.count(within: aloneWithin, of: value) - run.count > Int(aloneShare * count)
      && count >= betweenTimes * Double(numbers.longestRun(within: betweenWithin, of: value, without: run))
  }

  /// What a number would be if it stayed the same while the camera moves; nil where others are as frequent beside it.
  private static func kind(of value: Float, _ run: Range<Int>, _ numbers: SortedNumbers) -> Kind? {
    let beside = numbers.count(within: aloneWithin, of: value) - run.count
    let beyond = min(run.lowerBound, numbers.values.count - run.upperBound)
    if Double(max(beside, beyond)) <= aloneShare * Double(run.count) { return .fill }
    let isLast = beyond == 0
    guard isLast, Double(run.count) >= clampShare * Double(numbers.values.count) else { return nil }
    let other = numbers.longestRun(within: clampWithin, of: value, without: run)
    return Double(run.count) >= clampTimes * Double(other) ? .clamp : nil
  }

  /// Numbers that stand for nothing wherever they are found: ends of words of 11 to 16 bits in millimetres, and lengths that no
  /// depth camera gives beside such others.
  private static func isNoDistance(_ value: Float, beside median: Float) -> Bool {
    let millimetres = Double(value) * 1000
    let ends: [Double] = [2047, 4095, 8191, 9999, 16_383, 32_767, 65_534, 65_535]
    if ends.contains(where: { abs($0 - millimetres) < 0.02 }) { return true }
    return value >= 100 && value >= 10 * median || value <= 0.02 && value <= 0.1 * median
  }

  /// What a renderer of landscapes writes where nothing stands: far away in a scene that is itself far.
  private static func isSky(_ value: Float, _ numbers: SortedNumbers, _ run: Range<Int>) -> Bool {
    value >= 50 && run.upperBound == numbers.values.count && run.lowerBound > 0
      && numbers.values[run.lowerBound * 19 / 20] >= 10
  }

  private static func thinned(_ map: DepthMap) -> [Float] {
    let (step, small) = (map.size.step(to: limit), map.size.reduced(to: limit))
    guard step > 1 else { return map.values }
    return (0..<small.height).flatMap { row in
      (0..<small.width).map { map[row * step + step / 2, $0 * step + step / 2] }
    }
  }
}
