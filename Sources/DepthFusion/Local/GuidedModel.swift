import DepthCore

extension LocalEstimator {
  /// The LiDAR's disparity filtered with the relative map as guide.
  static let guided = LocalEstimator(
    id: "guided", title: "guided filter, relative map as guide", source: "He, Sun & Tang 2013, with weights",
    // Two boxes after each other.
    window: { Double(2 * $0.guidedRadius + 1) / 6.0.squareRoot() }
  ) { anchors, line, space, options in GuidedModel(anchors, line, space, options) }
}

/// y = a(u)·r + b(u), a and b from weighted box windows of the LiDAR raster and averaged over the windows
/// that hold u.
///
/// The LiDAR (its disparity, for a disparity map) is the input and its noise the weight; a = cov/(var + ε) with
/// ε = (smoothness·sd(r))². Windows are computed on the LiDAR's raster and a, b interpolated to the guide's (He & Sun
/// 2015, "fast guided filter"). A window without anchors takes the global line.
struct GuidedModel: LocalModel {
  let lines: LocalLines

  init(_ anchors: LidarAnchors, _ line: Line, _ space: Space, _ options: FusionOptions) {
    let zero = GlobalModel(line: Line(scale: 0, shift: 0), space: space, options: options)
    // What the line y = 0 leaves is the observation itself.
    let problem = AnchorProblem(anchors, zero.line, space, rejecting: false)
    // A thinned set has a raster of its own.
    let (width, pitch) = (anchors.size.width, anchors.pitch)
    let size = RasterSize(
      width: (width + pitch - 1) / pitch, height: (anchors.size.height + pitch - 1) / pitch)
    // Σw·(1, x, x², y, xy) of each window, all in one pass.
    var moments = [SIMD8<Double>](repeating: .zero, count: size.count)
    for k in problem.x.indices {
      let (w, x, y) = (problem.weights[k], problem.x[k], problem.y[k])
      let index = Int(anchors.indices[k])
      moments[index / width / pitch * size.width + index % width / pitch] = SIMD8(
        w, w * x, w * x * x, w * y, w * x * y, 0, 0, 0)
    }
    let box = BoxWindow(size, radius: max(1, options.local.guidedRadius / pitch))
    moments = box.sums(moments)
    let smoothness = options.local.guidedSmoothness * options.local.guidedSmoothness
    // A thousandth of one anchor of full weight: the running sums' rounding lies far below it.
    let least = 1e-3 * problem.fullWeight * Self.leastWeight(anchors)
    // Weight, scale and level of each window's line, which counts by its anchors' weight.
    var windows = [SIMD4<Double>](repeating: .zero, count: moments.count)
    for i in windows.indices {
      let m = moments[i], w = m[0]
      guard w > least else { continue }
      let (x, y) = (m[1] / w, m[3] / w)
      let a = (m[4] / w - x * y) / (max(0, m[2] / w - x * x) + smoothness)
      windows[i] = SIMD4(w, w * a, w * (y - a * x), 0)
    }
    windows = box.sums(windows)
    let whole = Line(scale: line.scale, shift: line.scale * problem.centre + line.shift)
    func map(_ value: (SIMD4<Double>) -> Double, without: Double) -> DepthMap {
      let values = windows.map { Float($0[0] > least ? value($0) : without) }
      guard pitch > 1 else { return DepthMap(width: size.width, height: size.height, values: values) }
      // Only the anchors' own places are asked for.
      var map = DepthMap(width: width, height: anchors.size.height, filledWith: 0)
      for row in 0..<size.height {
        for column in 0..<size.width {
          map.values[row * pitch * width + column * pitch] = values[row * size.width + column]
        }
      }
      return map
    }
    lines = LocalLines(
      global: zero, scale: map({ $0[1] / $0[0] / problem.deviation }, without: whole.scale),
      level: map({ $0[2] / $0[0] }, without: whole.shift), centre: problem.centre)
  }

  /// Weight of the noisiest anchor.
  private static func leastWeight(_ anchors: LidarAnchors) -> Double {
    anchors.indices.reduce(1) { min($0, anchors.weight(Int($1))) }
  }

  func apply(to relative: DepthMap, offset: PixelOffset) -> DepthMap {
    lines.apply(to: relative, offset: offset)
  }

  func depths(of relative: DepthMap, at indices: [Int32]) -> [Float] {
    lines.depths(of: relative, at: indices)
  }
}

/// Sums over square windows, by running sums: two additions per pixel and axis.
struct BoxWindow {
  let size: RasterSize, radius: Int
  init(_ size: RasterSize, radius: Int) { (self.size, self.radius) = (size, radius) }

  /// - Parameter values: Several quantities of each pixel.
  func sums<Values: SIMD>(_ values: [Values]) -> [Values] where Values.Scalar == Double {
    let (width, height) = (size.width, size.height)
    var across = [Values](repeating: .zero, count: values.count)
    values.withUnsafeBufferPointer { source in
      for row in 0..<height {
        let start = row * width
        var sum = source[start..<(start + min(radius, width))].reduce(.zero, +)
        for column in 0..<width {
          if column + radius < width { sum += source[start + column + radius] }
          if column > radius { sum -= source[start + column - radius - 1] }
          across[start + column] = sum
        }
      }
    }
    var result = across, sums = [Values](repeating: .zero, count: width)
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
