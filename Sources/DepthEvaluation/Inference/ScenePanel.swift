import DepthCore
import Statistics
/// The values of a run by method and frame: what comparisons and intervals are made from.
struct ScenePanel: Sendable {
  /// In order of first appearance.
  let methods: [String]
  let scenes: [String]
  let mode: AggregationMode
  private let records: [FrameRecord]
  /// Scene of every frame.
  private let sceneOfFrame: [Int]
  /// Per method, the record of every frame; nil where the method did not run.
  private let rows: [String: [Int?]]
  /// Method that stands in where this one refused.
  private let fallback: @Sendable (_ method: String) -> String

  /// - Parameter fallback: Method that stands in where another refused.
  init(_ records: [FrameRecord], mode: AggregationMode, fallback: String) {
    self.init(records, mode: mode) { _ in fallback }
  }

  /// - Parameter fallback: Method that stands in where this one refused.
  init(
    _ records: [FrameRecord], mode: AggregationMode,
    fallback: @escaping @Sendable (_ method: String) -> String
  ) {
    self.records = records
    self.mode = mode
    self.fallback = fallback
    methods = records.map(\.method).firstAppearances
    scenes = records.map(\.scene).firstAppearances
    let sceneNumbers = Dictionary(uniqueKeysWithValues: scenes.enumerated().map { ($1, $0) })
    let keys = records.map { FrameKey(scene: $0.scene, frame: $0.frameIndex) }
    let frames = keys.firstAppearances
    let frameNumbers = Dictionary(uniqueKeysWithValues: frames.enumerated().map { ($1, $0) })
    sceneOfFrame = frames.map { sceneNumbers[$0.scene] ?? 0 }
    var rows = Dictionary(
      uniqueKeysWithValues: methods.map { ($0, [Int?](repeating: nil, count: frames.count)) })
    for (index, key) in keys.enumerated() {
      if let frame = frameNumbers[key] { rows[records[index].method]?[frame] = index }
    }
    self.rows = rows
  }

  /// One method's values, scene by scene.
  ///
  /// - Returns: A sum per scene that has a value; its weight is 1, or the number of frames or pixels
  ///   where those count alike.
  func values(of method: String, column: Int) -> SceneValues {
    collect(column) { frame in
      rows[method]?[frame].flatMap { contribution(of: records[$0], column: column) }.map { [$0] }
    }
  }

  /// Two methods' values on the frames that both have.
  ///
  /// In the fallback form a frame counts where both methods ran; the raw LiDAR stands in for one that has no value.
  func values(of method: String, and other: String, column: Int, form: PairedComparison.Form) -> SceneValues {
    collect(column) { frame in
      guard let a = term(of: method, frame, column, form), let b = term(of: other, frame, column, form)
      else { return nil }
      return [a, b]
    }
  }

  private func term(
    of method: String, _ frame: Int, _ column: Int, _ form: PairedComparison.Form
  ) -> WeightedSum? {
    guard let row = rows[method]?[frame] else { return nil }
    if let value = contribution(of: records[row], column: column) { return value }
    guard form == .fallback, let standIn = rows[fallback(method)]?[frame] else { return nil }
    return contribution(of: records[standIn], column: column)
  }

  private func contribution(of record: FrameRecord, column: Int) -> WeightedSum? {
    switch mode {
    case .pooled: record.pooled(column)
    case .scene, .images:
      record.values.isEmpty ? nil : record.values[column].map { WeightedSum(sum: $0, weight: 1) }
    }
  }

  /// Adds up over the frames of each scene, then takes the mean where every scene counts once.
  private func collect(_ column: Int, _ terms: (_ frame: Int) -> [WeightedSum]?) -> SceneValues {
    var sums: [Int: [WeightedSum]] = [:]
    var frames = 0
    for frame in sceneOfFrame.indices {
      guard let parts = terms(frame) else { continue }
      frames += 1
      var total = sums[sceneOfFrame[frame]] ?? Array(repeating: WeightedSum(), count: parts.count)
      for (index, part) in parts.enumerated() { total[index] += part }
      sums[sceneOfFrame[frame]] = total
    }
    let present = sums.keys.sorted()
    let isRoot = mode == .pooled && MetricColumn.all[column].metric.pooling?.isRoot == true
    for scene in present where sums[scene]?.count == 2 {
      sums[scene].map { sums[scene] = SceneValues.withoutRounding($0, isRoot: isRoot) }
    }
    return SceneValues(
      scenes: present.map { scenes[$0] }, frames: frames,
      sides: (0..<(sums.values.first?.count ?? 0)).map { side in
        present.map { scene in
          let total = sums[scene]?[side] ?? WeightedSum()
          return mode == .scene ? WeightedSum(sum: total.sum / total.weight, weight: 1) : total
        }
      },
      isRoot: isRoot)
  }
}

extension SceneValues {
  /// One side from what frames contribute, scene by scene; a scene without any is left out.
  init(_ scenes: [(name: String, frames: [WeightedSum])], mode: AggregationMode, isRoot: Bool = false) {
    let present = scenes.filter { !$0.frames.isEmpty }
    let totals = present.map { scene in
      var total = WeightedSum()
      for frame in scene.frames { total += frame }
      return mode == .scene ? .one(total.sum / total.weight) : total
    }
    self.init(
      scenes: present.map(\.name), frames: present.reduce(0) { $0 + $1.frames.count }, sides: [totals],
      isRoot: isRoot)
  }
}

private struct FrameKey: Hashable {
  var scene: String
  var frame: Int
}
