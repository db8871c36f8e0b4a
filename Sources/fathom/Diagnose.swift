import ArgumentParser
import DepthDataset
import DepthDiagnosis
import DepthReport
import Runs
import Storage

/// Tests every convention against the data.
struct Diagnose: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Test every convention against the data: declared, supported, by what margin.",
    discussion: """
      Units, kinds, orientation and pixels of the relative map, axes, direction and unit of poses, intrinsics, truth and \
      stored predictions, confidence, time stamps. Conventions that disturb each other are judged together; a correction \
      is tried in memory before the next test, so that two faults are both named. What the data cannot decide is said to \
      be undecidable. With --strict a contradiction ends with 1. What breaks the schema is left out where it cannot be \
      read, and ends with 65.
      """)

  @Argument(
    help: "HDF5 data set, or the folder of a recording that import knows.",
    completion: .file(extensions: ["h5"])
  ) var data: String
  @Option(help: "Only these scenes: names or patterns (*, ?, [a-z]), comma-separated or repeated.")
  var scenes: [String] = []
  @Option(help: "Seed of the resamples behind confidences.") var seed: UInt64 = 0
  @Option(
    help: "Folder for diagnosis.json, the table as text, and pictures of what was contradicted.",
    completion: .directory) var output: String?
  @Option(
    help: "Write a copy with every correction that the data call for.", completion: .file(extensions: ["h5"]))
  var fix: String?
  @OptionGroup var files: DataFlags
  @Flag(help: "Replace an existing folder, or file of --fix.") var overwrite = false
  @Flag(help: "End with 1 where the data contradict what is declared.") var strict = false
  @Flag(help: "Print everything as JSON.") var json = false
  @OptionGroup var console: Console

  func run() throws {
    var job = DiagnoseJob(data)
    // Nobody should wait for a diagnosis that then has no place to go.
    if let fix { try job.checkCopy(to: fix, overwrite: overwrite) }
    (job.scenes, job.seed, job.allowsExternal) = (SceneChoice(scenes), seed, files.allowExternal)
    let opened = try job.open()
    guard let output else {
      return try finish(try opened.diagnosis(console.observe), opened)
    }
    let folder = try AtomicFolder(output, kind: .diagnosis, overwrite: overwrite)
    let diagnosis = try opened.diagnosis(console.observe)
    try folder.write(DiagnosisText(diagnosis).text + "\n", to: "diagnosis.txt")
    console.warnOfMissingFont()
    try opened.drawPictures(of: diagnosis, in: folder)
    try folder.commit(manifest: diagnosis.json)
    try finish(diagnosis, opened)
  }

  private func finish(_ diagnosis: DatasetDiagnosis, _ opened: borrowing OpenDiagnosis) throws {
    if let fix {
      let copy = try opened.correctedCopy(of: diagnosis, to: fix, overwrite: overwrite)
      if !json { try console.show(Self.words(copy) + "\n", beside: fix) }
    }
    try show(diagnosis)
  }

  /// What was done and what was left, line by line.
  static func words(_ copy: CorrectedCopy) -> String {
    let head =
      !copy.changes.isEmpty
      ? "\(copy.path): a corrected copy"
      : "\(copy.path): a copy, byte by byte: "
        + (copy.leftOpen.isEmpty ? "nothing to correct" : "nothing that can be corrected")
    let open = copy.leftOpen.isEmpty ? [] : ["Left as they are:"] + copy.leftOpen.map { "- \($0)" }
    return ([head] + copy.changes.map { "- \($0)" } + open).joined(separator: "\n")
  }

  private func show(_ diagnosis: DatasetDiagnosis) throws {
    let files = fix ?? output
    if json {
      try console.show(json: try diagnosis.json, beside: files)
    } else {
      try console.show(DiagnosisText(diagnosis).text, beside: files)
    }
    let wrong = diagnosis.scenes.flatMap(\.findings).filter { $0.verdict == .contradicted }
    if strict, let first = wrong.first {
      throw Failure(
        message:
          "\(data): the data contradict \(wrong.count) of the declared conventions, first scenes/\(first.scene): "
          + "\(first.summary); \(first.fix ?? "see the table")",
        code: .failure)
    }
    if let broken = diagnosis.schema.first(where: { $0.severity == .error }) {
      throw Failure(
        message: "\(data): it breaks the schema: \(broken.object): \(broken.problem); \(broken.advice)",
        code: Failure.badData)
    }
  }
}
