internal import DepthCore
private import Foundation

/// Where the truth has depth steps, and how much a map changes anywhere: together they show where a map's steps lie.
///
/// A rank correlation hardly sees a map that is moved by a few pixels, or cut out of a slightly larger picture; its steps do.
struct StepPlacement: Sendable {
  /// Of the raster on which both are compared.
  let size: RasterSize
  /// Pixels of the truth that one of it stands for.
  let pitch: Int
  private let rows: Axis, columns: Axis

  /// Steps along rows, or along columns.
  private struct Axis {
    /// Places where the truth becomes farther, in the first half of the axis and in the second, and where it becomes nearer.
    let steps: [[SIMD2<Double>]]
    /// How much the map changes, pixel by pixel, 255 for its strongest changes.
    let changes: [UInt8]
    var count: Int { steps.reduce(0) { $0 + $1.count } }
  }

  /// How a map is read along one axis: at centre + (x − centre) · scale + shift.
  struct Reading: Sendable {
    var scale = 1.0
    /// Pixels of the raster.
    var shift = 0.0
    func place(_ x: Double, _ length: Int) -> Double {
      let centre = Double(length - 1) / 2
      return centre + (x - centre) * scale + shift
    }
  }

  private static let limit = 320, fewest = 300, most = 100
  /// Ratio of depths from which on two pixels are a step: differences of logarithms.
  private static let step = 0.1

  /// - Parameter value: What of the map's numbers changes by as much near as far.
  /// - Returns: nil where the truth has too few steps or the map no changes.
  init?(_ map: DepthMap, _ truth: DepthMap, value: (Float) -> Float) {
    pitch = truth.size.step(to: Self.limit)
    size = truth.size.reduced(to: Self.limit)
    let (width, height) = (size.width, size.height), pitch = pitch
    func raster(_ read: (_ x: Int, _ y: Int) -> Float) -> [Float] {
      (0..<width * height).map { read($0 % width * pitch + pitch / 2, $0 / width * pitch + pitch / 2) }
    }
    let depth = raster { x, y in
      let value = truth[y, x]
      return value > 0 && value.isFinite ? log(value) : .nan
    }
    let own = raster { x, y in
      let column = min(map.width - 1, (2 * x + 1) * map.width / (2 * truth.width))
      return value(map[min(map.height - 1, (2 * y + 1) * map.height / (2 * truth.height)), column])
    }
    func change(_ values: [Float], _ i: Int, _ stride: Int) -> Float {
      values[i + stride] - values[i - stride]
    }
    func places(_ stride: Int) -> [[SIMD2<Double>]] {
      var found = [[SIMD2<Double>]](repeating: [], count: 4)
      for y in 2..<max(2, height - 2) {
        for x in 2..<max(2, width - 2) {
          let i = y * width + x, size = change(depth, i, stride), sign: Float = size < 0 ? -1 : 1
          let before = sign * change(depth, i - stride, stride)
          // The middle of a step, not its flanks.
          guard abs(size) >= Float(Self.step), abs(size) >= before,
            abs(size) > sign * change(depth, i + stride, stride)
          else { continue }
          let half = before == abs(size) ? 0.5 : 0
          let place =
            stride == 1 ? SIMD2(Double(x) - half, Double(y)) : SIMD2(Double(x), Double(y) - half)
          let isSecond = stride == 1 ? 2 * x >= width : 2 * y >= height
          found[(size < 0 ? 2 : 0) + (isSecond ? 1 : 0)].append(place)
        }
      }
      return found.map { all in
        let each = max(1, (all.count + Self.most - 1) / Self.most)
        return Swift.stride(from: 0, to: all.count, by: each).map { all[$0] }
      }
    }
    func marks(_ stride: Int) -> [UInt8] {
      var sizes = [Float](repeating: 0, count: own.count)
      for y in 1..<max(1, height - 1) {
        for x in 1..<max(1, width - 1) {
          let size = abs(change(own, y * width + x, stride))
          if size.isFinite { sizes[y * width + x] = size }
        }
      }
      let strong = Float(OrderStatistics.quantile(0.95, of: sizes.map { Double($0) }) ?? 0)
      return strong > 0 ? sizes.map { UInt8(min(255, 255 * $0 / strong)) } : []
    }
    func axis(_ stride: Int) -> Axis { Axis(steps: places(stride), changes: marks(stride)) }
    (rows, columns) = (axis(1), axis(width))
    guard rows.count + columns.count >= Self.fewest, !rows.changes.isEmpty, !columns.changes.isEmpty
    else { return nil }
  }

  /// Share of the truth's steps that the map's changes meet, each by its strength.
  private func met(_ x: Reading, _ y: Reading) -> Double {
    let axes = [rows, columns]
    let sums = axes.map { axis in axis.steps.reduce(0) { $0 + met($1, axis.changes, x, y).x } }
    return (sums[0] + sums[1]) / Double(axes[0].count + axes[1].count)
  }

  /// - Returns: The sum of the changes at some steps, and how many of these lie in the picture.
  private func met(
    _ steps: [SIMD2<Double>], _ changes: [UInt8], _ x: Reading, _ y: Reading
  ) -> SIMD2<Double> {
    var (sum, inside) = (0, 0)
    for step in steps {
      let column = Int(x.place(step.x, size.width).rounded()),
        row = Int(y.place(step.y, size.height).rounded())
      guard column >= 0, column < size.width, row >= 0, row < size.height else { continue }
      sum += Int(changes[row * size.width + column])
      inside += 1
    }
    return SIMD2(Double(sum) / 255, Double(inside))
  }

  /// Another reading of both axes that meets the truth's steps better.
  struct Rival: Sendable {
    let x: Reading, y: Reading
    /// Pixels of the truth that one of a reading stands for.
    let pitch: Int
    /// Maps that it fits better, of how many.
    let better: Int, count: Int
    /// Mean shares of the steps that are met, and as the maps stand.
    let met: Double, own: Double
  }

  /// - Parameter maps: Of one network.
  /// - Returns: nil where no other reading fits clearly better in nearly all of them.
  static func rival(of maps: [StepPlacement]) -> Rival? {
    guard let first = maps.first, maps.allSatisfy({ $0.size == first.size }), maps.count >= 3 else {
      return nil
    }
    var (x, y) = (Reading(), Reading())
    func met(_ axis: KeyPath<StepPlacement, Axis>, _ x: Reading, _ y: Reading, kind: Int) -> SIMD2<Double> {
      maps.reduce(SIMD2()) { $0 + $1.met($1[keyPath: axis].steps[kind], $1[keyPath: axis].changes, x, y) }
    }
    func all(_ axis: KeyPath<StepPlacement, Axis>, _ x: Reading, _ y: Reading) -> Double {
      (0..<4).reduce(0) { $0 + met(axis, x, y, kind: $1).x }
    }
    // Steps along a row are long in its column's direction, so that either axis may be looked at before the other is known.
    for _ in 0..<2 {
      x = best(first.size.width, near: x) { all(\.rows, $0, y) }
      y = best(first.size.height, near: y) { all(\.columns, x, $0) }
    }
    let count = Double(maps.count)
    // Of objects that are drawn too large, one side fits better and the other worse, in either half of the picture.
    func isMoved(_ reading: Reading, _ length: Int, _ axis: KeyPath<StepPlacement, Axis>) -> Bool {
      let shares = (0..<4).compactMap { kind -> (met: Double, own: Double)? in
        let own = met(axis, Reading(), Reading(), kind: kind), other = met(axis, x, y, kind: kind)
        // What a cut picture does not show says nothing.
        return other.y < 10 * count ? nil : (other.x / other.y, own.x / own.y)
      }
      let least = leastOtherSide * (shares.map(\.met).max() ?? 1)
      return shares.count >= 3 && farthest(reading, length) >= leastShift
        && shares.allSatisfy { $0.met >= leastSideGain * $0.own && $0.met >= least }
    }
    let moved = (x: isMoved(x, first.size.width, \.rows), y: isMoved(y, first.size.height, \.columns))
    // Of an axis that is not shown to be moved, the best reading is chance.
    if !moved.x { x = Reading() }
    if !moved.y { y = Reading() }
    let own = maps.map { $0.met(Reading(), Reading()) }, other = maps.map { $0.met(x, y) }
    let better = zip(own, other).count { $0 < $1 }
    let (ownMean, otherMean) = (own.reduce(0, +) / count, other.reduce(0, +) / count)
    guard moved.x || moved.y, Double(better) >= 0.75 * count, otherMean >= leastMet,
      otherMean >= leastGain * ownMean
    else { return nil }
    return Rival(
      x: x, y: y, pitch: first.pitch, better: better, count: maps.count, met: otherMean,
      own: ownMean)
  }

  /// How far a reading moves the pixel that it moves farthest.
  private static func farthest(_ reading: Reading, _ length: Int) -> Double {
    max(abs(reading.place(0, length)), abs(reading.place(Double(length - 1), length) - Double(length - 1)))
  }

  /// The reading whose steps are met best: first over all scales and shifts in coarse steps, then about the best.
  private static func best(_ length: Int, near known: Reading, _ met: (Reading) -> Double) -> Reading {
    var best = (reading: known, met: met(known))
    func look(_ reading: Reading) {
      let value = met(reading)
      if value > best.met { best = (reading, value) }
    }
    let reach = Double(length) * farthestShift, coarse = max(1, (reach / 16).rounded())
    for scale in stride(from: 0.7, through: 1.4, by: 0.02) {
      for shift in stride(from: -reach, through: reach, by: coarse) {
        look(Reading(scale: scale, shift: shift))
      }
    }
    let found = best.reading, fine = Array(stride(from: -coarse, through: coarse, by: 0.5))
    for scale in stride(from: -0.02, through: 0.02, by: 0.005) {
      for shift in fine { look(Reading(scale: found.scale + scale, shift: found.shift + shift)) }
    }
    // Places are rounded to pixels, so that several are as good: their middle.
    let scale = best.reading.scale, level = 0.98 * best.met, middle = best.reading.shift
    let equal = fine.map { Reading(scale: scale, shift: middle + $0) }.filter { met($0) >= level }
    return Reading(scale: scale, shift: equal.reduce(0) { $0 + $1.shift } / Double(equal.count))
  }

  /// Share of a side by which maps may be moved.
  private static let farthestShift = 0.08
  /// Pixels that a reading must move one by; what networks and rounding of sizes do is less.
  private static let leastShift = 1.5
  private static let leastMet = 0.3, leastGain = 1.25, leastSideGain = 1.1, leastOtherSide = 0.7
}
