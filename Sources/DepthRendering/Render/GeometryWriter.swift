import FathomRuns
import FathomTables
import FathomPlainText
import DepthCore
import DepthDataset
import DepthExport
import Foundation
import FathomStorage

/// Writes the points and boxes of the chosen frames of one scene.
struct GeometryWriter {
  let geometry: FrameGeometry, format: GeometryFormat, frames: Range<Int>, overwrite: Bool
  let observe: JobObserver

  /// One file with all the frames.
  /// - Throws: `FathomError`, also where several frames are not all in the world.
  func writeFile(_ path: String, from reader: borrowing some FrameSource & ~Copyable) throws -> RenderedFile {
    let target = try GeometryFile(path, format, overwrite: overwrite)
    observe(.began(.writingGeometry, steps: frames.count))
    var (merged, failedFits): (SpatialScene?, Int) = (nil, 0)
    var grid = self.grid
    var history = geometry.history
    for index in frames {
      let (drawn, failed) = try spatialScene(index, from: reader, after: &history)
      var scene = drawn
      failedFits += failed
      if grid != nil {
        grid?.add(scene.points)
        scene.points = PointCloud()
      }
      guard frames.count == 1 || scene.coordinates == .world else {
        throw FathomError(
          .badData, attempted: "merge frames", file: reader.path,
          object: "scenes/\(geometry.scene.name)/camera/world_from_camera",
          reason:
            "frame \(geometry.scene.frameID(index)) has no usable pose of a known convention to join it to others by",
          advice: "leave out \(option: "merge")")
      }
      if merged == nil { merged = scene } else { merged?.append(scene) }
      observe(.advanced)
    }
    guard var scene = merged else { preconditionFailure("at least one frame is picked") }
    if let grid { scene.points = grid.points }
    scene.remarks = remarks(frames, scene, reader.path)
    try target.write(scene)
    try reader.sources.requireUnchanged()
    try target.commit()
    return RenderedFile(path, frames.map(geometry.scene.frameID), scene, failedFits: failedFits)
  }

  /// A folder with one file for each frame and `render.json`.
  /// - Throws: `FathomError`.
  func writeFolder(_ path: String, from reader: borrowing some FrameSource & ~Copyable) throws
    -> [RenderedFile]
  {
    var history = geometry.history
    return try FrameFolder(scene: geometry.scene, frames: frames, overwrite: overwrite, observe: observe)
      .write(path, .writingGeometry, from: reader) { input, files in
        RenderManifest(input, geometry.scene, geometry.options, format: format.rawValue, files)
      } write: { index, stem, folder in
        let (drawn, failedFits) = try spatialScene(index, from: reader, after: &history)
        var scene = drawn
        if var grid {
          grid.add(scene.points)
          scene.points = grid.points
        }
        scene.remarks = remarks(index..<index + 1, scene, reader.path)
        let name = "\(stem).\(format.rawValue)"
        let file = try folder.file(name)
        try format.write(scene, materials: "\(stem).mtl") { (bytes) throws(FathomError) in
          try file.write(bytes)
        }
        if let text = format.materials(of: scene) { try folder.write(text, to: "\(stem).mtl") }
        return RenderedFile(name, [geometry.scene.frameID(index)], scene, failedFits: failedFits)
      }
  }

  /// What thins the points; nil where all stay.
  private var grid: VoxelGrid? { geometry.options.voxel > 0 ? VoxelGrid(edge: geometry.options.voxel) : nil }

  /// A frame, and how many boxes could not be fitted; the reasons go to the log.
  private func spatialScene(
    _ index: Int, from reader: borrowing some FrameSource & ~Copyable, after history: inout FrameHistory
  ) throws(FathomError) -> (SpatialScene, failedFits: Int) {
    let (scene, omissions) = try geometry.spatialScene(index, from: reader, after: &history)
    for omission in omissions { observe(.noticed(.omitted(omission))) }
    return (scene, omissions.count)
  }

  /// What a file says about itself; nothing that differs between equal runs.
  private func remarks(_ frames: Range<Int>, _ scene: SpatialScene, _ path: String) -> [String] {
    let header = geometry.scene
    let names = frames.count == 1 ? "frame \(header.frameID(frames.lowerBound))" : "\(frames.count) frames"
    var remarks = [
      "fathom \(Version.current): \(URL(fileURLWithPath: path).lastPathComponent), scene \(header.name), \(names), "
        + "depth: \(geometry.options.source)"
    ]
    if geometry.options.drawsPoints {
      remarks.append(
        header.colourSize == nil ? "colour: turbo by planar depth" : "colour: of the camera image")
      remarks.append(
        header.hasConfidence
          ? "confidence: of the LiDAR at the pixel, 0 low, 1 medium, 2 high"
          : "confidence: the data have none, 2 throughout")
      if let least = geometry.options.minimumConfidence ?? geometry.options.pointConfidence, least > 0 {
        remarks.append("points: of confidence \(least) and more")
      }
      if geometry.options.voxel > 0 {
        remarks.append("points: the mean of those in each cube of \(geometry.options.voxel) m")
      }
    }
    if scene.coordinates == .camera && !scene.groups.isEmpty {
      remarks.append(
        "boxes stand upright along the camera's y axis, which is the world's only if it was held level")
    }
    return remarks
  }
}

extension SpatialScene {
  /// Adds the points and boxes of another frame, which has the same groups.
  fileprivate mutating func append(_ other: SpatialScene) {
    points.append(other.points)
    for (index, group) in other.groups.enumerated() { groups[index].boxes += group.boxes }
  }
}
