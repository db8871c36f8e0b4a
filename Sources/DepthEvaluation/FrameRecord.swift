public import DepthFusion

/// One method on one frame: a row of `frames.csv`, with what the other tables need.
public struct FrameRecord: Sendable {
  /// Scene name, unique in the run.
  public var scene: String
  /// Position in the scene, from 0.
  public var frameIndex: Int
  /// `frame_id`, or the index.
  public var frame: String
  /// Method id: "ols@disparity".
  public var method: String
  /// Form of the fit.
  public var space: Space?
  public var role: MethodRole
  /// The fusion without its map.
  public var fusion: FusionResult
  /// One value per `MetricColumn.all`; nil where there is none.
  public var values: [Double?]
  /// Per breakdown id: bin number → pixels with truth and one value per `Breakdown.metrics`.
  public var breakdowns: [String: [Int: BinScores]]
  /// Wall time of the fusion alone.
  public var fusionSeconds: Double
  /// What pooling over pixels needs; nil where nothing was scored or pixels are not pooled.
  public var pixels: PixelCounts?
  /// Curves of the error by confidence; nil where nothing was scored or the frame has no confidence.
  public var sparsification: Sparsification?
  /// Pixels by their error; nil where nothing was scored.
  public var errors: ErrorCounts?
  /// How honest the prediction's own standard deviations are; nil where it states none, or nothing was scored.
  public var deviation: DeviationScores?
  /// nil where nothing was scored or the truth counts as exact.
  package var moments: TruthMoments?
  /// Under `--protocol-diff`: one row of ``ProtocolPaths/metrics`` per set of rules; empty otherwise.
  public var alternatives: [[Double?]] = []
  /// Whether the method looks at the truth.
  public var isOracle: Bool { role == .oracle }
  /// Whether it is the LiDAR as it is.
  public var isRawLidar: Bool { MethodSelection.rawLidar.contains { $0.id == method } }
  /// Whether the method delivered a map that could be scored.
  ///
  /// A map without one valid pixel where the truth counts is none.
  public var isSolved: Bool { fusion.status == .ok && value(.coverage) != 0 }
  /// Truth pixels of the protocol; nil where they were not counted.
  package var truthCount: Int? { errors?.truthCount ?? pixels?.all.truth ?? storedTruthCount }
  /// As `frames.csv` has it.
  package var storedTruthCount: Int?
  /// A metric's value on this frame.
  public func value(_ column: MetricColumn) -> Double? { values.isEmpty ? nil : values[column.position] }
}

public struct BinScores: Sendable {
  /// Pixels with truth.
  public var pixels: Int
  /// One value per `Breakdown.metrics`.
  public var values: [Double?]
}

extension FrameRecord {
  /// A row as a file holds it: without breakdowns, times and pixel counts.
  public init(
    scene: String, frameIndex: Int, frame: String, method: String, space: Space?, role: MethodRole,
    fusion: FusionResult, values: [Double?]
  ) {
    self.init(
      scene: scene, frameIndex: frameIndex, frame: frame, method: method, space: space, role: role,
      fusion: fusion, values: values, breakdowns: [:], fusionSeconds: 0)
  }
}
