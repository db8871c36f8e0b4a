import DepthCore

extension LocalEstimator {
  /// The LiDAR's disparity filtered with the relative map as guide.
  static let guided = LocalEstimator(
    id: "guided", title: "guided filter, relative map as guide", source: "He, Sun & Tang 2013, with weights"
  ) { anchors, line, space, options in
    GuidedModel(anchors, line, space, options)
  }
}

/// y = a(u)·r + b(u), a and b from weighted box windows of the LiDAR raster and averaged over the windows
/// that hold u.
///
/// The LiDAR (its disparity, for a disparity map) is the input and its noise the weight; a = cov/(var + ε) with
/// ε = (smoothness·sd(r))². Windows are computed on the LiDAR's raster and a, b interpolated to the guide's (He & Sun
/// 2015, "fast guided filter"). A window without anchors takes the global line.
struct GuidedModel: LocalModel {
  let zero: GlobalModel
  let scale: DepthMap, level: DepthMap
  let centre: Double

  init(_ anchors: LidarAnchors, _ line: Line, _ space: Space, _ options: FusionOptions) {
    zero = GlobalModel(line: Line(scale: 0, shift: 0), space: space, options: options)
    // What the line y = 0 leaves is the observation itself.
    let problem = AnchorProblem(anchors, zero.line, space, rejecting: false)
    var sums = [[Double]](repeating: [Double](repeating: 0, count: anchors.size.count), count: 5)
    for k in problem.x.indices {
      let index = Int(anchors.indices[k])
      let (w, x, y) = (problem.weights[k], problem.x[k], problem.y[k])
      sums[0][index] = w
      sums[1][index] = w * x
      sums[2][index] = w * x * x
      sums[3][index] = w * y
      sums[4][index] = w * x * y
    }
    let box = BoxWindow(anchors.size, radius: options.local.guidedRadius)
    sums = sums.map(box.sums)
    let smoothness = options.local.guidedSmoothness * options.local.guidedSmoothness
    // A thousandth of one anchor of full weight: the running sums' rounding lies far below it.
    let least = 1e-3 * problem.fullWeight * Self.leastWeight(anchors)
    var (weights, scales, levels) = (sums[0], sums[0], sums[0])
    for i in scales.indices {
      let w = sums[0][i]
      guard w > least else {
        (weights[i], scales[i], levels[i]) = (0, 0, 0)
        continue
      }
      let (x, y) = (sums[1][i] / w, sums[3][i] / w)
      let a = (sums[4][i] / w - x * y) / (max(0, sums[2][i] / w - x * x) + smoothness)
      // Each window's line counts by its anchors' weight.
      (scales[i], levels[i]) = (w * a, w * (y - a * x))
    }
    (weights, scales, levels) = (box.sums(weights), box.sums(scales), box.sums(levels))
    for i in scales.indices {
      if weights[i] > least {
        (scales[i], levels[i]) = (scales[i] / weights[i] / problem.deviation, levels[i] / weights[i])
      } else {
        (scales[i], levels[i]) = (line.scale, line.scale * problem.centre + line.shift)
      }
    }
    func map(_ values: [Double]) -> DepthMap {
      DepthMap(width: anchors.size.width, height: anchors.size.height, values: values.map(Float.init))
    }
    (scale, level, centre) = (map(scales), map(levels), problem.centre)
  }

  /// Weight of the noisiest anchor.
  private static func leastWeight(_ anchors: LidarAnchors) -> Double {
    anchors.indices.reduce(1) { min($0, anchors.weight(Int($1))) }
  }

  func apply(to relative: DepthMap, offset: PixelOffset) -> DepthMap {
    LocalLine.apply(zero, scale: scale, level: level, centre: centre, to: relative, offset: offset)
  }
}

/// Sums over square windows, by running sums: two additions per pixel and axis.
struct BoxWindow {
  let size: RasterSize
  let radius: Int

  init(_ size: RasterSize, radius: Int) { (self.size, self.radius) = (size, radius) }

  func sums(_ values: [Double]) -> [Double] {
    let (width, height) = (size.width, size.height)
    var across = [Double](repeating: 0, count: values.count)
    values.withUnsafeBufferPointer { source in
      for row in 0..<height {
        let start = row * width
        var sum = source[start..<(start + min(radius, width))].reduce(0, +)
        for column in 0..<width {
          if column + radius < width { sum += source[start + column + radius] }
          if column > radius { sum -= source[start + column - radius - 1] }
          across[start + column] = sum
        }
      }
    }
    var result = across
    var sums = [Double](repeating: 0, count: width)
    across.withUnsafeBufferPointer { source in
      for row in 0..<min(radius, height) {
        for column in 0..<width { sums[column] += source[row * width + column] }
      }
      for row in 0..<height {
        let (entering, leaving) = ((row + radius) * width, (row - radius - 1) * width)
        if row + radius < height { for column in 0..<width { sums[column] += source[entering + column] } }
        if row > radius { for column in 0..<width { sums[column] -= source[leaving + column] } }
        for column in 0..<width { result[row * width + column] = sums[column] }
      }
    }
    return result
  }
}
