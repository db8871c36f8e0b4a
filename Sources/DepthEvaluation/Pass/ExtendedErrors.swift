import DepthCore

/// What metrics of ``Metric/extended`` are made of, for one prediction of one frame.
struct ExtendedErrors: Sendable {
  /// Shares of the truth pixels whose max(d/g, g/d) is below 1.03 and 1.05; a missing prediction is in none.
  private(set) var within103: Double?, within105: Double?
  /// mean|1/d − 1/g| of the predicted pixels, 1/m.
  private(set) var inverse: Double?
  /// |median(g)/median(d) − 1| of the predicted pixels; nil for a map that is not in metres.
  var scale: Double?
  /// nil without intrinsics, and where no pixel has a normal.
  private(set) var normals: NormalErrors?
  /// nil without a stereo camera.
  private(set) var stereo: StereoErrors?

  /// - Parameter scale: Of the two medians; nil for a map that is not in metres.
  init(_ sums: ErrorSums, scale: Double?) {
    (within103, within105) = (sums.share(below: .tight), sums.share(below: .close))
    inverse = sums.mean(.inverse)
    self.scale = sums.count > 0 ? scale : nil
  }

  /// Adds what a camera tells.
  /// - Parameter aligned: What is scored, at every pixel of the truth, metres; missing where it is not finite or not positive.
  mutating func look(at aligned: [Double], _ truth: ExtendedTruth) {
    normals = NormalErrors(aligned, truth.normals, truth.pixels)
    stereo = truth.disparityTimesDepth.map { StereoErrors(aligned, $0, truth.pixels) }
  }

  /// |median(g)/median(d) − 1| of the predicted pixels of a map in metres.
  static func scale(_ map: [Double], _ pixels: TruthPixels) -> Double? {
    let known = pixels.indices.indices.filter { index in
      let d = map[Int(pixels.indices[index])]
      return d > 0 && d.isFinite
    }
    guard let d = OrderStatistics.median(of: known.map { map[Int(pixels.indices[$0])] }),
      let g = OrderStatistics.median(of: known.map { pixels.reference[$0] })
    else { return nil }
    return abs(g / d - 1)
  }
}

/// What ``ExtendedErrors`` need of a frame, made once for all predictions.
struct ExtendedTruth {
  let pixels: TruthPixels
  let normals: TruthNormals
  /// Focal length times baseline, pixels of the truth times metres; nil without a stereo camera.
  let disparityTimesDepth: Double?

  /// - Parameter truth: At the resolution of the pixels.
  /// - Parameter camera: Of any resolution of the same view.
  /// - Parameter baseline: Distance of the two cameras of a stereo pair, metres.
  init(_ pixels: TruthPixels, truth: DepthMap, camera: CameraIntrinsics, baseline: Double?) {
    self.pixels = pixels
    let camera = camera.scaled(to: truth.size)
    normals = TruthNormals(camera, truth, pixels)
    disparityTimesDepth = baseline.map { camera.fx * $0 }
  }
}

/// Errors of the disparity that a stereo camera would measure, pixels.
struct StereoErrors: Sendable {
  let mean: Double  // Of the predicted pixels.
  /// Shares of the truth pixels that are off by more, or have no prediction.
  let bad1: Double, bad2: Double, bad4: Double
  let outliers: Double  // More than 3 px and more than 5 % of the true disparity, or no prediction.

  /// - Parameter product: Disparity times depth, pixels times metres.
  init(_ aligned: [Double], _ product: Double, _ pixels: TruthPixels) {
    var (sum, count) = (0.0, 0)
    var (most1, most2, most4, inliers) = (0, 0, 0, 0)
    for (index, g) in zip(pixels.indices, pixels.reference) {
      let d = aligned[Int(index)]
      guard d > 0 && d.isFinite else { continue }
      let disparity = product / g
      let error = abs(product / d - disparity)
      sum += error
      count += 1
      if error <= 1 { most1 += 1 }
      if error <= 2 { most2 += 1 }
      if error <= 4 { most4 += 1 }
      if error <= 3 || error <= 0.05 * disparity { inliers += 1 }
    }
    let all = pixels.indices.count
    func others(_ good: Int) -> Double { Double(all - good) / Double(all) }
    mean = sum / Double(count)
    (bad1, bad2, bad4, outliers) = (others(most1), others(most2), others(most4), others(inliers))
  }
}
