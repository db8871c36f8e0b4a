import ArgumentParser
import DepthCharts
import DepthDataset
import DepthEvaluation
import DepthReport
import DepthTuning
import Foundation
import Logging
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

  @Argument(help: "HDF5 data sets, schema version 1.", completion: .file(extensions: ["h5"])) var data:
    [String]
  @OptionGroup(title: "What is searched, and how") var flags: TuneFlags
  @Option(
    help: "YAML file with any of those options; flags override it.", completion: .file(extensions: ["yaml"]))
  var grid: String?
  @Option(
    help: "YAML file for evaluate with what stays fixed: protocol, weights, clamps, calibration and so on.",
    completion: .file(extensions: ["yaml"])) var config: String?
  @Option(help: "Which truth counts (default: fathom).") var `protocol`: EvaluationProtocol?
  @Option(help: "Seed of every random stream (default: 0).") var seed: UInt64?
  @Option(help: "Only these scenes: names or patterns (*, ?, [a-z]), comma-separated or repeated.")
  var scenes: [String] = []
  @Option(help: "Only frames A to B-1 of every scene; either may be left out.") var frames: FrameRange?
  @Option(help: "Folder of the results (default: Reports/<data name>-tuned).", completion: .directory)
  var output: String?
  @OptionGroup var files: DataFlags
  @Flag(help: "Replace an existing folder, and an unfinished search.") var overwrite = false
  @Flag(help: "Go on with an unfinished search; a finished one is left as it is.") var resume = false
  @Option(help: "Frames that are worked on at once (default: the number of cores).") var jobs: Int?
  @Flag(inversion: .prefixedNo, help: "Draw figures, for which gnuplot is needed.") var figures = true
  @Flag(help: "Print the verdict as JSON instead of text.") var json = false
  @OptionGroup var console: Console

  func validate() throws {
    guard !data.isEmpty else { throw ValidationError("Missing expected argument '<data> ...'") }
    if let jobs, jobs < 1 { throw ValidationError("--jobs: at least 1 is needed") }
    if resume && overwrite { throw ValidationError("--resume and --overwrite exclude each other") }
    if output?.isEmpty == true { throw ValidationError("--output: a folder's name is needed") }
  }

  func run() async throws {
    var timing = RunTiming(jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount)
    let settings = try TuneSettings(flags, grid: grid, config: config, seed: seed, protocol: `protocol`)
    if figures { try ChartRenderer.requireGnuplot() }
    let plan = settings.plan
    let inputs = try RunInputs(
      data, files, keepGoing: false, scenes: SceneChoice(scenes), rules: plan.rules, log: console.log)
    let evaluator = TuneEvaluator(
      plan: plan, inputs: inputs, frames: frames, jobs: timing.jobs, console: console)
    var places = try evaluator.places()
    let path = output ?? "Reports/" + inputs.name + "-tuned"
    let names = places.map(\.scene.name)
    let fingerprint = TuningFingerprint(
      plan, base: plan.grid.configurations[SearchGrid.reference].options,
      files: inputs.files.map(\.digests.whole), scenes: names, frames: frames?.description)
    if resume, FileManager.default.fileExists(atPath: path + "/" + FolderKind.tuning.marker) {
      // Refuses a finished search of something else.
      _ = try TuningCheckpoint(in: path, fingerprint: fingerprint)
      if !json { try console.show("\(path) is finished; nothing to do") }
      return
    }
    let isResumed = resume && AtomicFolder.isUnfinished(path, holding: TuningCheckpoint.fingerprintFile)
    var folder = try openFolder(path)
    if isResumed {
      folder.keepWork()
    }
    let checkpoint = try TuningCheckpoint(in: folder.partial, fingerprint: fingerprint)
    let search = try await evaluator.scores(
      .everything(plan), in: &places, title: "searching",
      known: { index in
        checkpoint.scores(
          index, scene: names[index], configurations: Array(plan.grid.configurations.indices))
      },
      finished: { index, scores in
        // A search that is gone on with must not take over scores of other data.
        try inputs.requireUnchanged()
        try checkpoint.keep(scores, as: index)
        folder.keepWork()
      })
    timing.note("search_seconds")
    try check(search, plan)
    let confirmed = try await evaluator.scores(
      .finalists(TuningRun.finalists(plan, search), plan), in: &places, title: "confirming")
    let run = TuningRun(
      plan: plan, scenes: places.map(\.scene), search: search, confirmed: confirmed)

    let report = TuningReport(
      run, title: inputs.name, inputs: inputs.manifest([]), fixed: settings.fixed,
      leftOut: evaluator.leftOut, scenePattern: SceneChoice(scenes).description,
      frameRange: frames?.description)
    try folder.write(
      TunedFile.text(
        plan, recommended: run.verdict.recommended, fixed: settings.fixed, headline: report.headline),
      to: "tuned.yaml")
    for (name, text) in report.files { try folder.write(text, to: name) }
    try folder.write(figures ? report.figures : [])
    try folder.write(report.document(drawing: figures))
    timing.finish(data: data, output: path)
    try folder.write(timing.table.factsTable.csv, to: "timing.csv")
    try inputs.requireUnchanged()
    let scores = TuningCheckpoint.scoreFiles(scenes: places.count)
    try folder.commit(manifest: report.json, leavingOut: Set(scores))
    for file in scores { try? FileManager.default.removeItem(atPath: path + "/" + file) }
    if json {
      try console.show(json: report.json, beside: path)
    } else {
      try console.show(report.console(path: path), beside: path)
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

  /// - Throws: `Failure` with 65 where fewer than two scenes could be scored.
  private func check(_ search: [SceneScores], _ plan: TuningPlan) throws {
    let table = LossTable(search, plan: plan)
    guard table.scenes.count >= 2 else {
      throw Failure(
        message:
          "cannot tune on \(data.joined(separator: ", ")): \(plan.objective.name) has a value in \(table.scenes.count) of \(search.count) scenes, at least 2 are needed; choose another --objective or more data",
        code: Failure.badData)
    }
  }
}

extension AtomicFolder {
  /// A scene is finished: from now on neither an error nor an interruption takes it away.
  fileprivate mutating func keepWork() {
    keepPartial()
    Interruption.says("finished scenes are kept; go on with --resume")
  }
}
