import DepthCore
import Foundation
import Testing

@testable import DepthEvaluation
@testable import DepthFusion
@testable import DepthVerdicts

@Suite("Alignment on the truth")
struct TruthAlignmentTests {
  private static let every: [TruthAlignment] = {
    var video = TruthAlignment(.line(.disparity, shift: true))
    (video.extent, video.input, video.leastDisparity) = (.scene, .limited, 0.001)
    var robust = TruthAlignment(.line(.depth, shift: false))
    robust.loss = .absolute
    let fits = Space.allCases.flatMap { space in
      [false, true].map { TruthAlignment.Fit.line(space, shift: $0) }
    }
    return ([.none, .byKind, .median] + fits).map { TruthAlignment($0) } + [video, robust]
  }()

  private func json(_ value: [TruthAlignment]) throws -> String {
    String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
  }

  @Test("stored words are read back, and the oldest three keep their bytes")
  func words() throws {
    #expect(try json([.none, .depth, .disparity]) == #"["none","depth","disparity"]"#)
    let stored = try JSONEncoder().encode(Self.every)
    #expect(try JSONDecoder().decode([TruthAlignment].self, from: stored) == Self.every)
    for alignment in Self.every { #expect(TruthAlignment.reading(alignment.typed) == alignment) }
    #expect(TruthAlignment.depth.typed == "depth:scale-shift")
    #expect(TruthAlignment.reading("disparity:scale-shift,scene,limited,least=0.001") == Self.every[9])
    for text in [
      "", "scale", "depth:", "depth:shift", "median,", "median,least=0", "median,least=-1", "log:scale,x",
    ] {
      #expect(TruthAlignment.reading(text) == nil, "\(text)")
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([TruthAlignment].self, from: Data(#"["deep"]"#.utf8))
    }
    // Two of them say the same only where they are the same.
    #expect(Set(Self.every.map(\.statement)).count == Self.every.count)
  }

  @Test("fingerprints of the protocols that were there before are what they were")
  func fingerprints() {
    let found = EvaluationProtocol.presets.prefix(8).map { "\($0.name) \($0.fingerprint)" }
    #expect(
      found == [
        "fathom 1b1db168", "arkitscenes eef977c2", "nyu-eigen 0430fb31", "kitti-eigen 77482f80",
        "kitti-garg 496f6f0f", "marigold 74ae5de8", "marigold-nyu 65101cb7", "moge-disparity cc0d7e09",
      ])
    #expect(Set(EvaluationProtocol.presets.map(\.fingerprint)).count == EvaluationProtocol.presets.count)
  }

  // MARK: - Numbers by hand

  /// What becomes of a map in a row of pixels whose truth is known; nil where it is not determined.
  private func aligned(
    _ text: String, _ map: [Double], of unit: Prediction.Unit, truth: [Float],
    change: (inout EvaluationProtocol) -> Void = { _ in }
  ) throws -> PredictionAdjustment.Adjusted? {
    var rules = EvaluationProtocol.fathom
    rules.alignment = try #require(TruthAlignment.reading(text))
    change(&rules)
    let truth = DepthMap(width: truth.count, height: 1, values: truth)
    let none = DepthMap(width: 0, height: 0, values: [])
    let pixels = TruthPixels(DepthFrame(index: 0, lidar: none, truth: truth), truth: truth, protocol: rules)
    return PredictionAdjustment(rules, of: unit).apply(to: map, at: pixels)
  }

  private func expect(
    _ found: PredictionAdjustment.Adjusted?, _ line: Line, _ values: [Double], within tolerance: Double = 1e-9
  ) throws {
    let found = try #require(found)
    let fit = try #require(found.fit)
    #expect(abs(fit.line.scale - line.scale) < tolerance && abs(fit.line.shift - line.shift) < tolerance)
    for (one, other) in zip(found.raster, values) {
      #expect(
        one == other || abs(one - other) < tolerance || one.isNaN && other.isNaN, "\(one), not \(other)")
    }
    #expect(found.raster.count == values.count)
  }

  @Test("the ratio of medians, over the pixels that have both; of an even count the mean of the middle two")
  func medians() throws {
    // Medians of 1, 2, 3, 8 and of 2, 4, 5, 6: 2.5 and 4.5. The hole's truth does not count.
    try expect(
      aligned("median", [1, 2, 3, .nan, 8], of: .metres, truth: [2, 4, 5, 9, 6]), Line(scale: 1.8, shift: 0),
      [1.8, 3.6, 5.4, .nan, 14.4])
    // Of disparities the depths: 1, 2, 4.
    try expect(
      aligned("median", [1, 0.5, 0.25, 0], of: .disparity, truth: [3, 4, 5, 6]), Line(scale: 2, shift: 0),
      [2, 4, 8, .nan])
  }

  @Test("a scale by least squares, of either kind in either space")
  func scales() throws {
    // Σxy/Σx² = (2 + 8 + 12)/(1 + 4 + 9)
    let scale = 22.0 / 14
    for unit in [Prediction.Unit.metres, .depth] {
      try expect(
        aligned("depth:scale", [1, 2, 3], of: unit, truth: [2, 4, 4]), Line(scale: scale, shift: 0),
        [scale, 2 * scale, 3 * scale])
    }
    try expect(
      aligned("depth:scale", [1, 0.5, 0.25], of: .disparity, truth: [2, 4, 8]), Line(scale: 2, shift: 0),
      [2, 4, 8])
    // 1/g = 2·r
    try expect(
      aligned("disparity:scale", [0.25, 0.125, -1], of: .disparity, truth: [2, 4, 4]),
      Line(scale: 2, shift: 0), [2, 4, .nan])
    // ln g = ln d + mean of ln 2 and ln 8
    try expect(
      aligned("log:scale", [1, 1], of: .metres, truth: [2, 8]), Line(scale: 1, shift: Foundation.log(4)),
      [4, 4])
    try expect(
      aligned("log:scale", [1, 1], of: .disparity, truth: [2, 8]), Line(scale: 1, shift: Foundation.log(4)),
      [4, 4])
  }

  @Test(
    "scale and shift: numbers of 0 and less count where a map is fitted in its own space, and nowhere else")
  func shifts() throws {
    // g = 2·r + 3
    try expect(
      aligned("depth:scale-shift", [-1, 0, 1, 2], of: .depth, truth: [1, 3, 5, 7]), Line(scale: 2, shift: 3),
      [1, 3, 5, 7])
    // The same numbers as metres: those of 0 and less are missing.
    try expect(
      aligned("depth:scale-shift", [-1, 0, 1, 2], of: .metres, truth: [1, 3, 5, 7]), Line(scale: 2, shift: 3),
      [.nan, .nan, 5, 7])
    // 1/g = 0.25·r + 0.5
    try expect(
      aligned("disparity:scale-shift", [-1, 0, 2], of: .disparity, truth: [4, 2, 1]),
      Line(scale: 0.25, shift: 0.5), [4, 2, 1])
    // ln g = 2·ln d + ln 1.5
    try expect(
      aligned("log:scale-shift", [1, 2], of: .depth, truth: [1.5, 6]),
      Line(scale: 2, shift: Foundation.log(1.5)), [1.5, 6])
    // One value determines no line, and a map without a positive number no scale.
    #expect(try aligned("depth:scale-shift", [2, 2, 2], of: .depth, truth: [1, 3, 5]) == nil)
    #expect(try aligned("median", [0, -1, .nan], of: .depth, truth: [1, 3, 5]) == nil)
  }

  @Test("a fitted disparity of 0 or less is infinitely far, or at the distance of its least value")
  func leastDisparity() throws {
    // 1/g = r
    let map = [1.0, 0.5, -0.5, -1], truth: [Float] = [1, 2, 20, 30]
    try expect(
      aligned("disparity:scale-shift", map, of: .disparity, truth: truth), Line(scale: 1, shift: 0),
      [1, 2, .infinity, .infinity])
    try expect(
      aligned("disparity:scale-shift,least=0.02", map, of: .disparity, truth: truth),
      Line(scale: 1, shift: 0),
      [1, 2, 50, 50])
    // Before the fit, too: 1/g is 1, 0.5 and 0.25 at 1, 0.5 and what was below 0.25.
    try expect(
      aligned("disparity:scale-shift,limited,least=0.25", [1, 0.5, -9], of: .disparity, truth: [1, 2, 4]),
      Line(scale: 1, shift: 0), [1, 2, 4])
    // Those of 0 and less do not enter the fit, and are mapped by it.
    try expect(
      aligned("disparity:scale-shift,positive", [1, 0.5, -0.1], of: .disparity, truth: [0.5, 1, 9]),
      Line(scale: 2, shift: 0), [0.5, 1, .infinity])
  }

  @Test("by kind: metric maps stay, others are fitted in their own space within the truth's range")
  func byKind() throws {
    let metric = try #require(try aligned("by-kind", [1, 20, 3], of: .metres, truth: [2, 4, 5]))
    #expect(metric.fit == nil && metric.raster == [1, 20, 3])
    try expect(
      aligned("by-kind", [0, 1, 2, 9, -3], of: .depth, truth: [1, 3, 5, 50, 60]), Line(scale: 2, shift: 1),
      [1, 3, 5, 10, 0.1])
    try expect(
      aligned("by-kind", [1, 0.5, -1], of: .disparity, truth: [1, 2, 50]), Line(scale: 1, shift: 0),
      [1, 2, 10])
    // Without a farthest depth, the image's own.
    try expect(
      aligned("by-kind", [1, 0.5, 0.25, -1], of: .disparity, truth: [1, 2, 4, 0]) { $0.maxDepth = nil },
      Line(scale: 1, shift: 0), [1, 2, 4, 4])
    #expect(try aligned("none", [1, 2, 3], of: .depth, truth: [1, 2, 3]) == nil)
  }

  @Test("absolute errors: one outlier moves nothing")
  func absolute() throws {
    let map = [1.0, 2, 3, 4, 5], truth: [Float] = [2, 4, 6, 8, 1]
    try expect(
      aligned("depth:scale-shift,absolute", map, of: .depth, truth: [3, 5, 7, 9, 10]),
      Line(scale: 2, shift: 1),
      [3, 5, 7, 9, 11], within: 1e-6)
    try expect(
      aligned("disparity:scale,absolute", map, of: .metres, truth: truth), Line(scale: 0.5, shift: 0),
      [2, 4, 6, 8, 10])
    // Weights x/g of the ratios 2, 2, 2, 2 and 0.2: 0.5 four times, and 5.
    try expect(
      aligned("depth:scale,absolute", map, of: .metres, truth: truth), Line(scale: 0.2, shift: 0),
      [0.2, 0.4, 0.6, 0.8, 1])
    try expect(
      aligned("log:scale,absolute", map, of: .metres, truth: truth),
      Line(scale: 1, shift: Foundation.log(2)), [2, 4, 6, 8, 10])
  }

  @Test("limits follow the range that they are, and a line that can leave what is a depth brings its own")
  func clips() throws {
    var rules = EvaluationProtocol.marigold
    rules.maxDepth = 70
    rules.follow(.marigold)
    #expect(rules.clip == .range(1e-3, 70))
    rules = .marigold
    rules.maxDepth = nil
    rules.follow(.marigold)
    #expect(rules.clip.statement == "predictions clipped to at least 0.001 m")
    var limited = rules
    limited.maxDepth = 5
    limited.follow(rules)
    #expect(limited.clip == .range(1e-3, 5))
    // Limits that are not the range's stay, and so does what was not changed.
    var other = EvaluationProtocol.marigold
    other.clip = .range(1e-3, 20)
    rules = other
    rules.maxDepth = 70
    rules.follow(other)
    #expect(rules.clip == .range(1e-3, 20))
    for preset in EvaluationProtocol.presets {
      var rules = preset
      rules.follow(preset)
      #expect(rules == preset)
    }
    for (text, clip) in [
      ("disparity:scale-shift", DepthClip.range(0.1, 10)), ("depth:scale-shift", .range(0.1, 10)),
      ("median", .none), ("log:scale-shift", .none), ("by-kind", .none),
    ] {
      var rules = EvaluationProtocol.fathom
      rules.alignment = try #require(TruthAlignment.reading(text))
      rules.follow(.fathom)
      #expect(rules.clip == clip, "\(text)")
    }
  }
}

@Suite("Scenes whose maps are fitted to the truth")
struct AlignedSceneTests {
  private static let size = RasterSize(width: 8, height: 6)

  /// Disparities of three frames; the scale of the first frame is another than that of the rest.
  private func frame(_ index: Int, _ kind: StoredPrediction.Kind = .disparity) -> DepthFrame {
    var generator = SplitMix64(seed: UInt64(index))
    let truth = (0..<Self.size.count).map { _ in Float.random(in: 1...8, using: &generator) }
    let scale: Float = index == 0 ? 3 : 2
    let map = truth.map { depth in
      let noise = Float.random(in: 0.99...1.01, using: &generator)
      return kind == .metric ? scale * depth * noise : scale / depth * noise - 0.4
    }
    func raster(_ values: [Float]) -> DepthMap { DepthMap(width: 8, height: 6, values: values) }
    var frame = DepthFrame(
      index: index, lidar: DepthMap(width: 0, height: 0, values: []), truth: raster(truth))
    frame.predictions = [(StoredPrediction(name: "net", kind: kind, size: Self.size), raster(map))]
    return frame
  }

  private func scene(_ kind: StoredPrediction.Kind = .disparity, frames: Int = 4) -> SceneContext {
    var header = SceneHeader(name: "s", frameCount: frames)
    header.truthSize = Self.size
    header.predictions = [StoredPrediction(name: "net", kind: kind, size: Self.size)]
    return SceneContext(header: header, name: "s")
  }

  private func plan(_ text: String?) throws -> EvaluationPlan {
    var plan = EvaluationPlan(methods: [.everyStored])
    if let text { plan.rules.alignment = try #require(TruthAlignment.reading(text)) }
    return plan
  }

  private func rows(_ plan: EvaluationPlan, frames: Range<Int> = 0..<4, jobs: Int = 1) async -> [FrameRecord]
  {
    var scene = self.scene()
    return await plan.evaluate(&scene, frames: frames, jobs: jobs) { frame($0) }
  }

  /// Least squares of 1/g on r, by raw sums.
  private func line(_ frames: Range<Int>) -> Line {
    var (n, x, y, xx, xy) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for index in frames {
      let frame = self.frame(index)
      for (r, g) in zip(frame.predictions[0].map.values, frame.truth?.values ?? []) {
        let (r, d) = (Double(r), 1 / Double(g))
        n += 1
        x += r
        y += d
        xx += r * r
        xy += r * d
      }
    }
    let scale = (n * xy - x * y) / (n * xx - x * x)
    return Line(scale: scale, shift: (y - scale * x) / n)
  }

  @Test("every row says by which line it was fitted, and why")
  func everyImage() async throws {
    let rows = await self.rows(try plan("by-kind"))
    #expect(rows.count == 4)
    for row in rows {
      let (found, wanted) = (try #require(row.fusion.line), line(row.frameIndex..<row.frameIndex + 1))
      #expect(abs(found.scale - wanted.scale) < 1e-9 && abs(found.shift - wanted.shift) < 1e-9)
      #expect(row.space == .disparity && row.fusion.pairs == 48 && row.role == .stored)
      #expect(row.fusion.reason == "fitted to the truth: 1/g = α·r + β")
      let error = try #require(row.value(.absRel))
      #expect(error < 0.05 && row.value(.coverage) == 1)
    }
  }

  @Test("one fit a scene is that of all its frames together, for any number of jobs", arguments: [1, 3])
  func wholeScene(_ jobs: Int) async throws {
    let rows = await self.rows(try plan("disparity:scale-shift,scene"), jobs: jobs)
    let wanted = line(0..<4)
    for row in rows {
      let found = try #require(row.fusion.line)
      #expect(abs(found.scale - wanted.scale) < 1e-9 && abs(found.shift - wanted.shift) < 1e-9)
      #expect(row.fusion.pairs == 4 * 48)
    }
    // A frame of another scale is fitted worse than by itself.
    let alone = await self.rows(try plan("disparity:scale-shift"))
    let (together, apart) = (try #require(rows[0].value(.absRel)), try #require(alone[0].value(.absRel)))
    #expect(together > 2 * apart)
  }

  @Test("frames that are not evaluated do not enter the fit of a scene")
  func someFrames() async throws {
    let rows = await self.rows(try plan("disparity:scale-shift,scene"), frames: 1..<4)
    let (found, wanted) = (try #require(rows.first?.fusion.line), line(1..<4))
    #expect(rows.count == 3 && abs(found.scale - wanted.scale) < 1e-9)
  }

  @Test("scales, medians and absolute errors of a scene are those of its frames in one image")
  func otherFits() async throws {
    for text in [
      "median", "disparity:scale", "log:scale", "depth:scale-shift,absolute", "disparity:scale,absolute",
    ] {
      let rows = await self.rows(try plan(text + ",scene"))
      let frames = (0..<4).map { frame($0) }
      let truth = frames.flatMap { $0.truth?.values ?? [] }
      let map = frames.flatMap { $0.predictions[0].map.values.map { Double($0) } }
      let together = AlignmentSums(
        try #require(try plan(text).rules.alignment.step(for: .disparity)), map, at: pixels(of: truth))
      let (found, wanted) = (try #require(rows[0].fusion.line), try #require(together.line))
      #expect(abs(found.scale - wanted.scale) < 1e-9 && abs(found.shift - wanted.shift) < 1e-9, "\(text)")
    }
  }

  private func pixels(of truth: [Float]) -> TruthPixels {
    let map = DepthMap(width: truth.count, height: 1, values: truth)
    let none = DepthMap(width: 0, height: 0, values: [])
    return TruthPixels(DepthFrame(index: 0, lidar: none, truth: map), truth: map, protocol: .fathom)
  }

  @Test("without a LiDAR maps without a unit are fitted by their kind, unless somebody said none")
  func settled() throws {
    var plan = try self.plan(nil)
    try plan.settleAlignment(for: [scene()])
    #expect(plan.rules.alignment.fit == .byKind && plan.rules.title == "fathom" && !plan.rules.isOracle)
    plan = try self.plan(nil)
    try plan.settleAlignment(for: [scene(.metric)])
    #expect(plan.rules == .fathom)
    var withLidar = scene()
    withLidar.header.lidarSize = Self.size
    try plan.settleAlignment(for: [withLidar])
    #expect(plan.rules == .fathom)
    plan.namesAlignment = true
    try plan.settleAlignment(for: [scene(.metric)])
    let problem = #expect(throws: OptionProblem.self) { try plan.settleAlignment(for: [scene()]) }
    #expect(
      problem?.description
        == "align: 'none' takes metric maps only; those of 'net' are disparity and have no unit")
    plan.rules = .marigold
    try plan.settleAlignment(for: [scene()])
    #expect(plan.rules == .marigold)
  }

  @Test("a run says whose maps were fitted to the truth")
  func marks() async throws {
    func isFitted(_ text: String, _ kind: StoredPrediction.Kind) throws -> Bool {
      let scene = self.scene(kind, frames: 1)
      let plan = try self.plan(text)
      let rows = plan.evaluate(frame(0, kind), of: scene)
      return EvaluationRun(plan: plan, scenes: [scene], records: rows, baseline: "stored:net")
        .isFittedToTruth("stored:net")
    }
    #expect(try isFitted("by-kind", .disparity))
    #expect(try isFitted("by-kind", .metric) == false)
    #expect(try isFitted("median", .metric))
    #expect(try isFitted("none", .metric) == false)
  }

  @Test("pictures show the map that was scored")
  func shown() throws {
    let (plan, frame) = (try self.plan("by-kind"), self.frame(1))
    let row = try #require(plan.evaluate(frame, of: scene()).first)
    let prediction = try #require(plan.fuse(frame, of: scene()).first?.fusion.prediction)
    #expect(prediction.unit == .disparity)
    let map = plan.shown(row, prediction, of: frame)
    let truth = try #require(frame.truth)
    let errors = zip(map.values, truth.values).map { abs(Double($0) - Double($1)) }
    let mae = try #require(row.value(.mae))
    #expect(abs(errors.reduce(0, +) / 48 - mae) < 1e-6)
    // What is compared from frame to frame is that map, too.
    let kept = plan.evaluate(frame, of: scene(), keepsPredictions: true)[0].fusion.prediction
    #expect(kept?.unit == .metres && kept?.depth.values == map.values)
  }

  @Test("the ways to other protocols fit maps without a unit as those would")
  func paths() async throws {
    var plan = try self.plan("by-kind")
    plan.paths = ProtocolPaths(from: plan.rules, [scene().header])
    var context = scene()
    let rows = await plan.evaluate(&context, frames: 0..<4, jobs: 2) { frame($0) }
    let run = EvaluationRun(plan: plan, scenes: [context], records: rows, baseline: "stored:net")
    let comparison = try #require(run.protocols)
    let last = comparison.rows.filter(\.isLast)
    #expect(last.count == EvaluationProtocol.presets.count - 3 && comparison.refused.count == 3)
    for row in last {
      #expect(row.values[ProtocolComparison.index(of: .absRel)] != nil, "\(row.preset.name)")
    }
    #expect(comparison.rows.count { !$0.isOracle } == 0)
    let turned = comparison.rows.filter { $0.preset.name == "depthcrafter" }.compactMap(\.turned)
    #expect(turned == ["truth range", "alignment", "clipping"])
    #expect(comparison.rows.contains { $0.turned == "aggregation" })
  }
}
