import FathomCommandLine
import FathomJobReports
import FathomDocuments
import FathomTables
package import ArgumentParser
import DepthCalibration
import DepthCore
import DepthEvaluation
import DepthDataset
import Foundation
import FathomRuns
import FathomStorage
import FathomStudies

/// Measures what each confidence level and range of the LiDAR is worth.
package struct Calibrate: AsyncParsableCommand {
  package init() {}
  package static let configuration = CommandConfiguration(
    abstract: "Measure bias and noise of the LiDAR by confidence and range, and derive weights.",
    discussion: """
      Compares the LiDAR with the truth at its own pixels. Writes a folder with calibration.yaml (for evaluate \
      --calibration), levels.csv, noise.csv, coverage.csv, pit.csv, monotonicity.csv, frames.csv, correction.csv, registration.csv, drift.csv, \
      scales.csv, gain.csv, calibration.json, \
      report.html, report.md, report.json and figures. The noise model σ(d) = √(a² + (b·d)²) of each confidence is judged on scenes that it was not fitted to. \
      The same data, options and seed give the same bytes.

      With --deviation-of it calibrates the standard deviations that a prediction or method states instead, and --output is one file for \
      evaluate and fuse --calibration: factors such that intervals hold 95 % of the pixels of a new scene on average.
      """)

  @Argument(
    help: "HDF5 data sets, or folders of recordings that import knows.", completion: .file(extensions: ["h5"])
  ) var data: [String] = []
  @Option(
    help:
      "What the LiDAR is compared with: the stored truth, or multiview, a reference made from neighbouring frames with poses."
  ) var truth = TruthOrigin.stored
  @Option(
    help: ArgumentHelp(
      "Calibrate the standard deviations that this states: a prediction of the data, auto, a fitted line or lidar-bilinear.",
      valueName: "name")) var deviationOf: String?
  @Option(
    help:
      "With --deviation-of: a calibration of the LiDAR that the method is used under, and that the new file keeps.",
    completion: .file(extensions: ["yaml"])) var calibration: String?
  @Option(help: "Truth counts above this, metres (default: 0.1).") var minTruth: Double?
  @Option(help: "Truth counts up to this, metres; inf for no limit (default: 10).") var maxTruth: Double?
  @Option(help: "Seed of resamples and of the pixels for the noise model.") var seed: UInt64 = 0
  @Option(help: "Only these scenes: names or patterns (*, ?, [a-z]), comma-separated or repeated.")
  var scenes: [String] = []
  @Option(
    help: "Folder to write (default: Reports/<data name>-calibration); with --deviation-of the file.",
    completion: .directory)
  var output: String?
  @OptionGroup(visibility: .hidden) var inputs: InputFlags
  @OptionGroup var files: DataFlags
  @Flag(help: "Replace an existing folder of a calibration.") var overwrite = false
  @Option(
    help: ArgumentHelp(
      "Measure only part I of N of the scenes, from 1; 'fathom merge' does the rest of the calibration.",
      valueName: "i/N")) var shard: ScenePart?
  @Flag(help: "Continue an unfinished calibration, or start one that can be continued; a finished one stays.")
  var resume = false
  @Option(help: "Frames processed at once (default: the number of cores).") var jobs: JobCount?
  @Flag(inversion: .prefixedNo, help: "Draw charts.") var figures = true
  @Flag(help: "Print levels.csv as JSON instead of a table.") var json = false
  @OptionGroup var console: Console

  package func validate() throws {
    try inputs.check(data)
    if output?.isEmpty == true { throw ValidationError("--output: a folder's name is needed") }
    if resume && overwrite { throw ValidationError("--resume and --overwrite exclude each other") }
    if shard != nil && output == nil {
      throw ValidationError("--shard: an --output is needed, one for each shard")
    }
    if deviationOf != nil {
      if output == nil { throw ValidationError("--deviation-of: an --output is needed, the file to write") }
      let others = [
        ("--shard", shard != nil), ("--resume", resume), ("--no-figures", !figures), ("--json", json),
      ]
      if let (other, _) = others.first(where: \.1) {
        throw ValidationError("--deviation-of and \(other) exclude each other")
      }
    } else if calibration != nil {
      throw ValidationError("--calibration: only --deviation-of uses one")
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

  package func run() async throws {
    if let deviationOf { return try await calibrateDeviation(of: deviationOf) }
    let job = try job
    if let shard {
      let path = output ?? ""
      let isNew = try await job.writeShard(
        shard, to: path, resume: resume, overwrite: overwrite, console.observe)
      return try console.show(shard, at: path, isNew: isNew, json: json)
    }
    let calibration = try job.open(console.observe)
    let path = output ?? calibration.standardPath
    let task = resume ? try await calibration.fingerprint : nil
    if let task, try WorkFolder.isFinished(path, kind: .calibration, task: task) {
      return try console.showFinished(path, json: json)
    }
    var folder = try AtomicFolder.resumable(path, kind: .calibration, resume: resume, overwrite: overwrite)
    let work = try task.map { try WorkFolder(in: folder.partial, kind: .calibration, task: $0) }
    let result = try await calibration.run(in: work, kept: { folder.keepPartial() }, console.observe)
    try console.finish(result, in: folder, figures: figures, json: json, leavingOut: work?.files ?? [])
  }

  private func calibrateDeviation(of method: String) async throws {
    let path = output ?? ""
    try AtomicFile.check(path, overwrite: overwrite)
    var selection = try selection
    selection.truth = truth
    var job = CalibrateDeviationJob(selection, of: method, plan: plan)
    job.calibration = try calibration.map { try CalibrationFile.calibration(at: $0) }
    job.jobs = jobs?.count ?? MachineLimits.current.cores
    let result = try await job.run(console.observe)
    try result.write(to: path, overwrite: overwrite)
    for line in DeviationCorrectionWords(result).sentences { try console.show(line, beside: path) }
    try console.show("Calibration: \(path)", beside: path)
  }

  private var selection: DataSelection {
    get throws {
      console.question(plan.rules.ownDoubts)
      console.warnOfOmissions(in: data, mapping: files.mapping)
      return files.selection(try inputs.paths(data, mapping: files.mapping), scenes: scenes)
    }
  }

  private var job: CalibrateJob {
    get throws {
      var job = CalibrateJob(try selection, plan: plan)
      job.truth = truth
      job.jobs = jobs?.count ?? MachineLimits.current.cores
      return job
    }
  }
}

extension OpenCalibration {
  var standardPath: String { "Reports/\(name)-calibration" }  // Folder of the results where none is named.
}

extension Console {
  /// Writes a calibration, gives its folder the final name, and shows what was found.
  /// - Parameter work: Files in the folder that do not belong to the result.
  func finish(
    _ result: CalibrateResult, in folder: consuming AtomicFolder, figures: Bool, json: Bool,
    leavingOut work: [String] = []
  ) throws {
    try result.write(to: folder, figures: figures)
    let path = folder.path
    try folder.commit(manifest: result.manifest.json, leavingOut: Set(work))
    try present(result, folder: path, json: json)
  }

  private func present(_ result: CalibrateResult, folder: String, json: Bool) throws {
    if json {
      let levels = CalibrationTables.files(result.run).first { $0.name == "levels.csv" }
      try show(json: levels?.table.json ?? "[]", beside: folder)
      return
    }
    let report = result.report(in: folder)
    if let caveat = report.caveat { try show(caveat.withoutMarks, beside: folder) }
    for line in report.answer.lines {
      try show("\(line.label): \(line.text.withoutMarks)", beside: folder)
    }
    try show(CalibrationSection.headline(result.run).plain, beside: folder)
    try show("Report: \(folder)/report.html", beside: folder)
  }
}
