import FathomCommandLine
import FathomJobReports
import FathomTables
import FathomRunFolders
package import ArgumentParser
import DepthEvaluation
import DepthDataset
import Foundation
import FathomRuns
import FathomStorage

/// Searches thresholds and recommends a configuration.
package struct Tune: AsyncParsableCommand {
  package init() {}
  package static let configuration = CommandConfiguration(
    abstract: "Search the thresholds of a fusion, and validate the choice on other scenes.",
    discussion: """
      Every option below that takes a list is varied: values separated by commas, or first:last:step. With none of \
      them and without --grid, the specified defaults are varied. Writes a folder with tuned.yaml (for \
      evaluate --config), tune.csv (every configuration with every metric), folds.csv, scenes.csv, report.html and report.md with \
      figures, tune.json, verdict.json and timing.csv. A change of the specified defaults is recommended only where the gain in held-out \
      scenes has a 99 % interval above zero and exceeds one standard error.
      """)

  @Argument(
    help: "HDF5 data sets, or folders of recordings that import knows.", completion: .file(extensions: ["h5"])
  ) var data: [String] = []
  @OptionGroup(title: "What is searched, and how") var flags: TuneFlags
  @Option(
    help: "YAML file with any of the options above; flags override it.",
    completion: .file(extensions: ["yaml"])) var grid: String?
  @Option(
    help: "YAML file for evaluate with the fixed options: protocol, weights, clamps, calibration and so on.",
    completion: .file(extensions: ["yaml"])) var config: String?
  @Option(help: "Which truth counts (default: fathom).") var `protocol`: EvaluationProtocol?
  @Option(help: "Seed of every random stream (default: 0).") var seed: UInt64?
  @Option(
    help:
      "What predictions are compared with: the stored truth, or multiview, a reference made from neighbouring frames. multiview cannot show a gain over the LiDAR."
  ) var truth = TruthOrigin.stored
  @Option(help: "Only these scenes: names or patterns (*, ?, [a-z]), comma-separated or repeated.")
  var scenes: [String] = []
  @Option(
    help: "Only these frames of every scene: A:B from A up to before B, or one, by name or counted from 0.")
  var frames: FrameRange?
  @Option(help: "Folder of the results (default: Reports/<data name>-tuned).", completion: .directory)
  var output: String?
  @OptionGroup(visibility: .hidden) var inputs: InputFlags
  @OptionGroup var files: DataFlags
  @Flag(help: "Replace an existing folder, and an unfinished search.") var overwrite = false
  @Option(
    help: ArgumentHelp(
      "Score only part I of N of the scenes, from 1; 'fathom merge' does the rest of the search.",
      valueName: "i/N")) var shard: ScenePart?
  @Flag(
    help: "Continue an unfinished search, or start one that can be continued; a finished one is not changed."
  ) var resume = false
  @Option(help: "Frames processed at once (default: the number of cores).") var jobs: JobCount?
  @Flag(inversion: .prefixedNo, help: "Draw charts.") var figures = true
  @Flag(help: "Print the verdict as JSON instead of text.") var json = false
  @OptionGroup var console: Console

  package func validate() throws {
    try inputs.check(data)
    if resume && overwrite { throw ValidationError("--resume and --overwrite exclude each other") }
    if shard != nil && output == nil {
      throw ValidationError("--shard: an --output is needed, one for each shard")
    }
    if output?.isEmpty == true { throw ValidationError("--output: a folder's name is needed") }
  }

  package func run() async throws {
    var timing = RunTiming(jobs: jobs?.count ?? MachineLimits.current.cores)
    let job = try job
    let observe = console.observe
    if let shard {
      let path = output ?? ""
      let isNew = try await job.writeShard(shard, to: path, resume: resume, overwrite: overwrite, observe)
      return try console.show(shard, at: path, isNew: isNew, json: json)
    }
    let search = try job.open(observe)
    let path = output ?? search.standardPath
    let task = try await search.fingerprint
    if resume, try WorkFolder.isFinished(path, kind: .tuning, task: task) {
      return try console.showFinished(path, json: json)
    }
    var folder = try AtomicFolder.resumable(path, kind: .tuning, resume: resume, overwrite: overwrite)
    let work = try WorkFolder(in: folder.partial, kind: .tuning, task: task)
    let result = try await search.run(in: work) {
      folder.keepPartial()
    } _: { event in
      if case .began(.confirming, _) = event { timing.note("search_seconds") }
      observe(event)
    }
    // What the search was stays, so that a finished one can be told from another.
    try console.finish(
      result, of: search, in: folder, timing, figures: figures, json: json, leavingOut: work.files)
  }

  private var job: TuneJob {
    get throws {
      let settings = try TuneSettings(flags, grid: grid, config: config, seed: seed, protocol: `protocol`)
      console.question(settings.doubts)
      console.warnOfOmissions(in: data, mapping: files.mapping)
      let paths = try inputs.paths(data, mapping: files.mapping)
      var job = TuneJob(files.selection(paths, scenes: scenes, frames: frames), plan: settings.plan)
      job.data.truth = truth
      job.fixed = settings.fixed
      job.jobs = jobs?.count ?? MachineLimits.current.cores
      return job
    }
  }
}

extension OpenSearch {
  var standardPath: String { "Reports/\(name)-tuned" }  // Folder of the results where none is named.
}

extension Console {
  /// Writes a search, gives its folder the final name, and shows what was found.
  /// - Parameter work: Files in the folder that do not belong to the result.
  func finish(
    _ result: TuneResult, of search: OpenSearch, in folder: consuming AtomicFolder, _ timing: RunTiming,
    figures: Bool, json: Bool, leavingOut work: [String] = []
  ) throws {
    let path = folder.path
    try result.write(to: folder, figures: figures)
    var timing = timing
    timing.protections = search.protections
    timing.finish(namesMachine: verbose)
    try folder.write(timing.table.factsTable.csv, to: "timing.csv")
    try folder.commit(manifest: result.manifest.json, leavingOut: Set(work))
    if json {
      try show(json: result.manifest.json, beside: path)
    } else {
      try show(result.report(in: path).console(path: path), beside: path)
    }
  }
}
