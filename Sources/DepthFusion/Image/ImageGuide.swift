import DepthCore
import Foundation

/// The LiDAR's depth steps, placed where the camera image has its edges.
///
/// A pixel near a depth step takes the weighted median of the returns about it: joint bilateral weights (Kopf et al. 2007) of distance and of
/// the colours' difference, so that it takes the depth of the side that it looks like. A median and not a mean, because the mean of both sides is
/// a depth that nothing has (weighted median filter, Ma et al. 2013). Where the sensor draws its steps wide, returns within a step count for
/// little, because they are mixtures already.
///
/// ``means(at:offset:)`` is more careful: bilinear interpolation whose four weights also fall with the colours' difference. It lies between the
/// same four returns, so that its squared error stays low where the colours mislead.
///
/// What the widths rest on: `docs/auto.md`.
struct ImageGuide {
  /// NaN where there is no return.
  let lidar: DepthMap
  private let image: Raster<RGB>
  /// Colour at the LiDAR pixels near a depth step, 0 elsewhere.
  let colours: [SIMD3<Float>]
  /// Range of ln d in 3×3 and in 5×5 pixels.
  private let nearRange: [Float], range: [Float]
  /// Whether returns within a step count for little.
  private let weighsMixtures: Bool
  /// Range of ln d in 5×5 pixels that is a depth step.
  private static let leastStep: Float = 0.1
  /// Deviation of the distance's weight, LiDAR pixels, and how far the window goes.
  private static let (spread, reach): (Float, Int) = (1, 3)
  /// Deviation of the colours' weight, in L*a*b*.
  static let colourSpread: Float = 12
  /// Range of ln d in 3×3 pixels at which a return within a wide step has half its weight.
  private static let mixture: Float = 0.1

  /// - Parameter steps: Of this LiDAR map.
  /// - Parameter registration: What a LiDAR pixel shows lies at its position plus this in the image, LiDAR pixels.
  init(_ lidar: DepthMap, _ steps: StepWidth, _ image: Raster<RGB>, registration: PixelOffset?) {
    (self.image, weighsMixtures) = (image, steps.isWide)
    self.lidar = DepthMap(
      width: lidar.width, height: lidar.height,
      values: lidar.values.map { $0 > 0 && $0.isFinite ? $0 : .nan })
    let logs = self.lidar.values.map { log($0) }
    nearRange = WindowRange.of(logs, width: lidar.width, reach: 1)
    range = WindowRange.of(logs, width: lidar.width, reach: 2)
    let lab = LabImage(image, at: lidar.size, offset: registration ?? .zero)
    var colours = [SIMD3<Float>](repeating: .zero, count: lidar.values.count)
    for (i, isNear) in Self.near(range, width: lidar.width).enumerated() where isNear {
      colours[i] = lab.colour(row: i / lidar.width, column: i % lidar.width)
    }
    self.colours = colours
  }

  /// The pixels whose colour any window of ``reach`` needs.
  private static func near(_ range: [Float], width: Int) -> [Bool] {
    var near = [Bool](repeating: false, count: range.count)
    let height = width > 0 ? range.count / width : 0
    for i in range.indices where range[i] > leastStep {
      let (row, column) = (i / width, i % width)
      for y in max(0, row - reach)...min(height - 1, row + reach) {
        for x in max(0, column - reach)...min(width - 1, column + reach) { near[y * width + x] = true }
      }
    }
    return near
  }

  /// Weighted means of the four returns about each pixel of a raster in the image's view, where a depth step lies between them; NaN elsewhere.
  /// - Parameter offset: Where the raster lies in the LiDAR's view, beside its own place, pixels of the raster.
  func means(at size: RasterSize, offset: PixelOffset) -> DepthMap {
    var result = DepthMap(width: size.width, height: size.height, filledWith: .nan)
    let lab = LabImage(image, at: size)
    let columns = Self.pixels(of: size.width, in: lidar.width, offset: offset.x) { $0.rounded(.down) }
    let rows = Self.pixels(of: size.height, in: lidar.height, offset: offset.y) { $0.rounded(.down) }
    for row in 0..<max(0, lidar.height - 1) where !rows[row].isEmpty {
      for column in 0..<max(0, lidar.width - 1) where !columns[column].isEmpty {
        let i = row * lidar.width + column
        guard range[i] > Self.leastStep,
          let corners = StepCorners(lidar, at: i, step: 1, colour: { colours[$0] })
        else { continue }
        for pixelRow in rows[row] {
          for pixelColumn in columns[column] {
            result[pixelRow.index, pixelColumn.index] = corners.mean(
              across: pixelColumn.place - Float(column), down: pixelRow.place - Float(row),
              colour: lab.colour(row: pixelRow.index, column: pixelColumn.index))
          }
        }
      }
    }
    return result
  }

  /// The pixels of a raster in the image's view that are near a depth step; NaN for the others, and where no return is near.
  /// - Parameter offset: Where the raster lies in the LiDAR's view, beside its own place, pixels of the raster.
  /// - Parameter agreeing: Whether only those steps count that the image shows, too.
  func depths(at size: RasterSize, offset: PixelOffset, agreeing: Bool) -> DepthMap {
    var result = DepthMap(width: size.width, height: size.height, filledWith: .nan)
    let lab = LabImage(image, at: size)
    let columns = Self.pixels(of: size.width, in: lidar.width, offset: offset.x)
    let rows = Self.pixels(of: size.height, in: lidar.height, offset: offset.y)
    for i in lidar.values.indices where range[i] > Self.leastStep {
      let (row, column) = (i / lidar.width, i % lidar.width)
      guard !rows[row].isEmpty, !columns[column].isEmpty, !agreeing || isSeen(row: row, column: column)
      else { continue }
      let window = self.window(row: row, column: column)
      guard !window.isEmpty else { continue }
      for pixelRow in rows[row] {
        for pixelColumn in columns[column] {
          result[pixelRow.index, pixelColumn.index] = Self.median(
            window, colour: lab.colour(row: pixelRow.index, column: pixelColumn.index),
            row: pixelRow.place, column: pixelColumn.place)
        }
      }
    }
    return result
  }

  /// A return about a pixel.
  private struct Neighbour {
    let depth: Float, weight: Float, row: Float, column: Float, colour: SIMD3<Float>
  }

  /// The returns about a LiDAR pixel, nearest depth first.
  private func window(row: Int, column: Int) -> [Neighbour] {
    var found: [Neighbour] = []
    found.reserveCapacity((2 * Self.reach + 1) * (2 * Self.reach + 1))
    for y in max(0, row - Self.reach)...min(lidar.height - 1, row + Self.reach) {
      for x in max(0, column - Self.reach)...min(lidar.width - 1, column + Self.reach) {
        let j = y * lidar.width + x
        guard lidar.values[j].isFinite else { continue }
        let mixed = nearRange[j] / Self.mixture
        found.append(
          Neighbour(
            depth: lidar.values[j], weight: weighsMixtures ? 1 / (1 + mixed * mixed) : 1, row: Float(y),
            column: Float(x), colour: colours[j]))
      }
    }
    return found.sorted { $0.depth < $1.depth }
  }

  /// Weighted median at a place of the LiDAR's raster; NaN where nothing near looks like the pixel.
  private static func median(_ window: [Neighbour], colour: SIMD3<Float>, row: Float, column: Float) -> Float
  {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: window.count) { weights in
      var total: Float = 0
      for (k, other) in window.enumerated() {
        let (down, across, tint) = (other.row - row, other.column - column, other.colour - colour)
        let distance = (down * down + across * across) / (2 * spread * spread)
        let difference = (tint * tint).sum() / (2 * colourSpread * colourSpread)
        weights[k] = other.weight * exp(-distance - difference)
        total += weights[k]
      }
      guard total > leastWeight else { return .nan }
      var sum: Float = 0
      for (k, other) in window.enumerated() {
        sum += weights[k]
        if sum >= total / 2 { return other.depth }
      }
      return .nan
    }
  }

  private static let leastWeight: Float = 1e-12

  /// Whether the near and the far returns in 5×5 pixels differ in colour by more than twice what each vary by.
  private func isSeen(row: Int, column: Int) -> Bool {
    let (rows, columns) = (
      max(0, row - 2)...min(lidar.height - 1, row + 2), max(0, column - 2)...min(lidar.width - 1, column + 2)
    )
    var (low, high) = (Float.infinity, -Float.infinity)
    for y in rows {
      for x in columns {
        let depth = lidar.values[y * lidar.width + x]
        if depth < low { low = depth }
        if depth > high { high = depth }
      }
    }
    // In ln d.
    let middle = (low * high).squareRoot()
    var near = (count: Float(0), sum: SIMD3<Float>.zero), far = near
    var squares: Float = 0
    for y in rows {
      for x in columns {
        let j = y * lidar.width + x
        guard lidar.values[j].isFinite else { continue }
        if lidar.values[j] < middle {
          near = (near.count + 1, near.sum + colours[j])
        } else {
          far = (far.count + 1, far.sum + colours[j])
        }
        squares += (colours[j] * colours[j]).sum()
      }
    }
    guard min(near.count, far.count) >= Self.fewestOnASide else { return false }
    let (nearMean, farMean) = (near.sum / near.count, far.sum / far.count)
    let between = near.count * (nearMean * nearMean).sum() + far.count * (farMean * farMean).sum()
    let variance = max(0, squares - between) / (near.count + far.count - 2)
    let apart = ((nearMean - farMean) * (nearMean - farMean)).sum().squareRoot()
    return apart >= Self.leastContrast * max(variance.squareRoot(), 1)
  }

  /// Fewest returns on each side, and the least difference of their colours in deviations within a side, which are at least one unit of an image.
  private static let (fewestOnASide, leastContrast): (Float, Float) = (3, 2)

  /// For every LiDAR column or row, the pixels of a raster that belong to it, and where they lie, from LiDAR centre to centre.
  /// - Parameter owner: The column or row of a place: the nearest, or the one before.
  private static func pixels(
    of raster: Int, in lidar: Int, offset: Double, owner: (Double) -> Double = { $0.rounded() }
  ) -> [[(index: Int, place: Float)]] {
    var found = [[(index: Int, place: Float)]](repeating: [], count: lidar)
    for index in 0..<raster {
      let place = (Double(index) + 0.5 + offset) * Double(lidar) / Double(raster) - 0.5
      let position = Int(owner(place))
      if found.indices.contains(position) { found[position].append((index, Float(place))) }
    }
    return found
  }
}
