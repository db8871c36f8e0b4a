import FathomCommandLine
import DepthRendering
import FathomTables
import DepthExport

extension Render {
  /// Says what was written.
  func present(_ result: RenderJob.Result, of opened: borrowing OpenRendering) throws {
    switch result {
    case .geometry(let files):
      if let format = resolvedFormat.geometry { try present(files, format, opened.scene) }
    case .pictures(let files, let layers): try present(files, layers, opened.scene, opened.source)
    }
  }

  private func present(_ rows: [RenderedFile], _ format: GeometryFormat, _ scene: String) throws {
    if json {
      let table = DataTable(
        columns: [
          "file", "scene", "frames", "coordinates", "points", "fitted_boxes", "truth_boxes", "failed_fits",
        ],
        rows: rows.map {
          [
            .text($0.file), .text(scene), .text($0.frames.joined(separator: " ")), .text($0.coordinates),
            .integer($0.points), .integer($0.fittedBoxes), .integer($0.truthBoxes), .integer($0.failedFits),
          ]
        })
      return try console.show(json: table.json, beside: rows.last?.file)
    }
    for row in rows {
      let counts = [
        row.points > 0 || format.holdsPoints ? "\(row.points) points" : nil,
        format.holdsBoxes ? "\(row.fittedBoxes) fitted and \(row.truthBoxes) true boxes" : nil,
        row.failedFits > 0
          ? "\(row.failedFits) \(row.failedFits == 1 ? "fit" : "fits") failed (--verbose says why)" : nil,
      ].compactMap { $0 }.joined(separator: ", ")
      let frames = row.frames.count == 1 ? "frame \(row.frames[0])" : "\(row.frames.count) frames"
      try console.show(
        "\(row.file): scene \(scene), \(frames), \(counts), \(row.coordinates) coordinates",
        beside: rows.last?.file)
    }
  }

  private func present(_ rows: [DrawnFile], _ panels: [[LayerName]], _ scene: String, _ source: DepthSource)
    throws
  {
    let layers = panels.map { $0.map(\.rawValue).joined(separator: ",") }
    if json {
      let table = DataTable(
        columns: ["file", "scene", "frames", "layers", "source", "width", "height"],
        rows: rows.map {
          [
            .text($0.file), .text(scene), .text($0.frames.joined(separator: " ")),
            .text(layers.joined(separator: " ")), .text(source.description), .integer($0.width),
            .integer($0.height),
          ]
        })
      return try console.show(json: table.json, beside: rows.last?.file)
    }
    for row in rows {
      let frames = row.frames.count == 1 ? "frame \(row.frames[0])" : "\(row.frames.count) frames"
      try console.show(
        "\(row.file): scene \(scene), \(frames), \(layers.joined(separator: " | ")), \(row.width)×\(row.height) pixels",
        beside: rows.last?.file)
    }
  }
}
