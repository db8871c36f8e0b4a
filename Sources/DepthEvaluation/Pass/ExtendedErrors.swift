import DepthCore

/// What metrics of ``Metric/extended`` are made of, for one prediction of one frame.
struct ExtendedErrors: Sendable {
  /// Shares of the truth pixels whose max(d/g, g/d) is below 1.03 and 1.05; a missing prediction is in none.
  private(set) var within103: Double?, within105: Double?
  /// mean|1/d − 1/g| of the predicted pixels, 1/m.
  private(set) var inverse: Double?
  /// |median(g)/median(d) − 1| of the predicted pixels; nil for a map that is not in metres.
  private(set) var scale: Double?
  /// nil without intrinsics, and where no pixel has a normal.
  private(set) var normals: NormalErrors?
  /// nil without a stereo camera.
  private(set) var stereo: StereoErrors?

  /// - Parameters:
  ///   - aligned: What is scored, at every pixel of the truth, metres; missing where it is not finite or not positive.
  ///   - plain: The same before any alignment; nil where it is not in metres.
  init(_ aligned: [Double], plain: [Double]?, _ truth: ExtendedTruth) {
    let pixels = truth.pixels
    var (count, tight, wide, inverses) = (0, 0, 0, 0.0)
    for (index, g) in zip(pixels.indices, pixels.reference) {
      let d = aligned[Int(index)]
      guard d > 0 && d.isFinite else { continue }
      let ratio = max(d / g, g / d)
      count += 1
      if ratio < 1.03 { tight += 1 }
      if ratio < 1.05 { wide += 1 }
      inverses += abs(1 / d - 1 / g)
    }
    guard count > 0 else { return }
    let all = Double(pixels.indices.count)
    (within103, within105, inverse) = (Double(tight) / all, Double(wide) / all, inverses / Double(count))
    scale = plain.flatMap { Self.scale($0, pixels) }
    normals = truth.normals.flatMap { NormalErrors(aligned, $0, pixels) }
    stereo = truth.disparityTimesDepth.map { StereoErrors(aligned, $0, pixels) }
  }

  private static func scale(_ plain: [Double], _ pixels: TruthPixels) -> Double? {
    var (found, reference) = ([Double](), [Double]())
    for (index, g) in zip(pixels.indices, pixels.reference) {
      let d = plain[Int(index)]
      guard d > 0 && d.isFinite else { continue }
      found.append(d)
      reference.append(g)
    }
    guard let d = OrderStatistics.median(of: found), let g = OrderStatistics.median(of: reference) else {
      return nil
    }
    return abs(g / d - 1)
  }
}

/// What ``ExtendedErrors`` need of a frame, made once for all predictions.
struct ExtendedTruth {
  let pixels: TruthPixels
  /// nil without intrinsics.
  let normals: TruthNormals?
  /// Focal length times baseline, pixels of the truth times metres; nil without a stereo camera.
  let disparityTimesDepth: Double?

  /// - Parameters:
  ///   - truth: At the resolution of the pixels.
  ///   - camera: Of any resolution of the same view.
  ///   - baseline: Distance of the two cameras of a stereo pair, metres.
  init(_ pixels: TruthPixels, truth: DepthMap, camera: CameraIntrinsics?, baseline: Double?) {
    self.pixels = pixels
    let camera = camera?.scaled(to: truth.size)
    normals = camera.map { TruthNormals($0, truth, pixels) }
    disparityTimesDepth = baseline.flatMap { baseline in camera.map { $0.fx * baseline } }
  }
}

/// Errors of the disparity that a stereo camera would measure, pixels.
struct StereoErrors: Sendable {
  /// Of the predicted pixels.
  let mean: Double
  /// Shares of the truth pixels that are off by more, or have no prediction.
  let bad1: Double, bad2: Double, bad4: Double
  /// More than 3 px and more than 5 % of the true disparity, or no prediction.
  let outliers: Double

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
