import DepthCore

/// Whether the camera image shows where the depth steps of a sharp LiDAR map lie, from returns that are held out.
///
/// Every second row and column of the LiDAR predicts the others, once by bilinear interpolation and once with the image
/// (``StepCorners``). The image is made coarser with the LiDAR, so that one is as much finer than the other as it is between the returns that
/// there are: what is true at twice the distance is taken to be true at the distance itself. The image helps where the absolute error
/// and the squared error of the held-out returns at steps are both lower by more than ``certainty`` standard errors, over blocks of
/// the map. A smeared map fails: held-out returns lie within its steps.
struct HeldOutSteps {
  /// What the image takes from an error, as a share, and in standard errors.
  struct Gain {
    let share: Double, deviations: Double
  }

  /// nil where too few returns are at steps.
  let absolute: Gain?, squared: Gain?
  /// Standard errors.
  static let certainty = 2.0
  /// Held-out returns at steps: with fewer there is no answer.
  private static let fewest = 50
  /// Pixels of a block; errors are alike within one.
  private static let blockSide = 8

  var favourImage: Bool {
    guard let absolute, let squared else { return false }
    return absolute.deviations > Self.certainty && squared.deviations > Self.certainty
  }

  /// - Parameter lidar: NaN where there is no return.
  /// - Parameter colours: At its pixels near steps.
  /// - Parameter fineness: Pixels of the image, or of the raster that is wanted if that is coarser, in one of the LiDAR's.
  init(_ lidar: DepthMap, colours: [SIMD3<Float>], fineness: Double) {
    let width = lidar.width
    // Averages over twice the area of a LiDAR pixel and of one of the image.
    let (coarse, fine) = (
      Colours(colours, width: width, over: 2), Colours(colours, width: width, over: 2 / fineness)
    )
    let blocks = (width + Self.blockSide - 1) / Self.blockSide
    var sums = [SIMD2<Double>](
      repeating: .zero, count: blocks * ((lidar.height + Self.blockSide - 1) / Self.blockSide))
    var (plain, count) = (SIMD2<Double>.zero, 0)
    for row in stride(from: 0, to: lidar.height - 2, by: 2) {
      for column in stride(from: 0, to: width - 2, by: 2) {
        let i = row * width + column
        guard let corners = StepCorners(lidar, at: i, step: 2, colour: { coarse[$0] }) else { continue }
        for (down, across) in [(0, 1), (1, 0), (1, 1)] {
          let held = i + down * width + across, depth = lidar.values[held]
          guard depth.isFinite else { continue }
          let place = (across: Float(across) / 2, down: Float(down) / 2)
          let without = Double(corners.mean(across: place.across, down: place.down) - depth)
          let with = Double(
            corners.mean(across: place.across, down: place.down, colour: fine[held]) - depth)
          let block = (row + down) / Self.blockSide * blocks + (column + across) / Self.blockSide
          sums[block] += SIMD2(abs(without) - abs(with), without * without - with * with)
          plain += SIMD2(abs(without), without * without)
          count += 1
        }
      }
    }
    let (total, squares) = (sums.reduce(.zero, +), sums.reduce(.zero) { $0 + $1 * $1 })
    let gains = (0..<2).map { kind -> Gain? in
      guard count >= Self.fewest, squares[kind] > 0, plain[kind] > 0 else { return nil }
      return Gain(
        share: total[kind] / plain[kind], deviations: total[kind] / squares[kind].squareRoot())
    }
    (absolute, squared) = (gains[0], gains[1])
  }

  /// Colours averaged over squares of a width, pixels, about each pixel: up to three.
  private struct Colours {
    private let colours: [SIMD3<Float>], width: Int
    /// Of the pixels on either side.
    private let side: Float

    init(_ colours: [SIMD3<Float>], width: Int, over square: Double) {
      let square = min(max(square, 1), 3)
      (self.colours, self.width, side) = (colours, width, Float((square - 1) / (2 * square)))
    }

    subscript(index: Int) -> SIMD3<Float> {
      guard side > 0 else { return colours[index] }
      var sum = SIMD3<Float>.zero
      let (row, column) = (index / width, index % width)
      for y in -1...1 {
        for x in -1...1 {
          let weight = (y == 0 ? 1 - 2 * side : side) * (x == 0 ? 1 - 2 * side : side)
          let (here, there) = (
            min(max(row + y, 0), colours.count / width - 1), min(max(column + x, 0), width - 1)
          )
          sum += weight * colours[here * width + there]
        }
      }
      return sum
    }
  }
}
