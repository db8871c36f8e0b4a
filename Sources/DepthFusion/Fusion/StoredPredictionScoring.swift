public import DepthCore

/// A network's own output from the data set, scored as it is where it is metric. A relative one is brought to metres
/// as an app could: least squares on the LiDAR, under the selection of every fitted method, in the form of its kind.
/// Without a LiDAR it stays in its own unit.
public struct StoredPredictionScoring: FusionMethod {
  /// Name of the group below `predictions`.
  public let name: String
  public init(_ name: String) { self.name = name }
  /// "stored:" and the name.
  public var id: String { Self.prefix + name }
  public var space: Space? { nil }
  public var role: MethodRole { .stored }
  private static let prefix = everyName + ":"
  /// Stands for every prediction that a scene holds.
  static let everyName = "stored"

  /// The prediction's name in an id; nil where the id is another method's.
  package static func name(inID id: String) -> String? {
    id.hasPrefix(prefix) ? String(id.dropFirst(prefix.count)) : nil
  }

  public func fuse(
    _ frame: DepthFrame, in context: FusionContext, using generator: inout SplitMix64
  ) -> FusionResult {
    guard let (stored, map) = frame.predictions.first(where: { $0.header.name == name })
    else { return FusionResult(status: .noRelative, reason: "the scene has no predictions/\(name)/depth") }
    switch stored.kind {
    case nil:
      return FusionResult(
        status: .degenerate, reason: "predictions/\(name)/depth has no kind; set metric, depth or disparity")
    case .metric?: return Self.unchanged(map, in: .metres)
    case .depth? where !frame.hasLidar: return Self.unchanged(map, in: .depth)
    case .disparity? where !frame.hasLidar: return Self.unchanged(map, in: .disparity)
    case .depth?, .disparity?:
      let form: Space = stored.kind == .depth ? .depth : .disparity
      var (changed, own) = (frame, context)
      (changed.relative, own.relativeKind) = (map, stored.kind == .depth ? .depth : .disparity)
      var result = FittedFusion(.ols, in: form).fuse(changed, in: own, using: &generator)
      result.space = form
      result.reason = ["fitted to the LiDAR by least squares", result.reason].compactMap { $0 }
        .joined(separator: "; ")
      return result
    }
  }

  private static func unchanged(_ map: DepthMap, in unit: Prediction.Unit) -> FusionResult {
    var result = FusionResult(status: .ok)
    result.prediction = Prediction(depth: map, unit: unit)
    return result
  }
}
