import FathomCommandLine
import FathomJobReports
import FathomDocuments
package import ArgumentParser
import DepthCore
import DepthDataset
import DepthDiagnosis
import DepthImport
import Foundation
import Logging
import FathomPlainText
import FathomRuns
import FathomStorage

/// Makes a data set of a recording.
package struct Import: AsyncParsableCommand {
  package init() {}
  package static let configuration = CommandConfiguration(
    abstract: "Make a data set from a phone's recording, a public data set or a folder of pictures.",
    discussion: """
      The format is recognised by the files, or named: stray (Stray Scanner), scanner3d (3D Scanner App), tum (TUM RGB-D, \
      Bonn), seven-scenes, redwood, marigold-dc, record3d (Record3D's EXR export), r3d (its own file), arkitscenes, \
      arkitscenes-upsampling, nerfstudio, instant-ngp, nerfcapture, polycam (raw data), bop, colmap (dense workspace), \
      nyu, kitti-depth, kitti-stereo, diode, ibims, eth3d, middlebury, sintel, replica, tartanair, tartanair-v2, scannet, scannetpp, hypersim, vkitti2, \
      lingbot, sunrgbd, moge, ros (a bag that fathom.bags converted), frames, folder (a folder of one's own). Prints and stores what the recording declares, and what was \
      converted, assumed and skipped; then tests it against the data, as diagnose \
      does. docs/importing.md says how to bring other folders.
      """)

  @Argument(
    help: "Folder of the recording, or a zip, tar or .r3d of it; with --mapping also an HDF5 file.",
    completion: .file()) var recording: String?
  @Argument(help: "File to write.", completion: .file(extensions: ["h5"])) var output: String?
  @Option(help: "Name of the format (default: detected from the files).") var format: String?
  @Option(
    help: "File that defines the meaning of the folder's files, or of a file's arrays, instead of a format.",
    completion: .file(extensions: ["yaml", "yml"])) var mapping: String?
  @Option(help: "Print the mapping of a format, to copy and change, and exit.") var printMapping: String?
  @Option(help: "Only every N-th frame.") var every = 1
  @Option(help: "Only frames A to B-1 of the recording, counted from 0: 0:10, 5: or :3.") var frames:
    FrameRange?
  @Option(help: "Metres per count of the depth: 0.001 for millimetres.") var depthScale: Double?
  @Option(
    help:
      "Formula applied first to the depth's stored numbers v, or channels r, g, b, a: fx * 0.05 / v; r + 256*g."
  ) var depthFormula: String?
  @Option(help: "Stored numbers that mean 'no depth', comma-separated; 0 always does.") var invalid:
    NumberList?
  @Option(help: "The same for the truth, instead of the mapping's values.") var truthInvalid: NumberList?
  @Option(
    help: "File of the poses: lines of t q, number t q, time t q or a matrix, or a .log; camera to world.",
    completion: .file()) var poses: String?
  @Option(
    help:
      "fx,fy,cx,cy or fx,fy,cx,cy,width,height, or a file of them or of a matrix; counted as the mapping says, of maps and a truth from the centre of the first pixel.",
    completion: .file()) var intrinsics: String?
  @Option(help: "Turn pictures, maps, intrinsics and poses: clockwise, counter-clockwise or half.") var turn:
    TurnArgument?
  @Flag(help: "Skip pictures, including those of videos.") var noPictures = false
  @OptionGroup var maps: MapFlags
  @Option(
    help:
      "Instead of a recording: folder or file of the truth for the maps of --prediction. fathom import OUT.h5 --prediction mynet:metric=pred --truth gt",
    completion: .directory) var truth: String?
  @OptionGroup(title: "Maps and a truth in folders") var set: MapSetFlags
  @OptionGroup var links: LinkFlags
  @Option(help: "Frames read at once (default: the number of cores).") var jobs: JobCount?
  @Flag(help: "Skip the diagnosis of the written file.") var noDiagnosis = false
  @Option(help: "Seed of the resamples for the diagnosis.") var seed: UInt64 = 0
  @Flag(help: "Replace an existing file.") var overwrite = false
  @Flag(
    help: "Exit with 1 if the data contradict the declarations, and with 65 if maps in folders are doubtful."
  ) var strict = false
  @Flag(help: "Print everything as JSON.") var json = false
  @OptionGroup var console: Console

  package func validate() throws {
    if printMapping != nil {
      guard recording == nil else { throw ValidationError("--print-mapping: it takes no recording") }
      return
    }
    if truth != nil || set.hasList { return try checkMaps() }
    if let option = set.given, option != "--prediction-resize" {
      throw ValidationError("\(option): it goes with --truth DIR")
    }
    guard recording != nil, output != nil else {
      throw ValidationError("a recording and a file to write are needed: fathom import FOLDER OUT.h5")
    }
    if let first = maps.certainties.first {
      throw ValidationError(
        "--prediction-\(first.certainty.rawValue): add it to the data set of a recording with 'fathom attach'"
      )
    }
    if noDiagnosis && strict {
      throw ValidationError("--no-diagnosis: --strict needs the diagnosis; give only one of them")
    }
    if format != nil && mapping != nil { throw ValidationError("--format and --mapping exclude each other") }
    if let recording, let output, RecordingFolder.isOne(output), !RecordingFolder.isOne(recording) {
      throw ValidationError(
        "the recording comes first: fathom import \(output.shellQuoted) \(recording.shellQuoted)")
    }
    guard every >= 1 else { throw ValidationError("--every: at least 1 is needed") }
  }

  /// Maps and a truth take the place of a recording.
  private func checkMaps() throws {
    guard let recording, output == nil else {
      throw ValidationError(
        "--truth: maps in folders take no recording: fathom import OUT.h5 --prediction NAME=DIR --truth DIR")
    }
    if RecordingFolder.isOne(recording) {
      throw ValidationError("'\(recording)' is not a file to write: fathom import OUT.h5 --truth DIR …")
    }
    let foreign: [(String, Bool)] = [
      ("--format", format != nil), ("--mapping", mapping != nil), ("--every", every != 1),
      ("--frames", frames != nil), ("--depth-scale", depthScale != nil),
      ("--depth-formula", depthFormula != nil), ("--invalid", invalid != nil),
      ("--poses", poses != nil), ("--turn", turn != nil), ("--relative", maps.relative != nil),
    ]
    if let option = foreign.first(where: \.1)?.0 {
      throw ValidationError("\(option): it applies to a recording, and --truth takes none")
    }
  }

  private func job() -> ImportJob? {
    guard truth != nil || set.hasList else {
      guard let recording, let output else { return nil }
      var job = ImportJob(recording, to: output)
      (job.format, job.mapping, job.frames) = (format, mapping, frames)
      (job.options.depthScale, job.options.invalid) = (depthScale, invalid?.numbers ?? [])
      job.options.depthFormula = depthFormula
      job.options.truthInvalid = truthInvalid?.numbers
      (job.options.poses, job.options.intrinsics, job.options.every) = (poses, intrinsics, every)
      (job.options.turn, job.options.leavesPicturesOut) = (turn?.turn, noPictures)
      job.options.maps = maps.requests(set.predictionResize)
      job.options.external = links.external
      for index in job.options.maps.indices { job.options.maps[index].external = links.external }
      (job.diagnoses, job.seed) = (!noDiagnosis, seed)
      return job
    }
    return recording.map { output in
      var request = set.request(
        maps.requests(nil), truth: truth, invalid: truthInvalid?.numbers, intrinsics: intrinsics,
        external: links.external)
      if !maps.certainties.isEmpty { request.deviations = maps.certainties }
      return ImportJob(maps: request, to: output)
    }
  }

  package func run() async throws {
    if let printMapping {
      let text = try Preset.named(printMapping).text
      return try console.show(text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }
    guard var job = job() else { return }
    let output = job.output
    job.overwrite = overwrite
    job.jobs = jobs?.count ?? MachineLimits.current.cores
    if format == nil, truth == nil, !set.hasList, let recording {
      console.warnOfOmissions(in: [recording], mapping: mapping)
    }
    let observe = console.observe
    var doubt: SchemaIssue?
    let result = try await job.run { event in
      if case .noticed(.schema(_, let issue)) = event, issue.severity == .warning { doubt = doubt ?? issue }
      observe(event)
    }
    let wrong = (result.diagnosis?.scenes ?? []).flatMap(\.findings).filter(\.verdict.isWrong)
    if json {
      try console.show(json: try CanonicalJSON.text(ImportReport(result, output)), beside: output)
    } else {
      try console.show(ImportText(result, output).text, beside: output)
    }
    for finding in wrong {
      console.log.warning(
        "scenes/\(finding.scene): \(finding.title): the data contradict what is declared: \(finding.summary); \(finding.fix ?? "see the table")"
      )
    }
    if strict, let doubt {
      throw Failure(message: "\(output) is written, but: \(doubt.problem)", code: Failure.badData)
    }
    if strict, let first = wrong.first {
      throw Failure(
        message:
          "\(output) is written, but the data contradict \(wrong.count) of the declared conventions, first scenes/\(first.scene): "
          + "\(first.summary); \(first.fix ?? "see the table")", code: .failure)
    }
  }
}

/// An import for programs.
struct ImportReport: Encodable {
  struct Scene: Encodable {
    var name: String, frames: Int
    var record: ImportRecord?
  }
  var file: String, format: String
  var recognisedBy: [String]?
  var scenes: [Scene]
  /// Absent where it was skipped.
  var diagnosis: DatasetDiagnosis?

  init(_ result: ImportJob.Result, _ path: String) {
    (file, format, recognisedBy) = (path, result.title, result.evidence)
    scenes = result.scenes.map { Scene(name: $0.name, frames: $0.frameCount, record: $0.importRecord) }
    diagnosis = result.diagnosis
  }
}

/// An import as a person reads it.
struct ImportText {
  let text: String
  private static let mostDropped = 20  // More than these are counted; `fathom inspect --json` lists them all.

  init(_ result: ImportJob.Result, _ path: String) {
    let how =
      result.evidence.map { $0.isEmpty ? "" : ", recognised by \($0.joined(separator: ", "))" }
      ?? ", as requested"
    var lines = ["\(result.title)\(how)".visible]
    if let scene = result.scenes.first(where: { $0.hasPoses && $0.intrinsics == nil }) {
      lines.append(
        "poses: taken as axes \(scene.cameraConvention.axes) of the camera; without intrinsics the data cannot test this"
      )
    }
    for scene in result.scenes {
      let pictures = scene.colourSize == nil ? 0 : scene.imageFrames?.count ?? scene.frameCount
      lines += [
        "", "\(scene.name.visible): \(counted(scene.frameCount, "frame")), \(counted(pictures, "picture"))",
      ]
      guard let record = scene.importRecord else { continue }
      let dropped = record.entries.filter { $0.step == .dropped }
      let shown = record.entries.filter { $0.step != .dropped } + dropped.prefix(Self.mostDropped)
      lines.append(
        DisplayTable(
          columns: [
            .text("step"), .text("what"), .text("how"),
          ], rows: shown.map { [$0.step.rawValue, $0.subject.visible, $0.words.visible] }
        ).plain)
      if dropped.count > Self.mostDropped {
        lines.append(
          "… and \(dropped.count - Self.mostDropped) more that were dropped: fathom inspect --json lists them"
        )
      }
    }
    if let diagnosis = result.diagnosis {
      lines += ["", "What the data show:", DiagnosisText(diagnosis).text]
    } else {
      lines += ["", "Not compared with the data: fathom diagnose does that."]
    }
    lines.append("\(path.visible): written")
    text = lines.joined(separator: "\n")
  }
}
