import ArgumentParser
import DepthDataset
import DepthDiagnosis
import DepthFusion
import DepthReport
import Foundation

/// Tests every convention against the data.
struct Diagnose: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Test every convention against the data: declared, supported, by what margin.",
    discussion: """
      Units, kinds, orientation of the relative map, axes and direction of poses, intrinsics, order of time stamps. What \
      the data cannot decide is said to be undecidable. With --strict a contradiction ends with 1.
      """)

  @Argument(help: "HDF5 data set.", completion: .file(extensions: ["h5"])) var data: String
  @Option(help: "Only scenes whose name matches this pattern (*, ?, [a-z]).") var scenes: String?
  @Option(help: "Seed of the resamples behind confidences.") var seed: UInt64 = 0
  @Option(help: "Folder for diagnosis.json.", completion: .directory) var output: String?
  @Flag(help: "Replace an existing folder.") var overwrite = false
  @Flag(help: "End with 1 where the data contradict what is declared.") var strict = false
  @Flag(help: "Print everything as JSON.") var json = false
  @OptionGroup var console: Console

  func run() throws {
    guard let output else { return try show(try diagnoses()) }
    let folder = try OutputFolder(output, marker: "diagnosis.json", overwrite: overwrite)
    Interruption.removesOnInterrupt(folder.partial)
    let diagnoses = try diagnoses()
    try folder.write(try Self.encoded(diagnoses) + "\n", to: "diagnosis.json")
    try folder.commit()
    try show(diagnoses)
  }

  private func diagnoses() throws -> [SceneDiagnosis] {
    let reader = try DatasetReader(readingFrom: data, validation: .lenient)
    let chosen = reader.scenes.filter { scene in scenes.map { fnmatch($0, scene.name, 0) == 0 } ?? true }
    guard !chosen.isEmpty else {
      throw ValidationError(
        "--scenes: no scene matches; there are \(reader.scenes.map(\.name).joined(separator: ", "))")
    }
    let progress = ProgressBar("diagnosing", total: chosen.count, console: console)
    var diagnoses: [SceneDiagnosis] = []
    for scene in chosen where scene.lidarSize != nil {
      diagnoses.append(
        try SceneDiagnosis(scene, named: scene.name, seed: seed) { (index) throws(DatasetError) in
          try reader.frame(index, of: scene, including: [.lidar, .confidence, .relative, .camera])
        })
      progress.advance()
    }
    return diagnoses
  }

  private func show(_ diagnoses: [SceneDiagnosis]) throws {
    try console.show(json ? try Self.encoded(diagnoses) : DiagnosisText(diagnoses).text)
    let wrong = diagnoses.flatMap(\.findings).filter { $0.verdict == .contradicted }
    if strict, let first = wrong.first {
      throw Failure(
        message:
          "\(data): the data contradict \(wrong.count) of the declared conventions, first scenes/\(first.scene): "
          + "\(first.summary); \(first.fix ?? "see the table")",
        code: .failure)
    }
  }

  private static func encoded(_ diagnoses: [SceneDiagnosis]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(diagnoses), as: UTF8.self)
  }
}

/// A diagnosis as a person reads it.
struct DiagnosisText {
  let text: String

  init(_ diagnoses: [SceneDiagnosis]) {
    var lines: [String] = []
    for diagnosis in diagnoses {
      lines.append("\(diagnosis.scene) (\(diagnosis.frames.count) frames looked at)")
      lines.append(
        DisplayTable(
          columns: [
            .init("test", numeric: false), .init("declared", numeric: false),
            .init("supported", numeric: false),
            .init("verdict", numeric: false), .init("margin [σ]"), .init("confidence"),
          ],
          rows: diagnosis.findings.map { finding in
            [
              finding.title, finding.declared ?? "–", finding.supported ?? "–", finding.verdict.rawValue,
              finding.margin.map { Rounded.number(min($0, 999), digits: 2) } ?? "–",
              finding.confidence.map { Rounded.percent($0, decimals: 0) } ?? "–",
            ]
          }
        ).plain)
      for finding in diagnosis.findings where finding.verdict != .confirmed && finding.verdict != .notTestable
      {
        lines.append("- \(finding.title): \(finding.summary).")
        if let fix = finding.fix { lines.append("  Fix: \(fix).") }
      }
      lines.append("")
    }
    text = lines.joined(separator: "\n")
  }
}
