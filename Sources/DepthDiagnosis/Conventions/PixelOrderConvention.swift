import DepthCore

/// Whether the numbers of maps stand where they belong: rows of their own length, of one picture, without bars beside it, and
/// the bytes of a number in order.
///
/// A surface goes on from a pixel to the one below it. Where pixels resemble those of the second next row more than those of the
/// next, rows of two pictures alternate. Where they resemble those some other count of numbers farther on, and rows go on where
/// they end, rows had that length when they were written. There is a finding only where something is wrong.
public struct PixelOrderConvention: Convention {
  static let lidar = "lidar-pixels"
  private static let relative = "relative-pixels"

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    let frames = sample.frames
    let stacks = [
      (Self.lidar, "Pixels of the LiDAR depth", "lidar/depth", frames.map(\.lidar)),
      ("truth-pixels", "Pixels of the truth", "truth/depth", frames.compactMap(\.truth)),
      (Self.relative, "Pixels of the relative map", "relative/values", frames.compactMap(\.relative)),
    ]
    return stacks.compactMap { id, title, object, maps in
      PixelOrder(of: maps, isDepth: id != Self.relative).map { order in
        Finding(
          id, title, in: sample.header, verdict: .contradicted, declared: "rows", supported: order.fault.id,
          summary: order.words(of: object), fix: order.fix(of: object), property: "rows of \(object)")
      }
    }
  }
}

/// What is wrong with the places of a stack's numbers.
struct PixelOrder {
  enum Fault: Hashable {
    case alternating, rowLength(Int), bytes
    case bars(Bars)

    var id: String {
      switch self {
      case .alternating: "rows-alternate"
      case .rowLength(let length): "rows-of-\(length)"
      case .bars: "bars"
      case .bytes: "bytes-swapped"
      }
    }
  }

  /// Rows and columns that hold one number, with others right beside them.
  struct Bars: Hashable {
    var rows: [ClosedRange<Int>], columns: [ClosedRange<Int>]
    /// The number of each.
    var numbers: [Float]

    /// A sky has one number, too, and is at the top alone.
    var isSky: Bool { columns.isEmpty && rows.allSatisfy { $0.lowerBound == 0 } }

    var words: String {
      [("row", rows), ("column", columns)].flatMap { name, runs in
        runs.map {
          $0.count == 1 ? "\(name) \($0.lowerBound)" : "\(name)s \($0.lowerBound) to \($0.upperBound)"
        }
      }.joined(separator: ", ")
    }
  }

  let fault: Fault
  /// Mean differences of what should be alike, as read and in the other order; shares of the map's range.
  let declared: Double, other: Double
  private let width: Int

  /// Maps that are looked at, and the least share of them that must show a fault.
  private static let (mostMaps, leastShare) = (8, 0.75)
  /// Of the differences as read, what another order may leave; right maps of twenty recordings and renderers leave more than 1.1.
  private static let largestShare = 0.6
  /// Where rows end, differences are at most so many times those within rows; in right maps three times and more.
  private static let mostAtEnds = 2.0
  /// Differences count up to this share of the range; smaller ones than the least are noise of a network.
  private static let (limit, least) = (Float(0.1), 0.005)
  /// Pairs of pixels that are compared, and the fewest of them.
  private static let (mostPairs, fewestPairs) = (8192, 500)
  /// Least share of a bar's neighbours that differ from it, by so much of the range; fewest lines of a bar at the border.
  private static let (besideBar, stepOfBar, thinnest) = (0.8, Float(0.02), 2)
  /// Different maps that must have the same bars.
  private static let fewestDifferent = 3
  /// Counts to the metre of 16-bit depth.
  private static let counts: [Float] = [1000, 5000, 256]

  /// nil where nothing is wrong.
  /// - Parameter isDepth: Whether 0 stands for no return.
  init?(of stack: [DepthMap], isDepth: Bool) {
    let step = max(1, stack.count / Self.mostMaps)
    let maps = stack.enumerated().filter { $0.offset % step == 0 }.compactMap { Lines($0.element) }
    guard let first = maps.first else { return nil }
    func judged(_ fault: Fault, _ costs: (Lines) -> (declared: Double, other: Double)?) -> PixelOrder? {
      let all = maps.compactMap(costs)
      let showing = all.filter { $0.declared >= Self.least && $0.other <= Self.largestShare * $0.declared }
      guard !all.isEmpty, Double(showing.count) >= Self.leastShare * Double(maps.count) else { return nil }
      let sums = showing.reduce((0, 0)) { ($0.0 + $1.declared, $0.1 + $1.other) }
      let n = Double(showing.count)
      return PixelOrder(fault: fault, declared: sums.0 / n, other: sums.1 / n, width: first.width)
    }
    let common = first.bars(isDepth: isDepth)
    // Without noise a post, a cupboard or a side wall is one number, too, until the camera moves.
    if !common.isSky, Set(common.numbers).count == 1,
      maps.dropFirst().allSatisfy({ $0.bars(isDepth: isDepth) == common }),
      Set(maps.map(\.stored)).count >= Self.fewestDifferent
    {
      self.init(fault: .bars(common), declared: 0, other: 0, width: first.width)
      return
    }
    let found =
      judged(.alternating) { $0.costs(of: 2 * $0.width) }
      ?? maps.first(where: \.goesOnAtEnds)?.likeliestLength.flatMap { length in
        judged(.rowLength(length)) { $0.goesOnAtEnds ? $0.costs(of: length) : nil }
      }
      ?? judged(.bytes) { map in
        guard let swapped = map.swapped, let a = map.cost(of: map.width), let b = swapped.cost(of: map.width)
        else { return nil }
        return (a, b)
      }
    guard let found else { return nil }
    self = found
  }

  private init(fault: Fault, declared: Double, other: Double, width: Int) {
    (self.fault, self.declared, self.other, self.width) = (fault, declared, other, width)
  }

  private var numbers: String {
    "\(MotionConvention.percent(other)) instead of \(MotionConvention.percent(declared)) of the map's range"
  }

  func words(of object: String) -> String {
    switch fault {
    case .alternating:
      "rows of \(object) are more like the second next row than like the next: they differ by \(numbers). Rows of two pictures "
        + "alternate, or every second row is shifted. What it looks like: surfaces are combs"
    case .rowLength(let length):
      "numbers of \(object) are more like those \(length) farther on than like those below them, \(width) farther on: they differ "
        + "by \(numbers). Rows had \(length) numbers when they were written. What it looks like: the picture is slanted or torn"
    case .bytes:
      "with the two bytes of every number of \(object) swapped, rows differ by \(numbers): they were read in the other byte "
        + "order. What it looks like: depths leap between near and far"
    case .bars(let bars):
      "in every map of \(object) one number fills \(bars.words), and other numbers stand right beside it: no picture is there. What "
        + "it looks like: stripes, and a map that is squeezed if they were added to fit a shape"
    }
  }

  func fix(of object: String) -> String {
    switch fault {
    case .alternating: "read \(object) again: one field or one frame at a time, every row from its own start"
    case .rowLength(let length): "read \(object) again with rows of \(length) numbers"
    case .bytes: "read \(object) again with the other byte order"
    case .bars:
      "cut these lines off \(object) where they were added, so that the rest covers the LiDAR's view; elsewhere store that "
        + "nothing is known there"
    }
  }

  /// A map's numbers in a row, as shares of its range; NaN is missing.
  private struct Lines {
    let width: Int
    private let values: [Float]
    let stored: [Float]
    private let range: Float
    private var height: Int { values.count / width }

    /// nil where there are too few numbers, or only one.
    init?(_ map: DepthMap) { self.init(map.values, width: map.width) }

    private init?(_ stored: [Float], width: Int) {
      let sorted = stored.enumerated().filter { $0.offset % max(1, stored.count / mostPairs) == 0 }
        .map(\.element).filter { $0.isFinite && $0 != 0 }.sorted()
      guard sorted.count >= fewestPairs, width > 2 else { return nil }
      let range = sorted[sorted.count * 19 / 20] - sorted[sorted.count / 20]
      guard range > 0 else { return nil }
      (self.width, self.stored, self.range) = (width, stored, range)
      values = stored.map { $0 == 0 ? .nan : $0 / range }
    }

    /// Mean difference of numbers that stand so far apart; nil where too few pairs are known.
    func cost(of distance: Int) -> Double? {
      let step = max(1, values.count / mostPairs)
      var (sum, count) = (Float(0), 0)
      for index in stride(from: 0, to: values.count - distance, by: step) {
        let difference = abs(values[index] - values[index + distance])
        guard difference.isFinite else { continue }
        sum += min(difference, limit)
        count += 1
      }
      return count >= fewestPairs ? Double(sum) / Double(count) : nil
    }

    func costs(of distance: Int) -> (declared: Double, other: Double)? {
      cost(of: width).flatMap { own in cost(of: distance).map { (own, $0) } }
    }

    /// The row length that pixels speak for, where it is another by much.
    var likeliestLength: Int? {
      guard let own = cost(of: width), own >= least else { return nil }
      let found = (max(2, width / 3)...3 * width).lazy.filter { $0 % self.width != 0 }
        .compactMap { length in self.cost(of: length).map { (length, $0) } }.min { $0.1 < $1.1 }
      return found.flatMap { $0.1 <= largestShare * own ? $0.0 : nil }
    }

    /// Whether what stands at the end of a row and at the beginning of the next is as alike as what stands side by side.
    var goesOnAtEnds: Bool {
      let ends = (1..<max(2, height)).compactMap { row -> Float? in
        let difference = abs(values[row * width - 1] - values[row * width])
        return difference.isFinite ? min(difference, limit) : nil
      }
      guard ends.count >= 16, let within = cost(of: 1) else { return false }
      return Double(ends.reduce(0, +)) / Double(ends.count) <= mostAtEnds * within
    }

    /// The same with the two bytes of every count swapped; nil where the numbers are not counts.
    var swapped: Lines? {
      for count in counts {
        let whole = stored.lazy.map { $0.isFinite ? $0 * count : 0 }
        guard whole.allSatisfy({ abs($0 - $0.rounded()) < 0.02 && (0...65_535).contains($0) }) else {
          continue
        }
        return Lines(whole.map { Float(UInt16($0.rounded()).byteSwapped) }, width: width)
      }
      return nil
    }

    /// - Parameter isDepth: Whether 0 stands for no return, which makes no bar.
    func bars(isDepth: Bool) -> Bars {
      let (width, height) = (width, height)
      var numbers: [Float] = []
      /// - Parameter line: Positions of a line's pixels.
      func runs(_ count: Int, _ line: (Int) -> StrideTo<Int>) -> [ClosedRange<Int>] {
        func number(_ index: Int) -> Float? {
          var pixels = line(index).makeIterator()
          guard let first = pixels.next(), stored[first].isFinite, stored[first] > 0 || !isDepth else {
            return nil
          }
          while let next = pixels.next() { if stored[next] != stored[first] { return nil } }
          return stored[first]
        }
        func differs(_ index: Int, from number: Float) -> Bool {
          guard (0..<count).contains(index) else { return false }
          let pixels = Array(line(index))
          let others = pixels.count { !(abs(stored[$0] - number) < stepOfBar * range) }
          return Double(others) >= besideBar * Double(pixels.count)
        }
        var (found, index): ([ClosedRange<Int>], Int) = ([], 0)
        while index < count {
          let first = index
          index += 1
          guard let bar = number(first) else { continue }
          while index < count, number(index) == bar { index += 1 }
          // Thin lines at the border are resampling's; those within have others on both sides.
          let isOuter = first == 0 || index == count
          let sides = [differs(first - 1, from: bar), differs(index, from: bar)].count { $0 }
          if isOuter ? sides == 1 && index - first >= thinnest : sides == 2 {
            found.append(first...index - 1)
            numbers.append(bar)
          }
        }
        return found
      }
      let rows = runs(height) { y in stride(from: y * width, to: (y + 1) * width, by: 1) }
      let columns = runs(width) { x in stride(from: x, to: width * height, by: width) }
      return Bars(rows: rows, columns: columns, numbers: numbers)
    }
  }
}
