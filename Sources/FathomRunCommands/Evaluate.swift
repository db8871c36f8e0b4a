import FathomCommandLine
import DepthReport
import FathomDocuments
import FathomTables
import FathomRunFolders
package import ArgumentParser
import DepthEvaluation
import DepthDataset
import DepthImport
import DepthMapSets
import DepthVerdicts
import Foundation
import FathomRuns
import FathomStorage

/// Scores fusion methods on data sets: the main job.
package struct Evaluate: AsyncParsableCommand {
  package init() {}
  package static let configuration = CommandConfiguration(
    abstract: "Score depth maps and fusion methods against the truth, and report how accurate they are.",
    discussion: """
      Writes a folder: report.html is a page that needs no other file, run.json holds everything that determined the numbers, tables.json defines \
      every column. The same data, options and seed give the same bytes in every file but timing.csv.

      'fathom evaluate --help-all' lists all options.
      """)

  @Argument(
    help: "HDF5 data sets, or folders of recordings that import knows.", completion: .file(extensions: ["h5"])
  ) var data: [String] = []
  @OptionGroup(title: "What determines the numbers") var flags: EvaluationFlags
  @Option(
    help: "YAML file with any of the options above; flags override it.",
    completion: .file(extensions: ["yaml"])) var config: String?
  @Flag(help: "Score the same predictions under every protocol and show what makes each difference.")
  var protocolDiff = false
  @Option(
    help: ArgumentHelp(
      "What predictions are compared with: the stored truth, or multiview, a reference made of neighbouring frames, which cannot show a gain over the LiDAR; with --prediction, a folder or file of truth.",
      valueName: "stored, multiview or dir")) var truth = TruthArgument.origin(.stored)
  @Option(help: "Only these scenes: names or patterns (*, ?, [a-z]), comma-separated or repeated.")
  var scenes: [String] = []
  @Option(
    help: "Only these frames of every scene: A:B from A up to before B, or one, by name or counted from 0.")
  var frames: FrameRange?
  @Option(help: "Folder of the run (default: Reports/<data name>).", completion: .directory) var output:
    String?
  @Option(
    help: "Length unit in reports: mm or m; shares are per cent. CSV and JSON files are always in metres.")
  var units = LengthUnit.millimetres
  @Flag(inversion: .prefixedNo, help: "Draw charts.") var figures = true
  @OptionGroup var pictures: GalleryFlags
  @OptionGroup(title: "Maps in folders, without a data set") var maps: EvaluatedMapFlags
  @Flag(inversion: .prefixedNo, help: "Test the conventions of the data, as diagnose does.")
  var diagnosis = true
  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Keep what that finds in the user's cache, and take it from there where the same build has tested the same bytes before.",
      visibility: .hidden)) var cache = true
  @Flag(help: "Replace an existing run folder.") var overwrite = false
  @Option(
    help: ArgumentHelp(
      "Evaluate only part I of N of the scenes, from 1; 'fathom merge' makes a run of all parts.",
      valueName: "i/N")) var shard: ScenePart?
  @Flag(
    help:
      "Continue an unfinished evaluation, or start one that can be continued; a finished one is left alone.")
  var resume = false
  @OptionGroup(visibility: .hidden) var inputs: InputFlags
  @OptionGroup(visibility: .hidden) var files: DataFlags
  @Flag(help: "Leave out files that cannot be read; the exit code is then 65.") var keepGoing = false
  @Option(help: "Frames processed at once (default: the number of cores).") var jobs: JobCount?
  @Option(
    help: ArgumentHelp(
      "Memory for the frames processed at once, such as 4G; it limits --jobs (default: what the control group allows).",
      valueName: "size", visibility: .hidden)) var maxMemory: ByteCount?
  @Option(
    help: ArgumentHelp(
      "How progress is shown on standard error: a bar, or one line of JSON per scene (json).",
      visibility: .hidden)) var progress = ProgressForm.bar
  @Flag(
    help:
      "End with 65 if the data contradict what they declare, or a part of a recording cannot be used, or maps are doubtful; these two are refused before anything is computed."
  ) var strict = false
  @Flag(help: "Print the summary as JSON instead of a table.") var json = false
  @Option(
    help: "Instead, check a CSV file of results for impossible values; the exit code is 1 if there are any.",
    completion: .file(extensions: ["csv"])) var lint: String?
  @OptionGroup var console: Console

  package func validate() throws {
    if lint != nil {
      guard data.isEmpty, inputs.isEmpty, !maps.isGiven else {
        throw ValidationError("--lint takes a CSV file and no data sets")
      }
      return
    }
    try maps.check(truth, data: data, hasLists: !inputs.isEmpty)
    if maps.isGiven, files.mapping != nil {
      throw ValidationError("--mapping: it says what data sets hold; --prediction takes none")
    }
    if !maps.isGiven { try inputs.check(data) }
    if !diagnosis && strict {
      throw ValidationError("--no-diagnosis: --strict ends by the diagnosis; leave one of them out")
    }
    if resume && overwrite { throw ValidationError("--resume and --overwrite exclude each other") }
    if shard != nil && output == nil {
      throw ValidationError("--shard: an --output is needed, one for each shard")
    }
    if output?.isEmpty == true { throw ValidationError("--output: a folder's name is needed") }
  }

  package func run() async throws {
    if let lint { return try ResultLint.run(lint) { try console.show($0) } }
    let jobs = jobs?.count ?? MachineLimits.current.cores
    try await evaluate { CheckedRun($0, jobs: jobs) }
  }

  private func selection() throws -> DataSelection {
    let set = try maps.request(truth, external: files.external)
    var selection = files.selection(
      set == nil ? try inputs.paths(data, mapping: files.mapping) : [], scenes: scenes, frames: frames)
    selection.maps = set
    if case .origin(let origin) = truth { selection.truth = origin }
    return selection
  }

  /// Folders of maps that are named where data sets belong are answered by the command that compares them.
  private func opened(_ job: EvaluateJob, _ observe: JobObserver) throws -> OpenEvaluation {
    do { return try job.open(observe) } catch let error as FathomError where error.kind == .badData {
      throw maps.isGiven ? error : MapFolders(data)?.refusal ?? error
    }
  }

  /// - Parameter check: Rejects impossible values before writing.
  func evaluate(check: (EvaluationRun) -> CheckedRun) async throws {
    if pictures.count > 0, shard == nil { console.warnOfMissingFont() }
    let settings = try PlannedEvaluation(
      flags, config: config, predictions: maps.prediction.compactMap(\.request.name))
    console.question(settings.doubts)
    var timing = RunTiming(jobs: jobs?.count ?? MachineLimits.current.cores)
    console.warnOfOmissions(in: data, mapping: files.mapping)
    var job = EvaluateJob(try selection(), plan: settings.plan)
    job.plan.units = units
    job.baseline = settings.baseline
    job.calibration = settings.calibration
    job.comparesProtocols = protocolDiff
    (job.diagnoses, job.keepsGoing) = (diagnosis, keepGoing)
    job.cache = cache ? .ofUser : nil
    (job.jobs, job.part, job.keepsScenes) = (timing.jobs, shard, resume || shard != nil)
    if let maxMemory { job.maxMemory = maxMemory.bytes }
    let observe = progress == .json ? console.observeAsJSON : console.observe
    let evaluation = try opened(job, observe)
    if strict, let words = evaluation.dropped.first?.words ?? evaluation.warnings.first {
      throw Failure(message: words, code: Failure.badData)
    }
    timing.protections = evaluation.protections
    let path = output ?? "Reports/" + evaluation.name
    func observeTimed(_ event: JobEvent) {
      if case .began(let stage, _) = event { timing.begin(stage) }
      observe(event)
    }
    if let shard {
      let isNew = try await evaluation.writeShard(
        shard, to: path, resume: resume, overwrite: overwrite,
        finish: { folder in
          timing.finish(namesMachine: console.verbose)
          try folder.write(timing.table.factsTable.csv, to: "timing.csv")
        }, observeTimed)
      return try console.show(shard, at: path, isNew: isNew, json: json)
    }
    if resume, try await evaluation.isFinished(path) { return try console.showFinished(path, json: json) }
    var folder = try AtomicFolder.resumable(path, kind: .run, resume: resume, overwrite: overwrite)
    let work = resume ? try WorkFolder(in: folder.partial, kind: .run, task: evaluation.task.text) : nil
    let result = try await evaluation.run(
      in: work, kept: { folder.keepPartial() }, check: check, observeTimed)
    let gallery = try await RunGallery(of: result, count: pictures.count, jobs: timing.jobs, observeTimed)
    try console.finish(
      result, gallery, in: folder, figures: figures, timing: timing, namesObjects: settings.namesObjects,
      leavingOut: work.map { $0.files + [$0.checkpoint] } ?? [])
    try console.show(result, in: path, json: json)
    if strict, let warning = result.diagnosis.flatMap({ DiagnosisSection($0).warning }) {
      throw Failure(message: "\(path) is written, but: \(warning.withoutMarks)", code: Failure.badData)
    }
  }
}
