import ArgumentParser
import DepthCore
import DepthDataset
import DepthDiagnosis
import DepthGraphics
import DepthReport
import Foundation
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

  @Argument(help: "HDF5 data set.", completion: .file(extensions: ["h5"])) var data: String
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
    // Nobody should wait for a diagnosis that then has no place to go.
    if let fix { try DatasetEditor.check(fix, for: data, mayReplace: overwrite) }
    let reader = try files.reader(data, validation: .lenient)
    try requireScenes(reader)
    guard let output else { return try finish(try diagnosis(reader), reader) }
    let folder = try AtomicFolder(output, kind: .diagnosis, overwrite: overwrite)
    let diagnosis = try diagnosis(reader)
    try folder.write(DiagnosisText(diagnosis).text + "\n", to: "diagnosis.txt")
    try drawPictures(of: diagnosis, in: folder, from: reader)
    try reader.sources.requireUnchanged()
    try folder.commit(manifest: diagnosis.json)
    try finish(diagnosis, reader)
  }

  /// - Throws: `DatasetError` for what is no data set, or holds no scene that could be diagnosed.
  private func requireScenes(_ reader: borrowing DatasetReader) throws {
    let errors = reader.issues.filter { $0.severity == .error }
    // Of a file of another format, or none, nothing can be said.
    if let error = errors.first(where: { $0.object == "/" }) ?? (reader.scenes.isEmpty ? errors.first : nil) {
      throw DatasetError(error, file: data)
    }
  }

  private func drawPictures(
    of diagnosis: DatasetDiagnosis, in folder: borrowing AtomicFolder, from reader: borrowing DatasetReader
  ) throws {
    console.warnOfMissingFont()
    for diagnosed in diagnosis.scenes {
      guard let scene = reader.scenes.first(where: { $0.name == diagnosed.scene }) else { continue }
      let sample = try SceneSample(scene, from: reader)
      var images: [Int: Raster<RGB>] = [:]
      if scene.colourSize != nil {
        for frame in sample.frames {
          images[frame.index] = try reader.frame(frame.index, of: scene, including: .image).image
        }
      }
      let known = images
      for (name, png) in try DiagnosisPictures(diagnosed, of: sample, image: { known[$0] }).files() {
        try folder.file(name).write(png)
      }
    }
  }

  private func finish(_ diagnosis: DatasetDiagnosis, _ reader: borrowing DatasetReader) throws {
    try reader.sources.requireUnchanged()
    if let fix {
      let copy = try CorrectedCopy(
        of: reader.sources, to: fix, overwrite: overwrite, diagnosis.scenes, reader.scenes)
      if !json { try console.show(copy.text + "\n", beside: fix) }
    }
    try show(diagnosis)
  }

  private func diagnosis(_ reader: borrowing DatasetReader) throws -> DatasetDiagnosis {
    let names = try SceneChoice(scenes).chosen(among: reader.scenes.map(\.name))
    let chosen = reader.scenes.filter { names.contains($0.name) }
    let progress = ProgressBar("diagnosing", total: chosen.count, console: console)
    var diagnoses: [SceneDiagnosis] = []
    for scene in chosen {
      diagnoses.append(SceneDiagnosis(try SceneSample(scene, from: reader), seed: seed))
      progress.advance()
    }
    return DatasetDiagnosis(
      of: RunManifest.Input(
        file: URL(fileURLWithPath: data).lastPathComponent, try reader.sources.digests()),
      seed: seed, schema: reader.issues, scenes: diagnoses)
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
