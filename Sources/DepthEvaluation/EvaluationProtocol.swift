/// What decides which pixels count and how they are averaged; printed on every table.
public struct EvaluationProtocol: Sendable, Hashable, Codable {
  /// "fathom"
  public var name: String
  /// Truth depths that count: minDepth < g ≤ maxDepth, metres.
  public var minDepth: Double, maxDepth: Double
  /// Truth pixels within this many LiDAR pixels of a depth step are left out; 0 keeps all. A laser, for one, has
  /// no truth there.
  public var edgeMargin: Double
  /// Ratio of neighbouring truth depths above which there is a step.
  public var edgeRatio: Double
  /// How pixels become one number.
  public var aggregation: String
  /// How a prediction is read at a truth pixel.
  public var resampling: String

  /// Fathom's own: truth 0.1 < g ≤ 10 m, no crop, no clipping, no alignment on the truth.
  public static let fathom = EvaluationProtocol(
    name: "fathom", minDepth: 0.1, maxDepth: 10, edgeMargin: 0, edgeRatio: 1.1,
    aggregation: "mean over pixels, then frames, then scenes",
    resampling: "bilinear at the truth's pixel centres, edges clamped")

  /// Truth range as the fusion's oracle takes it.
  public var truthRange: ClosedRange<Double> { minDepth...maxDepth }

  /// One line for the head of a table.
  public var summary: String {
    let edges =
      edgeMargin > 0
      ? ", without pixels within \(edgeMargin) LiDAR px of a step above \(((edgeRatio - 1) * 100).rounded()) %"
      : ""
    return "\(name): truth \(minDepth) < g ≤ \(maxDepth) m\(edges), no crop, no clipping; "
      + "predictions \(resampling); \(aggregation)"
  }
}
