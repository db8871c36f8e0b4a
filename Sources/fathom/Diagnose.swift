import ArgumentParser
import DepthDataset
import DepthDiagnosis
import DepthFusion
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
      be undecidable. With --strict a contradiction ends with 1.
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
  @Flag(help: "Replace an existing folder, or file of --fix.") var overwrite = false
  @Flag(help: "End with 1 where the data contradict what is declared.") var strict = false
  @Flag(help: "Print everything as JSON.") var json = false
  @OptionGroup var console: Console

  func run() throws {
    // Nobody should wait for a diagnosis that then has no place to go.
    if let fix { try DatasetEditor.check(fix, for: data, mayReplace: overwrite) }
    guard let output else { return try finish(try diagnosis()) }
    let folder = try AtomicFolder(output, kind: .diagnosis, overwrite: overwrite)
    let diagnosis = try diagnosis()
    try folder.write(DiagnosisText(diagnosis).text + "\n", to: "diagnosis.txt")
    try drawPictures(of: diagnosis, in: folder)
    try folder.commit(manifest: diagnosis.json)
    try finish(diagnosis)
  }

  private func drawPictures(of diagnosis: DatasetDiagnosis, in folder: borrowing AtomicFolder) throws {
    let reader = try DatasetReader(readingFrom: data, validation: .lenient)
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

  private func finish(_ diagnosis: DatasetDiagnosis) throws {
    if let fix {
      let scenes = try DatasetReader(readingFrom: data, validation: .lenient).scenes
      let copy = try CorrectedCopy(of: data, to: fix, overwrite: overwrite, diagnosis.scenes, scenes)
      if !json { try console.show(copy.text + "\n", beside: fix) }
    }
    try show(diagnosis)
  }

  private func diagnosis() throws -> DatasetDiagnosis {
    let reader = try DatasetReader(readingFrom: data, validation: .lenient)
    let names = try SceneChoice(scenes).chosen(among: reader.scenes.map(\.name))
    let chosen = reader.scenes.filter { names.contains($0.name) }
    let progress = ProgressBar("diagnosing", total: chosen.count, console: console)
    var diagnoses: [SceneDiagnosis] = []
    for scene in chosen {
      diagnoses.append(SceneDiagnosis(try SceneSample(scene, from: reader), seed: seed))
      progress.advance()
    }
    return DatasetDiagnosis(
      file: URL(fileURLWithPath: data).lastPathComponent, sha256: try FileDigest.sha256(ofFile: data),
      seed: seed,
      schema: reader.issues,
      scenes: diagnoses)
  }

  private func show(_ diagnosis: DatasetDiagnosis) throws {
    let files = fix ?? output
    if json {
      try console.show(json: try diagnosis.json, beside: files)
    } else {
      try console.show(DiagnosisText(diagnosis).text, beside: files)
    }
    guard strict else { return }
    let wrong = diagnosis.scenes.flatMap(\.findings).filter { $0.verdict == .contradicted }
    if let first = wrong.first {
      throw Failure(
        message:
          "\(data): the data contradict \(wrong.count) of the declared conventions, first scenes/\(first.scene): "
          + "\(first.summary); \(first.fix ?? "see the table")",
        code: .failure)
    }
    if let broken = diagnosis.schema.first(where: { $0.severity == .error }) {
      throw Failure(
        message: "\(data): it breaks the schema: \(broken.object): \(broken.problem); \(broken.advice)",
        code: .failure)
    }
  }
}
