/// A network's own output that a data set holds: `predictions/<name>/depth`.
public struct StoredPrediction: Sendable, Hashable, Codable {
  /// What its values mean.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Metres.
    case metric
    /// Depth up to scale and shift.
    case depth
    /// Disparity up to scale and shift.
    case disparity
  }

  /// How sure the network says it is of each pixel; the name of the array beside the depth.
  public enum Certainty: String, Sendable, Hashable, Codable, CaseIterable {
    /// Standard deviation of the error, in the unit of the map.
    case deviation
    /// A score without a unit, larger where the network is surer.
    case confidence
  }

  /// Name of the group, unique in the scene.
  public var name: String
  /// nil where the file does not say; then nothing can be done with it.
  public var kind: Kind?
  /// Resolution; covers the field of view of the scene's other maps.
  public var size: RasterSize
  /// What is beside it: `predictions/<name>/deviation` or `confidence`; nil for neither.
  public var certainty: Certainty?
  public var hasDeviation: Bool { certainty == .deviation }

  public init(name: String, kind: Kind?, size: RasterSize) {
    (self.name, self.kind, self.size) = (name, kind, size)
  }
}
