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

/// One or two methods' values per scene.
struct SceneValues: Sendable, Hashable {
  /// Names of the scenes that have a value.
  var scenes: [String]
  /// Frames behind them.
  var frames: Int
  /// Per method: a sum per scene.
  var sides: [[WeightedSum]]
  /// Whether the value is the root of the mean.
  var isRoot: Bool

  init(scenes: [String], frames: Int, sides: [[WeightedSum]], isRoot: Bool) {
    (self.scenes, self.frames, self.sides, self.isRoot) = (scenes, frames, sides, isRoot)
  }

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

  /// The mean over all scenes of one side.
  func value(_ side: Int) -> Double? {
    var total = WeightedSum()
    for part in sides[side] { total += part }
    return total.value(root: isRoot)
  }

  /// Every scene's own value of one side.
  func perScene(_ side: Int) -> [Double] { sides[side].map { $0.value(root: isRoot) ?? .nan } }

  /// First minus second, scene by scene; the first alone where there is no second.
  var differences: [Double] {
    sides.count == 2 ? zip(perScene(0), perScene(1)).map { $0 - $1 } : perScene(0)
  }

  /// Of the mean of ``differences`` over scenes: s/√n, and the jackknife's where scenes weigh differently, which is the
  /// same for equal weights. nil for fewer than two scenes.
  var standardError: Double? {
    let count = Double(scenes.count)
    guard count >= 2 else { return nil }
    func total(without left: Int) -> Double {
      let values = sides.map { side in
        var total = WeightedSum()
        for (scene, part) in side.enumerated() where scene != left { total += part }
        return total.value(root: isRoot) ?? .nan
      }
      return values.count == 2 ? values[0] - values[1] : values[0]
    }
    let points = isPlainMean ? differences : scenes.indices.map { total(without: $0) }
    guard points.contains(where: { $0 != points[0] }) else { return points[0].isFinite ? 0 : nil }
    let centre = points.reduce(0, +) / count
    let squares = points.reduce(0) { $0 + ($1 - centre) * ($1 - centre) }
    return (isPlainMean ? squares / (count - 1) / count : squares * (count - 1) / count).squareRoot()
  }

  /// Relative difference of two scene values that Float32 maps alone can make.
  static let rounding = 1e-6

  /// Two sides of a scene, made equal where nothing but rounding tells them apart: noise is neither tested nor ranked.
  static func withoutRounding(_ sides: [WeightedSum], isRoot: Bool) -> [WeightedSum] {
    guard let a = sides[0].value(root: isRoot), let b = sides[1].value(root: isRoot), a != b,
      abs(a - b) <= rounding * max(abs(a), abs(b))
    else { return sides }
    return [sides[0], WeightedSum(sum: (isRoot ? a * a : a) * sides[1].weight, weight: sides[1].weight)]
  }

  /// Whether every scene weighs the same, so that the statistic is the mean of ``differences``.
  var isPlainMean: Bool { !isRoot && sides.allSatisfy { $0.allSatisfy { $0.weight == 1 } } }
}

private struct FrameKey: Hashable {
  var scene: String
  var frame: Int
}
