import CFathomKernels
import DepthCore

/// Standard deviations of fused maps, metres, from what a frame shows of its own errors. No truth is used.
///
/// Not in them: what a whole map shares, such as a wrong scale or a bias of the sensor, wrong poses, and a map's inventions where the LiDAR does not
/// measure. `docs/commands/fuse.md` says so to users.
enum FusedDeviation {
  typealias Stated = (map: DepthMap, parts: DeviationParts)

  /// Of a LiDAR's map: its noise, and depth steps.
  static func lidar(_ map: DepthMap, _ noise: LidarNoise) -> Stated {
    var result = relative(map, noise)
    for i in map.values.indices { result.map.values[i] *= map.values[i] }
    return result
  }

  /// Of a map that was read from a LiDAR's, and missing where that is.
  /// - Parameter offset: Of its pixels in the LiDAR's view.
  static func lidar(
    _ depth: DepthMap, of lidar: DepthMap, _ noise: LidarNoise, offset: PixelOffset
  ) -> Stated {
    let seen = relative(lidar, noise)
    let map = combined(
      depth, seen.map, offset: offset, own: { [Float](repeating: .nan, count: depth.values.count) },
      adds: false)
    return (map, seen.parts)
  }

  private static func relative(_ map: DepthMap, _ noise: LidarNoise) -> Stated {
    let whole = noise.whole(of: map)
    var result = steps(map, whole), parts = DeviationParts()
    for i in result.values.indices {
      let (own, step) = (whole[i] * whole[i], result.values[i] * result.values[i])
      result.values[i] = (own + step).squareRoot()
      if map.values[i] > 0 { parts.add(lidar: own, map: 0, step: step) }
    }
    return (result, parts)
  }

  /// Of a line's map.
  static func line(
    _ line: Line, in space: Space, _ depth: DepthMap, of frame: DepthFrame, _ relative: DepthMap,
    _ options: FusionOptions
  ) -> Stated {
    let noise = LidarNoise(frame, options)
    let anchors = LidarAnchors(frame, relative: relative, options: options, noise: noise)
    let model = GlobalModel(line: line, space: space, options: options)
    let residuals = anchors.logRatios(
      to: model.depths(of: anchors.relative, at: anchors.indices), at: anchors.indices)
    return fitted(depth, residuals, anchors, copied: 0, of: frame, noise, options)
  }

  /// Of a local model's map. Returns are held out in blocks twice as wide as its window's deviation, at most ``LocalOptions/blockSide``: in wider ones a
  /// narrow window would be judged far from any return, where few pixels are.
  static func local(
    _ estimator: LocalEstimator, _ line: Line, in space: Space, _ depth: DepthMap, of frame: DepthFrame,
    _ anchors: LidarAnchors, _ noise: LidarNoise, _ options: FusionOptions
  ) -> Stated {
    let window = estimator.window(options.local)
    let side = min(options.local.blockSide, max(1, Int((2 * window).rounded(.up))))
    let held = HeldOutError(side >= 8 ? anchors.thinned(blockSide: side) : anchors, blockSide: side)
    return fitted(
      depth, held.residuals { estimator.fit($0, line, space, options) }, held.anchors,
      copied: AutoChoice.noiseGain(
        window: window, correlation: options.local.correlation(in: frame.lidar.size)), of: frame, noise,
      options)
  }

  /// Of a fitted map: its residuals at the returns less the LiDAR's noise, by depth, what it copied of that noise, and depth steps.
  /// - Parameter copied: Share of the LiDAR's variance, as ``AutoChoice/Candidate/noiseGain``.
  private static func fitted(
    _ depth: DepthMap, _ residuals: [Double], _ anchors: LidarAnchors, copied: Double, of frame: DepthFrame,
    _ noise: LidarNoise, _ options: FusionOptions
  ) -> Stated {
    // A map that copies most of the LiDAR's error leaves little of it in the residuals, and there is nothing to subtract.
    let isSeparable = frame.confidence != nil && noise.isKnown && copied < 0.5
    let map = MapDeviation(residuals, anchors, deconvolving: isSeparable)
    let tails = Float(tails(residuals, anchors, map))
    let whole = noise.whole(of: frame.lidar)
    let own = map.deviations(at: frame.lidar.values).map { $0 * tails }
    var seen = steps(frame.lidar, whole), parts = DeviationParts()
    for i in seen.values.indices {
      let (noise, step) = (Float(copied) * whole[i] * whole[i], seen.values[i] * seen.values[i])
      seen.values[i] = (step + noise).squareRoot()
      if frame.lidar.values[i] > 0 { parts.add(lidar: noise, map: own[i] * own[i], step: step) }
    }
    let result = combined(
      depth, seen, offset: options.offsetIntoLidar(frame.lidar.size, from: depth.size),
      own: { map.deviations(at: depth.values).map { $0 * tails } }, adds: true)
    return (result, parts)
  }

  /// Of the mean of LiDAR and map by ``LidarBlend``.
  ///
  /// With w the map's share, σ_L² and σ_M² the variances of the relative errors, g the share of the LiDAR's variance that the map has copied, and c the
  /// correlation of what it copied with the pixel's own, the variance is (1−w)²σ_L² + w²(σ_M² + gσ_L²) + 2w(1−w)cσ_L². Of a window of Gaussian
  /// weights and errors with Gaussian correlation c = 2g/(1+g). At depth steps neither is better placed, whatever the shares.
  /// - Parameter depth: The mean.
  /// - Parameter whole: σ_L of each LiDAR pixel, as ``LidarNoise/whole(of:)``.
  /// - Parameter tails: As ``tails(_:_:_:)``.
  /// - Parameter copied: g, as ``AutoChoice/Candidate/noiseGain``.
  /// - Parameter offset: Of the mean's pixels, as ``LidarBlend/blended(with:sharpened:at:offset:)``.
  static func blend(
    _ blend: LidarBlend, _ depth: DepthMap, of lidar: DepthMap, _ whole: [Float], map: MapDeviation,
    tails: Double, copied: Double, offset: PixelOffset
  ) -> Stated {
    let steps = steps(lidar, whole), common = 2 * copied / (1 + copied)
    var relative = blend.share, parts = DeviationParts()
    for i in relative.values.indices {
      let (share, noise) = (Double(blend.share.values[i]), Double(whole[i] * whole[i]))
      let (rest, own, step) = (1 - share, tails * blend.mapDeviations[i], Double(steps.values[i]))
      // Without a map, or without a return, the other one's deviation is not known.
      let ofMap = share > 0 ? share * share * own * own : 0
      let ofLidar = rest > 0 ? (rest * rest + share * (share * copied + 2 * rest * common)) * noise : 0
      relative.values[i] = Float((step * step + ofMap + ofLidar).squareRoot())
      parts.add(lidar: Float(ofLidar), map: Float(ofMap), step: Float(step * step))
    }
    let result = combined(
      depth, relative, offset: offset,
      own: { map.deviations(at: depth.values).map { $0 * Float(tails) } }, adds: false)
    return (result, parts)
  }

  /// Relative deviations times the depths.
  /// - Parameter lidar: Relative deviations of the LiDAR's pixels.
  /// - Parameter offset: Of the depths' pixels in the LiDAR's view.
  /// - Parameter own: Relative deviations of the depths, by themselves.
  /// - Parameter adds: Whether those are added to the LiDAR's; else they stand in where the LiDAR has none.
  private static func combined(
    _ depth: DepthMap, _ lidar: DepthMap, offset: PixelOffset, own: () -> [Float], adds: Bool
  ) -> DepthMap {
    var result = DepthMap(width: depth.width, height: depth.height, filledWith: .nan)
    var rows = BilinearRows(
      BilinearSampler(source: depth.size, target: lidar.size, offset: offset, extendsEdges: false), of: lidar)
    result.values.withUnsafeMutableBufferPointer { result in
      guard let first = result.baseAddress else { return }
      for row in 0..<depth.height { rows.read(row, to: first + row * depth.width) }
      guard adds || offset != .zero || !lidar.values.allSatisfy(\.isFinite) else { return }
      let own = own()
      for i in result.indices {
        let seen = result[i]
        result[i] = !seen.isFinite ? own[i] : adds ? (seen * seen + own[i] * own[i]).squareRoot() : seen
      }
    }
    return DepthMap(
      width: depth.width, height: depth.height, values: zip(result.values, depth.values).map { $0 * $1 })
  }

  /// By how much the map's deviation is too small for the tails: the 95th percentile of the held-out residuals of good returns in their own standard
  /// deviations, over that of a normal distribution; 1 to ``largestTails``.
  static func tails(_ residuals: [Double], _ anchors: LidarAnchors, _ map: MapDeviation) -> Double {
    let own = map.deviations(at: anchors.indices.map { anchors.depth[Int($0)] })
    var sizes: [Double] = []
    for (k, residual) in residuals.enumerated() where residual.isFinite {
      let i = Int(anchors.indices[k])
      guard anchors.deviation[i] <= 2 * anchors.bestDeviation else { continue }
      sizes.append(
        abs(residual) / Double(own[k] * own[k] + anchors.deviation[i] * anchors.deviation[i]).squareRoot())
    }
    guard sizes.count >= LidarNoise.fewest else { return 1 }
    sizes.sort()
    return min(max(1, sizes[Int(0.95 * Double(sizes.count))] / 1.959964), largestTails)
  }

  /// Beyond this the residuals are false returns.
  static let largestTails = 3.0

  /// What is not known at a depth step: a map runs over it from one side to the other, and flying pixels lie between. What lies anywhere between the nearest
  /// and the farthest return of 3×3 pixels has at most half of their range as its standard deviation (Popoviciu 1935).
  ///
  /// It counts where a pixel of the window is at a step: where the second difference in disparity, which planes have none of, exceeds what
  /// ``StraightSurface`` puts down to noise, with neighbours one or two pixels away, because many steps are drawn over two pixels.
  /// - Returns: Relative deviations of the LiDAR's pixels; 0 away from steps.
  private static func steps(_ map: DepthMap, _ deviations: [Float]) -> DepthMap {
    let (width, height) = (map.width, map.height)
    let disparity = map.values.map { $0 > 0 && $0.isFinite ? 1 / $0 : .nan }
    var isStep = [Float](repeating: 0, count: disparity.count)
    func marks(_ i: Int, _ place: Int, of length: Int, stride: Int) -> Bool {
      let limit = StraightSurface.limit * deviations[i] * disparity[i]
      return (1...2).contains { far in
        place >= far && place + far < length
          && abs(disparity[i - far * stride] - 2 * disparity[i] + disparity[i + far * stride]) > limit
      }
    }
    for row in 0..<height {
      for column in 0..<width {
        let i = row * width + column
        if marks(i, column, of: width, stride: 1) || marks(i, row, of: height, stride: width) {
          isStep[i] = 1
        }
      }
    }
    // Of the disparity, whose range is the same.
    let logs = [Float](unsafeUninitializedCapacity: disparity.count) { logs, count in
      log_values(disparity, disparity.count, logs.baseAddress)
      count = disparity.count
    }
    let near = WindowRange.of(isStep, width: width, reach: 1)
    var result = DepthMap(
      width: width, height: height, values: WindowRange.of(logs, width: width, reach: 1))
    for i in result.values.indices {
      let half = result.values[i] / 2
      result.values[i] = isStep[i] + near[i] > 0 && half.isFinite ? half : 0
    }
    return result
  }
}
