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
      Writes a folder with report.html, one page that needs nothing else; report.md and report.json, which hold the same; charts in \
      figures and frames in gallery; run.json, verdict.json with what the run shows, frames.csv, scenes.csv, summary.csv, ranges.csv, confidence.csv, \
      cumulative.csv, sparsification.csv, diagnosis.csv, timing.csv, pairwise.csv, with five scenes or more ranks.csv, with \
      --protocol-diff protocols.csv, where the data have detected objects objects.csv, object_summary.csv and detections.csv. The \
      same data, options and seed give the same bytes in every file but timing.csv. With --lint nothing is run: a CSV file of anyone's results is checked for \
      values that cannot be.
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
  @Option(help: "Only frames A to B-1 of every scene; either may be left out.") var frames: FrameRange?
  @Option(help: "Folder of the run (default: Reports/<data name>).", completion: .directory) var output:
    String?
  @Flag(inversion: .prefixedNo, help: "Draw charts.") var figures = true
  @Flag(inversion: .prefixedNo, help: "Draw the worst, the median and the best frames.") var gallery = true
  @Flag(inversion: .prefixedNo, help: "Test whether the data keep to their conventions, as diagnose does.")
  var diagnosis = true
  @Flag(help: "Replace an existing run folder.") var overwrite = false
  @OptionGroup var files: DataFlags
  @Flag(help: "Leave out files that cannot be read; the run then ends with 65.") var keepGoing = false
  @Option(help: "Frames that are worked on at once (default: the number of cores).") var jobs: Int?
  @Flag(help: "Print the summary as JSON instead of a table.") var json = false
  @Option(
    help: "Check a CSV file of results for impossible values instead; ends with 1 where there are any.",
    completion: .file(extensions: ["csv"])) var lint: String?
  @OptionGroup var console: Console

  func validate() throws {
    if lint != nil {
      guard data.isEmpty else { throw ValidationError("--lint takes a CSV file and no data sets") }
      return
    }
    guard !data.isEmpty else { throw ValidationError("Missing expected argument '<data> ...'") }
    if let jobs, jobs < 1 { throw ValidationError("--jobs: at least 1 is needed") }
    if output?.isEmpty == true { throw ValidationError("--output: a folder's name is needed") }
  }

  func run() async throws {
    if let lint { return try ResultLint.run(lint, console: console) }
    try await evaluate { CheckedRun($0) }
  }

  /// - Parameter check: Holds what was found against what can be, before it is written.
  func evaluate(check: (EvaluationRun) -> CheckedRun) async throws {
    if gallery { console.warnOfMissingFont() }
    let settings = try FathomSettings(flags, config: config)
    var timing = RunTiming(jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount)
    var job = EvaluateJob(files.selection(data, scenes: scenes, frames: frames), plan: settings.plan)
    job.data.truth = truth
    job.baseline = settings.baseline
    job.comparesProtocols = protocolDiff
    (job.diagnoses, job.paintsGallery, job.keepsGoing) = (diagnosis, gallery, keepGoing)
    job.jobs = timing.jobs
    let evaluation = try job.open(console.observe)
    let folderPath = output ?? "Reports/" + evaluation.name
    let folder = try AtomicFolder(folderPath, kind: .run, overwrite: overwrite)
    let observe = console.observe
    let result = try await evaluation.run(calibration: settings.calibration, check: check) { event in
      if case .began(let stage, _) = event { timing.begin(stage) }
      observe(event)
    }
    warn(of: result, namesObjects: settings.namesObjects)
    timing.begin(.writing)
    try result.write(to: folder, figures: figures)
    timing.finish(data: data, output: folderPath)
    console.log.info("\(timing.words)")
    try folder.write(timing.table.table(result.run), to: "timing.csv")
    try result.run.requireWhole()
    let report = folder.path + "/report.html"
    try folder.commit(manifest: result.manifest.json)

    try present(result, beside: folderPath)
    if !json { try console.show("Report: \(report)", beside: folderPath) }
    if !result.checked.impossible.isEmpty {
      throw Failure(impossible: result.checked.impossible, in: folderPath)
    }
    if !result.run.unreadable.isEmpty {
      let names = result.run.unreadable.map(\.name).joined(separator: ", ")
      throw Failure(message: "left out what could not be read: \(names)", code: Failure.badData)
    }
  }

  private func warn(of result: EvaluateResult, namesObjects: Bool) {
    if result.run.objects == nil, namesObjects {
      console.log.warning("no scene has detected objects: the options for objects change nothing")
    }
    for row in result.checked.impossible {
      console.log.warning("a fault of fathom: \(row.table), \(row.problem); the row's values are left out")
    }
    if let warning = result.diagnosis?.warning { console.log.warning("\(warning.withoutMarks)") }
  }

  private func present(_ result: EvaluateResult, beside folder: String) throws {
    if json {
      let summary = result.tables.files.first { $0.name == "summary.csv" }
      try console.show(json: summary?.table.json ?? "[]", beside: folder)
      return
    }
    let findings = Findings(result.verdict, rules: result.run.plan.rules, objects: result.run.objects)
    if let caveat = findings.caveat { try console.show(caveat.withoutMarks, beside: folder) }
    for sentence in findings.sentences.prefix(5) {
      try console.show("- " + sentence.withoutMarks, beside: folder)
    }
    let table = ReportTables.methods(result.run, result.verdict)
    try console.show(
      "\n" + table.plain + (table.partialNote.map { $0 + "\n" } ?? ""), beside: folder)
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
    self.plan = plan
    calibration = try settings.calibration.map { path in
      RunManifest.Input(
        file: URL(fileURLWithPath: path).lastPathComponent, sha256: try Digest.sha256(ofFile: path))
    }
    namesObjects = settings.looksAtObjects && settings.objects != ObjectPlan()
    self.baseline = baseline
  }
}
