/// LiDAR pixels that a fit may use, with the relative value at each.
struct PairSelection {
  /// Regressors and observations in the fitting space, with weights where the estimator wants them.
  let problem: FitProblem
  /// Whether the estimator weighs by confidence but the frame has none, so that all weights are 1.
  let lacksConfidence: Bool

  /// Selects by confidence and depth (domain §1), samples the relative map, transforms to the space.
  ///
  /// A sample counts where it is finite and positive. No confidence map counts as confidence 2.
  init(
    _ frame: DepthFrame, relative: DepthMap, estimator: Estimator, space: Space, options: FusionOptions
  ) {
    let lidar = frame.lidar
    let sampler = BilinearSampler(
      source: lidar.size, target: relative.size, mapping: options.positionMapping)
    let minConfidence = options.minConfidence ?? estimator.defaultMinConfidence
    // Limits are compared in the sensor's Float32: a stored 0.1 is not above 0.1.
    let (minDepth, maxDepth) = (Float(options.minDepth), Float(options.maxDepth))
    let levels = frame.confidence?.values ?? []
    let weighted = estimator.isConfidenceWeighted && frame.confidence != nil
    var usable = (0..<3).map { UInt8($0) >= minConfidence }
    if weighted { for level in 0..<3 where options.confidenceWeights[level] == 0 { usable[level] = false } }
    let weightTable = options.confidenceWeights
    let capacity = lidar.values.count
    var (x, y, weights) = ([Double](), [Double](), [Double]())
    x.reserveCapacity(capacity)
    y.reserveCapacity(capacity)
    if weighted { weights.reserveCapacity(capacity) }
    lidar.values.withUnsafeBufferPointer { depth in
      levels.withUnsafeBufferPointer { level in
        sampler.forEachSample(of: relative) { index, r in
          let d = depth[index]
          guard d > minDepth && d < maxDepth && r > 0 && r.isFinite else { return }
          var confidence = 2
          if !level.isEmpty {
            confidence = Int(min(level[index], 2))
            guard usable[confidence] else { return }
          }
          x.append(space.regressor(relative: r))
          y.append(space.target(depth: Double(d)))
          if weighted { weights.append(weightTable[confidence]) }
        }
      }
    }
    problem = FitProblem(space: space, x: x, y: y, weights: weighted ? weights : nil)
    lacksConfidence = estimator.isConfidenceWeighted && frame.confidence == nil
  }

  /// Every truth pixel in range, paired with the relative value there: what an oracle fits.
  init(truth: DepthMap, relative: DepthMap, space: Space, range: ClosedRange<Double>) {
    let sampler = BilinearSampler(source: truth.size, target: relative.size)
    let (low, high) = (Float(range.lowerBound), Float(range.upperBound))
    var (x, y) = ([Double](), [Double]())
    truth.values.withUnsafeBufferPointer { depth in
      sampler.forEachSample(of: relative) { index, r in
        let d = depth[index]
        guard d > low && d <= high && r > 0 && r.isFinite else { return }
        x.append(space.regressor(relative: r))
        y.append(space.target(depth: Double(d)))
      }
    }
    problem = FitProblem(space: space, x: x, y: y)
    lacksConfidence = false
  }
}
