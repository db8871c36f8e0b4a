import ArgumentParser
import DepthEvaluation
import DepthFusion
import DepthReport
import DepthSynthesis
import Foundation

/// Times every stage on this machine against its target.
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time every stage of one frame on one core of this machine against its target.",
    discussion: """
      The frame is simulated: LiDAR 256×192, relative map 518×392, truth 1920×1440. A stage is everything from the \
      frame to the map: pairs, fit and applying it. Medians; compare ratios, not milliseconds, between machines.
      """)

  @Option(help: "Repetitions of each stage.") var repetitions = 50
  @Option(help: "Also write the frame as raw files (lidar.f32, confidence.u8, relative.f32) to this folder.")
  var export: String?
  @Flag(help: "Print the table as JSON.") var json = false
  @OptionGroup var console: Console

  func validate() throws {
    if repetitions < 3 { throw ValidationError("--repetitions: at least 3 are needed for a median") }
  }

  func run() throws {
    let disparity = frame(.disparity)
    if let export { try write(disparity, to: export) }
    let depth = frame(.depth)
    var rows: [[DataTable.Cell]] = []
    for stage in Stage.all {
      let input = stage.kind == .depth ? depth : disparity
      let milliseconds = stage.measure(input, repetitions: repetitions)
      rows.append([
        .text(stage.id), .number(milliseconds), stage.targetMilliseconds.map { .number($0) } ?? .empty,
        stage.targetMilliseconds.map { .text(milliseconds <= $0 ? "yes" : "no") } ?? .empty,
      ])
    }
    let table = DataTable(columns: ["stage", "median_ms", "target_ms", "within"], rows: rows)
    console.show(json ? table.json : table.csv)
  }

  private func frame(_ network: SyntheticNetwork) -> DepthFrame {
    var options = SynthesisPreset.large.options
    options.networks = [network]
    options.sceneCount = 1
    options.framesPerScene = 1
    return SyntheticScene(options: options, index: 0).frame(0)
  }

  private func write(_ frame: DepthFrame, to folder: String) throws(OutputError) {
    func bytes<Element>(_ values: [Element]) -> Data { values.withUnsafeBytes { Data($0) } }
    let files = [
      ("lidar.f32", bytes(frame.lidar.values)), ("confidence.u8", bytes(frame.confidence?.values ?? [])),
      ("relative.f32", bytes(frame.relative?.values ?? [])),
    ]
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for (name, data) in files { try data.write(to: URL(fileURLWithPath: folder + "/" + name)) }
    } catch {
      throw OutputError(
        kind: .cannotCreate, path: folder, reason: error.localizedDescription,
        advice: "choose another --export")
    }
  }
}

/// A piece of work that is timed.
private struct Stage: Sendable {
  let id: String
  /// Kind of relative map that it is made for.
  let kind: RelativeKind
  /// What it should take at most, on the machine that the targets were set on.
  let targetMilliseconds: Double?
  let work: @Sendable (DepthFrame) -> Void

  static let all: [Stage] =
    [
      fusion(SpecifiedFusion.spec, .depth, target: 0.5),
      fusion(SpecifiedFusion.shipped, .disparity, target: 0.5),
      fusion(FittedFusion(.ols, in: .disparity), .disparity, target: 1.5),
      fusion(FittedFusion(.wls, in: .disparity), .disparity, target: nil),
      fusion(FittedFusion(.huber, in: .disparity), .disparity, target: nil),
      fusion(FittedFusion(.ransac, in: .disparity), .disparity, target: nil),
      fusion(LocalFusion.guided, .disparity, target: 25),
      fusion(LocalFusion.residual, .disparity, target: nil),
      fusion(LocalFusion.lwlr, .disparity, target: nil),
      fusion(AutoFusion(), .disparity, target: nil),
      Stage(id: "evaluate lidar-bilinear at 1920×1440", kind: .disparity, targetMilliseconds: nil) { frame in
        var header = SceneHeader(name: "bench", frameCount: 1)
        header.relativeKind = .disparity
        let plan = EvaluationPlan(methods: (try? MethodCatalogue.parse("lidar-bilinear")) ?? [])
        _ = plan.evaluate(frame, of: SceneContext(header: header, name: "bench", dataDigest: ""))
      },
    ]

  private static func fusion(_ method: some FusionMethod, _ kind: RelativeKind, target: Double?) -> Stage {
    Stage(id: method.id, kind: kind, targetMilliseconds: target) { frame in
      var generator = SplitMix64(seed: 1)
      _ = method.fuse(frame, in: FusionContext(relativeKind: kind), using: &generator)
    }
  }

  /// Median wall time in milliseconds, after three runs to warm up.
  func measure(_ frame: DepthFrame, repetitions: Int) -> Double {
    for _ in 0..<3 { work(frame) }
    let clock = ContinuousClock()
    let times = (0..<repetitions).map { _ in clock.measure { work(frame) } / .milliseconds(1) }
    return OrderStatistics.median(of: times) ?? 0
  }
}
