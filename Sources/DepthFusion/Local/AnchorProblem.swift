import DepthCore

/// What a global line leaves at the anchors, on centred regressors of unit spread.
struct AnchorProblem {
  let x: [Double], y: [Double], weights: [Double]
  /// Mean and standard deviation of the regressors.
  let centre: Double, deviation: Double
  /// Weight of a pixel of the smallest noise at the median depth.
  let fullWeight: Double

  /// - Parameter rejecting: Whether anchors weigh by Tukey's biweight of their relative distance from the line too.
  init(_ anchors: LidarAnchors, _ line: Line, _ space: Space, rejecting: Bool) {
    let regressors = anchors.indices.map {
      space.regressor(relative: Double(anchors.relative.values[Int($0)]))
    }
    let targets = anchors.indices.map { space.target(depth: Double(anchors.depth[Int($0)])) }
    let units = space == .log ? [Double](repeating: 1, count: targets.count) : targets
    let left = zip(regressors, targets).map { $1 - (line.scale * $0 + line.shift) }
    let sizes = zip(left, units).map { abs($0 / $1) }
    let spread = OrderStatistics.normalConsistency * (OrderStatistics.median(of: sizes) ?? 0)
    weights = anchors.indices.indices.map { k in
      let index = Int(anchors.indices[k])
      let noise = anchors.weight(index) / (units[k] * units[k])
      guard rejecting else { return noise }
      let limit =
        ResidualModel.residualTuning * spread
        + ResidualModel.noiseTuning * Double(anchors.deviation[index])
      return noise * Tukey.weight(sizes[k] / limit)
    }
    let unit = OrderStatistics.median(of: units) ?? 1
    fullWeight = 1 / (unit * unit)
    let count = Double(max(1, regressors.count))
    let mean = regressors.reduce(0, +) / count
    let variance = regressors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
    let deviation = max(variance.squareRoot(), .leastNormalMagnitude)
    x = regressors.map { ($0 - mean) / deviation }
    y = left
    (centre, self.deviation) = (mean, deviation)
  }
}

/// Lines that change from place to place, as changes to a global one.
enum LocalLine {
  /// Depth of (α + δα)·x + β + level − δα·centre with both maps read bilinearly.
  static func apply(
    _ global: GlobalModel, scale: DepthMap, level: DepthMap, centre: Double, to relative: DepthMap,
    offset: PixelOffset
  ) -> DepthMap {
    let (space, options, line) = (global.space, global.options, global.line)
    let (low, high) = (options.clampMin, options.clampMax)
    var fitted = [Double](repeating: 0, count: relative.values.count)
    relative.values.withUnsafeBufferPointer { r in
      fitted.withUnsafeMutableBufferPointer { out in
        let sampler = BilinearSampler(source: relative.size, target: scale.size, offset: offset)
        sampler.forEachSample(of: scale) { index, change in
          let x = space.regressor(relative: Double(r[index]))
          out[index] = line.scale * x + line.shift + change * (x - centre)
        }
        sampler.forEachSample(of: level) { index, change in out[index] += change }
      }
    }
    let values = fitted.map { value in
      value.isNaN ? Float.nan : Float(min(max(space.depth(fitted: value), low), high))
    }
    return DepthMap(width: relative.width, height: relative.height, values: values)
  }
}
