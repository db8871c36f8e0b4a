import FathomTables
import ArgumentParser
import DepthCalibration
import DepthCore
import DepthEvaluation
import DepthReport
import Foundation
import FathomRuns
import FathomStorage

/// Measures what each confidence level and range of the LiDAR is worth.
struct Calibrate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure bias and noise of the LiDAR by confidence and range, and derive weights.",
    discussion: """
      Compares the LiDAR with the truth at its own pixels. Writes a folder with calibration.yaml (for evaluate \
      --calibration), levels.csv, noise.csv, coverage.csv, pit.csv, monotonicity.csv, frames.csv, correction.csv, registration.csv, drift.csv, \
      scales.csv, gain.csv, calibration.json, \
      report.html, report.md, report.json and figures. The noise model σ(d) = √(a² + (b·d)²) of each confidence is judged on scenes that it was not fitted to. \
      The same data, options and seed give the same bytes.
      """)

  @Argument(
    help: "HDF5 data sets, or folders of recordings that import knows.", completion: .file(extensions: ["h5"])
  ) var data: [String]
  @Option(
    help:
      "What the LiDAR is compared with: the stored truth, or multiview, a reference made of neighbouring frames with poses."
  )
  var truth = CalibrationTruth.stored
  @Option(help: "Truth counts above this, metres (default: 0.1).") var minTruth: Double?
  @Option(help: "Truth counts up to this, metres; inf for no limit (default: 10).") var maxTruth: Double?
  @Option(help: "Seed of resamples and of the pixels that the noise model sees.") var seed: UInt64 = 0
  @Option(help: "Only these scenes: names or patterns (*, ?, [a-z]), comma-separated or repeated.")
  var scenes: [String] = []
  @Option(help: "Folder to write (default: Reports/<data name>-calibration).", completion: .directory)
  var output: String?
  @OptionGroup var files: DataFlags
  @Flag(help: "Replace an existing folder of a calibration.") var overwrite = false
  @Option(
    help: ArgumentHelp(
      "Measure only part I of N of the scenes, from 1; 'fathom merge' does the rest of the calibration.",
      valueName: "i/N"))
  var shard: ScenePart?
  @Flag(
    help:
      "Continue an unfinished calibration, or start one that can be continued; a finished one is left alone.")
  var resume = false
  @Option(help: "Frames processed at once (default: the number of cores).") var jobs: JobCount?
  @Flag(inversion: .prefixedNo, help: "Draw charts.") var figures = true
  @Flag(help: "Print levels.csv as JSON instead of a table.") var json = false
  @OptionGroup var console: Console

  func validate() throws {
    if output?.isEmpty == true { throw ValidationError("--output: a folder's name is needed") }
    if resume && overwrite { throw ValidationError("--resume and --overwrite exclude each other") }
    if shard != nil && output == nil {
      throw ValidationError("--shard: an --output is needed, one for each shard")
    }
    if let problem = plan.rules.firstProblem { throw ValidationError(problem.onCommandLine) }
  }

  private var plan: CalibrationPlan {
    var plan = CalibrationPlan()
    plan.seed = seed
    if let minTruth { plan.minTruth = minTruth }
    if let maxTruth { plan.maxTruth = maxTruth == .infinity ? nil : maxTruth }
    return plan
  }

  func run() async throws {
    let job = job
    let inputs = try job.open(console.observe)
    if let shard {
      return try await console.writePart(
        shard, task: try job.taskOfParts(inputs), kind: .calibrationShard, to: output ?? "", resume: resume,
        overwrite: overwrite, json: json
      ) { checkpoint in
        try await job.fill(checkpoint, inputs, console.observe)
      }
    }
    let path = output ?? "Reports/\(inputs.name)-calibration"
    guard resume else {
      let folder = try AtomicFolder(path, kind: .calibration, overwrite: overwrite)
      return try finish(try await job.run(inputs, console.observe), in: folder, leavingOut: [])
    }
    let task = try await job.task(inputs)
    if AtomicFolder.isFinished(path, kind: .calibration) {
      // Refuses a finished calibration of something else.
      _ = try SceneCheckpoint(in: path, kind: .calibration, task: task)
      try StoredFolder(path, kinds: [.calibration], attempted: "go on with").verify()
      if !json { try console.show("\(path) is finished; nothing to do") }
      return
    }
    var folder = try AtomicFolder.resumable(path, kind: .calibration, resume: true, overwrite: false)
    let checkpoint = try SceneCheckpoint(in: folder.partial, kind: .calibration, task: task)
    folder.keepPartial()
    let partial = folder.partial
    let store = CalibrationStore(checkpoint, of: inputs)
    let result = try await job.run(inputs, store: store, console.observe)
    let kept = SceneCheckpoint.files(in: partial, kind: .calibration).filter {
      $0 != FolderKind.calibration.checkpoint
    }
    try finish(result, in: folder, leavingOut: kept)
  }

  /// Does the rest of a calibration whose scenes were measured in parts.
  func run(merging parts: PartSet) async throws {
    let job = job
    let inputs = try job.open(console.observe)
    let folder = try AtomicFolder(
      output ?? "Reports/\(inputs.name)-calibration", kind: .calibration, overwrite: overwrite)
    try finish(try await job.run(inputs, merging: parts, console.observe), in: folder, leavingOut: [])
  }

  private var job: CalibrateJob {
    console.question(plan.rules.ownDoubts)
    var job = CalibrateJob(files.selection(data, scenes: scenes), plan: plan)
    (job.truth, job.part) = (truth, shard)
    job.jobs = jobs?.count ?? MachineLimits.current.cores
    return job
  }

  private func finish(
    _ result: CalibrateResult, in folder: consuming AtomicFolder, leavingOut kept: [String]
  ) throws {
    try result.write(to: folder, figures: figures)
    let path = folder.path
    try folder.commit(manifest: result.manifest.json, leavingOut: Set(kept))
    try present(result, folder: path)
  }

  private func present(_ result: CalibrateResult, folder: String) throws {
    if json {
      let levels = CalibrationTables.files(result.run).first { $0.name == "levels.csv" }
      try console.show(json: levels?.table.json ?? "[]", beside: folder)
      return
    }
    if let caveat = CalibrationSection.caveat(result.verdict) {
      try console.show(caveat.withoutMarks, beside: folder)
    }
    for line in CalibrationAnswer(result.verdict, folder: folder).lines {
      try console.show("\(line.label): \(line.text.withoutMarks)", beside: folder)
    }
    try console.show(CalibrationSection.headline(result.run).plain, beside: folder)
    try console.show("Report: \(folder)/report.html", beside: folder)
  }
}
