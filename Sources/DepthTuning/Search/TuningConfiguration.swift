public import DepthCore
public import DepthFusion

/// One setting of everything that a search varies, ready to be run.
public struct TuningConfiguration: Sendable, Hashable {
  /// Estimator and form.
  public var method: MethodSelection
  /// Limits, weights and the rest.
  public var options: FusionOptions

  public init(method: MethodSelection, options: FusionOptions) {
    (self.method, self.options) = (method, options)
  }

  /// Whether its estimator looks at the inlier threshold.
  public var usesInlierThreshold: Bool { estimator.usesInlierThreshold }

  /// The estimator; every configuration of a grid has one.
  var estimator: Estimator {
    guard let estimator = Estimator.all.first(where: { $0.id == method.family }) else {
      preconditionFailure("a grid holds fitted methods only")
    }
    return estimator
  }

  /// The form in which a scene is fitted.
  /// - Parameter kind: What the scene's relative values mean.
  public func space(for kind: RelativeKind) -> Space { method.form ?? Space(natural: kind) }
}
