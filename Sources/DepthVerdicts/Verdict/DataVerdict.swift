public import DepthCore
import DepthEvaluation

/// What the data of a run can show, and what they lack.
public struct DataVerdict: Codable, Sendable, Equatable {
  /// How the relative maps of some scenes are to be read.
  public struct RelativeMaps: Codable, Sendable, Equatable {
    public let kind: RelativeKind
    /// Scenes whose file says so.
    public let declared: Int
    /// Spearman's ρ of the scenes where it decided.
    public let correlations: [Double]
  }

  public let scenes: Int
  /// Scenes with truth.
  public let scored: Int
  /// Of those, scenes whose truth is rendered: simulated data.
  public let rendered: Int
  /// Of those, scenes whose truth depends on the LiDAR, and how it does.
  public let dependent: Int, dependences: [TruthIndependence]
  /// Of those, scenes whose truth was filtered by agreement with the LiDAR; nil where there is none.
  public let selected: Int?
  /// nil where no truth was counted, and in runs of earlier versions.
  public let truthShare: TruthShare?
  /// Whether every prediction was fitted to the truth before it was scored.
  public let usesOracleProtocol: Bool
  /// Whether some scene can show that a method is better than the raw LiDAR; without a LiDAR, than the baseline.
  public let canShowGain: Bool
  public let relativeMaps: [RelativeMaps]
  /// Scenes whose relative map could mean either.
  public let undecided: [String]
  public let withoutTruth: [String]
  /// Scenes with truth but without a relative map, and the methods that solved one of their frames.
  public let withoutRelative: [String], scoredWithoutRelative: [String]
  public let withoutConfidence: [String]
  /// Scenes without a LiDAR, about which none of the lists above says that something is missing; nil where every scene has one.
  public let withoutLidar: [String]?
  /// Whether some scene has a LiDAR.
  public var hasLidar: Bool { withoutLidar.map { $0.count < scenes } ?? true }
  /// Whether every truth depends on the LiDAR: coming closer to it is not evidence of a gain.
  public var isReferenceDependent: Bool { hasLidar && scored > 0 && dependent == scored }

  init(_ run: EvaluationRun, _ tally: RunTally) {
    let scored = run.scenes.filter { $0.header.truthSize != nil }
    let (withLidar, without) = (
      run.scenes.filter(\.header.hasLidar), run.scenes.filter { !$0.header.hasLidar }
    )
    let hasLidar = run.basis.hasLidar
    withoutLidar = without.isEmpty ? nil : without.map(\.name)
    let measured = scored.filter(\.header.hasLidar)
    let dependent = measured.filter { !$0.header.truthIndependence.canShowGainOverSensor }
    (scenes, self.scored) = (run.scenes.count, scored.count)
    rendered = scored.count { $0.header.truthIndependence == .render }
    self.dependent = dependent.count
    dependences = dependent.map(\.header.truthIndependence).firstAppearances
    let selected = measured.count { $0.header.truthIndependence == .selected }
    self.selected = selected > 0 ? selected : nil
    truthShare = TruthShare(tally.truth, sizes: run.truthSizes)
    usesOracleProtocol = run.plan.rules.isOracle
    canShowGain = (dependent.count < measured.count || !hasLidar) && !run.plan.rules.isOracle
    let withMap = run.scenes.filter { $0.header.relativeSize != nil }
    relativeMaps = [RelativeKind.disparity, .depth].compactMap { kind in
      let declared = withMap.count { $0.header.relativeKind == kind }
      let found = withMap.filter { $0.header.relativeKind == .unknown && $0.relativeKind == kind }
      guard declared > 0 || !found.isEmpty else { return nil }
      return RelativeMaps(
        kind: kind, declared: declared, correlations: found.compactMap(\.kindCorrelation).filter(\.isFinite))
    }
    undecided = withMap.filter { $0.relativeKind == .unknown }.map(\.name)
    withoutTruth = run.scenes.filter { $0.header.truthSize == nil }.map(\.name)
    withoutRelative = measured.filter { $0.header.relativeSize == nil }.map(\.name)
    // Methods may have solved frames of scenes that lack truth as well.
    scoredWithoutRelative =
      withoutRelative.isEmpty
      ? [] : run.aggregation.summary.map(\.method).filter(tally.solvedWithoutRelative.contains)
    withoutConfidence = withLidar.filter { !$0.header.hasConfidence }.map(\.name)
  }
}
