import DepthCore
import DepthFusion
import FathomTestSupport
import Testing

@testable import DepthEvaluation

/// A run of networks' maps and a truth. A network's factor by scene and frame; one that is not a number refuses.
private func run(
  scenes: Int = 8, frames: Int = 1, baseline: String,
  _ networks: KeyValuePairs<String, (_ scene: Int, _ frame: Int) -> Float>
) throws -> EvaluationRun {
  let names = networks.map(\.key)
  let plan = EvaluationPlan(
    methods: try MethodCatalogue.parse(
      ([baseline] + names.map { "stored:\($0)" }).firstAppearances.joined(separator: ",")))
  var (contexts, records) = ([SceneContext](), [FrameRecord]())
  for scene in 0..<scenes {
    func made(_ frame: Int) -> [MapScene.Network] {
      networks.map { MapScene.Network($0.key, factor: $0.value(scene, frame)) }
    }
    let context = SceneContext(
      header: MapScene.header("image-\(scene)", frames: frames, made(0)), name: "image-\(scene)")
    contexts.append(context)
    for frame in 0..<frames {
      records += plan.evaluate(MapScene.frame(made(frame), index: frame), of: context)
    }
  }
  return EvaluationRun(plan: plan, scenes: contexts, records: records, baseline: baseline)
}

/// Differs from scene to scene, so that tests have something to rank.
private func factor(_ error: Float) -> (Int, Int) -> Float {
  { scene, _ in 1 + error * (1 + Float(scene) / 100) }
}

@Suite("What a run without a LiDAR shows, as values")
struct MapVerdictTests {
  @Test("of two networks without a LiDAR the first is the baseline and the better one is best")
  func order() throws {
    let run = try run(baseline: "stored:mynet", ["mynet": factor(0.05), "half": factor(0.02)])
    let verdict = RunVerdict(run)
    let ranking = verdict.ranking
    #expect(ranking.column == "mae_m" && ranking.best == "stored:half" && !ranking.baselineIsBest)
    #expect(ranking.placed.map(\.method) == ["stored:half", "stored:mynet"])
    let half = try #require(ranking["stored:half"])
    #expect(half.framesRefused == 0 && half.bothSolved == nil && half.gain.form == "solved")
    #expect(abs((half.gain.gain ?? 0) - 0.6) < 1e-4)
    let contrast = try #require(verdict.contrast)
    #expect(contrast.comparison.method == "stored:half" && contrast.comparison.reference == "stored:mynet")
    #expect(contrast.outcome == .better && !contrast.isDeclared)
    #expect(verdict.references.map(\.reference) == ["stored:mynet"])
    #expect(verdict.references.first?.better == ["stored:half"])
    #expect(verdict.next.kind == .look && verdict.next.method == "stored:half")
    #expect(verdict.inference.scenes == 8 && verdict.leads("stored:half", in: .mae))
    #expect(verdict.filled == nil && verdict.confidence == nil && verdict.specification == nil)
    #expect(verdict.subjects == ["stored:half"])
  }

  @Test("nothing is missing that only a LiDAR would need")
  func data() throws {
    let data = RunVerdict(try run(baseline: "stored:mynet", ["mynet": factor(0.05)])).data
    #expect(!data.hasLidar && data.withoutLidar?.count == 8 && data.scored == 8)
    #expect(data.canShowGain && data.dependent == 0 && data.dependences.isEmpty && data.selected == nil)
    #expect(data.withoutConfidence.isEmpty && data.withoutRelative.isEmpty)
    #expect(data.scoredWithoutRelative.isEmpty)
  }

  @Test("one network is best, and there is no question")
  func one() throws {
    let verdict = RunVerdict(try run(baseline: "stored:mynet", ["mynet": factor(0.05)]))
    #expect(verdict.ranking.best == "stored:mynet" && verdict.contrast == nil && verdict.next.kind == .look)
    #expect(verdict.references.isEmpty)
  }

  @Test("few images need more of them, never a network")
  func few() throws {
    let verdict = RunVerdict(
      try run(scenes: 3, baseline: "stored:mynet", ["mynet": factor(0.05), "half": factor(0.02)]))
    #expect(verdict.next.kind == .needsScenes && verdict.next.scenes == ContrastVerdict.fewestScenes)
  }

  @Test(
    "a network that refuses half of the images has no place, whether it is the baseline or not",
    arguments: ["stored:mynet", "stored:picky"])
  func refusing(baseline: String) throws {
    let verdict = RunVerdict(
      try run(
        scenes: 6, frames: 2, baseline: baseline,
        ["mynet": factor(0.05), "picky": { $1 == 0 ? 1.001 : .nan }]))
    let ranking = verdict.ranking
    #expect(ranking.best == "stored:mynet" && ranking["stored:picky"]?.framesSolved == 6)
    #expect(ranking["stored:picky"]?.reason == .fewerFrames && ranking["stored:picky"]?.place == nil)
    #expect(ranking.passedOver.map(\.method) == ["stored:picky"])
  }

  @Test("a map without depth is refused, says why, and has no values")
  func noDepth() throws {
    let run = try run(scenes: 6, baseline: "stored:p", ["p": { scene, _ in scene == 2 ? .nan : 1.05 }])
    let row = try #require(run.records.first { $0.fusion.status != .ok })
    #expect(row.scene == "image-2" && row.fusion.status == .degenerate && row.values.isEmpty)
    #expect(row.fusion.reason == "the map has no depth where the truth counts")
    #expect(run.aggregation.summary.first?.framesSolved == 5)
  }

  @Test("an error has one scale only where its ranges agree")
  func ranges() throws {
    func course(_ map: (Float) -> Float) throws -> ErrorAnatomy.Bias.Course? {
      let given = try run(scenes: 1, baseline: "stored:p", ["p": { _, _ in 1 }])
      var frame = MapScene.frame([MapScene.Network("p", factor: 1)])
      frame.predictions[0].map.values = frame.predictions[0].map.values.map(map)
      let records = given.plan.evaluate(frame, of: given.scenes[0])
      let run = EvaluationRun(
        plan: given.plan, scenes: given.scenes, records: records, baseline: "stored:p")
      return RunVerdict(run).anatomy(of: "stored:p")?.bias?.course
    }
    #expect(try course { $0 * 1.05 } == .share)
    #expect(try course { 1 / $0 } == .varying)
    #expect(try course { $0 + 0.05 } == .length)
    // Half of it a share of the middle depth, half of it the same length.
    #expect(try course { $0 * 1.01 + 0.02 } == .either)
  }

  @Test("where some scenes have a LiDAR, it decides, and the others are named")
  func mixed() throws {
    let maps = try run(scenes: 2, baseline: "lidar-bilinear", ["mynet": factor(0.05)])
    var header = MapScene.header("room", [MapScene.Network("mynet", factor: 1)])
    header.lidarSize = header.truthSize
    let room = SceneContext(header: header, name: "room")
    var frame = MapScene.frame([MapScene.Network("mynet", factor: 1.03)])
    frame.lidar = try #require(frame.truth)
    let records = Array(maps.records) + maps.plan.evaluate(frame, of: room)
    let run = EvaluationRun(
      plan: maps.plan, scenes: maps.scenes + [room], records: records, baseline: "lidar-bilinear")
    #expect(run.basis == .lidar)
    let verdict = RunVerdict(run)
    #expect(verdict.ranking.column == "mae_m_measured" && verdict.ranking.best == "lidar-bilinear")
    #expect(verdict.data.hasLidar && verdict.data.withoutLidar == ["image-0", "image-1"])
    #expect(verdict.data.withoutConfidence == ["room"] && verdict.data.withoutRelative == ["room"])
    let network = try #require(run.aggregation.summary.first { $0.method == "stored:mynet" })
    #expect(network.scenesWithValue[MetricColumn.mae.position] == 3)
    #expect(network.scenesWithValue[MetricColumn.maeMeasured.position] == 1)
  }
}
