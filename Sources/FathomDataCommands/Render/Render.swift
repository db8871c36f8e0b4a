import FathomCommandLine
import DepthRendering
package import ArgumentParser
import DepthCore
import DepthExport
import DepthObjects
import DepthDataset
import Foundation
import Logging
import FathomRuns

/// Draws frames for people and other programs to look at.
package struct Render: ParsableCommand {
  package init() {}
  package static let configuration = CommandConfiguration(
    abstract: "Draw a frame as a picture, or write its points and boxes for 3-D programs.",
    discussion: """
      Pictures (png, jpg, svg, and webp, which moves) are drawn in layers from bottom to top, with colour bar, legend and \
      caption. ramp and bands are the app's depth overlays, turbo and viridis those for analysis; confidence tints red what \
      the LiDAR is not sure of; fog, error against the truth, residual of a fit, validity of the returns; detections as \
      the app shows them, and wireframes of their oriented boxes. --source says whose depth all of them show.

      ply holds points (x, y, z, red, green, blue, confidence), obj boxes as groups with materials, usda and glb (binary glTF) both. Coordinates are \
      metres in the world of the poses with y up, a z-up world turned about x; a frame without pose is given in the camera's \
      axes (x right, y up, z backward), and the file says so. Points have the colours of the camera image, or without one \
      turbo's by depth. The same data, options and seed give the same bytes.
      """)

  @Argument(
    help: "HDF5 data set, or the folder of a recording that import knows.",
    completion: .file(extensions: ["h5"])) var data: String
  @Option(help: "Scene (default: the first).") var scene: String?
  @Option(help: "Frame, as named in reports or counted from 0 (default: the first).") var frame: String?
  @Option(
    help:
      "Several frames: A:B from A up to before B, as named in reports or counted from 0; numbered files in a folder, or one animated webp."
  ) var frames: FrameRange?
  @Flag(help: "Every frame of the scene: numbered files in a folder, or one animated webp.")
  var allFrames = false
  @Flag(
    help:
      "With --all-frames or --frames: one file with the points and boxes of these frames in the world; needs poses."
  ) var merge = false
  @Option(
    help:
      "Keep only the mean of the points in each cube with this edge, metres; 0 for all points (default: 0.01 with --merge, else 0)."
  ) var voxel: Double?
  @Option(
    help:
      "Whose depth: lidar, truth, or a fusion method that evaluate knows, such as auto or ols@disparity (default: lidar; without a LiDAR the first prediction, else the truth)."
  ) var source: String?

  /// What is said to be drawn; the LiDAR where nothing is.
  var askedSource: DepthSource { get throws(OptionProblem) { try DepthSource(source ?? "lidar") } }

  @Option(
    help:
      "What errors are drawn against: the stored truth, or multiview, a reference made from neighbouring frames with poses, as in evaluate."
  ) var truth = TruthOrigin.stored
  @OptionGroup(title: "Pictures") var picture: PictureFlags
  @Option(
    help:
      "Exclude pixels where the LiDAR's confidence is lower: 0, 1 or 2. Without a confidence map all count as 2 (default: 0; for points with --merge 1; for boxes in the LiDAR, residual and validity 2, as specified)."
  ) var minConfidence: UInt8?
  @Option(
    help:
      "Depths that count, metres, A:B, where A or B may be missing (default: all; for boxes, residual and validity 0.1:4, as specified). For points also the ends of turbo (default: 0.5:5)."
  ) var depthRange: DepthLimits?
  @Option(
    help:
      "Boxes of the stored detections, whatever their score, comma-separated or repeated: \(BoxMethod.all.map(\.id).joined(separator: ", ")), truth; or none (default: auto, and truth where it is known)."
  ) var boxes: [String] = []

  /// What ``boxes`` ask for; nil where nothing is said.
  var boxWords: String? { boxes.isEmpty ? nil : boxes.joined(separator: ",") }

  @Option(help: "Format to write (default: from the name of --output, else png).") var format: RenderFormat?
  @Option(help: "Seed of random methods (default: 0).") var seed: UInt64?
  @Option(
    help:
      "File; or folder, with --all-frames a new one (default: Reports/<data>-<scene>-<frame>.<format>, Reports/<data>-<scene>-<format>).",
    completion: .file()) var output: String?
  @OptionGroup var files: DataFlags
  @Flag(help: "Replace an existing file or folder.") var overwrite = false
  @Flag(help: "Print what was written as JSON.") var json = false
  @OptionGroup var console: Console

  package func validate() throws {
    // The parser explains its own kind of error only.
    do { try check() } catch let problem as OptionProblem { throw ValidationError(problem.onCommandLine) }
  }

  private func check() throws {
    let ways = [("--frame", frame != nil), ("--frames", frames != nil), ("--all-frames", allFrames)].filter {
      $0.1
    }
    if ways.count > 1 { throw ValidationError("\(ways[0].0) and \(ways[1].0) exclude each other") }
    if merge && !takesSeveral { throw ValidationError("--merge: only with --all-frames or --frames") }
    if let voxel, !(0...1).contains(voxel) { throw ValidationError("--voxel: \(voxel) is not from 0 to 1 m") }
    if let minConfidence, minConfidence > 2 {
      throw ValidationError("--min-confidence: \(minConfidence) is not 0, 1 or 2")
    }
    if output?.isEmpty == true { throw ValidationError("--output: a name is needed") }
    try checkName()
    let format = resolvedFormat
    guard let geometry = format.geometry else { return try checkPicture(format) }
    if voxel != nil, !geometry.holdsPoints {
      throw ValidationError("--voxel: \(geometry.rawValue) holds boxes only; take --format ply, usda or glb")
    }
    if let option = picture.firstGiven {
      throw ValidationError(
        "\(option): \(format.rawValue) is not a picture format; use --format png, jpg, svg or webp")
    }
    if !geometry.holdsBoxes, let boxWords, boxWords != "none" {
      throw ValidationError("--boxes: \(geometry.rawValue) holds points only; take --format usda, glb or obj")
    }
    if !geometry.holdsPoints, boxWords == "none" {
      throw ValidationError("--boxes: \(geometry.rawValue) holds boxes only; take --format ply, usda or glb")
    }
    try checkSelection()
  }

  private func checkName() throws {
    if let format, let namedFormat, format != namedFormat {
      throw ValidationError("--output: '\(output ?? "")' is not named as --format \(format.rawValue)")
    }
    if format == nil, namedFormat == nil, !(takesSeveral && !merge), let output,
      let ending = RenderFormat.ending(of: output)
    {
      let names = RenderFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError(
        "--output: there is no format '\(ending)'; there are \(names); or say which with --format")
    }
  }

  private func checkPicture(_ format: RenderFormat) throws {
    if merge {
      throw ValidationError("--merge: pictures are not joined; take --format ply, obj, usda or glb")
    }
    try picture.check(format, source: try askedSource)
    if picture.frameRate != nil, !takesSeveral {
      throw ValidationError("--frame-rate: one frame does not move; take --all-frames")
    }
    if voxel != nil { throw ValidationError("--voxel: only points have it; take --format ply, usda or glb") }
    let layers = try picture.drawnLayers()
    let hasBoxes = layers.contains(.wireframe)
    if boxWords == "none" || (boxWords != nil && !hasBoxes) {
      throw ValidationError("--boxes: only the layer wireframe draws boxes, and needs some")
    }
    try checkSelection()
  }

  /// What the output is named as. The frames of a folder have no name of their own; a film is one file.
  private var namedFormat: RenderFormat? {
    let named = output.flatMap { RenderFormat(fileName: $0) }
    return takesSeveral && !merge && named != .webp ? nil : named
  }

  private var takesSeveral: Bool { allFrames || frames != nil }
  /// The format asked for, by flag or by the file's name.
  var resolvedFormat: RenderFormat { format ?? namedFormat ?? (merge ? .ply : .png) }

  package func run() throws {
    console.question(try picture.request().ownDoubts + (depthRange?.doubts ?? []))
    var job = RenderJob(data, try content())
    (job.scene, job.frame, job.allFrames, job.merges) = (scene, frame, allFrames, merge)
    (job.frames, job.voxel) = (frames, voxel)
    job.source = try shownSource
    if let source, source != "lidar", job.source == nil {
      console.log.notice(
        "--source \(source): nothing of it is drawn here; these layers are the same for every source")
    }
    job.selection.minimumConfidence = minConfidence
    job.selection.depthRange = depthRange?.range
    job.selection.seed = seed ?? 0
    job.boxes = try boxWords.map { try BoxChoice.parse($0) }
    (job.overwrite, job.external, job.mapping) = (overwrite, files.external, files.mapping)
    job.truth = truth
    let opened = try job.open()
    if resolvedFormat.geometry == nil { console.warnOfMissingFont() }
    let target = job.writesFolder ? output ?? name(opened, "-") : try filePath(opened)
    try present(try opened.run(to: target, console.observe), of: opened)
  }

  private func content() throws -> RenderJob.Content {
    if let geometry = resolvedFormat.geometry { return .geometry(geometry) }
    return .pictures(resolvedFormat, try picture.request())
  }

  /// Where a single file goes; a folder that exists takes it under its default name.
  private func filePath(_ opened: borrowing OpenRendering) throws -> String {
    let name = name(opened, ".")
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

  private func name(_ opened: borrowing OpenRendering, _ ending: String) -> String {
    "Reports/" + opened.fileStem + ending + resolvedFormat.rawValue
  }
}
