public import DepthEvaluation

/// Frame → scene → data set (domain §3).
public struct Aggregation: Sendable {
  /// Means of one method over the frames of one scene.
  public struct SceneRow: Sendable {
    public var scene: String, method: String
    public var space: String?
    /// Frames of the scene that were evaluated.
    public var frames: Int
    /// Frames that the method solved.
    public var framesSolved: Int
    /// One value per `MetricColumn.all`, over the frames that have one.
    public var values: [Double?]
    /// A metric's mean.
    public func value(_ column: MetricColumn) -> Double? { values[column.position] }
  }

  /// Means of one method over scenes.
  public struct SummaryRow: Sendable {
    public var method: String
    public var space: String?
    /// Whether the method looks at the truth.
    public var isOracle: Bool
    /// Scenes in which the method ran.
    public var scenes: Int
    public var frames: Int, framesSolved: Int
    /// One mean per `MetricColumn.all`, over the scenes that have a value.
    public var values: [Double?]
    /// Frames and scenes that have a value, one per `MetricColumn.all`.
    public var framesWithValue: [Int], scenesWithValue: [Int]
    /// A metric's mean.
    public func value(_ column: MetricColumn) -> Double? { values[column.position] }
  }

  /// Means of one method in one bin of a breakdown.
  public struct BinRow: Sendable {
    public var method: String
    public var space: String?
    /// Bin number.
    public var bin: Int
    public var scenes: Int, frames: Int
    /// Truth pixels over all frames.
    public var pixels: Int
    /// One mean per `Breakdown.metrics`.
    public var values: [Double?]
    /// Errors of all pixels together, every pixel counting once.
    public var total = ErrorTotal()
    /// A metric's mean; nil also for one that breakdowns do not have.
    public func value(_ metric: Metric) -> Double? { Breakdown.position(of: metric).flatMap { values[$0] } }
  }

  /// In order of first appearance: scene, then method.
  public let scenes: [SceneRow]
  /// In order of first appearance of the method.
  public let summary: [SummaryRow]
  /// Per breakdown id, by method, then bin.
  public let breakdowns: [String: [BinRow]]
  /// Curves behind AUSE and AURG, by method; none where pixels are pooled, because they belong to single images.
  public let sparsification: [MeanSparsification]
  /// How honest the standard deviations are that methods state, by method; none where no map has any.
  let deviations: [DeviationSums]
  /// Frames of each method without truth, in which none can be scored: no method failed there.
  private let withoutTruth: [String: Int]

  /// - Parameter records: All rows of a run, scene by scene, frame by frame.
  /// - Parameter mode: How frames become one number; pooling needs records with pixel counts.
  public init(_ records: RowStore<FrameRecord>, mode: AggregationMode = .scene) {
    var sums = AggregationSums(mode)
    for record in records { sums.add(record) }
    sums.endScene()
    scenes = sums.scenes
    summary = sums.methods.map(\.summary)
    breakdowns = Dictionary(
      uniqueKeysWithValues: Breakdown.all.map { breakdown in
        (breakdown.id, sums.methods.flatMap { $0.bins(of: breakdown.id) })
      })
    sparsification = mode == .pooled ? [] : sums.methods.compactMap(\.sparsification)
    deviations = sums.methods.compactMap(\.deviation)
    withoutTruth = sums.withoutTruth
  }

  /// How many frames of a method can be scored by none.
  package func framesWithoutTruth(of method: String) -> Int { withoutTruth[method] ?? 0 }
  /// How many such frames there are.
  package var framesWithoutTruth: Int { withoutTruth.values.max() ?? 0 }

  /// Of rows in memory.
  public init(_ records: [FrameRecord], mode: AggregationMode = .scene) {
    self.init(RowStore(records), mode: mode)
  }
}

/// Sums of errors over pixels.
public struct ErrorTotal: Sendable, Equatable {
  /// Pixels that the method covers.
  public var pixels = 0.0
  /// Sum of their absolute and of their signed errors, metres.
  public var absolute = 0.0, signed = 0.0
  /// Sum of their squared errors, square metres.
  public var squared = 0.0

  mutating func add(_ scores: BinScores) {
    func value(_ metric: Metric) -> Double? { Breakdown.position(of: metric).flatMap { scores.values[$0] } }
    guard let coverage = value(.coverage), let mae = value(.mae), let bias = value(.bias),
      let rmse = value(.rmse), mae.isFinite, bias.isFinite, rmse.isFinite
    else { return }
    let covered = coverage * Double(scores.pixels)
    pixels += covered
    absolute += covered * mae
    signed += covered * bias
    squared += covered * rmse * rmse
  }

  static func += (total: inout ErrorTotal, other: ErrorTotal) {
    total.pixels += other.pixels
    total.absolute += other.absolute
    total.signed += other.signed
    total.squared += other.squared
  }
}
