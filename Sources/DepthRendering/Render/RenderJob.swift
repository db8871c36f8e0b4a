public import FathomRuns
import FathomPlainText
import DepthCalibration
import DepthCore
public import DepthDataset
public import DepthExport
import Foundation
public import FathomStorage

/// Draws frames of one scene, or writes their points and boxes for 3-D programs: what `fathom render` does.
public struct RenderJob: Sendable {
  /// What comes of the frames.
  public enum Content: Sendable {
    case geometry(GeometryFormat)
    case pictures(RenderFormat, PictureRequest)
  }
  /// What was written.
  public enum Result: Sendable {
    case geometry([RenderedFile])
    case pictures([DrawnFile], layers: [[LayerName]])
  }

  /// The data set.
  public var path: String
  /// nil for the first.
  public var scene: String?
  /// Its identifier or its position; nil for the first.
  public var frame: String?
  /// Several frames of the scene.
  public var frames: FrameRange?
  /// Every frame of the scene.
  public var allFrames = false
  /// Whether several frames are joined in one file.
  public var merges = false
  /// Of points, metres: of each cube of this edge one point remains, the mean of those in it. 0 for all points; nil for 0.01 where
  /// frames are joined, and else all.
  public var voxel: Double?
  /// Whose depth; nil for the LiDAR, without one the first prediction, and else the truth.
  public var source: DepthSource?
  /// Which of the depth.
  public var selection = GeometryOptions()
  /// Boxes of the stored detections; nil for `auto`, and the truth where it is known.
  public var boxes: [BoxChoice]?
  public var content: Content
  /// Whether existing files are replaced.
  public var overwrite = false
  /// Where external links, external storage, virtual data sets and links in folders are followed to other files.
  public var external = ExternalFolders()
  /// File of a mapping that says what the path holds; nil for a data set, or a recording of a known format.
  public var mapping: String?
  /// The truth that errors are drawn against: what the data hold, or a reference made from neighbouring frames.
  public var truth = TruthOrigin.stored
  public init(_ path: String, _ content: Content) { (self.path, self.content) = (path, content) }

  /// Whether the frames become files of a folder.
  package var writesFolder: Bool {
    if case .pictures(.webp, _) = content { return false }
    return takesSeveral && !merges
  }

  package var takesSeveral: Bool { allFrames || frames != nil }  // Whether more than one frame may be drawn.
  /// Where frames are joined: cubes of this edge, metres, and confidence from this level on. All returns of a walk through a room
  /// are millions of points, and those of low confidence fly beside the surfaces.
  static let mergedVoxel = 0.01, mergedConfidence: UInt8 = 1

  /// Renders.
  /// - Parameter target: A file; the folder of all frames where they are neither merged nor a film.
  /// - Throws: `OptionProblem` where there is no such scene or frame, `FathomError` where the scene lacks what is to be shown,
  ///   `FathomError` where the target cannot be written, `GraphicsError`.
  public func run(to target: String, _ observe: @escaping JobObserver = { _ in }) throws -> Result {
    try open().run(to: target, observe)
  }

  package func open() throws -> OpenRendering { try OpenRendering(self) }
}

/// A rendering whose data set is open.
package struct OpenRendering: ~Copyable {
  private var job: RenderJob
  private let reader: any FrameSource, picked: FramePicker

  fileprivate init(_ job: RenderJob) throws {
    if case .pictures(_, let request) = job.content, let problem = request.firstProblem { throw problem }
    let (reader, refusals) = try job.truth.open(.path(job.path), external: job.external, mapping: job.mapping)
    let picked = try FramePicker(
      reader.scenes, scene: job.scene, frame: job.frame, several: job.frames, all: job.allFrames)
    if let refusal = refusals.first(where: { $0.scene == picked.scene.name }) {
      throw FathomError(
        .badData, attempted: "make the truth from neighbouring frames", file: job.path,
        object: "scenes/\(refusal.scene)", reason: "\(refusal.failure)", advice: refusal.failure.advice)
    }
    self.job = job
    self.job.selection.source = job.source ?? DepthSource(of: picked.scene)
    (self.reader, self.picked) = (reader, picked)
  }

  package var scene: String { picked.scene.name }  // The scene that was found.
  package var source: DepthSource { job.selection.source }

  /// "demo-room-01-3": the default name of its file, without ending.
  package var fileStem: String {
    let stem = URL(fileURLWithPath: job.path).deletingPathExtension().lastPathComponent
    let frame = job.takesSeveral ? nil : picked.scene.frameID(picked.frames.lowerBound)
    return [stem, picked.scene.name, frame].compactMap { $0.map(FrameFolder.fileName) }.joined(separator: "-")
  }

  package func run(to target: String, _ observe: @escaping JobObserver) throws -> RenderJob.Result {
    switch job.content {
    case .geometry(let format): .geometry(try geometry(format, to: target, observe))
    case .pictures(let format, let request): try pictures(format, request, to: target, observe)
    }
  }

  private func geometry(
    _ format: GeometryFormat, to target: String, _ observe: @escaping JobObserver
  ) throws -> [RenderedFile] {
    var options = job.selection
    options.drawsPoints = format.holdsPoints
    if format.holdsPoints {
      options.voxel = job.voxel ?? (job.merges ? RenderJob.mergedVoxel : 0)
      if job.merges, picked.scene.hasConfidence {
        options.pointConfidence = options.minimumConfidence ?? RenderJob.mergedConfidence
      }
    }
    if format.holdsBoxes {
      options.boxes = try BoxSelection(picked.scene, from: reader).boxes(
        job.boxes, isRequired: !options.drawsPoints)
    }
    let writer = GeometryWriter(
      geometry: try FrameGeometry(options, of: picked.scene, from: reader), format: format,
      frames: picked.frames, overwrite: job.overwrite, observe: observe)
    if job.writesFolder { return try writer.writeFolder(target, from: reader) }
    return [try writer.writeFile(target, from: reader)]
  }

  private func pictures(
    _ format: RenderFormat, _ request: PictureRequest, to target: String, _ observe: @escaping JobObserver
  ) throws -> RenderJob.Result {
    let scene = picked.scene
    let options = PictureOptions(
      request, sceneRange: try SceneDepths.range(of: scene, from: reader), hasImage: scene.colourSize != nil)
    var selection = job.selection
    if options.layers.contains(where: { $0 == .wireframe || $0 == .detections }) {
      let found = try BoxSelection(scene, from: reader).boxes(
        job.boxes, isRequired: true, otherwise: "leave detections and wireframe out of the layers")
      if options.layers.contains(.wireframe) { selection.boxes = found }
    }
    var painter = try FramePainter(options, selection, of: scene, from: reader)
    try painter.fitLimits(to: picked.frames, from: reader)
    let writer = PictureWriter(
      painter: painter, format: format, frames: picked.frames, overwrite: job.overwrite, observe: observe)
    let files =
      job.writesFolder
      ? try writer.writeFolder(target, from: reader) : [try writer.writeFile(target, from: reader)]
    return .pictures(files, layers: options.panels)
  }
}
