import ArgumentParser
import DepthEvaluation
import DepthReport
import DepthTuning
import Foundation
import Runs
import Storage

/// Searches thresholds and recommends a configuration.
struct Tune: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Search the thresholds of a fusion, validated in scenes that the choice has not seen.",
    discussion: """
      Every option below that takes a list is varied: values separated by commas, or first:last:step. With none of \
      them and without --grid, the app's thresholds are varied around their values. Writes a folder with tuned.yaml (for \
      evaluate --config), tune.csv (every configuration with every metric), folds.csv, scenes.csv, report.html and report.md with \
      figures, tune.json and timing.csv. A change of the app's values is recommended only where the gain in scenes held \
      out has a 99 % interval above zero and exceeds one standard error.
      """)

  @Argument(
    help: "HDF5 data sets, or folders of recordings that import knows.", completion: .file(extensions: ["h5"])
  ) var data: [String]
  @OptionGroup(title: "What is searched, and how") var flags: TuneFlags
  @Option(
    help: "YAML file with any of those options; flags override it.", completion: .file(extensions: ["yaml"]))
  var grid: String?
  @Option(
    help: "YAML file for evaluate with what stays fixed: protocol, weights, clamps, calibration and so on.",
    completion: .file(extensions: ["yaml"])) var config: String?
  @Option(help: "Which truth counts (default: fathom).") var `protocol`: EvaluationProtocol?
  @Option(help: "Seed of every random stream (default: 0).") var seed: UInt64?
  @Option(
    help:
      "What predictions are held against: stored, or multiview, a reference from neighbouring frames: from the recording itself, it cannot show a gain over the LiDAR."
  ) var truth = CalibrationTruth.stored
  @Option(help: "Only these scenes: names or patterns (*, ?, [a-z]), comma-separated or repeated.")
  var scenes: [String] = []
  @Option(
    help: "Only these frames of every scene: A:B from A up to before B, or one, by name or counted from 0.")
  var frames: FrameRange?
  @Option(help: "Folder of the results (default: Reports/<data name>-tuned).", completion: .directory)
  var output: String?
  @OptionGroup var files: DataFlags
  @Flag(help: "Replace an existing folder, and an unfinished search.") var overwrite = false
  @Flag(help: "Go on with an unfinished search; a finished one is left as it is.") var resume = false
  @Option(help: "Frames that are worked on at once (default: the number of cores).") var jobs: Int?
  @Flag(inversion: .prefixedNo, help: "Draw charts.") var figures = true
  @Flag(help: "Print the verdict as JSON instead of text.") var json = false
  @OptionGroup var console: Console

  func validate() throws {
    guard !data.isEmpty else { throw ValidationError("Missing expected argument '<data> ...'") }
    if let jobs, jobs < 1 { throw ValidationError("--jobs: at least 1 is needed") }
    if resume && overwrite { throw ValidationError("--resume and --overwrite exclude each other") }
    if output?.isEmpty == true { throw ValidationError("--output: a folder's name is needed") }
  }

  func run() async throws {
    var timing = RunTiming(jobs: jobs ?? MachineLimits.current.cores)
    let settings = try TuneSettings(flags, grid: grid, config: config, seed: seed, protocol: `protocol`)
    var job = TuneJob(files.selection(data, scenes: scenes, frames: frames), plan: settings.plan)
    job.data.truth = truth
    job.fixed = settings.fixed
    job.jobs = timing.jobs
    let search = try job.open(console.observe)
    let path = output ?? "Reports/" + search.name + "-tuned"
    let fingerprint = try await search.fingerprint
    if resume, FileManager.default.fileExists(atPath: path + "/" + FolderKind.tuning.marker) {
      // Refuses a finished search of something else.
      _ = try TuningCheckpoint(in: path, fingerprint: fingerprint)
      if !json { try console.show("\(path) is finished; nothing to do") }
      return
    }
    let isResumed = resume && AtomicFolder.isUnfinished(path, holding: TuningCheckpoint.fingerprintFile)
    var folder = try openFolder(path)
    if isResumed { folder.keepWork() }
    let checkpoint = try TuningCheckpoint(in: folder.partial, fingerprint: fingerprint)
    let observe = console.observe
    let result = try await search.run(checkpoint: checkpoint) {
      folder.keepWork()
    } _: { event in
      if case .began(.confirming, _) = event { timing.note("search_seconds") }
      observe(event)
    }
    try result.write(to: folder, figures: figures)
    timing.finish(data: data, output: path)
    try folder.write(timing.table.factsTable.csv, to: "timing.csv")
    let scores = TuningCheckpoint.scoreFiles(scenes: result.run.scenes.count)
    try folder.commit(manifest: result.report.json, leavingOut: Set(scores))
    for file in scores { try? FileManager.default.removeItem(atPath: path + "/" + file) }
    if json {
      try console.show(json: result.report.json, beside: path)
    } else {
      try console.show(result.report.console(path: path), beside: path)
    }
  }

  /// The folder that is written; an unfinished search in it is gone on with, or refused.
  private func openFolder(_ path: String) throws -> AtomicFolder {
    let isUnfinished = AtomicFolder.isUnfinished(path, holding: TuningCheckpoint.fingerprintFile)
    guard !isUnfinished || resume || overwrite else {
      throw FathomError.cannotCreate(
        path, "an unfinished search is there", "go on with --resume, or begin again with --overwrite")
    }
    return try AtomicFolder(path, kind: .tuning, overwrite: overwrite, adopts: resume)
  }
}
