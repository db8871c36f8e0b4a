import DepthEvaluation
import FathomStatistics

/// The values of a run by method and frame: what comparisons and intervals are made from.
///
/// Rows are gone through once for as many columns as there is room for; a column is one number for each frame and method.
struct ScenePanel: Sendable {
  let methods: [String]  // In order of first appearance.
  let scenes: [String], mode: AggregationMode
  let oracles: Set<String>  // Methods that look at the truth.
  private let rows: RowStore<FrameRecord>
  private let view: @Sendable (FrameRecord) -> [FrameRecord]  // What is looked at in place of a row.
  private let places: [String: Int]  // Place of every method.
  private let sceneOfFrame: [Int32]  // Scene of every frame.
  private var columns: [Int: Column] = [:]  // By position of the column.
  /// Method that stands in where this one refused.
  private let fallback: @Sendable (_ method: String) -> String?
  private static let room = 1 << 25  // Room for columns that are in memory at once, bytes.

  /// - Parameter fallback: Method that stands in where another refused; nil for none.
  init(_ records: [FrameRecord], mode: AggregationMode, fallback: String?) {
    self.init(RowStore(records), mode: mode, fallback: fallback)
  }

  /// - Parameter fallback: Method that stands in where another refused; nil for none.
  /// - Parameter wanted: Positions of the columns that are looked at first; nil for as many as there is room for.
  /// - Parameter view: What is looked at in place of a row.
  init(
    _ records: RowStore<FrameRecord>, mode: AggregationMode, fallback: String?, holding wanted: [Int]? = nil,
    view: @escaping @Sendable (FrameRecord) -> [FrameRecord] = { [$0] }
  ) { self.init(records, mode: mode, holding: wanted, view: view) { _ in fallback } }

  /// - Parameter fallback: Method that stands in where this one refused; nil for none.
  init(
    _ records: RowStore<FrameRecord>, mode: AggregationMode, holding wanted: [Int]? = nil,
    view: @escaping @Sendable (FrameRecord) -> [FrameRecord] = { [$0] },
    fallback: @escaping @Sendable (_ method: String) -> String?
  ) {
    (rows, self.mode, self.view, self.fallback) = (records, mode, view, fallback)
    var (methods, oracles) = (Numbering<String>(), Set<String>())
    var frames = FrameNumbers()
    for row in records {
      for record in view(row) {
        _ = methods.number(record.method)
        if record.isOracle { oracles.insert(record.method) }
        _ = frames.number(record)
      }
    }
    (self.methods, places, self.oracles) = (methods.elements, methods.numbers, oracles)
    (scenes, sceneOfFrame) = (frames.scenes.elements, frames.sceneOfFrame)
    columns = read(wanted ?? groups.first ?? [])
  }

  /// All columns, in groups that there is room for.
  var groups: [[Int]] {
    let numbers = sceneOfFrame.count * methods.count * (mode == .pooled ? 2 : 1)
    let most = max(1, Self.room / max(1, numbers * MemoryLayout<Double>.stride))
    let all = MetricColumn.all.count
    return stride(from: 0, to: all, by: most).map { Array($0..<min(all, $0 + most)) }
  }

  /// The same panel with these columns in memory.
  func holding(_ wanted: [Int]) -> ScenePanel {
    guard wanted.contains(where: { columns[$0] == nil }) else { return self }
    var panel = self
    panel.columns = [:]
    panel.columns = panel.read(wanted)
    return panel
  }

  /// One method's values, scene by scene.
  /// - Returns: A sum per scene that has a value; its weight is 1, or the number of frames or pixels where those count alike.
  func values(of method: String, column: Int) -> SceneValues {
    let (values, place) = (self.column(column), places[method])
    return collect(column) { frame in place.flatMap { values.value($0, frame) }.map { [$0] } }
  }

  /// Two methods' values on the frames that both have.
  ///
  /// In the fallback form a frame counts where both methods ran; the raw LiDAR replaces one that has no value.
  func values(of method: String, and other: String, column: Int, form: PairedComparison.Form) -> SceneValues {
    let values = self.column(column)
    let sides = [method, other].map { (place: places[$0], standIn: fallback($0).flatMap { places[$0] }) }
    func term(_ side: Int, _ frame: Int) -> WeightedSum? {
      guard let place = sides[side].place, values.ran(place, frame) else { return nil }
      if let value = values.value(place, frame) { return value }
      guard form == .fallback, let standIn = sides[side].standIn else { return nil }
      return values.value(standIn, frame)
    }
    return collect(column) { frame in
      guard let a = term(0, frame), let b = term(1, frame) else { return nil }
      return [a, b]
    }
  }

  private func column(_ column: Int) -> Column { columns[column] ?? read([column])[column] ?? Column() }

  private func read(_ wanted: [Int]) -> [Int: Column] {
    var found = wanted.map { _ in
      Column(methods: methods.count, frames: sceneOfFrame.count, isWeighted: mode == .pooled)
    }
    var frames = FrameNumbers()
    for row in rows {
      for record in view(row) {
        let frame = frames.number(record)
        guard let place = places[record.method] else { continue }
        for (index, column) in wanted.enumerated() {
          found[index].set(place, frame, contribution(of: record, column: column))
        }
      }
    }
    return Dictionary(zip(wanted, found), uniquingKeysWith: { first, _ in first })
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
      let scene = Int(sceneOfFrame[frame])
      var total = sums[scene] ?? Array(repeating: WeightedSum(), count: parts.count)
      for (index, part) in parts.enumerated() { total[index] += part }
      sums[scene] = total
    }
    let present = sums.keys.sorted()
    let isRoot = mode == .pooled && MetricColumn.all[column].metric.pooling?.isRoot == true
    for scene in present where sums[scene]?.count == 2 {
      sums[scene].map { sums[scene] = SceneValues.withoutRounding($0, isRoot: isRoot) }
    }
    let hasOneSide = sums.values.allSatisfy { $0.count == 1 }
    return SceneValues(
      scenes: present.map { scenes[$0] }, frames: frames,
      sides: (0..<(sums.values.first?.count ?? 0)).map { side in
        present.map { scene in
          let total = sums[scene]?[side] ?? WeightedSum()
          return mode == .scene ? WeightedSum(sum: total.sum / total.weight, weight: 1) : total
        }
      },
      isRoot: isRoot,
      possible: hasOneSide ? MetricColumn.all[column].metric.possible : Metric.signed)
  }
}

/// One column: what each method contributes on each frame.
private struct Column: Sendable {
  private let methods: Int
  private var sums: [Double]  // Frame by frame, method by method.
  private var weights: [Double]  // The same of the weights; empty where all are 1.

  // Not numbers that no calculation gives, so that every value comes back with its bits.
  private static let didNotRun: UInt64 = 0x7ff4_0000_6661_7401
  private static let hasNoValue: UInt64 = 0x7ff4_0000_6661_7402

  init(methods: Int = 0, frames: Int = 0, isWeighted: Bool = false) {
    self.methods = methods
    sums = Array(repeating: Double(bitPattern: Self.didNotRun), count: methods * frames)
    weights = isWeighted ? Array(repeating: 0, count: methods * frames) : []
  }

  mutating func set(_ method: Int, _ frame: Int, _ contribution: WeightedSum?) {
    let place = frame * methods + method
    sums[place] = contribution?.sum ?? Double(bitPattern: Self.hasNoValue)
    if !weights.isEmpty { weights[place] = contribution?.weight ?? 0 }
  }

  func ran(_ method: Int, _ frame: Int) -> Bool {
    sums[frame * methods + method].bitPattern != Self.didNotRun
  }

  func value(_ method: Int, _ frame: Int) -> WeightedSum? {
    let place = frame * methods + method
    let sum = sums[place]
    guard sum.bitPattern != Self.didNotRun, sum.bitPattern != Self.hasNoValue else { return nil }
    return WeightedSum(sum: sum, weight: weights.isEmpty ? 1 : weights[place])
  }
}

/// Numbers in the order of first appearance.
private struct Numbering<Element: Hashable> {
  private(set) var elements: [Element] = [], numbers: [Element: Int] = [:]

  mutating func number(_ element: Element) -> Int {
    if let known = numbers[element] { return known }
    numbers[element] = elements.count
    elements.append(element)
    return elements.count - 1
  }
}

/// Numbers of the frames of a run, in the order of first appearance.
private struct FrameNumbers {
  private struct Key: Hashable { var scene: Int, frame: Int }
  private(set) var scenes = Numbering<String>(), sceneOfFrame: [Int32] = []
  private var numbers: [Key: Int] = [:]
  /// Most rows are of the frame of the row before.
  private var last: (scene: String, frame: Int, number: Int)?

  mutating func number(_ record: FrameRecord) -> Int {
    if let last, last.frame == record.frameIndex, last.scene == record.scene { return last.number }
    let scene = scenes.number(record.scene)
    let key = Key(scene: scene, frame: record.frameIndex)
    let number = numbers[key] ?? sceneOfFrame.count
    if number == sceneOfFrame.count {
      numbers[key] = number
      sceneOfFrame.append(Int32(scene))
    }
    last = (record.scene, record.frameIndex, number)
    return number
  }
}
