import FathomCommandLine
import FathomJobReports
import FathomDocuments
package import ArgumentParser
import DepthCore
import DepthDataset
import DepthImport
import FathomPlainText
import FathomRuns
import Foundation
import FathomStorage

/// Says what is in a file and whether it keeps to the schema.
package struct Inspect: ParsableCommand {
  package init() {}
  package static let configuration = CommandConfiguration(
    abstract: "Show what is in a data set: scenes, arrays, units, ranges, valid share; validate the schema.",
    discussion: """
      Exits with 65 where the file breaks the schema so that evaluate would refuse it. Of another program's HDF5 file it shows the \
      arrays, of a folder of no known format the files and what they can be, and proposes a mapping for --mapping.
      """)

  @Argument(help: "HDF5 data set, or the folder of a recording.", completion: .file(extensions: ["h5"]))
  var data: String
  @OptionGroup var files: DataFlags
  @Flag(help: "Print everything as JSON.") var json = false
  @OptionGroup var console: Console

  private static func inspection(of source: some FrameSource) throws -> DatasetInspection {
    try DatasetInspection(of: source)
  }

  package func run() throws {
    let inspection: DatasetInspection
    if files.mapping != nil || RecordingFolder.isOne(data) {
      do {
        inspection = try Self.inspection(
          of: DataSource.open(data, external: files.external, mapping: files.mapping))
      } catch let error as FathomError where error.kind == .badData && files.mapping == nil {
        // What fathom wrote is known.
        guard FolderKind.ofResults(in: data) == nil, let command = try showSurvey() else { throw error }
        // The rest of the error was shown.
        throw Failure(
          message: "cannot use \(data) as it is: it has the files of no format; "
            + (comparison(ofMapsIn: data).map { "compare its maps with '\($0)', or " } ?? "")
            + "read it with '\(command)'",
          code: Failure.badData)
      }
    } else {
      if let refusal = ForeignPath.refusal(data, to: "inspect the file") { throw refusal }
      inspection = try DatasetInspection(inspecting: data, external: files.external)
    }
    if inspection.isOfOthers, let foreign = try? ForeignInspection.opened(data) { return try show(foreign) }
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try console.show(json: String(decoding: try encoder.encode(inspection), as: UTF8.self))
    } else {
      try console.show(InspectionText(inspection).text)
    }
    let errors = inspection.issues.filter { $0.severity == .error }
    if let first = errors.first {
      let places = errors.count == 1 ? "one place" : "\(errors.count) places, first"
      throw Failure(
        message:
          "cannot use \(data): it breaks the schema in \(places): \(first.object): \(first.problem); \(first.advice.onCommandLine)",
        code: Failure.badData)
    }
  }

  /// What lies in a folder that no format describes.
  /// - Returns: The command that reads it; nil where there is none, or a format nearly describes the folder.
  private func showSurvey() throws -> String? {
    guard let survey = try? FolderSurvey.opened(data, external: files.external), !survey.isOfKnownFormat
    else { return nil }
    try console.show(json ? CanonicalJSON.text(survey) : FolderSurveyText(survey).text)
    return survey.nearly.isEmpty ? survey.command : nil
  }

  /// A file of another program's: its arrays, and a mapping to begin with.
  private func show(_ foreign: ForeignInspection) throws {
    if json {
      try console.show(json: try CanonicalJSON.text(foreign))
    } else {
      try console.show(ForeignInspectionText(foreign).text)
    }
    throw Failure(
      message: foreign.mapping == nil
        ? "cannot use \(data): it is not a Fathom data set, and none of its arrays looks like depth; write a mapping for --mapping, see docs/importing.md"
        : "cannot use \(data): it is not a Fathom data set; check the proposed mapping line by line, store it, and give it with --mapping",
      code: Failure.badData)
  }
}

extension DatasetInspection {
  /// Whether it is the file of another program.
  fileprivate var isOfOthers: Bool {
    isRecording != true && scenes.isEmpty && issues.contains { $0.object == "/" && $0.severity == .error }
  }
}

/// A foreign file as a person reads it: the mapping can be copied as it stands.
struct ForeignInspectionText {
  let text: String
  private static let mostArrays = 60

  init(_ foreign: ForeignInspection) {
    var lines = [
      "\(foreign.path.visible): HDF5 of another program, \(counted(foreign.arrays.count, "array"))", "",
    ]
    let table = DisplayTable(
      columns: [
        .text("array"), .init("shape"), .text("type"), .init("valid"), .init("min"), .init("median"),
        .init("max"), .text("looks like"),
      ],
      rows: foreign.arrays.prefix(Self.mostArrays).map { array in
        [
          array.name.visible, array.shape.map(String.init).joined(separator: "×"), array.type,
          array.values.map { Quantity($0.validShare, .percent()).text } ?? "–",
          Quantity(array.values?.minimum, .significant()).text,
          Quantity(array.values?.median, .significant()).text,
          Quantity(array.values?.maximum, .significant()).text, array.role?.rawValue ?? "–",
        ]
      })
    lines.append(table.plain)
    if foreign.arrays.count > Self.mostArrays {
      lines.append("… and \(foreign.arrays.count - Self.mostArrays) more: --json lists them all")
    }
    if let mapping = foreign.mapping {
      lines += ["", "A first mapping, from names, shapes and ranges:", ""]
      lines += mapping.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).visible }
    }
    text = lines.joined(separator: "\n")
  }
}

/// An inspection as a person reads it.
struct InspectionText {
  let text: String

  init(_ inspection: DatasetInspection) {
    let attributes = inspection.attributes
    var lines = [
      "\(inspection.path.visible): \(Self.megabytes(inspection.byteCount)), \(inspection.scenes.count) scenes"
    ]
    for (name, value) in [
      ("name", attributes.name), ("description", attributes.description), ("license", attributes.license),
      ("source", attributes.source),
    ] { if let value { lines.append("  \(name): \(value.visible)") } }
    for name in inspection.externalFiles { lines.append("  leads to another file: \(name)") }
    for scene in inspection.scenes { lines += [""] + Self.lines(of: scene) }
    lines.append("")
    for issue in inspection.issues {
      lines.append(
        "\(issue.severity.rawValue): \(issue.object): \(issue.problem); \(issue.advice.onCommandLine)".visible
      )
    }
    lines.append(
      inspection.isRecording == true
        ? "a recording: an import writes schema version \(inspection.schemaVersion)"
        : "schema version \(inspection.schemaVersion): \(inspection.isValid ? "valid" : "NOT valid")")
    text = lines.joined(separator: "\n")
  }

  private static func lines(of scene: SceneInspection) -> [String] {
    let duration = scene.durationSeconds.map { String(format: ", %.2f s", $0) } ?? ""
    var lines = ["\(scene.name.visible): \(counted(scene.frameCount, "frame"))\(duration)"]
    for (name, value) in [("note", scene.note), ("license", scene.license), ("device", scene.device)] {
      if let value, !value.isEmpty { lines.append("  \(name): \(value.visible)") }
    }
    let table = DisplayTable(
      columns: [
        .text("array"), .init("size"), .text("stored"), .text("kind"), .text("unit"), .init("valid"),
        .init("min"), .init("median"), .init("max"), .text("from"),
      ],
      rows: scene.arrays.map { array in
        let filters = array.filters.isEmpty ? "" : " " + array.filters.joined(separator: "+")
        return [
          array.name, array.size.description, array.storedType + filters, array.kind ?? "–",
          array.unit ?? "–", array.values.map { Quantity($0.validShare, .percent()).text } ?? "–",
          Quantity(array.values?.minimum, .significant()).text,
          Quantity(array.values?.median, .significant()).text,
          Quantity(array.values?.maximum, .significant()).text, array.origin ?? "–",
        ]
      })
    lines += table.plain.split(separator: "\n").map { "  \($0)" }
    if scene.arrays.contains(where: { $0.origin == TruthIndependence.selected.rawValue }) {
      lines.append("  truth: selected; pixels that disagree with the LiDAR were excluded by its makers")
    }
    if let shares = scene.confidence {
      let other = shares.other > 0 ? ", other \(Quantity(shares.other, .percent()).text)" : ""
      lines.append(
        "  confidence: 2 \(Quantity(shares.high, .percent()).text), 1 \(Quantity(shares.medium, .percent()).text), "
          + "0 \(Quantity(shares.low, .percent()).text)\(other)")
    }
    if let k = scene.intrinsics {
      let numbers = [k.fx, k.fy, k.cx, k.cy].map { Quantity($0, .significant(6)).text }
      lines.append(
        "  camera: fx \(numbers[0]), fy \(numbers[1]), cx \(numbers[2]), cy \(numbers[3]) for \(k.imageSize)")
    }
    if let convention = scene.cameraConvention {
      lines.append("  poses: \(convention.rawValue), \((scene.upAxis ?? .y).rawValue) up")
    }
    if let count = scene.pictureCount { lines.append("  pictures: \(count) of \(scene.frameCount) frames") }
    if let record = scene.importRecord {
      lines.append("  imported from: \(record.recording.visible), read as \(record.format.visible)")
    }
    if let objects = scene.objects {
      let counts = objects.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
      let extras = (scene.hasMasks ? ", masks" : "") + (scene.hasTrueBoxes ? ", true boxes" : "")
      lines.append("  objects: \(counts.visible)\(extras)")
    }
    if !scene.absent.isEmpty { lines.append("  absent: \(scene.absent.joined(separator: ", "))") }
    return lines
  }

  private static func megabytes(_ bytes: Int) -> String { Quantity.fixed(Double(bytes) / 1e6, 1) + " MB" }
}
