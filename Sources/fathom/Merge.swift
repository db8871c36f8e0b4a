import DepthReport
import ArgumentParser
import DepthEvaluation
import Foundation
import Logging
import FathomRuns
import FathomStorage

/// Makes one run of the shards of an evaluation.
struct Merge: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make one result of the shards that evaluate, tune or calibrate wrote with --shard.",
    discussion: """
      The result has the same bytes in every file but timing.csv as that of one undivided command, whatever the number of shards \
      and their order. All shards of one command are needed, each once. Of an evaluation, frames are drawn as pictures from the data, \
      which are looked for where they were evaluated; without them the run has no pictures and says so. Of tune and calibrate, the \
      merge does the rest of the command, which reads the data again.
      """)

  @Argument(help: "Folders of all shards, in any order.", completion: .directory) var shards: [String]
  @Option(help: "Folder of the run (default: as the undivided command).", completion: .directory) var output:
    String?
  @Option(
    help:
      "File with the places of the inputs, one a line, where they are no longer where they were evaluated; - for standard input.",
    completion: .file()) var inputsFrom: String?
  @Flag(inversion: .prefixedNo, help: "Draw charts.") var figures = true
  @OptionGroup var pictures: GalleryFlags
  @Flag(help: "Replace an existing run folder.") var overwrite = false
  @Option(help: "Frames processed at once (default: the number of cores).") var jobs: JobCount?
  @Flag(help: "Print the summary as JSON instead of a table.") var json = false
  @OptionGroup var sandbox: SandboxFlags
  @OptionGroup var console: Console

  func validate() throws {
    if output?.isEmpty == true { throw ValidationError("--output: a folder's name is needed") }
  }

  func run() async throws {
    let kinds: [FolderKind] = [.shard, .tuningShard, .calibrationShard]
    let first = try shards.first.map { try StoredFolder($0, kinds: kinds, attempted: "merge").kind }
    if let first, first != .shard { return try await mergeParts(first) }
    if pictures.count > 0 { console.warnOfMissingFont() }
    var timing = RunTiming(jobs: jobs?.count ?? MachineLimits.current.cores)
    var job = MergeJob(shards)
    job.inputs = try inputsFrom.map { try InputList.paths(try InputList.words(in: $0)) }
    job.jobs = timing.jobs
    let merge = try job.open()
    let path = output ?? "Reports/" + merge.name
    let folder = try AtomicFolder(path, kind: .run, overwrite: overwrite)
    let observe = console.observe
    func observeTimed(_ event: JobEvent) {
      if case .began(let stage, _) = event { timing.begin(stage) }
      observe(event)
    }
    let result = try await merge.run(observeTimed)
    let gallery = try await RunGallery(of: result, count: pictures.count, jobs: timing.jobs, observeTimed)
    try console.finish(result, gallery, in: folder, figures: figures, timing: timing)
    try console.show(result, in: path, json: json)
  }

  /// Does the rest of the command that the shards are of.
  private func mergeParts(_ kind: FolderKind) async throws {
    if inputsFrom != nil {
      throw ValidationError("--inputs-from: the shards of a search or a calibration say where the data are")
    }
    let parts = try PartSet(shards, kind: kind)
    let name = kind == .tuningShard ? Tune._commandName : Calibrate._commandName
    let command = try CommandLineWords([name] + parts.words).parse()
    func place(_ path: String) -> String {
      path.hasPrefix("/") ? path : URL(fileURLWithPath: parts.folder + "/" + path).standardizedFileURL.path
    }
    switch command {
    case var tune as Tune:
      (tune.shard, tune.resume, tune.output, tune.overwrite) = (nil, false, output, overwrite)
      (tune.figures, tune.json, tune.console, tune.jobs) = (figures, json, console, jobs)
      tune.data = tune.data.map(place)
      (tune.grid, tune.config) = (tune.grid.map(place), tune.config.map(place))
      try await tune.run(merging: parts)
    case var calibrate as Calibrate:
      (calibrate.shard, calibrate.resume, calibrate.output) = (nil, false, output)
      (calibrate.overwrite, calibrate.figures, calibrate.json) = (overwrite, figures, json)
      (calibrate.console, calibrate.jobs) = (console, jobs)
      calibrate.data = calibrate.data.map(place)
      try await calibrate.run(merging: parts)
    default:
      throw FathomError(
        .badData, attempted: "merge", place: shards[0], reason: "it does not say what it is a part of",
        advice: "make it again")
    }
  }
}
