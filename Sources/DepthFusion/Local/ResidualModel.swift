import CFathomKernels
import DepthCore

extension LocalEstimator {
  /// A global robust line times a smooth field of the ratio LiDAR/line.
  static let residual = LocalEstimator(
    id: "residual", title: "global line and smooth log-residual field",
    source: "kernel regression (Nadaraya 1964; Watson 1964) of ln(LiDAR/fit), biweight",
    window: \.residualDeviation
  ) { anchors, line, space, options in
    ResidualModel(
      anchors, line, space, options, .init(over: anchors.size, deviation: options.local.residualDeviation))
  }
}

/// d = fit(r)·exp(F), F a Gaussian-weighted mean of ln(LiDAR/fit).
///
/// Anchors weigh by their noise and, from the second pass on, by Tukey's biweight of their distance from the first
/// field, which takes out flying pixels and whatever the network does not see. Where anchors are rare, F goes over
/// to the mean in a window four times as wide, and from there to 0.
struct ResidualModel: LocalModel {
  let global: GlobalModel
  /// F at the cells' centres.
  let field: DepthMap
  /// Weight of the wider window's mean, as a share of a window full of anchors of the best confidence.
  static let prior = 1e-4
  /// Ridge on the field's slopes, as a share of the window's own spread (a Gaussian of two cells).
  static let slopeRidge = 0.1
  static let passes = 2
  /// Half width of the biweight: this many σ̂ of the residuals plus this many of the pixel's own noise.
  static let residualTuning = 3.0, noiseTuning = 2.0

  /// The rasters that a field is found on, which are the same for every set of anchors of a LiDAR map.
  struct Grids: Sendable {
    fileprivate let fine: CellGrid, coarse: CellGrid, onto: (fine: BilinearSampler, coarse: BilinearSampler)
    /// Of the anchors' map.
    fileprivate let size: RasterSize

    /// - Parameter deviation: Of the Gaussian, LiDAR pixels.
    /// - Parameter cell: See ``CellGrid/init(over:deviation:cell:)``.
    init(over size: RasterSize, deviation: Double, cell: Double = 0.5) {
      self.size = size
      fine = CellGrid(over: size, deviation: deviation, cell: cell)
      coarse = CellGrid(over: size, deviation: 4 * deviation, cell: cell)
      onto = (
        BilinearSampler(source: size, target: fine.size),
        BilinearSampler(source: fine.size, target: coarse.size)
      )
    }
  }
  private let grids: Grids

  init(_ anchors: LidarAnchors, _ line: Line, _ space: Space, _ options: FusionOptions, _ grids: Grids) {
    self.grids = grids
    let (fine, coarse) = (grids.fine, grids.coarse)
    global = GlobalModel(line: line, space: space, options: options)
    let logRatios = anchors.logRatios(
      to: global.depths(of: anchors.relative, at: anchors.indices), at: anchors.indices)
    var residuals = logRatios, field = fine.map(fine.zeros)
    var median = OrderStatistics.medianAbsolute(residuals) ?? 0
    for pass in 0..<Self.passes {
      let weights = Self.weights(anchors, residuals, median)
      let wide = Self.values(coarse, anchors, weights, logRatios), wideMap = coarse.map(wide)
      var wideAtFine = fine.zeros
      grids.onto.coarse.forEachSample(of: wideMap) { wideAtFine[$0] = $1 }
      field = fine.map(Self.values(fine, anchors, weights, logRatios, fallback: wideAtFine))
      guard pass + 1 < Self.passes else { break }
      grids.onto.fine.forEachSample(of: field, at: anchors.indices) { residuals[$0] = logRatios[$0] - $1 }
      median = OrderStatistics.medianAbsolute(residuals, near: median, within: 0.3) ?? 0
    }
    self.field = field
  }

  /// Noise weight times biweight, one per anchor.
  /// - Parameter median: Of the residuals' sizes.
  private static func weights(_ anchors: LidarAnchors, _ residuals: [Double], _ median: Double) -> [Double] {
    let scale = OrderStatistics.normalConsistency * median
    return residuals.indices.map { k in
      let index = Int(anchors.indices[k])
      let limit = residualTuning * scale + noiseTuning * Double(anchors.deviation[index])
      return anchors.weight(index) * Tukey.weight(residuals[k] / limit)
    }
  }

  /// The value of a local plane at each cell's centre, drawn to `fallback` where there is little weight.
  private static func values(
    _ grid: CellGrid, _ anchors: LidarAnchors, _ weights: [Double], _ values: [Double],
    fallback: [Double]? = nil
  ) -> [Double] {
    grid.planes(
      values, weights: weights, at: anchors.indices,
      prior: prior * grid.pixelsPerCell / Double(anchors.pixelsEach), ridge: slopeRidge, fallback: fallback)
  }

  func apply(to relative: DepthMap, offset: PixelOffset) -> DepthMap {
    var map = global.apply(to: relative)
    var rows = BilinearRows(
      BilinearSampler(source: relative.size, target: field.size, offset: offset), of: field)
    map.values.withUnsafeMutableBufferPointer { depths in
      withUnsafeTemporaryAllocation(of: Double.self, capacity: relative.width) { line in
        guard let depths = depths.baseAddress, let line = line.baseAddress else { return }
        for row in 0..<relative.height {
          rows.read(row, to: line)
          correct(depths + row * relative.width, line, count: relative.width)
        }
      }
    }
    return map
  }

  func depths(of relative: DepthMap, at indices: [Int32]) -> [Float] {
    var depths = global.depths(of: relative, at: indices)
    let sampler =
      relative.size == grids.size
      ? grids.onto.fine : BilinearSampler(source: relative.size, target: field.size)
    withUnsafeTemporaryAllocation(of: Double.self, capacity: indices.count) { logs in
      guard let logs = logs.baseAddress else { return }
      sampler.forEachSample(of: field, at: indices) { logs[$0] = $1 }
      correct(&depths, logs, count: indices.count)
    }
    return depths
  }

  /// Depths times the field; NaN stays NaN.
  private func correct(_ depths: UnsafeMutablePointer<Float>, _ logs: UnsafePointer<Double>, count: Int) {
    let (low, high) = (Float(global.options.clampMin), Float(global.options.clampMax))
    scale_by_exponentials(logs, count, low, high, depths)
  }
}
