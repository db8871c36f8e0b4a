import ArgumentParser
import DepthCore
import DepthEvaluation
import DepthFusion
import DepthGraphics
import DepthReport
import DepthSynthesis
import Foundation
import PlainText
import Storage

/// Times every stage on this machine against its target.
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time every stage of one frame on one core of this machine against its target.",
    discussion: """
      The frame is simulated: LiDAR 256×192, relative map 518×392, truth 1920×1440. A stage is everything from the \
      frame to the map: pairs, fit and applying it. Stages named "all pairs" use every LiDAR pixel, 49,152 pairs, the \
      others the usual selection; "fit alone" is the fit to those pairs without selecting them and without the map. \
      "overlay" draws the LiDAR's depth over a picture of 1920×1440, from the map to 8-bit pixels, without encoding. \
      Medians, and minima, which other load disturbs least; compare ratios, not milliseconds, between machines.
      """)

  @Option(help: "Repetitions of each stage.") var repetitions = 50
  @Option(help: "Only stages whose name begins with this: ransac, 'theil-sen fit'.") var only: String?
  @Option(
    help:
      "Also write the frame as raw files (lidar.f32, confidence.u8, relative.f32) and the maps of the local methods (guided.f32, …) to this folder."
  )
  var export: String?
  @Flag(help: "Print the table as JSON.") var json = false
  @OptionGroup var console: Console

  func validate() throws {
    if repetitions < 3 { throw ValidationError("--repetitions: at least 3 are needed for a median") }
    let none = FitProblem(space: .disparity, x: [], y: [])
    if let only, !Stage.all(fitting: none).contains(where: { $0.id.hasPrefix(only) }) {
      throw ValidationError("--only: no stage's name begins with '\(only)'")
    }
  }

  func run() throws {
    let disparity = frame(.disparity)
    if let export { try write(disparity, to: export) }
    let depth = frame(.depth)
    var rows: [[DataTable.Cell]] = []
    for stage in Stage.all(fitting: Stage.allPairs(of: disparity)) where stage.id.hasPrefix(only ?? "") {
      let input = stage.kind == .depth ? depth : disparity
      let times = stage.measure(input, repetitions: repetitions)
      rows.append([
        .text(stage.id), .number(times.median), .number(times.minimum),
        stage.targetMilliseconds.map { .number($0) } ?? .empty,
        stage.targetMilliseconds.map { .text(times.median <= $0 ? "yes" : "no") } ?? .empty,
      ])
    }
    let table = DataTable(columns: ["stage", "median_ms", "min_ms", "target_ms", "within"], rows: rows)
    json ? try console.show(json: table.json) : try console.show(table.csv)
  }

  private func frame(_ network: SyntheticNetwork) -> DepthFrame {
    var options = SynthesisPreset.large.options
    options.networks = [network]
    options.sceneCount = 1
    options.framesPerScene = 1
    return SyntheticScene(options: options, index: 0).frame(0)
  }

  private func write(_ frame: DepthFrame, to folder: String) throws(FathomError) {
    func bytes<Element>(_ values: [Element]) -> Data { values.withUnsafeBytes { Data($0) } }
    var files = [
      ("lidar.f32", bytes(frame.lidar.values)), ("confidence.u8", bytes(frame.confidence?.values ?? [])),
      ("relative.f32", bytes(frame.relative?.values ?? [])),
    ]
    for method in Stage.local {
      var generator = SplitMix64(seed: 1)
      let context = FusionContext(options: FusionOptions(), relativeKind: .disparity)
      let map = method.fuse(frame, in: context, using: &generator).prediction?.depth
      files.append(("\(method.id).f32", bytes(map?.values ?? [])))
    }
    guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
      throw .cannotCreate(folder, SystemReason.words(), "choose another --export")
    }
    for (name, data) in files {
      let file = try AtomicFile(folder + "/" + name, overwrite: true)
      try file.write([UInt8](data))
      try file.commit()
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

  /// - Parameter pairs: What the stages of fits alone take.
  static func all(fitting pairs: FitProblem) -> [Stage] {
    let specified = [
      fusion(SpecifiedFusion.spec, .depth, target: 0.5),
      fusion(SpecifiedFusion.shipped, .disparity, target: 0.5),
    ]
    let usual = [Estimator.ols, .wls].map {
      fusion(FittedFusion($0, in: .disparity), .disparity, target: targets[$0.id])
    }
    let local = local.map { fusion($0, .disparity, target: targets[$0.id]) }
    let wholes: [Stage] = Estimator.all.map(allPairs)
    let fits: [Stage] = Estimator.all.map { fit($0, to: pairs) }
    let choice: [Stage] = [fusion(AutoFusion(), .disparity, target: nil), evaluation]
    return [specified, usual, wholes, fits, local, choice, overlays].flatMap { $0 }
  }

  static let local: [LocalFusion] = [.guided, .residual, .lwlr, .nearestAnchors]

  private static let evaluation = Stage(
    id: "evaluate lidar-bilinear at 1920×1440", kind: .disparity, targetMilliseconds: nil
  ) { frame in
    var header = SceneHeader(name: "bench", frameCount: 1)
    header.relativeKind = .disparity
    let plan = EvaluationPlan(methods: [.lidarBilinear])
    _ = plan.evaluate(frame, of: SceneContext(header: header, name: "bench"))
  }

  /// Of a picture without two equal neighbours.
  private static func pixel(_ index: Int) -> RGBA {
    let (red, green, blue) = (UInt8(index & 255), UInt8(index >> 8 & 255), UInt8(index >> 16 & 255))
    return RGBA(red: red, green: green, blue: blue)
  }

  /// A frame at 60 Hz.
  private static let overlayTarget = 16.0

  private static let overlays: [Stage] = {
    let size = RasterSize(width: 1920, height: 1440)
    let below = Raster(width: size.width, height: size.height, values: (0..<size.count).map(pixel))
    func stage(_ name: String, _ layer: @escaping @Sendable (DepthFrame) -> any PictureLayer) -> Stage {
      Stage(id: "overlay \(name)", kind: .disparity, targetMilliseconds: overlayTarget) { frame in
        // With the copy of the picture that every frame of a camera would be.
        var picture = below
        layer(frame).draw(on: &picture)
      }
    }
    let scale = ColourScale(.turbo, range: 0.5...5, label: "depth", unit: "m")
    return [
      stage("ramp") { DepthRamp($0.lidar) },
      stage("turbo") { PerceptualDepth($0.lidar, scale: scale, opacity: 0.4) },
    ]
  }()

  /// Milliseconds for the pairs of a 256×192 map, the fit and the fused map.
  private static let targets: [String: Double] = [
    "ols": 1.5, "ransac": 3, "huber": 8, "tukey": 8, "lmeds": 15, "lad": 60, "theil-sen": 60,
    "guided": 25,
  ]

  private static func allPairs(_ estimator: Estimator) -> Stage {
    let method = FittedFusion(estimator, in: .disparity)
    var options = FusionOptions()
    options.minConfidence = 0
    options.maxDepth = 1000
    return fusion(
      method, .disparity, target: targets[estimator.id], name: "\(estimator.id) all pairs", options: options)
  }

  /// The pairs of those stages: every return with a positive relative value, in disparity.
  static func allPairs(of frame: DepthFrame) -> FitProblem {
    var (x, y) = ([Double](), [Double]())
    if let relative = frame.relative {
      BilinearSampler(source: frame.lidar.size, target: relative.size).forEachSample(of: relative) {
        index, r in
        let depth = Double(frame.lidar.values[index])
        guard depth > FusionOptions().minDepth && depth < 1000 && r > 0 else { return }
        x.append(r)
        y.append(1 / depth)
      }
    }
    return FitProblem(space: .disparity, x: x, y: y)
  }

  private static func fit(_ estimator: Estimator, to pairs: FitProblem) -> Stage {
    Stage(id: "\(estimator.id) fit alone", kind: .disparity, targetMilliseconds: nil) { _ in
      var generator = SplitMix64(seed: 1)
      _ = try? estimator.fit(pairs, FusionOptions(), &generator)
    }
  }

  private static func fusion(
    _ method: some FusionMethod, _ kind: RelativeKind, target: Double?, name: String? = nil,
    options: FusionOptions = FusionOptions()
  ) -> Stage {
    Stage(id: name ?? method.id, kind: kind, targetMilliseconds: target) { frame in
      var generator = SplitMix64(seed: 1)
      _ = method.fuse(frame, in: FusionContext(options: options, relativeKind: kind), using: &generator)
    }
  }

  /// Median and least time of this thread in milliseconds, after three runs to warm up.
  ///
  /// Every stage is single-threaded: on an idle machine this is the wall time, and on a busy one the waiting for
  /// other processes is left out.
  func measure(_ frame: DepthFrame, repetitions: Int) -> (median: Double, minimum: Double) {
    for _ in 0..<3 { work(frame) }
    let times = (0..<repetitions).map { _ in
      let start = Self.threadMilliseconds
      work(frame)
      return Self.threadMilliseconds - start
    }
    return (OrderStatistics.median(of: times) ?? 0, times.min() ?? 0)
  }

  private static var threadMilliseconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) * 1e-6
  }
}
