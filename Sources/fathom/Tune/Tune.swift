import DepthReport
import FathomTables
import FathomRunFolders
import ArgumentParser
import DepthEvaluation
import DepthTuning
import DepthDataset
import Foundation
import FathomRuns
import FathomStorage

/// Searches thresholds and recommends a configuration.
struct Tune: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Search the thresholds of a fusion, and validate the choice on other scenes.",
    discussion: """
      Every option below that takes a list is varied: values separated by commas, or first:last:step. With none of \
      them and without --grid, the app's thresholds are varied around their values. Writes a folder with tuned.yaml (for \
      evaluate --config), tune.csv (every configuration with every metric), folds.csv, scenes.csv, report.html and report.md with \
      figures, tune.json, verdict.json and timing.csv. A change of the app's values is recommended only where the gain in scenes held \
      out has a 99 % interval above zero and exceeds one standard error.
      """)

  @Argument(
    help: "HDF5 data sets, or folders of recordings that import knows.", completion: .file(extensions: ["h5"])
  ) var data: [String]
  @OptionGroup(title: "What is searched, and how") var flags: TuneFlags
  @Option(
    help: "YAML file with any of the options above; flags override it.",
    completion: .file(extensions: ["yaml"]))
  var grid: String?
  @Option(
    help: "YAML file for evaluate with what stays fixed: protocol, weights, clamps, calibration and so on.",
    completion: .file(extensions: ["yaml"])) var config: String?
  @Option(help: "Which truth counts (default: fathom).") var `protocol`: EvaluationProtocol?
  @Option(help: "Seed of every random stream (default: 0).") var seed: UInt64?
  @Option(
    help:
      "What predictions are compared with: the stored truth, or multiview, a reference made of neighbouring frames. multiview cannot show a gain over the LiDAR."
  ) var truth = TruthOrigin.stored
  @Option(help: "Only these scenes: names or patterns (*, ?, [a-z]), comma-separated or repeated.")
  var scenes: [String] = []
  @Option(
    help: "Only these frames of every scene: A:B from A up to before B, or one, by name or counted from 0.")
  var frames: FrameRange?
  @Option(help: "Folder of the results (default: Reports/<data name>-tuned).", completion: .directory)
  var output: String?
  @OptionGroup var files: DataFlags
  @Flag(help: "Replace an existing folder, and an unfinished search.") var overwrite = false
  @Option(
    help: ArgumentHelp(
      "Score only part I of N of the scenes, from 1; 'fathom merge' does the rest of the search.",
      valueName: "i/N"))
  var shard: ScenePart?
  @Flag(
    help: "Continue an unfinished search, or start one that can be continued; a finished one is left alone."
  ) var resume = false
  @Option(help: "Frames processed at once (default: the number of cores).") var jobs: JobCount?
  @Flag(inversion: .prefixedNo, help: "Draw charts.") var figures = true
  @Flag(help: "Print the verdict as JSON instead of text.") var json = false
  @OptionGroup var console: Console

  func validate() throws {
    guard !data.isEmpty else { throw ValidationError("Missing expected argument '<data> ...'") }
    if resume && overwrite { throw ValidationError("--resume and --overwrite exclude each other") }
    if shard != nil && output == nil {
      throw ValidationError("--shard: an --output is needed, one for each shard")
    }
    if output?.isEmpty == true { throw ValidationError("--output: a folder's name is needed") }
  }

  func run() async throws {
    var timing = RunTiming(jobs: jobs?.count ?? MachineLimits.current.cores)
    let search = try open()
    if let shard { return try await write(shard, of: search) }
    let path = output ?? "Reports/" + search.name + "-tuned"
    let fingerprint = try await search.fingerprint.text
    if resume, AtomicFolder.isFinished(path, kind: .tuning) {
      // Refuses a finished search of something else.
      _ = try SceneCheckpoint(in: path, kind: .tuning, task: fingerprint)
      try StoredFolder(path, kinds: [.tuning], attempted: "go on with").verify()
      if !json { try console.show("\(path) is finished; nothing to do") }
      return
    }
    var folder = try openFolder(path, .tuning)
    let checkpoint = try SceneCheckpoint(in: folder.partial, kind: .tuning, task: fingerprint)
    let observe = console.observe
    let result = try await search.run(checkpoint: checkpoint) {
      folder.keepPartial()
    } _: { event in
      if case .began(.confirming, _) = event { timing.note("search_seconds") }
      observe(event)
    }
    // What the search was stays, so that a finished one can be told from another.
    let kept = SceneCheckpoint.files(in: folder.partial, kind: .tuning).filter {
      $0 != FolderKind.tuning.checkpoint
    }
    try finish(result, of: search, in: folder, &timing, leavingOut: kept)
  }

  /// Does the rest of a search whose scenes were scored in parts.
  func run(merging parts: PartSet) async throws {
    var timing = RunTiming(jobs: jobs?.count ?? MachineLimits.current.cores)
    let search = try open()
    let folder = try AtomicFolder(
      output ?? "Reports/" + search.name + "-tuned", kind: .tuning, overwrite: overwrite)
    let result = try await search.run(merging: parts, console.observe)
    // As the undivided search leaves it.
    try folder.write(try await search.fingerprint.text, to: FolderKind.tuning.checkpoint ?? "")
    try finish(result, of: search, in: folder, &timing, leavingOut: [])
  }

  private func open() throws -> OpenSearch {
    let settings = try TuneSettings(flags, grid: grid, config: config, seed: seed, protocol: `protocol`)
    console.question(settings.doubts)
    var job = TuneJob(files.selection(data, scenes: scenes, frames: frames), plan: settings.plan)
    job.data.truth = truth
    job.fixed = settings.fixed
    job.jobs = jobs?.count ?? MachineLimits.current.cores
    job.part = shard
    return try job.open(console.observe)
  }

  /// Scores the scenes of a part, and keeps them for the merge.
  private func write(_ shard: ScenePart, of search: OpenSearch) async throws {
    let path = output ?? ""
    let task = try search.task
    try await console.writePart(
      shard, task: task, kind: .tuningShard, to: path, resume: resume, overwrite: overwrite, json: json
    ) { checkpoint in
      try await search.fill(checkpoint, console.observe)
    }
  }

  private func finish(
    _ result: TuneResult, of search: OpenSearch, in folder: consuming AtomicFolder,
    _ timing: inout RunTiming, leavingOut kept: [String]
  ) throws {
    let path = folder.path
    try result.write(to: folder, figures: figures)
    timing.protections = search.protections
    timing.finish(namesMachine: console.verbose)
    try folder.write(timing.table.factsTable.csv, to: "timing.csv")
    try folder.commit(manifest: result.manifest.json, leavingOut: Set(kept))
    if json {
      try console.show(json: result.manifest.json, beside: path)
    } else {
      try console.show(result.report(in: path).console(path: path), beside: path)
    }
  }

  /// The folder that is written; an unfinished search in it is gone on with, or refused.
  private func openFolder(_ path: String, _ kind: FolderKind) throws -> AtomicFolder {
    try AtomicFolder.resumable(path, kind: kind, resume: resume, overwrite: overwrite)
  }
}
