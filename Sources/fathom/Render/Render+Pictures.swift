import DepthCore
import DepthDataset
import DepthGraphics
import DepthReport
import Foundation

extension Render {
  /// Draws pictures.
  func drawPictures(
    _ selection: GeometryOptions, _ picked: FramePicker, from reader: borrowing DatasetReader
  ) throws {
    console.warnOfMissingFont()
    let scene = picked.scene
    let options = PictureOptions(
      picture, panels: try picture.layers(), sceneRange: try SceneDepths.range(of: scene, from: reader),
      hasImage: scene.colourSize != nil)
    var selection = selection
    let chosen = try boxWords.map { try BoxChoice.parse($0) }
    if options.layers.contains(where: { $0 == .wireframe || $0 == .detections }) {
      let found = try BoxSelection(scene, from: reader).boxes(
        chosen, isRequired: true, otherwise: "leave detections and wireframe out of the layers")
      if options.layers.contains(.wireframe) { selection.boxes = found }
    }
    let job = PictureJob(
      painter: try FramePainter(options, selection, of: scene, from: reader), format: resolvedFormat,
      frames: picked.frames, overwrite: overwrite, console: console)
    let rows: [DrawnFile]
    if writesFolder {
      rows = try job.writeFolder(output ?? defaultPath(picked, ending: "-"), from: reader)
    } else {
      rows = [try job.writeFile(try filePath(picked), from: reader)]
    }
    try present(rows, options, scene)
  }

  private func present(_ rows: [DrawnFile], _ options: PictureOptions, _ scene: SceneHeader) throws {
    let layers = options.panels.map { $0.map(\.rawValue).joined(separator: ",") }
    if json {
      let table = DataTable(
        columns: ["file", "scene", "frames", "layers", "source", "width", "height"],
        rows: rows.map {
          [
            .text($0.file), .text(scene.name), .text($0.frames.joined(separator: " ")),
            .text(layers.joined(separator: " ")), .text(source), .integer($0.width), .integer($0.height),
          ]
        })
      return try console.show(json: table.json, beside: rows.last?.file)
    }
    for row in rows {
      let frames = row.frames.count == 1 ? "frame \(row.frames[0])" : "\(row.frames.count) frames"
      try console.show(
        "\(row.file): scene \(scene.name), \(frames), \(layers.joined(separator: " | ")), \(row.width)×\(row.height) pixels",
        beside: rows.last?.file)
    }
  }
}
