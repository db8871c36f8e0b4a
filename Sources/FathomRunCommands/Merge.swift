import FathomCommandLine
import DepthReport
package import ArgumentParser
import Foundation
import FathomRuns
import FathomStorage

/// Makes one run of the shards of an evaluation.
package struct Merge: AsyncParsableCommand {
  package init() {}
  package static let configuration = CommandConfiguration(
    abstract: "Combine the shards of evaluate, tune or calibrate into one result.",
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
    help: "File with the new paths of inputs that were moved, one per line; - for standard input.",
    completion: .file()) var inputsFrom: String?
  @Flag(inversion: .prefixedNo, help: "Draw charts.") var figures = true
  @OptionGroup var pictures: GalleryFlags
  @Flag(help: "Replace an existing run folder.") var overwrite = false
  @Option(help: "Frames processed at once (default: the number of cores).") var jobs: JobCount?
  @Flag(help: "Print the summary as JSON instead of a table.") var json = false
  @OptionGroup var sandbox: SandboxFlags
  @OptionGroup var console: Console

  package func validate() throws {
    if output?.isEmpty == true { throw ValidationError("--output: a folder's name is needed") }
  }

  package func run() async throws {
    let kinds: [FolderKind] = [.shard, .tuningShard, .calibrationShard]
    let first = try shards.first.map { try StoredFolder($0, kinds: kinds, attempted: "merge").kind }
    var job = MergeJob(shards)
    job.jobs = jobs?.count ?? MachineLimits.current.cores
    if let first, first != .shard { return try await finish(job, first) }
    if pictures.count > 0 { console.warnOfMissingFont() }
    var timing = RunTiming(jobs: job.jobs)
    job.inputs = try inputsFrom.map { try InputList.paths(try InputList.words(in: $0)) }
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

  /// Does the rest of the search or the calibration that the shards are of.
  private func finish(_ job: MergeJob, _ kind: FolderKind) async throws {
    if inputsFrom != nil {
      throw ValidationError("--inputs-from: the shards of a search or a calibration say where the data are")
    }
    guard kind == .tuningShard else {
      let calibration = try job.openCalibration(console.observe)
      let path = output ?? calibration.standardPath
      let folder = try AtomicFolder(path, kind: .calibration, overwrite: overwrite)
      let result = try await calibration.run(console.observe)
      return try console.finish(result, in: folder, figures: figures, json: json)
    }
    let timing = RunTiming(jobs: job.jobs)
    let search = try job.openSearch(console.observe)
    let folder = try AtomicFolder(output ?? search.standardPath, kind: .tuning, overwrite: overwrite)
    let result = try await search.run(console.observe)
    // As the undivided search leaves it.
    try folder.write(try await search.fingerprint, to: FolderKind.tuning.checkpoint ?? "")
    try console.finish(result, of: search, in: folder, timing, figures: figures, json: json)
  }
}
