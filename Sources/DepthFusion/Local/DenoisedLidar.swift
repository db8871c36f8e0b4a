import CFathomKernels
import DepthCore

/// A LiDAR map less the error that is independent from pixel to pixel.
///
/// A pixel is predicted from pairs of pixels that lie opposite each other about it, in disparity, so that planes stay planes; pairs across
/// a depth step do not count: most are too far off, and a pixel that mixes both sides is like their mean. The pixel itself takes no part. So its squared difference to the prediction is, in the
/// mean, its own independent variance plus the prediction's, and about each pixel the data say how much the prediction is worth: it
/// gets the share independent variance / mean squared difference (Lee 1980). Detail that the prediction misses stays.
struct DenoisedLidar {
  let map: DepthMap
  /// Standard deviation of the relative error that is left.
  let deviations: [Float]
  /// Share of the variance of the independent part that is gone, mean over the returns.
  let gain: Double
  /// Half the side of the squares that pairs, and the differences of a mean, are taken from, pixels.
  private static let (reach, window) = (3, 2)
  /// Half width of the biweight, deviations.
  private static let tuning: Float = 4
  /// Steepest surface, in ln d from pixel to pixel: half of what is a depth step in the image's eyes. What is steeper, beyond noise, is a step.
  private static let slope: Float = 0.05
  /// Least share of the noise's variance that is independent, and least ``gain``, for which it is done.
  static let (leastShare, leastGain) = (0.1, 0.2)

  /// nil where the errors of neighbours are alike, or where the scene has more detail than noise.
  init?(_ lidar: DepthMap, _ noise: LidarNoise) {
    let (count, width, height) = (lidar.values.count, lidar.width, lidar.height)
    var (shared, returns) = (0.0, 0.0)
    for i in 0..<count where lidar.values[i] > 0 && lidar.values[i].isFinite {
      let ratio = noise.independent[i] / noise.deviations[i]
      shared += Double(ratio * ratio)
      returns += 1
    }
    guard returns > 0, shared >= Self.leastShare * returns else { return nil }
    let disparity = lidar.values.map { $0 > 0 && $0.isFinite ? 1 / $0 : .nan }
    let variances = zip(disparity, noise.independent).map { ($0 * $1) * ($0 * $1) }
    func predicted(about centres: [Float], _ centreVariances: [Float]) -> (means: [Float], weights: [Float]) {
      var weights = [Float](repeating: 0, count: count)
      let means = [Float](unsafeUninitializedCapacity: count) { means, initialized in
        pair_means(
          disparity, variances, centres, centreVariances, width, height, Self.reach, Self.tuning,
          Self.slope, means.baseAddress, &weights)
        initialized = count
      }
      return (means, weights)
    }
    let first = predicted(about: disparity, variances)
    let second = predicted(about: first.means, first.weights.map { 1 / $0 })
    // Squared differences in the pixel's own variances.
    var squares = [SIMD2<Double>](repeating: .zero, count: count)
    for i in 0..<count where second.weights[i] > 0 && disparity[i].isFinite {
      let off = Double(second.means[i] - disparity[i])
      squares[i] = SIMD2(1, off * off / Double(variances[i]))
    }
    let sums = BoxWindow(lidar.size, radius: Self.window).sums(squares)
    var (map, deviations, gone) = (lidar, noise.deviations, 0.0)
    for i in 0..<count where squares[i][0] > 0 {
      let share = Float(min(1, sums[i][0] / max(sums[i][1], squares[i][1] / 9, 1e-9)))
      map.values[i] = 1 / (disparity[i] + share * (second.means[i] - disparity[i]))
      let independent = noise.independent[i]
      let left = deviations[i] * deviations[i] - share * independent * independent
      deviations[i] = max(left, deviations[i] * deviations[i] / 25).squareRoot()
      gone += Double(share)
    }
    gain = gone / returns
    guard gain >= Self.leastGain else { return nil }
    (self.map, self.deviations) = (map, deviations)
  }
}
