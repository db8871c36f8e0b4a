import DepthCore
import Foundation

/// Standard deviations of fused maps, metres, from what a frame shows of its own errors. No truth is used.
///
/// Not in them: what a whole map shares, such as a wrong scale or a bias of the sensor, wrong poses, and a map's inventions where the LiDAR does not
/// measure. `docs/auto.md` says so to users.
enum FusedDeviation {
  /// Of a LiDAR's map: its noise, and at depth steps where between two pixels the step lies.
  static func lidar(_ map: DepthMap, _ noise: LidarNoise, hasLevels: Bool) -> DepthMap {
    let whole = noise.whole(hasLevels: hasLevels)
    let placing = stepPlacing(map, whole)
    var result = map
    for i in map.values.indices {
      result.values[i] *= (whole[i] * whole[i] + placing[i] * placing[i]).squareRoot()
    }
    return result
  }

  /// Of a line's map: its residuals at the returns less the LiDAR's noise, by depth.
  static func line(
    _ line: Line, in space: Space, _ depth: DepthMap, of frame: DepthFrame, _ relative: DepthMap,
    _ options: FusionOptions
  ) -> DepthMap {
    let noise = LidarNoise(frame, options)
    let anchors = LidarAnchors(frame, relative: relative, options: options, noise: noise)
    let model = GlobalModel(line: line, space: space, options: options)
    let residuals = anchors.logRatios(
      to: model.depths(of: anchors.relative, at: anchors.indices), at: anchors.indices)
    let map = MapDeviation(residuals, anchors, deconvolving: frame.confidence != nil)
    let tails = tails(residuals, anchors, map, noise.whole(hasLevels: frame.confidence != nil))
    var result = depth
    for (i, deviation) in map.deviations(at: depth.values).enumerated() {
      result.values[i] *= Float(tails) * deviation
    }
    return result
  }

  /// Of the mean of LiDAR and map by ``LidarBlend``.
  ///
  /// With w the map's share, σ_L² and σ_M² the variances of the relative errors, and g the share of the LiDAR's variance that the map has copied,
  /// the variance is (1−w)²σ_L² + w²(σ_M² + gσ_L²) + 2w(1−w)gσ_L².
  ///
  /// - Parameters:
  ///   - depth: The mean.
  ///   - whole: σ_L of each LiDAR pixel, as ``LidarNoise/whole(hasLevels:)``.
  ///   - tails: As ``tails(_:_:_:_:)``.
  ///   - copied: g, as ``AutoChoice/Candidate/noiseGain``.
  ///   - offset: Of the mean's pixels, as ``LidarBlend/blended(with:sharpened:at:offset:)``.
  static func blend(
    _ blend: LidarBlend, _ depth: DepthMap, of lidar: DepthMap, _ whole: [Float], map: MapDeviation,
    tails: Double, copied: Double, offset: PixelOffset
  ) -> DepthMap {
    let placing = stepPlacing(lidar, whole)
    var relative = blend.share
    for i in relative.values.indices {
      let (share, noise) = (Double(blend.share.values[i]), Double(whole[i] * whole[i]))
      let (rest, own) = (1 - share, tails * blend.mapDeviations[i])
      var variance = share * share * own * own
      if rest > 0 {
        variance += (rest * rest + share * (share + 2 * rest) * copied) * noise
        variance += rest * rest * Double(placing[i] * placing[i])
      }
      relative.values[i] = Float(variance.squareRoot())
    }
    var result = map.deviations(at: depth.values)
    BilinearSampler(source: depth.size, target: relative.size, offset: offset, extendsEdges: false)
      .forEachSample(of: relative) { i, deviation in
        result[i] = depth.values[i] * (deviation.isFinite ? Float(deviation) : Float(tails) * result[i])
      }
    return DepthMap(width: depth.width, height: depth.height, values: result)
  }

  /// By how much the map's deviation is too small for the tails: the 95th percentile of the held-out residuals of good returns in their own standard
  /// deviations, over that of a normal distribution; 1 to ``largestTails``.
  static func tails(
    _ residuals: [Double], _ anchors: LidarAnchors, _ map: MapDeviation, _ whole: [Float]
  ) -> Double {
    let own = map.deviations(at: anchors.indices.map { anchors.depth[Int($0)] })
    var sizes: [Double] = []
    for (k, residual) in residuals.enumerated() where residual.isFinite {
      let i = Int(anchors.indices[k])
      guard anchors.deviation[i] <= 2 * anchors.bestDeviation else { continue }
      sizes.append(abs(residual) / Double(own[k] * own[k] + whole[i] * whole[i]).squareRoot())
    }
    guard sizes.count >= LidarNoise.fewest else { return 1 }
    sizes.sort()
    return min(max(1, sizes[Int(0.95 * Double(sizes.count))] / 1.959964), largestTails)
  }

  /// Beyond this the residuals are false returns.
  static let largestTails = 3.0

  /// What is not known of where a depth step lies between two pixels, as a relative deviation: a bilinear map runs straight from one side to the other, and a
  /// step of height s anywhere between them leaves s²·t(1 − t) at the share t of the way, s²/6 in the mean.
  ///
  /// The height is that of the second difference in disparity, which planes have none of, beyond what ``StraightSurface`` puts down to noise.
  private static func stepPlacing(_ map: DepthMap, _ deviations: [Float]) -> [Float] {
    let disparity = map.values.map { $0 > 0 && $0.isFinite ? 1 / $0 : .nan }
    var placing = [Float](repeating: 0, count: disparity.count)
    func height(_ i: Int, _ stride: Int) -> Float {
      let size = abs(disparity[i - stride] - 2 * disparity[i] + disparity[i + stride]) / disparity[i]
      return size > StraightSurface.limit * deviations[i] ? size : 0
    }
    for row in 0..<map.height {
      for column in 0..<map.width {
        let i = row * map.width + column
        let alongRow = column > 0 && column + 1 < map.width ? height(i, 1) : 0
        let alongColumn = row > 0 && row + 1 < map.height ? height(i, map.width) : 0
        // In the nearer pixel's depths a step may be higher than 1.
        placing[i] = min(1, max(alongRow, alongColumn)) / Float(6).squareRoot()
      }
    }
    return placing
  }
}
