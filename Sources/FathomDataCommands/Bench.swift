import FathomCommandLine
import FathomTables
package import ArgumentParser
import DepthCore
import DepthDataset
import DepthFusion
import DepthRendering
import DepthSynthesis
import Foundation
import FathomPlainText
import FathomStorage

/// Times every stage on this machine against its target.
package struct Bench: ParsableCommand {
  package init() {}
  package static let configuration = CommandConfiguration(
    abstract: "Time every stage of a run on one core of this machine.",
    discussion: """
      The frame is simulated: LiDAR 256×192, relative map 518×392, truth 1920×1440. A stage is everything from the \
      frame to the map: pairs, fit and applying it. Stages named "all pairs" use every LiDAR pixel, 49,152 pairs, the \
      others the usual selection; "fit alone" is the fit to those pairs without selecting them and without the map. \
      The stages of a run are reading a frame, its file's digest, scoring ("evaluate"), statistics and tables; \
      `evaluate --verbose` shows what your own run takes. "overlay" draws the LiDAR's depth over a picture of 1920×1440, \
      from the map to 8-bit pixels, without encoding. \
      Medians, and minima, which other load disturbs least; compare ratios, not milliseconds, between machines.
      """)

  @Option(help: "Repetitions of each stage.") var repetitions = 50
  @Option(help: "Only stages whose name begins with this: ransac, 'theil-sen fit'.") var only: String?
  @Option(
    help:
      "Also write the frame as raw files (lidar.f32, confidence.u8, relative.f32) and the maps of the local methods (guided.f32, …) to this folder."
  ) var export: String?
  @Flag(help: "Print the table as JSON.") var json = false
  @OptionGroup var console: Console

  package func validate() throws {
    if repetitions < 3 { throw ValidationError("--repetitions: at least 3 are needed for a median") }
    let none = FitProblem(space: .disparity, x: [], y: [])
    if let only, !BenchStage.all(fitting: none, file: "").contains(where: { $0.id.hasPrefix(only) }) {
      let known = BenchStage.all(fitting: none, file: "").map(\.id)
      let first = known.map { String($0.prefix { $0 != " " }) }.firstAppearances
      throw ValidationError(
        "--only: no stage's name begins with '\(only)'; \(EditDistance.advice(for: only, among: first))")
    }
  }

  package func run() throws {
    let scene = scene(.disparity)
    let disparity = scene.frame(0)
    if let export { try write(disparity, to: export) }
    let depth = self.scene(.depth).frame(0)
    var rows: [[DataTable.Cell]] = []
    let folder = try ScratchFolder()
    // It goes with its last owner.
    defer { withExtendedLifetime(folder) {} }
    let file = folder.path + "/frame.h5"
    let stages = BenchStage.all(fitting: BenchStage.allPairs(of: disparity), file: file)
      .filter { $0.id.hasPrefix(only ?? "") }
    if stages.contains(where: \.readsFile) {
      try write(disparity, of: scene.header, as: file)
    }
    let bar = ProgressBar("Timing", total: stages.count, console: console)
    for stage in stages {
      defer { bar.advance() }
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

  private func scene(_ network: SyntheticNetwork) -> SyntheticScene {
    var options = SynthesisPreset.large.options
    options.networks = [network]
    options.sceneCount = 1
    options.framesPerScene = 1
    return SyntheticScene(options: options, index: 0)
  }

  /// The frame as a data set of the usual compression.
  private func write(_ frame: DepthFrame, of scene: SceneHeader, as file: String) throws(FathomError) {
    var writer = try DatasetWriter(creating: file, attributes: DatasetAttributes(), overwrite: false)
    try writer.addScene(scene)
    try writer.write(frame, to: scene.name)
    try writer.commit()
  }

  private func write(_ frame: DepthFrame, to folder: String) throws(FathomError) {
    func bytes<Element>(_ values: [Element]) -> Data { values.withUnsafeBytes { Data($0) } }
    var files = [
      ("lidar.f32", bytes(frame.lidar.values)), ("confidence.u8", bytes(frame.confidence?.values ?? [])),
      ("relative.f32", bytes(frame.relative?.values ?? [])),
    ]
    for method in BenchStage.local {
      var generator = SplitMix64(seed: 1)
      let context = FusionContext(options: FusionOptions(), relativeKind: .disparity)
      let map = method.fuse(frame, in: context, using: &generator).prediction?.depth
      files.append(("\(method.id).f32", bytes(map?.values ?? [])))
    }
    guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
      throw .cannotCreate(folder, SystemFault.last.words, "choose another --export")
    }
    for (name, data) in files {
      let file = try AtomicFile(folder + "/" + name, overwrite: true)
      try file.write([UInt8](data))
      try file.commit()
    }
  }
}
