/// LiDAR pixels that a fit may use, with the relative value at each.
struct PairSelection {
  /// Regressors and observations in the fitting space, with weights where the estimator or the options want them.
  let problem: FitProblem
  /// Whether pairs are weighed by confidence but the frame has none, so that each counts as confidence 2.
  let lacksConfidence: Bool

  /// Selects by confidence and depth (domain §1), samples the relative map, transforms to the space.
  ///
  /// A sample counts where it is finite and positive, and inside the relative map's view. No confidence map counts as confidence 2.
  init(
    _ frame: DepthFrame, relative: DepthMap, estimator: Estimator, space: Space, options: FusionOptions
  ) {
    let lidar = frame.lidar
    let sampler = BilinearSampler(
      source: lidar.size, target: relative.size, mapping: options.positionMapping,
      offset: options.registration ?? .zero, extendsEdges: false)
    let weighing = options.weights ?? (estimator.isConfidenceWeighted ? .confidence : .none)
    let usesConfidence = weighing == .confidence || weighing == .calibration
    // A table of weights is no use where only one level is let in.
    let defaultMinimum =
      usesConfidence ? min(1, estimator.defaultMinConfidence) : estimator.defaultMinConfidence
    let minConfidence = options.minConfidence ?? defaultMinimum
    // Limits are compared in the sensor's Float32: a stored 0.1 is not above 0.1.
    let (minDepth, maxDepth) = (Float(options.minDepth), Float(options.maxDepth))
    let levels = frame.confidence?.values ?? []
    let usable = (0..<3).map { UInt8($0) >= minConfidence }
    let weight = Self.weight(weighing, space, options, hasConfidence: frame.confidence != nil)
    let capacity = lidar.values.count
    var (x, y, weights) = ([Double](), [Double](), [Double]())
    x.reserveCapacity(capacity)
    y.reserveCapacity(capacity)
    if weight != nil { weights.reserveCapacity(capacity) }
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
          if let weight { weights.append(weight(confidence, Double(d))) }
        }
      }
    }
    problem = FitProblem(space: space, x: x, y: y, weights: weight == nil ? nil : weights)
    lacksConfidence = usesConfidence && frame.confidence == nil
  }

  /// Weight by confidence and depth; nil where every pair counts alike.
  private static func weight(
    _ weighing: PairWeights, _ space: Space, _ options: FusionOptions, hasConfidence: Bool
  ) -> ((Int, Double) -> Double)? {
    switch weighing {
    case .none: return nil
    case .confidence:
      let table = options.confidenceWeights
      return hasConfidence ? { confidence, _ in table[confidence] } : nil
    case .range:
      let law = options.rangeSigma
      return { law.weight(at: $1, in: space) }
    case .calibration:
      guard let model = options.noiseModel else { return nil }
      return { model.noise[$0].weight(at: $1, in: space) }
    }
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
