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
  /// Lines of an alignment with one fit for all frames, by fingerprint of the rules, then by method; nil where no
  /// protocol has such an alignment.
  var alignments: [String: [String: AlignmentFit]]?

  public init(header: SceneHeader, name: String) {
    (self.header, self.name) = (header, name)
    relativeKind = header.relativeKind
  }

  /// Lines by method; nil where the rules fit every frame by itself, and where the scene's frames were not gone through
  /// for them: a frame alone is then its scene.
  func fits(under rules: EvaluationProtocol) -> [String: AlignmentFit]? {
    rules.alignment.extent == .scene ? alignments?[rules.ofPixels.fingerprint] : nil
  }
}
