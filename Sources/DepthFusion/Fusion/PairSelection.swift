import DepthCore

/// LiDAR pixels that a fit may use, with the relative value at each.
struct PairSelection {
  /// Regressors and observations in the fitting space, with weights where the estimator or the options want them.
  let problem: FitProblem
  /// Whether pairs are weighed by confidence but the frame has none, so that each counts as confidence 2.
  let lacksConfidence: Bool

  /// Selects by confidence and depth (domain §1), samples the relative map, transforms to the space.
  ///
  /// A sample counts where it is finite and positive, and inside the relative map's view. No confidence map counts as confidence 2.
  init(_ frame: DepthFrame, relative: DepthMap, estimator: Estimator, space: Space, options: FusionOptions) {
    let weighing = estimator.weighing(under: options)
    let minConfidence = estimator.minConfidence(under: options)
    // Limits are compared in the sensor's Float32: a stored 0.1 is not above 0.1.
    let (minDepth, maxDepth) = (Float(options.minDepth), Float(options.maxDepth))
    let weight = Self.weight(weighing, space, options, hasConfidence: frame.confidence != nil)
    let capacity = frame.lidar.values.count
    var (x, y, weights) = ([Double](), [Double](), [Double]())
    x.reserveCapacity(capacity)
    y.reserveCapacity(capacity)
    if weight != nil { weights.reserveCapacity(capacity) }
    Self.forEachPair(frame, relative, options) { r, d, level in
      guard d > minDepth && d < maxDepth && level >= minConfidence else { return }
      x.append(space.regressor(relative: r))
      y.append(space.target(depth: Double(d)))
      if let weight { weights.append(weight(Int(level), Double(d))) }
    }
    problem = FitProblem(space: space, x: x, y: y, weights: weight == nil ? nil : weights)
    lacksConfidence = weighing.usesConfidence && frame.confidence == nil
  }

  /// Calls `body` with the relative value, depth and confidence (2 where the frame has none) of every LiDAR pixel whose
  /// relative value is finite and positive, row by row.
  @inline(__always) static func forEachPair(
    _ frame: DepthFrame, _ relative: DepthMap, _ options: FusionOptions,
    _ body: (_ relative: Double, _ depth: Float, _ confidence: UInt8) -> Void
  ) {
    let sampler = BilinearSampler(
      source: frame.lidar.size, target: relative.size, mapping: options.positionMapping,
      offset: options.registration ?? .zero, extendsEdges: false)
    let levels = frame.confidence?.values ?? []
    frame.lidar.values.withUnsafeBufferPointer { depth in
      levels.withUnsafeBufferPointer { level in
        sampler.forEachSample(of: relative) { index, r in
          guard r > 0 && r.isFinite else { return }
          body(r, depth[index], level.isEmpty ? 2 : min(level[index], 2))
        }
      }
    }
  }

  /// Weight by confidence and depth; nil where every pair counts alike.
  static func weight(
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
    var y: [Double] = []
    // Written in place: there are as many as the truth has pixels.
    let x = [Double](unsafeUninitializedCapacity: truth.values.count) { x, count in
      y = [Double](unsafeUninitializedCapacity: truth.values.count) { y, countOfY in
        truth.values.withUnsafeBufferPointer { depth in
          sampler.forEachSample(of: relative) { index, r in
            let d = depth[index]
            guard d > low && d <= high && r > 0 && r.isFinite else { return }
            x.initializeElement(at: count, to: space.regressor(relative: r))
            y.initializeElement(at: count, to: space.target(depth: Double(d)))
            count += 1
          }
        }
        countOfY = count
      }
    }
    problem = FitProblem(space: space, x: x, y: y)
    lacksConfidence = false
  }
}
