import DepthCore
import DepthFusion

/// Frame → scene → data set (domain §3).
public struct Aggregation: Sendable {
  /// Means of one method over the frames of one scene.
  public struct SceneRow: Sendable {
    public var scene: String
    public var method: String
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
    public var frames: Int
    public var framesSolved: Int
    /// One mean per `MetricColumn.all`, over the scenes that have a value.
    public var values: [Double?]

    /// A metric's mean.
    public func value(_ column: MetricColumn) -> Double? { values[column.position] }
  }

  /// Means of one method in one bin of a breakdown.
  public struct BinRow: Sendable {
    public var method: String
    public var space: String?
    /// Bin number.
    public var bin: Int
    public var scenes: Int
    public var frames: Int
    /// Truth pixels over all frames.
    public var pixels: Int
    /// One mean per `Breakdown.metrics`.
    public var values: [Double?]

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

  /// - Parameters:
  ///   - records: All rows of a run, scene by scene, frame by frame.
  ///   - mode: How frames become one number; pooling needs records with pixel counts.
  public init(_ records: [FrameRecord], mode: AggregationMode = .scene) {
    let methods = records.map(\.method).firstAppearances
    let sceneNames = records.map(\.scene).firstAppearances
    let grouped = Dictionary(grouping: records) { SceneMethod(scene: $0.scene, method: $0.method) }
    var scenes: [SceneRow] = []
    for scene in sceneNames {
      for method in methods {
        guard let rows = grouped[SceneMethod(scene: scene, method: method)] else { continue }
        scenes.append(
          SceneRow(
            scene: scene, method: method, space: rows.first?.space?.rawValue, frames: rows.count,
            framesSolved: rows.count { $0.isSolved },
            values: mode == .pooled
              ? PooledValues.columns(rows)
              : MetricColumn.all.indices.map { column in
                mean(rows.map { $0.values.isEmpty ? nil : $0.values[column] })
              }))
      }
    }
    self.scenes = scenes
    let byMethod = Dictionary(grouping: scenes, by: \.method)
    let oracles = Set(records.lazy.filter(\.isOracle).map(\.method))
    summary = methods.compactMap { method in
      guard let rows = byMethod[method] else { return nil }
      return SummaryRow(
        method: method, space: rows.first?.space, isOracle: oracles.contains(method), scenes: rows.count,
        frames: rows.reduce(0) { $0 + $1.frames }, framesSolved: rows.reduce(0) { $0 + $1.framesSolved },
        values: Self.values(
          of: rows, frames: sceneNames.flatMap { grouped[SceneMethod(scene: $0, method: method)] ?? [] }, mode
        )
      )
    }
    var breakdowns: [String: [BinRow]] = [:]
    for breakdown in Breakdown.all {
      breakdowns[breakdown.id] = methods.flatMap { method in
        Self.bins(
          of: breakdown.id, method: method,
          sceneNames.compactMap { grouped[SceneMethod(scene: $0, method: method)] }, mode)
      }
    }
    self.breakdowns = breakdowns
    sparsification =
      mode == .pooled
      ? []
      : methods.compactMap { method in
        MeanSparsification(
          method, sceneNames.compactMap { grouped[SceneMethod(scene: $0, method: method)] }, mode: mode)
      }
  }

  /// A method's values over all scenes: from those of the scenes, or from all frames.
  private static func values(
    of scenes: [SceneRow], frames: [FrameRecord], _ mode: AggregationMode
  ) -> [Double?] {
    switch mode {
    case .pooled: PooledValues.columns(frames)
    case .images:
      MetricColumn.all.indices.map { column in
        mean(frames.map { $0.values.isEmpty ? nil : $0.values[column] })
      }
    case .scene: MetricColumn.all.indices.map { column in mean(scenes.map { $0.values[column] }) }
    }
  }

  private static func bins(
    of breakdown: String, method: String, _ scenes: [[FrameRecord]], _ mode: AggregationMode
  ) -> [BinRow] {
    let numbers = Set(scenes.joined().flatMap { ($0.breakdowns[breakdown] ?? [:]).keys }).sorted()
    return numbers.map { bin in
      let perScene = scenes.map { $0.compactMap { $0.breakdowns[breakdown]?[bin] } }.filter { !$0.isEmpty }
      return BinRow(
        method: method, space: scenes.first?.first?.space?.rawValue, bin: bin, scenes: perScene.count,
        frames: perScene.reduce(0) { $0 + $1.count },
        pixels: perScene.joined().reduce(0) { $0 + $1.pixels },
        values: values(of: perScene, mode))
    }
  }

  private static func values(of scenes: [[BinScores]], _ mode: AggregationMode) -> [Double?] {
    let frames = Array(scenes.joined())
    return switch mode {
    case .pooled: PooledValues.bins(frames)
    case .images: Breakdown.metrics.indices.map { column in mean(frames.map { $0.values[column] }) }
    case .scene:
      Breakdown.metrics.indices.map { column in
        mean(scenes.map { frames in mean(frames.map { $0.values[column] }) })
      }
    }
  }
}

private struct SceneMethod: Hashable {
  var scene: String
  var method: String
}

/// Mean of the values that exist; nil where none does.
func mean(_ values: [Double?]) -> Double? {
  let present = values.compactMap { $0 }
  return present.isEmpty ? nil : present.reduce(0, +) / Double(present.count)
}
