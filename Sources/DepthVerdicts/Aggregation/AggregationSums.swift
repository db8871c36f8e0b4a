import DepthEvaluation
import DepthFusion

/// What an aggregation keeps while rows come in: sums of each method over the scene that is under way, and over the scenes before.
struct AggregationSums {
  private let mode: AggregationMode
  private(set) var scenes: [Aggregation.SceneRow] = []  // Rows of the scenes that are over.
  private(set) var methods: [MethodSums] = []  // In order of first appearance.
  private var places: [String: Int] = [:]
  private var scene: String?
  private var frame = FrameUnderWay()
  private(set) var withoutTruth: [String: Int] = [:]  // Frames that no method can be scored in, by method.
  init(_ mode: AggregationMode) { self.mode = mode }

  /// - Parameter record: Rows of a scene come one after the other.
  mutating func add(_ record: FrameRecord) {
    if record.scene != scene {
      endScene()
      scene = record.scene
    }
    if record.frameIndex != frame.index {
      endFrame()
      frame.index = record.frameIndex
    }
    frame.methods.append(record.method)
    // A method may say first that it lacks a relative map; another one then says that the truth is missing.
    if record.fusion.status == .noTruth { frame.lacksTruth = true }
    let place = places[record.method] ?? methods.count
    if place == methods.count {
      places[record.method] = place
      methods.append(MethodSums(record, mode))
    }
    methods[place].add(record)
  }

  private struct FrameUnderWay { var index: Int?, methods: [String] = [], lacksTruth = false }

  private mutating func endFrame() {
    if frame.lacksTruth { for method in frame.methods { withoutTruth[method, default: 0] += 1 } }
    frame = FrameUnderWay()
  }

  /// Takes the scene that is under way into the means.
  mutating func endScene() {
    endFrame()
    guard let scene else { return }
    for place in methods.indices {
      if let row = methods[place].endScene(scene) { scenes.append(row) }
    }
    self.scene = nil
  }
}

struct MethodSums {
  /// Frames of a scene, or of all scenes.
  private struct Frames {
    var space: String?
    var frames = 0, framesSolved = 0, values = Means(MetricColumn.all.count)
    var valued = MetricColumn.all.map { _ in 0 }  // Frames that have a value, by column.
    /// nil where pixels are not pooled.
    var pooled: PooledSums?
    var bins: [String: [Int: Bin]] = [:]  // By breakdown, then bin.
    var curves = Curves()

    init(_ mode: AggregationMode, space: String?) {
      self.space = space
      if mode == .pooled { pooled = PooledSums() }
    }
  }

  private struct Bin {
    var scenes = 0, frames = 0, pixels = 0, values = Means(Breakdown.metrics.count)
    var pooled = PooledBins(), total = ErrorTotal()
  }

  private struct Curves {
    var scenes = 0, frames = 0, byConfidence = Means(Sparsification.steps)
    var byError = Means(Sparsification.steps)

    mutating func add(_ confidence: [Double?], _ error: [Double?]) {
      byConfidence.add(confidence)
      byError.add(error)
    }
  }

  private let mode: AggregationMode, method: String
  private var isOracle: Bool
  private var scenes = 0
  private var whole: Frames  // Of all scenes: sums of their means where every scene counts once.
  private var scenesWithValue = MetricColumn.all.map { _ in 0 }
  /// Of the scene that is under way; nil where the method has no row of it.
  private var current: Frames?
  /// nil where no map states standard deviations.
  private(set) var deviation: DeviationSums?

  /// - Parameter first: The method's first row, which is not yet added.
  init(_ first: FrameRecord, _ mode: AggregationMode) {
    (self.mode, method, isOracle) = (mode, first.method, false)
    whole = Frames(mode, space: first.space?.rawValue)
  }

  mutating func add(_ record: FrameRecord) {
    if record.isOracle { isOracle = true }
    if let scores = record.deviation {
      var sums = deviation.take() ?? DeviationSums(method, mode)
      sums.add(scores, of: record.scene)
      deviation = sums
    }
    var frames = current.take() ?? Frames(mode, space: record.space?.rawValue)
    frames.frames += 1
    if record.isSolved { frames.framesSolved += 1 }
    for (column, value) in record.values.enumerated() where value != nil { frames.valued[column] += 1 }
    if mode == .pooled {
      frames.pooled?.add(record)
      whole.pooled?.add(record)
    } else if !record.values.isEmpty {
      frames.values.add(record.values)
      if mode == .images { whole.values.add(record.values) }
    }
    for (breakdown, bins) in record.breakdowns {
      for (number, scores) in bins {
        Self.add(scores, mode, to: &frames.bins[breakdown, default: [:]][number, default: Bin()])
        if mode != .scene {
          Self.add(scores, mode, to: &whole.bins[breakdown, default: [:]][number, default: Bin()])
        }
      }
    }
    if !record.isOracle, let curve = record.sparsification {
      frames.curves.frames += 1
      frames.curves.add(curve.byConfidence, curve.oracle)
      if mode == .images { whole.curves.add(curve.byConfidence, curve.oracle) }
    }
    current = frames
  }

  private static func add(_ scores: BinScores, _ mode: AggregationMode, to bin: inout Bin) {
    bin.frames += 1
    bin.pixels += scores.pixels
    bin.total.add(scores)
    if mode == .pooled { bin.pooled.add(scores) } else { bin.values.add(scores.values) }
  }

  /// Takes the scene that is under way into the sums of all.
  /// - Returns: nil where the method has no row of it.
  mutating func endScene(_ scene: String) -> Aggregation.SceneRow? {
    guard let frames = current.take() else { return nil }
    scenes += 1
    deviation?.endScene()
    whole.frames += frames.frames
    whole.framesSolved += frames.framesSolved
    for (column, count) in frames.valued.enumerated() where count > 0 {
      whole.valued[column] += count
      scenesWithValue[column] += 1
    }
    let values = frames.pooled?.columns ?? frames.values.values
    if mode == .scene { whole.values.add(values) }
    for (breakdown, bins) in frames.bins {
      for (number, bin) in bins {
        var total = whole.bins[breakdown]?[number] ?? Bin()
        total.scenes += 1
        if mode == .scene {
          total.frames += bin.frames
          total.pixels += bin.pixels
          total.total += bin.total
          total.values.add(bin.values.values)
        }
        whole.bins[breakdown, default: [:]][number] = total
      }
    }
    if frames.curves.frames > 0 {
      whole.curves.scenes += 1
      whole.curves.frames += frames.curves.frames
      if mode == .scene { whole.curves.add(frames.curves.byConfidence.values, frames.curves.byError.values) }
    }
    return Aggregation.SceneRow(
      scene: scene, method: method, space: frames.space, frames: frames.frames,
      framesSolved: frames.framesSolved, values: values)
  }

  /// Over the scenes that are over.
  var summary: Aggregation.SummaryRow {
    Aggregation.SummaryRow(
      method: method, space: whole.space, isOracle: isOracle, scenes: scenes, frames: whole.frames,
      framesSolved: whole.framesSolved, values: whole.pooled?.columns ?? whole.values.values,
      framesWithValue: whole.valued, scenesWithValue: scenesWithValue)
  }

  func bins(of breakdown: String) -> [Aggregation.BinRow] {
    (whole.bins[breakdown] ?? [:]).sorted { $0.key < $1.key }.map { number, bin in
      Aggregation.BinRow(
        method: method, space: whole.space, bin: number, scenes: bin.scenes, frames: bin.frames,
        pixels: bin.pixels, values: mode == .pooled ? bin.pooled.values : bin.values.values, total: bin.total)
    }
  }

  /// nil for an oracle, whose error no confidence can know, and where no frame has curves.
  var sparsification: MeanSparsification? {
    let curves = whole.curves
    guard curves.frames > 0 else { return nil }
    return MeanSparsification(
      method: method, space: whole.space, scenes: curves.scenes, frames: curves.frames,
      byConfidence: curves.byConfidence.values.compactMap(\.self),
      byError: curves.byError.values.compactMap(\.self))
  }
}

/// Means of the values that exist, several side by side.
private struct Means {
  private var sums: [Double], counts: [Int]
  init(_ size: Int) { (sums, counts) = (Array(repeating: 0, count: size), Array(repeating: 0, count: size)) }

  mutating func add(_ values: [Double?]) {
    for (index, value) in values.enumerated() {
      guard let value else { continue }
      sums[index] += value
      counts[index] += 1
    }
  }

  /// nil where there was none.
  var values: [Double?] { zip(sums, counts).map { $1 == 0 ? nil : $0 / Double($1) } }
}
