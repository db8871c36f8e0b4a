import ArgumentParser
import DepthEvaluation
import DepthReport
import Foundation
import Logging
import Runs
import Storage

/// Makes one run of the shards of an evaluation.
struct Merge: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make one run of the shards that evaluate --shard wrote.",
    discussion: """
      The run has the same bytes in every file but timing.csv as that of one evaluation of everything, whatever the number of shards \
      and their order. All shards of one evaluation are needed, each once. Pictures of frames are drawn from the data, \
      which are looked for where they were evaluated; without them the run has none and says so.
      """)

  @Argument(help: "Folders of all shards, in any order.", completion: .directory) var shards: [String]
  @Option(help: "Folder of the run (default: Reports/<data name>).", completion: .directory) var output:
    String?
  @Option(
    help:
      "File with the places of the inputs, one a line, where they are no longer where they were evaluated; - for standard input.",
    completion: .file()) var inputsFrom: String?
  @Flag(inversion: .prefixedNo, help: "Draw charts.") var figures = true
  @OptionGroup var pictures: GalleryFlags
  @Flag(help: "Replace an existing run folder.") var overwrite = false
  @Option(help: "Frames that are worked on at once (default: the number of cores).") var jobs: Int?
  @Flag(help: "Print the summary as JSON instead of a table.") var json = false
  @OptionGroup var console: Console

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs: at least 1 is needed") }
    if output?.isEmpty == true { throw ValidationError("--output: a folder's name is needed") }
  }

  func run() async throws {
    if pictures.count > 0 { console.warnOfMissingFont() }
    var timing = RunTiming(jobs: jobs ?? MachineLimits.current.cores)
    var job = MergeJob(shards)
    job.inputs = try inputsFrom.map { try InputList.paths(try InputList.words(in: $0)) }
    (job.galleryFrames, job.jobs) = (pictures.count, timing.jobs)
    let merge = try job.open()
    let path = output ?? "Reports/" + merge.name
    let folder = try AtomicFolder(path, kind: .run, overwrite: overwrite)
    let observe = console.observe
    let result = try await merge.run { event in
      if case .began(let stage, _) = event { timing.begin(stage) }
      observe(event)
    }
    try console.finish(result, in: folder, figures: figures, timing: timing, of: shards)
    try console.show(result, in: path, json: json)
  }
}
