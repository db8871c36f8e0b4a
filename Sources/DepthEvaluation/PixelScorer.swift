import DepthFusion

/// Scores predictions against one frame's truth.
struct PixelScorer {
  let pixels: TruthPixels
  /// What the protocol does to predictions first.
  let adjustment: PredictionAdjustment
  /// The truth pixels in order of their bin, per breakdown that the frame allows.
  /// The truth as a raster, NaN where it does not count.
  private let referenceRaster: [Double]
  /// LiDAR confidence of every truth pixel.
  private let levels: [UInt8]?
  private let divisions: [(breakdown: Breakdown, division: BinDivision)]

  init(
    _ frame: DepthFrame, pixels: TruthPixels, adjustment: PredictionAdjustment = PredictionAdjustment(.fathom)
  ) {
    (self.pixels, self.adjustment) = (pixels, adjustment)
    var raster = [Double](repeating: .nan, count: pixels.size.count)
    for (index, depth) in zip(pixels.indices, pixels.reference) { raster[Int(index)] = depth }
    referenceRaster = raster
    levels = Breakdown.confidence.bins(frame, pixels).map { $0.map { UInt8(clamping: $0) } }
    divisions = Breakdown.all.compactMap { breakdown in
      breakdown.bins(frame, pixels).map { (breakdown, BinDivision($0, reference: pixels.reference)) }
    }
  }

  /// What a prediction scored.
  struct Scores {
    /// One value per `MetricColumn.all`.
    var values: [Double?]
    var breakdowns: [String: [Int: BinScores]]
    /// Only where pixels are pooled.
    var pixels: PixelCounts?
  }

  /// - Returns: nil where the protocol's alignment is not determined.
  func scores(of prediction: Prediction, countsPixels: Bool = false) -> Scores? {
    guard
      let raster = adjustment.apply(to: TruthPixels.values(of: prediction, at: pixels.size), at: pixels)
    else { return nil }
    let samples = pixels.indices.map { raster[Int($0)] }
    let surroundings = DepthPairs.Surroundings(
      levels: levels.map { levels in
        zip(samples, levels).compactMap { $0 > 0 && $0.isFinite ? $1 : nil }
      }, size: pixels.size, predicted: raster, reference: referenceRaster)
    let all = DepthPairs(
      predicted: samples[...], reference: pixels.reference[...], surroundings: surroundings)
    let split = pixels.measuredCount
    // Without a filled pixel the measured ones are all of them.
    let measured =
      split == samples.count
      ? all : DepthPairs(predicted: samples[..<split], reference: pixels.reference[..<split])
    let filled = DepthPairs(predicted: samples[split...], reference: pixels.reference[split...])
    let values = MetricColumn.all.map { column in
      switch column.support {
      case .all: column.metric.value(all)
      case .measured: column.metric.value(measured)
      case .filled: column.metric.value(filled)
      }
    }
    var breakdowns: [String: [Int: BinScores]] = [:]
    for (breakdown, division) in divisions { breakdowns[breakdown.id] = division.scores(of: samples) }
    return Scores(
      values: values, breakdowns: breakdowns, pixels: countsPixels ? pixelCounts(of: samples) : nil)
  }
}

/// Truth pixels sorted by bin, once for all methods.
private struct BinDivision {
  /// Positions in the list of truth pixels, bin after bin.
  private let order: [Int32]
  /// Where each bin begins in `order`; one more than there are bins.
  private let starts: [Int]
  /// True depth in that order.
  private let reference: [Double]

  /// - Parameter bins: Bin of every truth pixel; −1 for none.
  init(_ bins: [Int32], reference: [Double]) {
    var starts = [Int](repeating: 0, count: Int(bins.max() ?? -1) + 2)
    for bin in bins where bin >= 0 { starts[Int(bin) + 1] += 1 }
    for bin in starts.indices.dropFirst() { starts[bin] += starts[bin - 1] }
    var order = [Int32](repeating: 0, count: starts.last ?? 0)
    var next = starts
    for (position, bin) in bins.enumerated() where bin >= 0 {
      order[next[Int(bin)]] = Int32(position)
      next[Int(bin)] += 1
    }
    self.order = order
    self.starts = starts
    self.reference = order.map { reference[Int($0)] }
  }

  func scores(of samples: [Double]) -> [Int: BinScores] {
    let predicted = order.map { samples[Int($0)] }
    var result: [Int: BinScores] = [:]
    for (bin, (start, end)) in zip(starts, starts.dropFirst()).enumerated() where start < end {
      let pairs = DepthPairs(predicted: predicted[start..<end], reference: reference[start..<end])
      result[bin] = BinScores(
        pixels: pairs.truthCount, values: Breakdown.metrics.map { $0.value(pairs) })
    }
    return result
  }
}
