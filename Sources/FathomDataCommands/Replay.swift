import FathomCommandLine
import FathomJobReports
import FathomDocuments
import FathomTables
public import ArgumentParser
import DepthCore
public import DepthObjects
import FathomReplay
import FathomRuns
import FathomStudies
import FathomStorage

extension PlacementAnchor: ExpressibleByArgument {}

/// A comma-separated list of whole numbers, rates or policies, as its option's rule reads it.
struct ValueList<Element: OptionValue>: ExpressibleByArgument, DescribedArgument {
  let values: [Element]

  init?(argument: String) {
    guard let values = [Element].reading(argument), !values.isEmpty else { return nil }
    self.values = values
  }

  static var grammar: String {
    Element.self is any OptionNumber.Type
      ? "numbers with commas between them, as in 30,60"
      : "one of \(Element.form), or several with commas between them"
  }
}

extension ValueList: FieldArgument { var field: [Element] { values } }

/// Stages and their times: "detect=45ms,fuse=1ms", "detect=20ms/45ms/90ms".
struct StageList: ExpressibleByArgument, DescribedArgument {
  let stages: [StageChoice]

  static let grammar =
    "NAME=TIME, with TIME \(StageTime.form); several times with / between them are tried one after the other"

  init?(argument: String) {
    var stages: [StageChoice] = []
    for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else { return nil }
      let words = parts[1].split(separator: "/", omittingEmptySubsequences: false)
      let times = words.compactMap { StageTime(String($0)) }
      guard !times.isEmpty, times.count == words.count else { return nil }
      stages.append(StageChoice(String(parts[0]), times))
    }
    guard !stages.isEmpty else { return nil }
    self.stages = stages
  }
}

/// Settings of a replay.
struct ReplayFlags: ParsableArguments {
  @Option(ReplayPlan.rule("rate")) var rate: ValueList<Double>?
  @Option(ReplayPlan.rule("pool")) var pool: ValueList<Int>?
  @Option(ReplayPlan.rule("held")) var held: Int?
  @Option(ReplayPlan.rule("policy")) var policy: ValueList<AdmissionPolicy>?
  @Option(ReplayPlan.rule("display")) var display: Double?
  @Option(ReplayPlan.rule("anchor")) var anchor: PlacementAnchor?
  @Option(ReplayPlan.rule("seed")) var seed: UInt64?
}

/// Says what the pipeline around depth costs.
package struct Replay: AsyncParsableCommand {
  package init() {}
  package static let configuration = CommandConfiguration(
    abstract:
      "Simulate a live camera on a recording: dropped frames, latency, and their cost in centimetres.",
    discussion: """
      Frames come at --rate out of a pool of buffers, one is analysed at a time, and its result is on screen when it is done: by \
      then the camera has moved. Reports how many frames are dropped or starved, how old results are, how far the camera moved, \
      and how much worse a hit test places effects. Time is virtual, and the same data and options give the same bytes, unless \
      --measured or --real-time is given. Several rates, pools, policies and stage times are tried in all combinations; the \
      report is about the first. Writes a folder with settings.csv, frames.csv, placements.csv, by-object.csv, delay.csv, \
      verdict.json, replay.json, report.html, report.md, report.json and figures.
      """)

  @Argument(
    help: "HDF5 data sets, or folders of recordings that import knows.", completion: .file(extensions: ["h5"])
  ) var data: [String]
  @Option(
    help:
      "Stages and their times: detect=45ms,fuse=1ms; detect=20ms/45ms tries both; times are drawn from uniform(30ms;60ms), normal(45ms;5ms) or exponential(45ms)."
  ) var stage: [StageList] = []
  @Flag(help: "First measure the times of Fathom's own stages (read, fuse, decode, box) on this machine.")
  var measured = false
  @Flag(help: "Run on the wall clock with these stages instead of in virtual time.") var realTime = false
  @OptionGroup var settings: ReplayFlags
  @Option(help: "Only these scenes: names or patterns (*, ?, [a-z]), comma-separated or repeated.")
  var scenes: [String] = []
  @Option(
    help: "Only these frames of every scene: A:B from A up to before B, or one, by name or counted from 0.")
  var frames: FrameRange?
  @Option(help: "Folder to write (default: Reports/<data name>-replay).", completion: .directory)
  var output: String?
  @OptionGroup var files: DataFlags
  @Flag(help: "Replace an existing folder of a replay.") var overwrite = false
  @Flag(inversion: .prefixedNo, help: "Draw charts.") var figures = true
  @Flag(help: "Print settings.csv as JSON instead of the verdict.") var json = false
  @OptionGroup var console: Console

  package func validate() throws {
    if output?.isEmpty == true { throw ValidationError("--output: a folder's name is needed") }
    if measured && realTime { throw ValidationError("--measured: --real-time runs the stages anyway") }
    if let problem = plan.firstProblem { throw ValidationError(problem.onCommandLine) }
  }

  private var plan: ReplayPlan {
    var plan = ReplayPlan()
    GivenOptions(settings).apply(to: &plan)
    plan.stages = stage.flatMap(\.stages)
    return plan
  }

  package func run() async throws {
    console.question(plan.ownDoubts)
    var job = ReplayJob(files.selection(data, scenes: scenes, frames: frames), plan: plan)
    job.clock = realTime ? .wall : measured ? .measured : .given
    let inputs = try job.open(console.observe)
    let folder = try AtomicFolder(
      output ?? "Reports/\(inputs.name)-replay", kind: .replay, overwrite: overwrite)
    let result = try await job.run(inputs, console.observe)
    try result.write(to: folder, figures: figures)
    let path = folder.path
    try folder.commit(manifest: result.manifest.json)
    guard !json else {
      try console.show(json: ReplayTables.settings(result.run).json, beside: path)
      return
    }
    for sentence in result.report(drawsFigures: figures).verdict {
      try console.show(sentence.withoutMarks, beside: path)
    }
    try console.show("Report: \(path)/report.html", beside: path)
  }
}
