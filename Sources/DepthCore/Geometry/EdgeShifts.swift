/// Depth edges of a LiDAR map, and by how much they lie elsewhere in a relative map.
///
/// Along rows and columns, an edge is a step between two level sides. Its place is where the values cross the middle of
/// the two sides' levels, between pixels by linear interpolation: softening moves it to neither side.
public struct EdgeShifts: Sendable {
  /// One edge that both maps show.
  public struct Edge: Sendable {
    /// LiDAR pixel indices, from the centre of the first pixel.
    public var x: Double, y: Double
    /// Whether the edge was crossed along a row.
    public var isAcross: Bool
    /// Whether the farther side comes first, going right or down.
    public var isNearer: Bool
    /// Place in the relative map minus place in the LiDAR, LiDAR pixels, if pixel centres lay on centres.
    public var shift: Double
  }

  /// Row by row, then column by column.
  public let edges: [Edge]
  /// Least step of depth across an edge; the largest share of it by which a side may not be level.
  private static let (leastStep, unevenness) = (0.08, 0.2)
  /// From the step to its sides, and the largest shift that is looked for, LiDAR pixels.
  private static let (reach, largestShift) = (3, 2.0)

  /// - Parameter kind: In which space LiDAR and map are lines of each other; disparity where it is not known.
  public init(from lidar: DepthMap, to relative: DepthMap, _ kind: RelativeKind) {
    let target = lidar.values.map { depth -> Double in
      depth > 0 && depth.isFinite ? (kind == .depth ? Double(depth) : 1 / Double(depth)) : .nan
    }
    let growsNearer = kind != .depth
    var edges: [Edge] = []
    for row in 0..<lidar.height {
      let line = (0..<lidar.width).map { target[row * lidar.width + $0] }
      let other = Self.line(of: relative, at: row, of: lidar.height, alongRow: true)
      for (place, shift, isRising) in Self.shifts(line, other) {
        edges.append(
          Edge(x: place, y: Double(row), isAcross: true, isNearer: isRising == growsNearer, shift: shift))
      }
    }
    for column in 0..<lidar.width {
      let line = (0..<lidar.height).map { target[$0 * lidar.width + column] }
      let other = Self.line(of: relative, at: column, of: lidar.width, alongRow: false)
      for (place, shift, isRising) in Self.shifts(line, other) {
        edges.append(
          Edge(x: Double(column), y: place, isAcross: false, isNearer: isRising == growsNearer, shift: shift))
      }
    }
    self.edges = edges
  }

  /// The relative map's row or column nearest to one of the LiDAR's.
  private static func line(of map: DepthMap, at index: Int, of count: Int, alongRow: Bool) -> [Double] {
    let share = (Double(index) + 0.5) / Double(count)
    if alongRow {
      let row = min(map.height - 1, Int(share * Double(map.height)))
      return (0..<map.width).map { Double(map.values[row * map.width + $0]) }
    }
    let column = min(map.width - 1, Int(share * Double(map.width)))
    return (0..<map.height).map { Double(map.values[$0 * map.width + column]) }
  }

  private static func shifts(
    _ line: [Double], _ other: [Double]
  ) -> [(place: Double, shift: Double, isRising: Bool)] {
    let scale = Double(other.count) / Double(line.count)
    var found: [(place: Double, shift: Double, isRising: Bool)] = []
    guard line.count > 2 * reach + 2 else { return [] }
    for i in reach..<line.count - reach - 1 {
      // The largest step within reach, so that an edge counts once.
      let step = abs(line[i + 1] - line[i])
      let isLargest = (i - reach + 1..<i + reach).allSatisfy { abs(line[$0 + 1] - line[$0]) <= step }
      guard isLargest, let sides = Sides(line, i, reach), let place = sides.crossing(of: line),
        let there = Self.crossing(other, near: place, scale)
      else { continue }
      found.append((place, there - place, line[i + 1] > line[i]))
    }
    return found
  }

  /// The two sides of a step.
  private struct Sides {
    let first: Int, last: Int, middle: Double

    init?(_ line: [Double], _ i: Int, _ reach: Int) {
      (first, last) = (i - reach + 1, i + reach)
      let (a, b) = (line[first], line[last])
      let jump = abs(b - a)
      guard jump.isFinite, min(abs(a), abs(b)) > 0, jump / max(abs(a), abs(b)) > leastStep,
        abs(line[first - 1] - a) < unevenness * jump, abs(line[last + 1] - b) < unevenness * jump
      else { return nil }
      middle = (a + b) / 2
    }

    /// Where the line crosses the middle for the only time; nil where it does so often.
    func crossing(of line: [Double]) -> Double? { EdgeShifts.onlyCrossing(line[first...last], of: middle) }
  }

  /// The place of the edge in the other line, in the first line's pixels.
  private static func crossing(_ other: [Double], near place: Double, _ scale: Double) -> Double? {
    let (low, high) = (place - largestShift - 1, place + largestShift + 1)
    let first = Int(saturating: ((low + 0.5) * scale - 0.5).rounded(.down)),
      last = Int(saturating: ((high + 0.5) * scale - 0.5).rounded(.up))
    guard first >= 1, last < other.count - 1, last > first else { return nil }
    let (a, b) = (other[first], other[last])
    let jump = abs(b - a)
    guard jump.isFinite, jump > 0, abs(other[first - 1] - a) < unevenness * jump,
      abs(other[last + 1] - b) < unevenness * jump,
      let crossing = onlyCrossing(other[first...last], of: (a + b) / 2)
    else { return nil }
    return (crossing + 0.5) / scale - 0.5
  }

  /// The index at which a line crosses a level, between pixels by interpolation; nil unless it does so once.
  fileprivate static func onlyCrossing(_ line: ArraySlice<Double>, of level: Double) -> Double? {
    var found: Double?
    for i in line.indices.dropLast()
    where (line[i] - level) * (line[i + 1] - level) <= 0 && line[i] != line[i + 1] {
      guard found == nil else { return nil }
      found = Double(i) + (level - line[i]) / (line[i + 1] - line[i])
    }
    return found
  }
}
