import CFathomKernels
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
  ///   - plain: The same before any alignment; nil where nothing was aligned, or it is not in metres.
  ///   - isMetric: Whether it was in metres.
  init(_ aligned: [Double], plain: [Double]?, isMetric: Bool, _ truth: ExtendedTruth) {
    let pixels = truth.pixels
    var (sum, within) = (0.0, [Int64](repeating: 0, count: 2))
    let known = pixels.predicted(in: aligned) { sum += pixel_lists_inverse($0, $1, $2, 1.03, 1.05, &within) }
    guard !known.predicted.isEmpty else { return }
    let all = Double(pixels.indices.count)
    (within103, within105) = (Double(within[0]) / all, Double(within[1]) / all)
    inverse = sum / Double(known.predicted.count)
    scale = isMetric ? Self.scale(plain.map { pixels.predicted(in: $0) } ?? known) : nil
    normals = truth.normals.flatMap { NormalErrors(aligned, $0, pixels) }
    stereo = truth.disparityTimesDepth.map { StereoErrors(aligned, $0, pixels) }
  }

  private static func scale(_ known: (predicted: [Double], reference: [Double])) -> Double? {
    guard let d = OrderStatistics.median(of: known.predicted),
      let g = OrderStatistics.median(of: known.reference)
    else { return nil }
    return abs(g / d - 1)
  }
}

extension TruthPixels {
  /// Of the pixels that a map predicts: its depth and the truth, metres.
  /// - Parameter body: Is given both of some pixels after the other, while they are in the cache, and their number.
  fileprivate func predicted(
    in map: [Double], _ body: (UnsafePointer<Double>, UnsafePointer<Double>, Int) -> Void = { _, _, _ in }
  ) -> (predicted: [Double], reference: [Double]) {
    var truth: [Double] = []
    let found = [Double](unsafeUninitializedCapacity: indices.count) { found, count in
      truth = [Double](unsafeUninitializedCapacity: indices.count) { truth, truthCount in
        guard let d = found.baseAddress, let g = truth.baseAddress else { return }
        indices.withUnsafeBufferPointer { indices in
          reference.withUnsafeBufferPointer { reference in
            guard let places = indices.baseAddress, let depths = reference.baseAddress else { return }
            for first in stride(from: 0, to: indices.count, by: 1024) {
              let more = pixel_lists_predicted(
                map, places + first, depths + first, min(1024, indices.count - first), d + count, g + count)
              body(d + count, g + count, more)
              count += more
            }
          }
        }
        truthCount = count
      }
    }
    return (found, truth)
  }
}

/// What ``ExtendedErrors`` need of a frame, made once for all predictions.
struct ExtendedTruth {
  let pixels: TruthPixels
  /// nil without intrinsics.
  let normals: TruthNormals?
  /// Focal length times baseline, pixels of the truth times metres; nil without a stereo camera.
  let disparityTimesDepth: Double?

  /// - Parameter truth: At the resolution of the pixels.
  /// - Parameter camera: Of any resolution of the same view.
  /// - Parameter baseline: Distance of the two cameras of a stereo pair, metres.
  init(_ pixels: TruthPixels, truth: DepthMap, camera: CameraIntrinsics?, baseline: Double?) {
    self.pixels = pixels
    let camera = camera?.scaled(to: truth.size)
    normals = camera.map { TruthNormals($0, truth, pixels) }
    disparityTimesDepth = baseline.flatMap { baseline in camera.map { $0.fx * baseline } }
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
