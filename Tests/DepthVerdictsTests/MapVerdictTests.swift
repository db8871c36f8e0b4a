import DepthCore
import DepthFusion
import FathomTestSupport
import Foundation
import Testing

@testable import DepthEvaluation
@testable import DepthVerdicts

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

  @Test("neighbouring images that are alike do not show a difference, and others do")
  func dependence() throws {
    func contrast(_ step: Int) throws -> ContrastVerdict {
      let run = try run(
        scenes: 24, baseline: "stored:a",
        [
          "a": { _, _ in 1.05 },
          "b": { scene, _ in 1.04 + 0.02 * Float(sin(Double(scene * step % 24) * .pi / 12)) },
        ])
      return try #require(RunVerdict(run).contrast)
    }
    let video = try contrast(1), mixed = try contrast(7)
    #expect(video.outcome == .undecided && (video.dependence ?? 0) > 0.8 && (video.p ?? 1) < 0.05)
    #expect(mixed.outcome == .better && mixed.dependence == nil)
  }

  @Test("scenes with the errors of others are copies, and those with errors of their own are not")
  func copies() throws {
    func run(_ copied: Int) throws -> EvaluationRun {
      let plan = EvaluationPlan(methods: try MethodCatalogue.parse("stored:p"))
      var (contexts, records) = ([SceneContext](), [FrameRecord]())
      for scene in 0..<10 {
        let made = [MapScene.Network("p", factor: 1.02 + 0.001 * Float(scene < copied ? 0 : scene))]
        let context = SceneContext(
          header: MapScene.header("image-\(scene)", frames: 1, made), name: "image-\(scene)")
        contexts.append(context)
        for var record in plan.evaluate(MapScene.frame(made, index: 0), of: context) {
          record.storedTruthCount = 1000
          (record.errors, record.pixels) = (nil, nil)
          records.append(record)
        }
      }
      return EvaluationRun(plan: plan, scenes: contexts, records: records, baseline: "stored:p")
    }
    let (own, copied) = (try run(0), try run(3))
    #expect(InputDoubt.copies(own).isEmpty && RunVerdict(own).doubts == nil)
    #expect(InputDoubt.copies(copied) == [["image-0", "image-1", "image-2"]])
    #expect(RunVerdict(copied).doubts == [.copiedScenes])
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
    #expect(row.fusion.reason == "there is no map, or none with depth")
    #expect(run.aggregation.summary.first?.framesSolved == 5)
  }

  /// Images of a network whose maps are made of the truth, pixel by pixel.
  private func verdict(
    scenes: Int, baseline: String = "stored:p",
    _ maps: KeyValuePairs<String, (_ scene: Int, _ pixel: Int, _ truth: Float) -> Float>
  ) throws -> RunVerdict {
    let networks = maps.map { MapScene.Network($0.key, factor: 1) }
    let plan = EvaluationPlan(
      methods: try MethodCatalogue.parse(networks.map { "stored:\($0.name)" }.joined(separator: ",")))
    var (contexts, records) = ([SceneContext](), [FrameRecord]())
    for scene in 0..<scenes {
      let name = "image-\(scene)", context = SceneContext(header: MapScene.header(name, networks), name: name)
      var frame = MapScene.frame(networks)
      for (index, map) in maps.enumerated() {
        frame.predictions[index].map.values = frame.predictions[index].map.values.enumerated()
          .map { map.value(scene, $0, $1) }
      }
      contexts.append(context)
      records += plan.evaluate(frame, of: context)
    }
    return RunVerdict(EvaluationRun(plan: plan, scenes: contexts, records: records, baseline: baseline))
  }

  @Test("an error has one scale only where its ranges agree")
  func ranges() throws {
    func course(_ map: @escaping (Float) -> Float) throws -> ErrorAnatomy.Bias.Course? {
      try verdict(scenes: 1, ["p": { map($2) }]).anatomy(of: "stored:p")?.bias?.course
    }
    #expect(try course { $0 * 1.05 } == .share)
    #expect(try course { 1 / $0 } == .varying)
    #expect(try course { $0 + 0.05 } == .length)
    // Half of it a share of the middle depth, half of it the same length.
    #expect(try course { $0 * 1.01 + 0.02 } == .either)
  }

  @Test("few pixels, one image, and images that differ are told from a bias of all")
  func causes() throws {
    func anatomy(_ map: @escaping (Int, Int, Float) -> Float) throws -> ErrorAnatomy {
      try #require(try verdict(scenes: 8, ["p": map]).anatomy(of: "stored:p"))
    }
    let alike = try anatomy { $2 * 1.05 }
    #expect(alike.bias?.isOfFewPixels == false && alike.frames?.isOfOne == false)
    #expect(abs((alike.frames?.bias ?? 0) - 1) < 1e-6)
    #expect(try anatomy { $1 % 20 == 0 ? $2 + 1 : $2 }.bias?.isOfFewPixels == true)
    // A quarter of the pixels 20 cm too far, the others 1 cm: most of them do not have the mean of 58 mm.
    let quarter = try anatomy { $2 + ($1 % 4 == 0 ? 0.2 : 0.01) }.bias
    #expect(quarter?.isOfFewPixels == false && quarter?.course == .varying)
    let one = try anatomy { $0 == 5 ? $2 * 1.3 : $2 * ($1 % 2 == 0 ? 1.005 : 0.995) }
    #expect(one.frames?.isOfOne == true && one.frames?.scene == "image-5")
    let turned = try anatomy { $2 * ($0 % 2 == 0 ? 1.04 : 0.96) }
    #expect((turned.frames?.bias ?? 0) > 0.99 && (turned.bias?.share ?? 1) < 0.1)
    #expect(alike.scenes?.differ == false && alike.scenes?.following == 1)
    // Two of eight half too far: together an eighth too far at every depth, as none of them is.
    let some = try anatomy { $2 * ($0 < 2 ? 1.5 : 1.005) }
    #expect(some.bias?.course == .share && some.scenes?.differ == true)
    #expect(some.scenes?.highest.scene == "image-1" && some.scenes?.lowest.scene == "image-2")
    let few = try #require(
      try verdict(scenes: 12, ["p": { $2 * ($0 == 3 || $0 == 7 ? 1.6 : 1.005) }]).anatomy(of: "stored:p")?
        .frames)
    #expect(few.areFew && few.half?.frames == 2 && few.half?.scenes == 2 && few.half?.scene == nil)
    #expect(few.half?.part.error ?? 0 > 0.9 && abs((few.half?.part.pixels ?? 0) - 1 / 6) < 0.01)
    #expect(alike.frames?.areFew == false && alike.frames?.half?.frames == 4)
    let shares = alike.bias?.largest.compactMap(\.share) ?? []
    #expect(shares.count == 2 && shares[0] >= shares[1] && shares.reduce(0, +) <= 1)
  }

  @Test("a network that leaves out pixels is not compared with one that covers them", arguments: ["p", "q"])
  func leavingOut(first: String) throws {
    let bad: (Int, Int, Float) -> Float = { $2 * ($1 % 8 == 0 ? 1.3 : 1.01 + 0.001 * Float($0)) }
    let maps: KeyValuePairs<String, (Int, Int, Float) -> Float> = [
      "p": bad, "q": { $1 % 8 == 0 ? .nan : bad($0, $1, $2) },
    ]
    let verdict = try verdict(scenes: 8, baseline: "stored:\(first)", maps)
    #expect(verdict.ranking.best == "stored:p")
    #expect(verdict.ranking["stored:q"]?.reason == .lessCoverage)
    #expect(verdict.contrast?.outcome == .notComparable && verdict.contrast?.comparison.obstacle == .coverage)
    #expect(verdict.next.kind == .look)
  }

  @Test("so is any other network of the run, whatever its question")
  func leavingOutBeside() throws {
    let verdict = try verdict(
      scenes: 8,
      [
        "p": { $2 * (1.05 + 0.001 * Float($0)) }, "q": { $2 * (1.02 + 0.001 * Float($0)) },
        "r": { $1 % 8 == 0 ? .nan : $2 * (1.01 + 0.001 * Float($0)) },
      ])
    #expect(verdict.contrast?.outcome == .better && verdict.contrast?.comparison.obstacle == nil)
    #expect(verdict.ranking["stored:r"]?.gain.obstacle == .coverage)
    #expect(verdict.references.first?.better == ["stored:q"])
  }

  @Test("as many scenes are asked for as show the difference that was found")
  func scenesForDifference() throws {
    let noisy: (Float) -> (Int, Int, Float) -> Float = { gain in
      { $2 * (1.05 + 0.02 * Float($0 * 5 % 8) / 8 - ($0 % 3 == 0 ? gain : -gain / 2.2)) }
    }
    let verdict = try verdict(
      scenes: 8, ["p": { $2 * (1.05 + 0.02 * Float($0 * 5 % 8) / 8) }, "q": noisy(0.01)])
    let contrast = try #require(verdict.contrast)
    #expect(contrast.outcome == .undecided && verdict.next.kind == .needsScenes)
    #expect(verdict.next.scenes == contrast.scenesForDifference)
    #expect(try #require(contrast.scenesForDifference) > 8)
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
