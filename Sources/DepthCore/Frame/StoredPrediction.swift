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

  /// Name of the group, unique in the scene.
  public var name: String
  /// nil where the file does not say; then nothing can be done with it.
  public var kind: Kind?
  /// Resolution; covers the field of view of the scene's other maps.
  public var size: RasterSize
  /// Whether the network's standard deviations are beside it: `predictions/<name>/deviation`.
  public var hasDeviation = false

  public init(name: String, kind: Kind?, size: RasterSize) {
    (self.name, self.kind, self.size) = (name, kind, size)
  }
}
