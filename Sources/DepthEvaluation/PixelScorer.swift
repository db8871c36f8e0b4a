import DepthCore
import DepthFusion

/// Scores predictions against one frame's truth.
struct PixelScorer {
  let pixels: TruthPixels
  /// What the protocol does to predictions first.
  let adjustment: PredictionAdjustment
  /// The truth as a raster, NaN where it does not count.
  private let referenceRaster: [Double]
  /// LiDAR confidence of every truth pixel.
  private let levels: [UInt8]?
  /// The truth pixels in order of their bin, per breakdown that the frame allows.
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

  /// - Parameter countingPixels: Whether ``PixelScores/counts`` are wanted.
  /// - Returns: nil where the protocol's alignment is not determined.
  func scores(of prediction: Prediction, countingPixels: Bool = false) -> PixelScores? {
    guard
      let raster = adjustment.apply(to: TruthPixels.values(of: prediction, at: pixels.size), at: pixels)
    else { return nil }
    let samples = pixels.indices.map { raster[Int($0)] }
    let surroundings = DepthPairs.Surroundings(
      levels: levels.map { Self.levels($0, where: samples) }, size: pixels.size, predicted: raster,
      reference: referenceRaster)
    let all = DepthPairs(
      predicted: samples[...], reference: pixels.reference[...], surroundings: surroundings)
    let split = pixels.measuredCount
    // Without a filled pixel the measured ones are all of them.
    let measured =
      split == samples.count
      ? all : DepthPairs(predicted: samples[..<split], reference: pixels.reference[..<split])
    let filled = DepthPairs(predicted: samples[split...], reference: pixels.reference[split...])
    var result = PixelScores()
    result.values = MetricColumn.all.map { column in
      switch column.support {
      case .all: column.metric.value(all)
      case .measured: column.metric.value(measured)
      case .filled: column.metric.value(filled)
      }
    }
    for (breakdown, division) in divisions { result.breakdowns[breakdown.id] = division.scores(of: samples) }
    result.sparsification = all.sparsification
    result.errors = ErrorCounts(all)
    if countingPixels { result.counts = PixelCounts(all: all, measured: measured, filled: filled) }
    return result
  }

  /// The levels of the pixels that have a prediction.
  private static func levels(_ levels: [UInt8], where samples: [Double]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: levels.count) { out, count in
      for i in levels.indices where samples[i] > 0 && samples[i].isFinite {
        out[count] = levels[i]
        count += 1
      }
    }
  }
}

/// What a prediction is worth on one frame.
struct PixelScores {
  /// One per `MetricColumn.all`.
  var values: [Double?] = []
  /// Per breakdown id and bin.
  var breakdowns: [String: [Int: BinScores]] = [:]
  /// Curves of the error by confidence; nil without confidence or predictions.
  var sparsification: Sparsification?
  /// Pixels by their error; nil without predictions.
  var errors: ErrorCounts?
  /// nil where they were not asked for.
  var counts: PixelCounts?
}

extension FrameRecord {
  /// Takes over what scoring found.
  mutating func take(_ scores: PixelScores) {
    (values, breakdowns) = (scores.values, scores.breakdowns)
    (sparsification, errors, pixels) = (scores.sparsification, scores.errors, scores.counts)
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
