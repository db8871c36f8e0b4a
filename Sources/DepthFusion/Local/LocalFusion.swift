public import DepthCore

/// A local model fitted to the LiDAR and applied to the relative map, in the form of the scene's kind.
public struct LocalFusion: FusionMethod {
  let estimator: LocalEstimator
  public var id: String { estimator.id }
  public var role: MethodRole { .local }
  /// The scene decides; the result says which.
  public var space: Space? { nil }
  public var givesDeviation: Bool { true }
  public func minConfidence(under options: FusionOptions) -> UInt8? { options.minConfidence }
  /// Locally weighted linear regression.
  public static let lwlr = LocalFusion(estimator: .lwlr)
  public static let nearestAnchors = LocalFusion(estimator: .nearestAnchors)
  public static let guided = LocalFusion(estimator: .guided)
  /// Global line and log-residual field.
  public static let residual = LocalFusion(estimator: .residual)
  /// All of them, in the order of tables.
  static let all = [lwlr, nearestAnchors, guided, residual]

  public func fuse(
    _ frame: DepthFrame, in context: FusionContext, using generator: inout SplitMix64
  ) -> FusionResult {
    guard let relative = frame.relative
    else { return FusionResult(status: .noRelative, reason: "the scene has no relative map") }
    let space = Space(natural: context.relativeKind)
    let noise = context.noise(of: frame)
    let anchors = LidarAnchors(frame, relative: relative, options: context.options, noise: noise)
    var result = FusionResult(status: .ok)
    (result.space, result.pairs) = (space, anchors.count)
    var remarks = frame.confidence == nil ? ["no confidence map: one noise level for all returns"] : []
    do throws(FitError) {
      let fit = try AnchorLine.fit(anchors, in: space, context.options)
      (result.line, result.inliers, result.design) = (fit.line, fit.inliers, fit.design)
      if let expected = space.expectedSlopeSign(for: context.relativeKind), fit.line.scale.sign != expected {
        remarks.append("wrong sign: this slope contradicts kind \(context.relativeKind.rawValue)")
      }
      let model = estimator.fit(anchors, fit.line, space, context.options)
      let offset = context.options.offsetIntoLidar(frame.lidar.size, from: relative.size)
      let depth = model.apply(to: relative, offset: offset)
      result.prediction = Prediction(depth: depth)
      if context.wantsDeviation {
        result.state(
          FusedDeviation.local(
            estimator, fit.line, in: space, depth, of: frame, anchors, noise, context.options))
      }
    } catch {
      result.refuse(error)
      remarks.append(error.description)
    }
    result.reason = remarks.isEmpty ? nil : remarks.joined(separator: "; ")
    return result
  }
}

extension FusionResult {
  /// Takes status and diagnostics of a fit that failed.
  mutating func refuse(_ error: FitError) {
    switch error {
    case .tooFewPairs: status = .tooFewPairs
    case .degenerate(let design), .numerical(_, let design): (status, self.design) = (.degenerate, design)
    }
  }
}
