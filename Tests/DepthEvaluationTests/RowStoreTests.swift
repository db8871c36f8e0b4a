import DepthCore
import DepthFusion
import DepthObjects
import Foundation
import FathomStatistics
import FathomStorage
import FathomTestSupport
import Testing

@testable import DepthEvaluation
@testable import DepthVerdicts

/// Everything that a row may hold.
private struct Row: StoredRow, Equatable {
  var name = "room", text = ""
  var integers: [Int] = []
  var bits: [UInt64] = []
  var optionalBits: [UInt64?] = []
  var plain: SIMD3<Float> = .zero
  var note: String?

  var footprint: Int { 100 }

  init(_ number: Int) { (name, text, integers) = ("room \(number % 3)", "frame \(number)", [number]) }

  func write(to writer: inout RowWriter) {
    writer.put(name: name)
    writer.put(text: text)
    writer.put(integers.count)
    for value in integers { writer.put(value) }
    writer.put(bits.map { Double(bitPattern: $0) })
    writer.put(optionalBits.map { bits in bits.map { Double(bitPattern: $0) } })
    writer.put(plain: plain)
    writer.put(note) { $0.put(text: $1) }
  }

  init(from reader: inout RowReader) {
    (name, text) = (reader.name(), reader.text())
    integers = (0..<reader.int()).map { _ in reader.int() }
    bits = reader.doubles().map(\.bitPattern)
    optionalBits = reader.optionalDoubles().map { $0?.bitPattern }
    plain = reader.plain(SIMD3<Float>.self)
    note = reader.optional { $0.text() }
  }
}

private func store<Stored: StoredRow>(_ rows: [Stored], budget: Int) throws -> RowStore<Stored> {
  var builder = RowStoreBuilder<Stored>(budget: budget)
  for row in rows { try builder.append(row) }
  return try builder.finished()
}

@Suite("Rows in memory and on the disk")
struct RowStoreTests {
  private let numbers: [Double] = [
    0, -0.0, 1, -Double.leastNormalMagnitude / 3, .pi, .infinity, -.infinity, .nan, .signalingNaN, -.nan,
    .greatestFiniteMagnitude,
    .leastNonzeroMagnitude, Double(nan: 0x1234, signaling: false),
  ]

  @Test("every bit comes back: numbers that are none, what is missing, empty lists, names of any language")
  func bits() throws {
    var row = Row(0)
    (row.name, row.text) = ("kitchen, «küche» 🍳\n\u{0}é", "日本語 e\u{301}")
    row.integers = [0, 1, -1, 63, 64, -64, -65, .max, .min, 1 << 40]
    row.bits = numbers.map(\.bitPattern)
    row.optionalBits = numbers.flatMap { [$0.bitPattern, nil] }
    row.plain = [-.zero, .infinity, 1.5]
    row.note = ""
    for count in [0, 1, 7, 8, 9, 17] {
      row.optionalBits = Array(repeating: nil, count: count) + row.optionalBits.prefix(count)
      let rows = [row, Row(1), row]
      #expect(Array(try store(rows, budget: 0)) == rows)
    }
  }

  @Test(
    "rows are the same in the same order, whatever fits into memory", arguments: [0, 1_000, 250_000, .max])
  func budget(budget: Int) throws {
    let rows = (0..<5_000).map { number in
      var row = Row(number)
      row.bits = (0..<number % 50).map { _ in UInt64(number) }
      return row
    }
    let store = try store(rows, budget: budget)
    #expect(store.count == rows.count && !store.isEmpty && store.first == rows.first)
    #expect(Array(store) == rows)
    #expect(Array(store) == rows)
    #expect(Array(store.dropFirst(4_998)) == Array(rows.suffix(2)))
    let empty = try DepthEvaluationTests.store([Row](), budget: budget)
    #expect(empty.isEmpty && Array(empty).isEmpty && empty.first == nil)
  }

  @Test("several tasks go through the rows at once")
  func tasks() async throws {
    let rows = (0..<20_000).map(Row.init)
    let store = try store(rows, budget: 100_000)
    let sums = await withTaskGroup(of: Int.self) { group in
      for task in 0..<4 {
        group.addTask { store.reduce(0) { $0 + $1.integers[0] * (task + 1) } }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let sum = 19_999 * 10_000
    #expect(Set(sums) == Set((1...4).map { sum * $0 }))
  }

  @Test("what was added behind a mark can be taken away", arguments: [0, 1_550, .max])
  func marks(budget: Int) throws {
    var builder = RowStoreBuilder<Row>(budget: budget)
    for number in 0..<10 { try builder.append(Row(number)) }
    let mark = try builder.mark()
    for number in 90..<5_000 { try builder.append(Row(number)) }
    builder.remove(after: mark)
    for number in 10..<30 { try builder.append(Row(number)) }
    #expect(Array(try builder.finished()) == (0..<30).map(Row.init))
  }

  @Test("rows can be stood in for", arguments: [0, 500, .max])
  func replaced(budget: Int) throws {
    let found = try store((0..<10).map(Row.init), budget: budget).replacing([3: Row(33), 9: Row(99)])
    #expect(found.map { $0.integers[0] } == [0, 1, 2, 33, 4, 5, 6, 7, 8, 99])
    #expect(found.count == 10)
  }

  @Test("a full disk and a folder that is not there are said in one line")
  func fullDisk() throws {
    var full = RowStoreBuilder<Row>(budget: 0) { () throws(FathomError) in
      try TemporaryFile(opening: "/dev/full")
    }
    try full.append(Row(1))
    let error = #expect(throws: FathomError.self) { _ = try full.mark() }
    #expect(error?.kind == .noRoom && error?.reason == "the disk is full")
    #expect(error?.advice.contains("TMPDIR") == true)
    var lost = RowStoreBuilder<Row>(budget: 0) { () throws(FathomError) in
      try TemporaryFile(in: "/nowhere/at/all")
    }
    try lost.append(Row(1))
    let missing = #expect(throws: FathomError.self) { _ = try lost.mark() }
    #expect(missing?.kind == .cannotCreate && missing?.reason == "there is no such file or folder")
  }

  @Test("rows that the disk gives back no more end the run, not the process")
  func lostRows() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("rows")
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    func stored<Stored: StoredRow>(_ rows: [Stored]) throws -> RowStore<Stored> {
      var builder = RowStoreBuilder<Stored>(budget: 0) { () throws(FathomError) in
        try TemporaryFile(opening: path)
      }
      for row in rows { try builder.append(row) }
      return try builder.finished()
    }
    let found = try stored((0..<10).map(Row.init))
    #expect(found.map(\.self).count == 10 && found.failure == nil)
    try found.requireWhole()
    #expect(truncate(path, 0) == 0)
    #expect(found.map(\.self).isEmpty)
    let error = #expect(throws: FathomError.self) { try found.requireWhole() }
    #expect(error?.kind == .inputOutput && error?.reason == "it has become shorter")

    let records = try stored(try frames())
    #expect(truncate(path, 0) == 0)
    let run = EvaluationRun(
      plan: EvaluationPlan(methods: [.lidarBilinear]), scenes: [], records: records,
      baseline: "lidar-bilinear"
    ) { nil }
    #expect(throws: FathomError.self) { try run.requireWhole() }
  }

  // MARK: Rows of a run

  private func frames() throws -> [FrameRecord] {
    var plan = EvaluationPlan(methods: try MethodCatalogue.parse("lidar-bilinear,spec,ols,oracle"))
    plan.rules.aggregation = .pooled
    return ["a", "b", "c"].flatMap { name in
      (0..<3).flatMap { index in
        var header = SceneHeader(name: name, frameCount: 3)
        header.relativeKind = .depth
        let (width, height) = (32, 24)
        var generator = SplitMix64(seed: UInt64(index), stream: name)
        let truth = (0..<width * height).map { Float(1 + Double($0 % width) / 20) }
        let frame = DepthFrame(
          index: index,
          lidar: DepthMap(
            width: width, height: height,
            values: truth.map { $0 * Float.random(in: 0.9..<1.1, using: &generator) }),
          confidence: Raster(
            width: width, height: height,
            values: truth.map { _ in UInt8.random(in: 0...2, using: &generator) }),
          relative: DepthMap(width: width, height: height, values: truth.map { $0 / 5 }),
          truth: DepthMap(width: width, height: height, values: truth))
        return plan.evaluate(frame, of: SceneContext(header: header, name: name))
      }
    }
  }

  @Test("a frame's row comes back whole")
  func frameRows() throws {
    var rows = try frames()
    rows[1].values[3] = .nan
    rows[2].alternatives = [[nil, 1], []]
    rows[3].values = []
    #expect(rows.contains { $0.pixels != nil && $0.sparsification != nil && !$0.breakdowns.isEmpty })
    #expect(rows.contains { $0.fusion.line != nil && $0.fusion.design != nil })
    for (row, found) in zip(rows, try store(rows, budget: 0)) {
      #expect(found.values.map { $0?.bitPattern } == row.values.map { $0?.bitPattern })
      // Every field, also one that is new.
      for (first, second) in zip(Mirror(reflecting: found).children, Mirror(reflecting: row).children)
      where first.label != "breakdowns" {
        #expect("\(first)" == "\(second)")
      }
      #expect(Set(found.breakdowns.keys) == Set(row.breakdowns.keys))
      for (id, bins) in row.breakdowns {
        #expect(found.breakdowns[id]?.mapValues { "\($0)" } == bins.mapValues { "\($0)" })
      }
    }
  }

  @Test("an object's row comes back whole")
  func objectRows() throws {
    let box = OrientedBox(center: [1, -0.0, .nan], size: [1, 2, 3], yaw: 0.5)
    var object = ObservedObject(
      scene: "a", frameIndex: 3, frame: "3", index: 7, label: "mug", score: 0.9266759, truth: box,
      visibility: nil, range: 1.5)
    var row = ObjectRecord(object, depth: "lidar", method: "auto", status: .ok)
    row.view = ObjectView(
      pointCount: 9, isMasked: true, medianDepth: 1.25, trueMedianDepth: nil, effectWidth: 0.1)
    let fit = BoxFit(
      box,
      BoxDiagnostics(
        method: "pca-xz", pointCount: 9, eigenvalueGap: 0.25, yawInterval: YawInterval(below: -1, above: 2),
        reason: "long"))
    row.fit = fit
    row.errors = BoxErrors(
      of: fit, truth: OrientedBox(center: [1, 0, 2], size: [1, 1, 1], yaw: 0), camera: .zero)
    row.placements = [nil]
    row.planeHeights = [nil, 0.75]
    object.truth = nil
    let rows = [row, ObjectRecord(object, status: .lowScore, reason: "score 0.1, above 0.5 is needed")]
    #expect(try store(rows, budget: 0).map { "\($0)" } == rows.map { "\($0)" })
  }

  @Test("means, intervals and tests are the same from rows on the disk", arguments: AggregationMode.allCases)
  func summaries(mode: AggregationMode) throws {
    let rows = try frames()
    let stored = try store(rows, budget: 0)
    let (first, second) = (Aggregation(rows, mode: mode), Aggregation(stored, mode: mode))
    #expect(first.summary.map { "\($0)" } == second.summary.map { "\($0)" })
    #expect(first.scenes.map { "\($0)" } == second.scenes.map { "\($0)" })
    let found = [RowStore(rows), stored].map {
      RunStatistics($0, references: ["lidar-bilinear"], basis: .lidar, seed: 1, mode: mode)
    }
    #expect(found[0].pairs.map { "\($0)" } == found[1].pairs.map { "\($0)" })
    #expect(!found[0].pairs.isEmpty && !found[0].cumulative.isEmpty)
    #expect(found[0].cumulative.map { "\($0)" } == found[1].cumulative.map { "\($0)" })
    for column in MetricColumn.all {
      #expect(
        found[0].interval(of: "lidar-bilinear", column: column)
          == found[1].interval(of: "lidar-bilinear", column: column))
    }
  }
}

extension RunStatistics {
  /// All parts, one after the other.
  fileprivate init(
    _ records: RowStore<FrameRecord>, references: [String], basis: ComparisonBasis, seed: UInt64,
    mode: AggregationMode
  ) {
    var bootstrap = SceneBootstrap(seed: seed)
    self.init(
      Self.compared(records, references: references, basis: basis, mode: mode, bootstrap),
      CumulativeErrors.all(records, mode: mode, &bootstrap), BinIntervals(records, mode: mode, &bootstrap))
  }
}
