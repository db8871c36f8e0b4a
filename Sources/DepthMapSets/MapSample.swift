internal import DepthCore
private import Foundation

/// Numbers of one map on a grid of at most 96 pixels a side, and what a few of them show.
struct MapNumbersOnGrid: Sendable {
  let map: DepthMap
  /// Equal for equal maps, in this process.
  let digest: Int
  /// Of a map with at most 256 numbers that lie on equal steps: how many, and the step.
  let levels: (count: Int, step: Double)?
  let hasDepth: Bool
  let edges: GapEdges
  private static let limit = 96, fewest = 4096

  init(_ map: DepthMap) {
    let (step, small) = (map.size.step(to: Self.limit), map.size.reduced(to: Self.limit))
    var values: [Float] = []
    values.reserveCapacity(small.count)
    for row in 0..<small.height {
      for column in 0..<small.width { values.append(map[row * step + step / 2, column * step + step / 2]) }
    }
    self.map = DepthMap(width: small.width, height: small.height, values: values)
    digest = values.map(\.bitPattern).hashValue
    levels = Self.levels(values)
    hasDepth = values.contains { $0.isFinite && $0 != 0 }
    edges = GapEdges(map)
  }

  /// Numbers above 0.
  var known: [Double] { map.values.filter { $0 > 0 && $0.isFinite }.map { Double($0) } }

  private static func levels(_ values: [Float]) -> (count: Int, step: Double)? {
    var (found, count) = (Set<Float>(), 0)
    for value in values where value.isFinite && value > 0 {
      count += 1
      found.insert(value)
      if found.count > 256 { return nil }
    }
    let sorted = found.sorted().map { Double($0) }
    let gaps = zip(sorted.dropFirst(), sorted).map { $0 - $1 }
    guard count >= fewest, sorted.count >= 16, let step = gaps.min(), step > 0,
      gaps.allSatisfy({ abs($0 / step - ($0 / step).rounded()) < 0.02 + 1e-5 * $0 / step })
    else { return nil }
    return (sorted.count, step)
  }
}

/// What one map of a network shows beside its truth.
struct MapSample: Sendable {
  /// Of the frame in the map set.
  let row: Int
  let own: MapNumbersOnGrid, truth: MapNumbersOnGrid
  /// Median of number ÷ truth where both are above 0; nil for few.
  private(set) var ratio: Double?
  private(set) var truthMedian = 0.0
  /// The truth's 90 % quantile ÷ its 10 % quantile.
  private(set) var spread = 1.0
  /// Shares of the known truth at which the map has a number below 0, and none above 0.
  private(set) var negative = 0.0, missing = 0.0
  /// Medians of the truth where the map has a number above 0, and where it has none.
  private(set) var medians: (known: Double, missing: Double)?
  /// number ≈ slope · truth + intercept, and the share of the variance that this explains.
  private(set) var line: (slope: Double, intercept: Double, share: Double)?
  /// Of log(number ÷ truth) with the squared distance from the centre of the image, what depends on the truth taken off; and by
  /// which factor it grows to the corner.
  private(set) var radial: (correlation: Double, gain: Double)?

  /// The number at one end of the map in so large a share of the pixels, whose truth does not lie at that end, or which no other
  /// number comes near though the truth does.
  private(set) var stray: (number: Double, share: Double, isAlone: Bool)?

  /// Numbers of the map and of the truth at the same pixels.
  private let values: [Double], depths: [Double]
  static let fewest = 200

  /// - Parameter values: The map's numbers at pixels whose truth is known.
  /// - Parameter places: Their squared distances from the centre of the image, 1 at its corners.
  init(
    _ row: Int, _ map: DepthMap, _ values: [Double], truth: [Double], on grid: MapNumbersOnGrid,
    places: [Double]
  ) {
    (self.row, own, self.truth) = (row, MapNumbersOnGrid(map), grid)
    (self.values, depths) = (values, truth)
    guard truth.count >= Self.fewest else { return }
    func quantile(_ q: Double) -> Double { OrderStatistics.quantile(q, of: truth) ?? 1 }
    (truthMedian, spread) = (quantile(0.5), quantile(0.9) / quantile(0.1))
    stray = Self.stray(values, truth)
    let known = values.indices.filter { values[$0].isFinite && values[$0] > 0 }
    negative = Double(values.count { $0 < 0 }) / Double(values.count)
    missing = 1 - Double(known.count) / Double(values.count)
    let isKnown = Set(known)
    if known.count >= Self.fewest, values.count - known.count >= Self.fewest,
      let near = OrderStatistics.median(of: known.map { truth[$0] }),
      let far = OrderStatistics.median(of: values.indices.filter { !isKnown.contains($0) }.map { truth[$0] })
    {
      medians = (near, far)
    }
    guard known.count >= Self.fewest else { return }
    let (numbers, depths) = (known.map { values[$0] }, known.map { truth[$0] })
    ratio = OrderStatistics.median(of: zip(numbers, depths).map(/))
    if let fit = Self.fit(numbers, depths) {
      line = (
        fit.slope, Self.mean(numbers) - fit.slope * Self.mean(depths), fit.correlation * fit.correlation
      )
    }
    let (logs, far) = (zip(numbers, depths).map { log($0 / $1) }, depths.map(log))
    let spots = known.map { places[$0] }
    let left = (Self.residuals(logs, far), Self.residuals(spots, far))
    radial = Self.fit(left.0, left.1).map { ($0.correlation, exp($0.slope)) }
  }

  /// Share of the known truth at which the map has that very number.
  var equal: Double {
    Double(zip(values, depths).count { $0 == $1 }) / Double(max(1, values.count))
  }

  /// Whether map and truth say about the same where one of them has a number: nil where few pixels have it.
  func agree(where number: Float) -> Bool? {
    let number = Double(number)
    let ratios = zip(values, depths).filter { ($0 == number || $1 == number) && $0 > 0 && $0.isFinite }
      .map(/)
    guard ratios.count >= 20, let middle = OrderStatistics.median(of: ratios),
      let low = OrderStatistics.quantile(0.1, of: ratios),
      let high = OrderStatistics.quantile(0.9, of: ratios)
    else { return nil }
    return (0.7...1.4).contains(middle) && high < 1.25 * low
  }

  /// A number that stands for no depth in a map that otherwise follows its truth: clamps and skies lie where their numbers say.
  private static func stray(_ values: [Double], _ truth: [Double]) -> (Double, Double, Bool)? {
    let finite = values.indices.filter { values[$0].isFinite }
    let numbers = finite.map { values[$0] }
    for (isLargest, end) in [(false, numbers.min()), (true, numbers.max())] {
      guard let end else { continue }
      let (own, rest) = (finite.filter { values[$0] == end }, finite.filter { values[$0] != end })
      let (others, depths) = (rest.map { values[$0] }, own.map { truth[$0] })
      func quantile(_ q: Double, _ numbers: [Double]) -> Double {
        OrderStatistics.quantile(q, of: numbers) ?? 0
      }
      // No map has a depth that is so far from the others.
      let isExtreme = abs(end) > 1000 * (others.map(abs).max() ?? .infinity)
      guard isExtreme && own.count >= 5 || own.count * 50 >= finite.count && own.count >= 20,
        rest.count >= fewest,
        let correlation = RankCorrelation.spearman(others, rest.map { truth[$0] }), abs(correlation) >= 0.6
      else { continue }
      let median = quantile(0.5, depths)
      let nearer = Double(rest.count { truth[$0] < median }) / Double(rest.count)
      let isElsewhere = isLargest == (correlation > 0) ? nearer < 0.7 : nearer > 0.3
      let gap = others.map { abs($0 - end) }.min() ?? 0
      let isAlone =
        gap > 0.25 * (quantile(0.95, others) - quantile(0.05, others))
        && quantile(0.9, depths) > 1.02 * quantile(0.1, depths)
      if isElsewhere || isAlone { return (end, Double(own.count) / Double(finite.count), !isElsewhere) }
    }
    return nil
  }

  private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

  /// The line of `a` over `b`; nil where one is constant.
  private static func fit(_ a: [Double], _ b: [Double]) -> (slope: Double, correlation: Double)? {
    let (ma, mb) = (mean(a), mean(b))
    var (aa, bb, ab) = (0.0, 0.0, 0.0)
    for (x, y) in zip(a, b) {
      aa += (x - ma) * (x - ma)
      bb += (y - mb) * (y - mb)
      ab += (x - ma) * (y - mb)
    }
    return aa > 0 && bb > 0 ? (ab / bb, ab / (aa * bb).squareRoot()) : nil
  }

  private static func residuals(_ a: [Double], _ b: [Double]) -> [Double] {
    let (ma, mb, slope) = (mean(a), mean(b), fit(a, b)?.slope ?? 0)
    return zip(a, b).map { $0 - ma - slope * ($1 - mb) }
  }
}
