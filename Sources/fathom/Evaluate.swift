import ArgumentParser
import DepthEvaluation
import DepthFusion
import DepthReport
import Foundation
import Logging
import Runs
import Storage

/// Scores fusion methods on data sets: the main job.
struct Evaluate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run fusion methods against the truth and report how accurate they are.",
    discussion: """
      Writes a folder: report.html is one page that needs nothing else, run.json says what determined the numbers, tables.json what every table \
      means. The same data, options and seed give the same bytes in every file but timing.csv.

      'fathom evaluate --help-all' lists all options.
      """)

  @Argument(
    help: "HDF5 data sets, or folders of recordings that import knows.", completion: .file(extensions: ["h5"])
  ) var data: [String] = []
  @OptionGroup(title: "What determines the numbers") var flags: EvaluationFlags
  @Option(
    help: "YAML file with any of those options; flags override it.", completion: .file(extensions: ["yaml"]))
  var config: String?
  @Flag(help: "Score the same predictions under every protocol and show what makes each difference.")
  var protocolDiff = false
  @Option(
    help:
      "What predictions are held against: stored, or multiview, a reference from neighbouring frames: from the recording itself, it cannot show a gain over the LiDAR."
  ) var truth = CalibrationTruth.stored
  @Option(help: "Only these scenes: names or patterns (*, ?, [a-z]), comma-separated or repeated.")
  var scenes: [String] = []
  @Option(
    help: "Only these frames of every scene: A:B from A up to before B, or one, by name or counted from 0.")
  var frames: FrameRange?
  @Option(help: "Folder of the run (default: Reports/<data name>).", completion: .directory) var output:
    String?
  @Flag(inversion: .prefixedNo, help: "Draw charts.") var figures = true
  @OptionGroup var pictures: GalleryFlags
  @Flag(inversion: .prefixedNo, help: "Test whether the data keep to their conventions, as diagnose does.")
  var diagnosis = true
  @Flag(help: "Replace an existing run folder.") var overwrite = false
  @Option(
    help: ArgumentHelp(
      "Evaluate only part I of N of the scenes, from 1; 'fathom merge' makes a run of all parts.",
      valueName: "i/N"))
  var shard: ScenePart?
  @Flag(
    help:
      "Go on with an unfinished evaluation, or begin one that can be gone on with; a finished one is left as it is."
  )
  var resume = false
  @OptionGroup(visibility: .hidden) var inputs: InputFlags
  @OptionGroup(visibility: .hidden) var files: DataFlags
  @Flag(help: "Leave out files that cannot be read; the run then ends with 65.") var keepGoing = false
  @Option(help: "Frames that are worked on at once (default: the number of cores).") var jobs: Int?
  @Option(
    help: ArgumentHelp(
      "Memory for the frames that are worked on at once, '4G' for instance: bounds --jobs (default: what the control group allows).",
      valueName: "size", visibility: .hidden)) var maxMemory: ByteCount?
  @Option(
    help: ArgumentHelp(
      "How progress is shown on standard error: a bar, or a line of JSON for each scene (json).",
      visibility: .hidden))
  var progress = ProgressForm.bar
  @Flag(help: "Print the summary as JSON instead of a table.") var json = false
  @Option(
    help: "Check a CSV file of results for impossible values instead; ends with 1 where there are any.",
    completion: .file(extensions: ["csv"])) var lint: String?
  @OptionGroup var console: Console

  func validate() throws {
    if lint != nil {
      guard data.isEmpty, inputs.isEmpty else {
        throw ValidationError("--lint takes a CSV file and no data sets")
      }
      return
    }
    try inputs.check(data)
    if resume && overwrite { throw ValidationError("--resume and --overwrite exclude each other") }
    if shard != nil && output == nil {
      throw ValidationError("--shard: an --output is needed, one for each shard")
    }
    if let jobs, jobs < 1 { throw ValidationError("--jobs: at least 1 is needed") }
    if output?.isEmpty == true { throw ValidationError("--output: a folder's name is needed") }
  }

  func run() async throws {
    if let lint { return try ResultLint.run(lint, console: console) }
    try await evaluate { CheckedRun($0) }
  }

  /// - Parameter check: Holds what was found against what can be, before it is written.
  func evaluate(check: (EvaluationRun) -> CheckedRun) async throws {
    if pictures.count > 0, shard == nil { console.warnOfMissingFont() }
    let settings = try FathomSettings(flags, config: config)
    var timing = RunTiming(jobs: jobs ?? MachineLimits.current.cores)
    let data = try inputs.paths(data)
    var job = EvaluateJob(files.selection(data, scenes: scenes, frames: frames), plan: settings.plan)
    job.data.truth = truth
    job.baseline = settings.baseline
    job.calibration = settings.calibration
    job.comparesProtocols = protocolDiff
    (job.diagnoses, job.galleryFrames, job.keepsGoing) = (diagnosis, pictures.count, keepGoing)
    (job.jobs, job.part, job.keepsScenes) = (timing.jobs, shard, resume || shard != nil)
    if let maxMemory { job.maxMemory = maxMemory.bytes }
    let observe = progress == .json ? console.observeAsJSON : console.observe
    let evaluation = try job.open(observe)
    let path = output ?? "Reports/" + evaluation.name
    let kind = shard == nil ? FolderKind.run : .shard
    if resume, try await evaluation.isFinished(path, kind: kind, part: shard) {
      if !json { try console.show("\(path) is finished; nothing to do") }
      return
    }
    let isResumed = resume && (kind.checkpoint.map { AtomicFolder.isUnfinished(path, holding: $0) } ?? false)
    var folder = try openFolder(path, kind)
    let store =
      resume || shard != nil
      ? try SceneStore(in: folder.partial, kind: kind, task: evaluation.task, part: shard) : nil
    if isResumed { folder.keepWork() }
    func observeTimed(_ event: JobEvent) {
      if case .began(let stage, _) = event { timing.begin(stage) }
      observe(event)
    }
    if let shard, let store {
      try await evaluation.fill(store, kept: { folder.keepWork() }, observeTimed)
      timing.finish(data: data, output: path)
      try folder.write(timing.table.factsTable.csv, to: "timing.csv")
      let task = [kind.checkpoint].compactMap(\.self)
      try folder.commit(manifest: ShardManifest(evaluation, part: shard).json, leavingOut: Set(task))
      for file in task { try? FileManager.default.removeItem(atPath: path + "/" + file) }
      if !json { try console.show("Shard \(shard): \(path)", beside: path) }
      return
    }
    let result = try await evaluation.run(
      store: store, kept: { folder.keepWork() }, check: check, observeTimed)
    let kept = store == nil ? [] : SceneStore.files(in: folder.partial, kind: kind)
    try console.finish(
      result, in: folder, figures: figures, timing: timing, of: data, namesObjects: settings.namesObjects,
      leavingOut: kept)
    for file in kept { try? FileManager.default.removeItem(atPath: path + "/" + file) }
    try console.show(result, in: path, json: json)
  }

  /// The folder that is written; unfinished work in it is gone on with, or refused.
  private func openFolder(_ path: String, _ kind: FolderKind) throws -> AtomicFolder {
    let isUnfinished = kind.checkpoint.map { AtomicFolder.isUnfinished(path, holding: $0) } ?? false
    guard !isUnfinished || resume || overwrite else {
      throw FathomError.cannotCreate(
        path, "an unfinished evaluation is there", "go on with --resume, or begin again with --overwrite")
    }
    return try AtomicFolder(path, kind: kind, overwrite: overwrite, adopts: resume)
  }
}

extension AtomicFolder {
  /// From now on neither an error nor an interruption takes finished scenes away.
  mutating func keepWork() {
    keepPartial()
    Interruption.says("finished scenes are kept; go on with --resume")
  }
}

/// Settings with a checked plan: defaults, then the configuration file, then the flags.
struct FathomSettings {
  let plan: EvaluationPlan
  let baseline: MethodSelection
  /// The calibration file, by name and digest.
  let calibration: RunManifest.Input?
  /// Whether something was said about objects.
  let namesObjects: Bool

  init(_ flags: EvaluationFlags, config: String?) throws {
    var settings = EvaluationSettings()
    if let config { try ConfigurationFile.flags(at: config).apply(to: &settings) }
    flags.apply(to: &settings)
    try settings.readCalibration()
    let methods: [MethodSelection]
    let baseline: MethodSelection
    do {
      (methods, baseline) = try settings.selections()
    } catch {
      // Where the flags alone make sense, the fault lies in the file.
      var alone = EvaluationSettings()
      flags.apply(to: &alone)
      try alone.readCalibration()
      guard let config, (try? alone.selections()) != nil else { throw error }
      throw ConfigurationFile.file(config).unusable(
        Fathom.message(for: error).replacing("--", with: ""), "mend that entry")
    }
    var plan = EvaluationPlan(
      methods: methods, options: settings.options, rules: settings.rules, seed: settings.seed)
    plan.objects = settings.looksAtObjects ? settings.objects : nil
    plan.contrast = try settings.question()
    self.plan = plan
    calibration = try settings.calibration.map { path in
      RunManifest.Input(
        file: URL(fileURLWithPath: path).lastPathComponent, sha256: try Digest.sha256(ofFile: path))
    }
    namesObjects = settings.looksAtObjects && settings.objects != ObjectPlan()
    self.baseline = baseline
  }
}
