import FathomCommandLine
import FathomTables
package import ArgumentParser
import enum DepthDataset.SchemaLimits
import DepthSynthesis
import Foundation
import FathomRuns
import Logging

/// Writes a data set whose truth is exact.
package struct Synthesize: AsyncParsableCommand {
  package init() {}
  package static let configuration = CommandConfiguration(
    abstract: "Write a data set with exact truth from simulated rooms, LiDAR, network and detector.",
    discussion: "Presets:\n"
      + SynthesisPreset.allCases.map { "  \($0.rawValue): \($0.summary)" }.joined(separator: "\n")
      + "\n\nThe same preset, options and seed give the same bytes.")

  @Argument(help: "File to write.", completion: .file(extensions: ["h5"])) var output: String
  @Option(help: "What to simulate.") var preset = SynthesisPreset.demo
  @Option(help: "Seed (default: the preset's, 1 but for large).") var seed: UInt64?
  @Option(help: "Number of scenes, at most 4096 (default: the preset's).") var scenes: Int?
  @Option(help: "Frames of each scene (default: the preset's).") var frames: Int?
  @Option(help: "Shares of confidence 2,1,0 (default: the preset's, mostly 0.87,0.10,0.03).")
  var levelShares: LevelShares?
  @Option(help: "Frames made at once (default: the number of cores).") var jobs: JobCount?
  @Flag(help: "Replace an existing file.") var overwrite = false
  @Flag(help: "Print the result as JSON.") var json = false
  @OptionGroup var console: Console

  package func validate() throws {
    for (name, value) in [("--scenes", scenes), ("--frames", frames)] {
      if let value, value < 1 { throw ValidationError("\(name): at least 1 is needed") }
    }
    if let scenes, scenes > SchemaLimits.scenes {
      throw ValidationError("--scenes: a file holds at most \(SchemaLimits.scenes); write several files")
    }
  }

  package func run() async throws {
    var options = preset.options
    if let seed { options.seed = seed }
    if let scenes { options.sceneCount = scenes }
    if let frames { options.framesPerScene = frames }
    if let levelShares { options.levelShares = levelShares.shares }
    let bar = ProgressBar("rendering", total: options.sceneCount * options.framesPerScene, console: console)
    let start = ContinuousClock.now
    try await SyntheticDataset.write(
      options, to: output, overwrite: overwrite, jobs: jobs?.count ?? MachineLimits.current.cores,
      createdBy: Version.name
    ) { done, _ in bar.advance(to: done) }
    let seconds = start.duration(to: .now) / .seconds(1)
    console.log.info("took \(seconds) s")
    let bytes = (try? FileManager.default.attributesOfItem(atPath: output)[.size] as? Int) ?? 0
    if json {
      let row: [DataTable.Cell] = [
        .text(output), .text(preset.rawValue), .integer(options.sceneCount),
        .integer(options.sceneCount * options.framesPerScene), .integer(bytes),
      ]
      let columns = ["file", "preset", "scenes", "frames", "bytes"]
      try console.show(json: DataTable(columns: columns, rows: [row]).json, beside: output)
    } else {
      let megabytes = (Double(bytes) / 1e5).rounded() / 10
      try console.show(
        "\(output): preset \(preset.rawValue), \(options.sceneCount) scenes × \(options.framesPerScene) frames, \(megabytes) MB",
        beside: output)
    }
  }
}
