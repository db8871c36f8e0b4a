public import DepthCore

/// A line between the relative map and the LiDAR, fitted by an estimator in one of the three forms and
/// applied to the whole relative map.
public struct FittedFusion: FusionMethod {
  /// Name without the form.
  public let family: String
  let estimator: Estimator, form: Space
  public let role: MethodRole

  /// - Parameter isOracle: Fits the truth instead of the LiDAR, for a bound that no app can reach.
  public init(_ estimator: Estimator, in form: Space, isOracle: Bool = false) {
    (self.estimator, self.form) = (estimator, form)
    role = isOracle ? .oracle : .line
    family = isOracle ? MethodCatalogue.oracleName : estimator.id
  }

  public var id: String { "\(family)@\(form.rawValue)" }
  public var space: Space? { form }
  public var givesDeviation: Bool { !isOracle }

  public func minConfidence(under options: FusionOptions) -> UInt8? {
    isOracle ? nil : estimator.minConfidence(under: options)
  }

  public func fuse(
    _ frame: DepthFrame, in context: FusionContext, using generator: inout SplitMix64
  ) -> FusionResult {
    guard let relative = frame.relative
    else { return FusionResult(status: .noRelative, reason: "the scene has no relative map") }
    let options = context.options
    let selection: PairSelection
    if isOracle {
      guard let truth = frame.truth else { return FusionResult(status: .noTruth, reason: "no truth to fit") }
      selection = PairSelection(truth: truth, relative: relative, space: form, range: context.truthRange)
    } else {
      selection = PairSelection(
        frame, relative: relative, estimator: estimator, space: form, options: options)
    }
    var result = FusionResult(status: .ok)
    result.pairs = selection.problem.count
    if isOracle, !(frame.truth?.values ?? []).contains(where: context.isScored) {
      (result.status, result.reason) = (.noTruth, "no truth pixel in range")
      return result
    }
    var remarks: [String] = []
    if selection.lacksConfidence { remarks.append("no confidence map: all weights 1") }
    do throws(FitError) {
      guard selection.problem.count >= options.minPairs
      else { throw .tooFewPairs(found: selection.problem.count, needed: options.minPairs) }
      let fit = try estimator.fit(selection.problem, options, &generator)
      (result.line, result.inliers, result.design) = (fit.line, fit.inliers, fit.design)
      if let expected = form.expectedSlopeSign(for: context.relativeKind), fit.line.scale.sign != expected {
        remarks.append("wrong sign: this slope contradicts kind \(context.relativeKind.rawValue)")
      }
      if let objection = ScaleGuard(options).objection(to: fit.line, of: selection.problem) {
        result.status = .rejectedScale
        remarks.append(objection)
      } else {
        let map = Self.apply(fit.line, in: form, to: relative, options)
        result.prediction = Prediction(depth: map)
        if context.wantsDeviation, givesDeviation {
          result.state(
            FusedDeviation.line(fit.line, in: form, map, of: frame, relative, options))
        }
      }
    } catch {
      switch error {
      case .tooFewPairs: result.status = .tooFewPairs
      case .degenerate(let design), .numerical(_, let design):
        (result.status, result.design) = (.degenerate, design)
      }
      remarks.append(error.description)
    }
    result.reason = remarks.isEmpty ? nil : remarks.joined(separator: "; ")
    return result
  }

  /// The metric map: clamped; NaN where r is not finite, or not positive in the log form.
  ///
  /// A fitted disparity of 1/clampMax or less is clampMax ("infinitely far").
  public static func apply(
    _ line: Line, in form: Space, to relative: DepthMap, _ options: FusionOptions
  ) -> DepthMap {
    let (scale, shift) = (line.scale, line.shift)
    let (low, high) = (options.clampMin, options.clampMax)
    let count = relative.values.count
    let values = [Float](unsafeUninitializedCapacity: count) { out, initialized in
      relative.values.withUnsafeBufferPointer { r in
        switch form {
        case .depth:
          for i in 0..<count {
            let value = Double(r[i]), clamped = min(max(scale * value + shift, low), high)
            out[i] = value.isFinite ? Float(clamped) : .nan
          }
        case .disparity:
          // 1/clamped disparity = clamped 1/disparity, without a branch for disparities ≤ 0.
          let (near, far) = (1 / low, 1 / high)
          for i in 0..<count {
            let value = Double(r[i]), disparity = min(max(scale * value + shift, far), near)
            out[i] = value.isFinite ? Float(1 / disparity) : .nan
          }
        case .log:
          for i in 0..<count {
            let value = Double(r[i])
            let fitted = form.depth(fitted: scale * form.regressor(relative: value) + shift)
            out[i] = value.isFinite && value > 0 ? Float(min(max(fitted, low), high)) : .nan
          }
        }
      }
      initialized = count
    }
    return DepthMap(width: relative.width, height: relative.height, values: values)
  }
}
