import ArgumentParser
import DepthDataset
import DepthExport
import DepthFusion
import DepthObjects
import DepthReport
import Foundation
import Logging

/// Draws frames for other programs to look at.
struct Render: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a frame's points and boxes as a file for MeshLab, CloudCompare, Blender or USD viewers.",
    discussion: """
      ply holds points (x, y, z, red, green, blue, confidence), obj boxes as groups with materials, usda both. Coordinates are \
      metres in the world of the poses with y up, a z-up world turned about x; a frame without pose is given in the camera's \
      axes (x right, y up, z backward), and the file says so. Points have the colours of the camera image, or without one \
      turbo's by depth. The same data, options and seed give the same bytes.
      """)

  @Argument(help: "HDF5 data set.", completion: .file(extensions: ["h5"])) var data: String
  @Option(help: "Scene (default: the first).") var scene: String?
  @Option(help: "Frame, as reports name it (default: the first).") var frame: String?
  @Flag(help: "Every frame of the scene, numbered files in a folder.") var allFrames = false
  @Flag(help: "With --all-frames: one file with all frames in the world; needs poses.") var merge = false
  @Option(
    help:
      "Whose depth: lidar, truth, or a fusion method that evaluate knows, such as auto or ols@disparity."
  )
  var source = "lidar"
  @Option(
    help:
      "Leave out pixels where the LiDAR's confidence is lower: 0, 1 or 2. Without a confidence map all count as 2 (default: 0; for boxes in the LiDAR 2, as specified)."
  )
  var minConfidence: UInt8?
  @Option(
    help:
      "Depths that count, metres, A:B, either may be left out (default: all; for boxes 0.1:4, as specified). Also the ends of turbo (default: 0.5:5)."
  )
  var depthRange: DepthLimits?
  @Option(
    help:
      "Boxes of the stored detections, whatever their score, comma-separated: \(BoxMethod.all.map(\.id).joined(separator: ", ")), truth; or none (default: auto, and truth where it is known)."
  )
  var boxes: String?
  @Option(help: "What to write (default: what --output is named, else ply).") var format: RenderFormat?
  @Option(help: "Seed of methods that draw at random.") var seed: UInt64 = 0
  @Option(
    help:
      "File; or folder, with --all-frames a new one (default: Reports/<data>-<scene>-<frame>.<format>, Reports/<data>-<scene>-<format>).",
    completion: .file()) var output: String?
  @Flag(help: "Replace an existing file or folder.") var overwrite = false
  @Flag(help: "Print what was written as JSON.") var json = false
  @OptionGroup var console: Console

  func validate() throws {
    if allFrames && frame != nil { throw ValidationError("--frame and --all-frames exclude each other") }
    if merge && !allFrames { throw ValidationError("--merge: only with --all-frames") }
    if let minConfidence, minConfidence > 2 {
      throw ValidationError("--min-confidence: \(minConfidence) is not 0, 1 or 2")
    }
    if output?.isEmpty == true { throw ValidationError("--output: a name is needed") }
    let named = allFrames && !merge ? nil : output.flatMap { RenderFormat(fileName: $0) }
    if let format, let named, format != named {
      throw ValidationError("--output: '\(output ?? "")' is not named as --format \(format.rawValue)")
    }
    if format == nil, named == nil, !(allFrames && !merge), let output,
      let ending = RenderFormat.ending(of: output)
    {
      let names = RenderFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError(
        "--output: there is no format '\(ending)'; there are \(names); or say which with --format")
    }
    let geometry = resolvedFormat.geometry
    if !geometry.holdsBoxes, let boxes, boxes != "none" {
      throw ValidationError("--boxes: \(geometry.rawValue) holds points only; take --format usda or obj")
    }
    if !geometry.holdsPoints, boxes == "none" {
      throw ValidationError("--boxes: \(geometry.rawValue) holds boxes only; take --format ply or usda")
    }
  }

  /// The format asked for, by flag or by the file's name.
  var resolvedFormat: RenderFormat {
    if let format { return format }
    return (allFrames && !merge ? nil : output.flatMap { RenderFormat(fileName: $0) }) ?? .ply
  }

  func run() throws {
    var options = GeometryOptions()
    options.source = try DepthSource(source)
    options.minimumConfidence = minConfidence
    options.depthRange = depthRange?.range
    options.seed = seed
    options.drawsPoints = resolvedFormat.geometry.holdsPoints
    let chosen = try boxes.map { try BoxChoice.parse($0) }
    let reader = try DatasetReader(readingFrom: data)
    let picked = try FramePicker(reader.scenes, scene: scene, frame: frame, all: allFrames)
    if resolvedFormat.geometry.holdsBoxes {
      options.boxes = try BoxSelection(picked.scene, from: reader).boxes(
        chosen, isRequired: !options.drawsPoints)
    }
    let job = RenderJob(
      geometry: try FrameGeometry(options, of: picked.scene, from: reader), format: resolvedFormat.geometry,
      frames: picked.frames, overwrite: overwrite, console: console)
    let rows: [RenderedFile]
    if allFrames && !merge {
      rows = try job.writeFolder(output ?? defaultPath(picked, ending: "-"), from: reader)
    } else {
      rows = [try job.writeFile(try filePath(picked), from: reader)]
    }
    try present(rows, picked.scene)
  }

  /// Where a single file goes; a folder that exists takes it under its default name.
  private func filePath(_ picked: FramePicker) throws -> String {
    let name = defaultPath(picked, ending: ".")
    guard let output else {
      try? FileManager.default.createDirectory(atPath: "Reports", withIntermediateDirectories: true)
      return name
    }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: output, isDirectory: &isFolder), isFolder.boolValue else {
      return output
    }
    return output + (output.hasSuffix("/") ? "" : "/") + URL(fileURLWithPath: name).lastPathComponent
  }

  private func defaultPath(_ picked: FramePicker, ending: String) -> String {
    let stem = URL(fileURLWithPath: data).deletingPathExtension().lastPathComponent
    let frame = allFrames ? nil : picked.scene.frameID(picked.frames.lowerBound)
    let parts = [stem, picked.scene.name, frame].compactMap { $0.map(RenderJob.fileName) }
    return "Reports/" + parts.joined(separator: "-") + ending + resolvedFormat.rawValue
  }

  private func present(_ rows: [RenderedFile], _ scene: SceneHeader) throws {
    if json {
      let table = DataTable(
        columns: [
          "file", "scene", "frames", "coordinates", "points", "fitted_boxes", "truth_boxes",
          "failed_fits",
        ],
        rows: rows.map {
          [
            .text($0.file), .text(scene.name), .text($0.frames.joined(separator: " ")), .text($0.coordinates),
            .integer($0.points), .integer($0.fittedBoxes), .integer($0.truthBoxes), .integer($0.failedFits),
          ]
        })
      return try console.show(table.json)
    }
    for row in rows {
      let counts = [
        row.points > 0 || resolvedFormat.geometry.holdsPoints ? "\(row.points) points" : nil,
        resolvedFormat.geometry.holdsBoxes
          ? "\(row.fittedBoxes) fitted and \(row.truthBoxes) true boxes" : nil,
        row.failedFits > 0
          ? "\(row.failedFits) \(row.failedFits == 1 ? "fit" : "fits") failed (--verbose says why)" : nil,
      ].compactMap { $0 }.joined(separator: ", ")
      let frames =
        row.frames.count == 1 ? "frame \(row.frames[0])" : "\(row.frames.count) frames"
      try console.show(
        "\(row.file): scene \(scene.name), \(frames), \(counts), \(row.coordinates) coordinates")
    }
  }
}
