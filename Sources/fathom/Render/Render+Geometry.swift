import DepthCore
import DepthDataset
import DepthExport
import DepthReport
import Foundation

extension Render {
  /// Writes points and boxes.
  func writeGeometry(
    _ format: GeometryFormat, _ selection: GeometryOptions, _ picked: FramePicker,
    from reader: borrowing DatasetReader
  ) throws {
    var options = selection
    options.drawsPoints = format.holdsPoints
    let chosen = try boxWords.map { try BoxChoice.parse($0) }
    if format.holdsBoxes {
      options.boxes = try BoxSelection(picked.scene, from: reader).boxes(
        chosen, isRequired: !options.drawsPoints)
    }
    let job = RenderJob(
      geometry: try FrameGeometry(options, of: picked.scene, from: reader), format: format,
      frames: picked.frames, overwrite: overwrite, console: console)
    let rows: [RenderedFile]
    if writesFolder {
      rows = try job.writeFolder(output ?? defaultPath(picked, ending: "-"), from: reader)
    } else {
      rows = [try job.writeFile(try filePath(picked), from: reader)]
    }
    try present(rows, format, picked.scene)
  }

  private func present(_ rows: [RenderedFile], _ format: GeometryFormat, _ scene: SceneHeader) throws {
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
      return try console.show(json: table.json, beside: rows.last?.file)
    }
    for row in rows {
      let counts = [
        row.points > 0 || format.holdsPoints ? "\(row.points) points" : nil,
        format.holdsBoxes
          ? "\(row.fittedBoxes) fitted and \(row.truthBoxes) true boxes" : nil,
        row.failedFits > 0
          ? "\(row.failedFits) \(row.failedFits == 1 ? "fit" : "fits") failed (--verbose says why)" : nil,
      ].compactMap { $0 }.joined(separator: ", ")
      let frames =
        row.frames.count == 1 ? "frame \(row.frames[0])" : "\(row.frames.count) frames"
      try console.show(
        "\(row.file): scene \(scene.name), \(frames), \(counts), \(row.coordinates) coordinates",
        beside: rows.last?.file)
    }
  }
}
