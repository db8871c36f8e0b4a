public import DepthCore

/// A scene as a run knows it.
public struct SceneContext: Sendable, Codable {
  /// What the file says.
  public var header: SceneHeader
  /// Name in the run; carries the file's name where two files share a scene name.
  public var name: String
  /// Declared kind, or the one found by rank correlation.
  public var relativeKind: RelativeKind
  /// Spearman's ρ(r, 1/d) where it decided the kind.
  public var kindCorrelation: Double?

  public init(header: SceneHeader, name: String) {
    self.header = header
    self.name = name
    relativeKind = header.relativeKind
  }
}
