public import DepthCore
import DepthEvaluation
public import DepthFusion

/// What becomes of the specified fit, frame by frame.
public struct SpecificationVerdict: Codable, Sendable, Equatable {
  /// Frames of scenes whose relative maps are of a kind.
  public struct Slopes: Codable, Sendable, Equatable {
    public let kind: RelativeKind, frames: Int
    /// Frames that are refused because the slope is negative.
    public let negative: Int
    /// Of those, frames whose slope is positive when it is computed in Double.
    public let byRounding: Int
  }

  /// Frames that are refused for another reason.
  public struct Refusals: Codable, Sendable, Equatable { public let status: FusionStatus, frames: Int }

  /// Frames in which Float32 sums moved the slope by more than 1 %.
  public struct Precision: Codable, Sendable, Equatable {
    /// Frames with a slope.
    public let fitted: Int
    public let affected: Int
    /// The frame with the largest deviation.
    public let scene: String, frame: String
    /// Its slope as computed, in Double on the same pairs, and the relative spread of its map.
    public let scale: Double, scaleInDouble: Double?, spread: Double?
  }

  /// Frames with a relative map.
  public let frames: Int
  public let solved: Int, slopes: [Slopes], refusals: [Refusals]
  /// nil where no slope moved.
  public let precision: Precision?
  /// The run's best fitted method against `spec`, the raw LiDAR standing in where either refused.
  public let bestFitted: ComparisonVerdict?

  init?(_ run: EvaluationRun, _ tally: RunTally, _ ranking: RankingVerdict) {
    guard !tally.specified.isEmpty, run.plan.methods.contains(.spec) else { return nil }
    let rows = tally.specified
    let kinds = Dictionary(
      run.scenes.map { ($0.name, $0.relativeKind) }, uniquingKeysWith: { first, _ in first })
    frames = rows.count
    solved = rows.count { $0.status == .ok }
    slopes = [RelativeKind.disparity, .depth, .unknown].compactMap { kind in
      let own = rows.filter { kinds[$0.scene] == kind }
      let negative = own.filter(\.isNegative)
      return own.isEmpty
        ? nil
        : Slopes(
          kind: kind, frames: own.count, negative: negative.count,
          byRounding: negative.count { ($0.scaleInDouble ?? 0) > 0 })
    }
    refusals = [FusionStatus.tooFewPairs, .rejectedScale].compactMap { status in
      let count = rows.count { $0.status == status && !$0.isNegative }
      return count == 0 ? nil : Refusals(status: status, frames: count)
    }
    precision = Precision(rows)
    bestFitted = run.plan.methods.first { $0.description == ranking.bestFitted }.flatMap { selection in
      MetricColumn(id: ranking.column).flatMap { column in
        run.comparison(of: selection, against: MethodSelection.spec.id, column: column, form: .fallback)
      }.flatMap { ComparisonVerdict(selection, $0, run) }
    }
  }
}

extension RunTally.Specified {
  /// Whether the guard on the scale refused a slope that is negative.
  fileprivate var isNegative: Bool { status == .rejectedScale && (scale ?? 0) < 0 }
}

extension SpecificationVerdict.Precision {
  private static let tolerance = 0.01  // Deviations above this share are told.

  fileprivate init?(_ rows: [RunTally.Specified]) {
    let fitted = rows.filter { $0.scale != nil }
    var worst: (row: RunTally.Specified, scale: Double, deviation: Double)?
    var affected = 0
    for row in fitted {
      guard let scale = row.scale, let exact = row.scaleInDouble,
        abs(scale - exact) > Self.tolerance * abs(exact)
      else { continue }
      affected += 1
      let deviation = abs(scale - exact) / max(abs(exact), .leastNormalMagnitude)
      if worst.map({ deviation > $0.deviation }) ?? true { worst = (row, scale, deviation) }
    }
    guard let worst, worst.scale.isFinite else { return nil }
    self.init(
      fitted: fitted.count, affected: affected, scene: worst.row.scene, frame: worst.row.frame,
      scale: worst.scale, scaleInDouble: worst.row.scaleInDouble.flatMap { $0.isFinite ? $0 : nil },
      spread: worst.row.spread.flatMap { $0.isFinite ? $0 : nil })
  }
}
