import FathomCommandLine
import FathomJobReports
import DepthRendering
package import ArgumentParser
import DepthDataset
import DepthDiagnosis
import FathomPlainText
import FathomRuns
import FathomStorage

/// Tests every convention against the data.
package struct Diagnose: AsyncParsableCommand {
  package init() {}
  package static let configuration = CommandConfiguration(
    abstract: "Test whether units, orientations, poses and intrinsics are what the file says.",
    discussion: """
      Units, kinds, orientation and pixels of the relative map, axes, direction and unit of poses, intrinsics, truth and \
      stored predictions, confidence, time stamps. Conventions that disturb each other are judged together; a correction \
      is tried in memory before the next test, so that two faults are both named. Frames from one place count as one view. \
      What the data cannot decide is called undecidable. --verbose shows every \
      scene, whole reasons and what each finding rests on. With --strict the exit code is 1 if something is wrong. Parts that break the schema and cannot be read are \
      skipped; the exit code is then 65.
      """)

  @Argument(
    help: "HDF5 data set, or the folder of a recording that import knows.",
    completion: .file(extensions: ["h5"])) var data: String
  @Option(help: "Only these scenes: names or patterns (*, ?, [a-z]), comma-separated or repeated.")
  var scenes: [String] = []
  @Option(help: "Seed of the resamples for the confidences.") var seed: UInt64 = 0
  @Option(
    help: "Folder for diagnosis.json, the table as text, and pictures of the contradictions.",
    completion: .directory) var output: String?
  @Option(
    name: .customLong("fix"),
    help: ArgumentHelp(
      "Write a corrected copy; a correction needs two independent checks or 6 standard errors. Given again with names (\(CorrectionNames.words.joined(separator: ", ")), or a test of the table), it also makes these corrections if they have at least 3.",
      valueName: "file or names"), completion: .file(extensions: ["h5"])) var fixes: [String] = []
  @OptionGroup var files: DataFlags
  @Flag(help: "Replace an existing folder, or file of --fix.") var overwrite = false
  @Flag(help: "Exit with 1 if the data contradict the declarations.") var strict = false
  @Flag(help: "Print everything as JSON.") var json = false
  @OptionGroup var console: Console
  /// The file of `--fix`, and the names.
  private var fix: String? { fixes.first { CorrectionNames($0) == nil } }
  private var names: CorrectionNames {
    fixes.compactMap { CorrectionNames($0) }.reduce(into: CorrectionNames()) { $0.formUnion($1) }
  }

  package func validate() throws {
    let files = fixes.filter { CorrectionNames($0) == nil }
    guard !fixes.isEmpty else { return }
    guard let file = files.first else {
      throw ValidationError(
        "--fix: a file to write is needed beside the names: --fix fixed.h5 --fix \(fixes[0])")
    }
    guard files.count == 1 else {
      throw ValidationError(
        "--fix: '\(files[1])' is not a convention that can be corrected, and '\(file)' is the file already; names are "
          + CorrectionNames.words.joined(separator: ", "))
    }
  }

  package func run() async throws {
    var job = DiagnoseJob(data)
    // A diagnosis that cannot be written should not be computed.
    if let fix { try job.checkCopy(to: fix, overwrite: overwrite) }
    (job.scenes, job.seed, job.external) = (SceneChoice(scenes), seed, files.external)
    job.mapping = files.mapping
    let opened = try job.open()
    guard let output else { return try finish(try await opened.diagnosis(console.observe), opened) }
    let folder = try AtomicFolder(output, kind: .diagnosis, overwrite: overwrite)
    let diagnosis = try await opened.diagnosis(console.observe)
    try folder.write(DiagnosisText(diagnosis, isVerbose: true).text + "\n", to: "diagnosis.txt")
    console.warnOfMissingFont()
    try opened.drawPictures(of: diagnosis, in: folder)
    try folder.commit(manifest: diagnosis.json)
    try finish(diagnosis, opened)
  }

  private func finish(_ diagnosis: DatasetDiagnosis, _ opened: borrowing OpenDiagnosis) throws {
    let broken = diagnosis.schema.first { $0.severity == .error }
    // A copy that would break the schema as well is not a result.
    let isWritten = broken == nil || names.correct(diagnosis.scenes)
    if let fix, isWritten {
      let copy = try opened.correctedCopy(of: diagnosis, to: fix, naming: names, overwrite: overwrite)
      if !json { try console.show(Self.words(copy) + "\n", beside: fix) }
    }
    try show(diagnosis, beside: isWritten ? fix ?? output : output)
    let fault = broken.map { broken in
      Failure(
        message:
          "\(data): it breaks the schema: \(broken.object): \(broken.problem); \(broken.advice.onCommandLine)"
          + (fix.map { isWritten ? "; \($0) has the corrections above" : "; \($0) was not written" } ?? ""),
        code: Failure.badData)
    }
    if let fault, fix != nil { throw fault }
    if strict { try requireConfirmed(diagnosis) }
    if let fault { throw fault }
  }

  /// What was done and what was left, line by line.
  static func words(_ copy: CorrectedCopy) -> String {
    let head =
      !copy.changes.isEmpty
      ? "\(copy.path): a corrected copy"
      : "\(copy.path): an exact copy: "
        + (copy.leftOpen.isEmpty && copy.withheld.isEmpty
          ? "nothing to correct"
          : copy.withheld.isEmpty ? "nothing that can be corrected" : "nothing that is certain")
    let open = copy.leftOpen.isEmpty ? [] : ["Left as they are:"] + copy.leftOpen.map { "- \($0)" }
    let withheld =
      copy.withheld.isEmpty
      ? []
      : ["Not corrected: needs a second independent check, or 6 standard errors:"]
        + copy.withheld.map { "- \($0)" }
    return ([head] + copy.changes.map { "- \($0)" } + withheld + open).joined(separator: "\n")
  }

  private func show(_ diagnosis: DatasetDiagnosis, beside files: String?) throws {
    if json {
      try console.show(json: try diagnosis.json, beside: files)
    } else {
      try console.show(
        DiagnosisText(diagnosis, isVerbose: console.verbose).text, beside: files, painting: VerdictPaint.words
      )
    }
  }

  private func requireConfirmed(_ diagnosis: DatasetDiagnosis) throws {
    let wrong = diagnosis.scenes.flatMap(\.findings).filter(\.verdict.isWrong)
    if let first = wrong.first {
      throw Failure(
        message:
          "\(data): the data contradict \(wrong.count) of the declared conventions, first scenes/\(first.scene): "
          + "\(first.summary); \(first.fix ?? "see the table")", code: .failure)
    }
  }
}

/// Colours of verdicts on a terminal.
enum VerdictPaint {
  /// Words as they stand in a table, and the codes of their colours.
  static let words = [
    "contradicted": "1;31", "no-reading-fits": "1;31", "undecidable": "33", "confirmed": "32", "found": "36",
  ]
}
