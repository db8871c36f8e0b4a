import FathomStatistics
import FathomDocuments
import DepthEvaluation
import DepthVerdicts
import FathomPlainText

/// The frames of a strip from the worst to the best, each with the way to its pictures: those of the page, or the command that draws
/// them.
struct FrameErrorTable {
  let strip: FrameStrip, commands: RunCommands, gallery: GalleryBlock?
  let basis: ComparisonBasis

  var block: TableBlock {
    let subject = strip.lines[strip.subject].method
    return TableBlock(
      "frame-errors",
      caption:
        "\(FrameStrip.column.title) of \(basis.frameWord)s, those where `\(basis.name(of: subject).literal)` is worst first, and how to see them.",
      role: .reference, table)
  }

  private var table: DisplayTable {
    let pictured = Set(gallery?.frames.compactMap(\.anchor) ?? [])
    let measure = FigureMeasure(FrameStrip.column)
    let columns =
      [DisplayTable.Column.text(basis.frameWord)]
      + strip.lines.map {
        DisplayTable.Column("\(basis.name(of: $0.method)) [\(measure.unit ?? "")]", .lowerIsBetter)
      } + [DisplayTable.Column.text("to see it")]
    let rows = ordered.map { frame -> [DisplayTable.Cell] in
      let picture = FrameStrip.galleryAnchor(frame.number)
      let target = pictured.contains(picture) ? picture : nil
      var name = DisplayTable.Cell(frame.place)
      (name.anchor, name.target) = (FrameStrip.anchor(frame.number), target)
      var way = DisplayTable.Cell(target == nil ? command(frame) : "in the gallery")
      way.target = target
      let values = frame.values.map { value in
        DisplayTable.Cell(Quantity(value.map { $0 * measure.scale }, .significant(3)))
      }
      return [name] + values + [way]
    }
    return DisplayTable(columns: columns, cells: rows)
  }

  /// Frames without a value of the subject first: there it refused.
  private var ordered: [FrameStrip.Frame] {
    strip.scenes.joined().sorted {
      let (a, b) = ($0.values[strip.subject] ?? .infinity, $1.values[strip.subject] ?? .infinity)
      return a == b ? $0.number < $1.number : a > b
    }
  }

  private func command(_ frame: FrameStrip.Frame) -> String {
    let method = strip.lines[frame.values[strip.subject] == nil ? fallback(frame) : strip.subject].method
    return commands.render(scene: frame.scene, frame: frame.frame, method: method)
      ?? (basis.hasLidar ? "fathom frames" : commands.drawingFrames.command)
  }

  private func fallback(_ frame: FrameStrip.Frame) -> Int {
    frame.values.firstIndex { $0 != nil } ?? strip.subject
  }
}
