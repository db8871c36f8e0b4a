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
    var result = scored(
      stored, map, stored.hasDeviation ? frame.certainties[name] : nil, frame, context, &generator)
    if stored.certainty == .confidence { result.confidence = frame.certainties[name] }
    return result
  }

  private func scored(
    _ stored: StoredPrediction, _ map: DepthMap, _ deviation: DepthMap?, _ frame: DepthFrame,
    _ context: FusionContext, _ generator: inout SplitMix64
  ) -> FusionResult {
    switch stored.kind {
    case nil:
      return FusionResult(
        status: .degenerate, reason: "predictions/\(name)/depth has no kind; set metric, depth or disparity")
    case .metric?: return Self.unchanged(map, deviation, in: .metres)
    case .depth? where !frame.hasLidar: return Self.unchanged(map, deviation, in: .depth)
    case .disparity? where !frame.hasLidar: return Self.unchanged(map, deviation, in: .disparity)
    case .depth?, .disparity?:
      let form: Space = stored.kind == .depth ? .depth : .disparity
      var (changed, own) = (frame, context)
      (changed.relative, own.relativeKind) = (map, stored.kind == .depth ? .depth : .disparity)
      var result = FittedFusion(.ols, in: form).fuse(changed, in: own, using: &generator)
      result.space = form
      if let line = result.line, let fitted = result.prediction?.depth {
        result.deviation = deviation.map { Self.fitted($0, by: line, in: form, fitted) }
      }
      result.reason = ["fitted to the LiDAR by least squares", result.reason].compactMap { $0 }
        .joined(separator: "; ")
      return result
    }
  }

  /// Standard deviations in the map's unit as metres: times |α| where d = α·r + β, times |α|·d² where 1/d = α·r + β.
  private static func fitted(
    _ deviation: DepthMap, by line: Line, in form: Space, _ depth: DepthMap
  ) -> DepthMap {
    var result = deviation
    for (index, d) in depth.values.enumerated() {
      result.values[index] *= Float(abs(line.scale)) * (form == .disparity ? d * d : 1)
    }
    return result
  }

  private static func unchanged(
    _ map: DepthMap, _ deviation: DepthMap?, in unit: Prediction.Unit
  ) -> FusionResult {
    var result = FusionResult(status: .ok)
    result.deviation = deviation
    result.prediction = Prediction(depth: map, unit: unit)
    return result
  }
}
