import DepthReport
public import FathomDocuments
import FathomRunFolders
public import FathomRuns
import FathomPlainText
import DepthCalibration
public import DepthCharts

/// `report.md` of a calibration: findings first, then one section after another.
public struct CalibrationReport: Sendable {
  /// Name of the data.
  public let title: String
  /// What limits everything else: where the truth comes from.
  public let caveat: String?
  /// What a person acts on.
  public let answer: AnswerBlock
  public let sections: [CalibrationSection], manifest: CalibrationManifest
  /// Whether the page shows the figures of its sections.
  public let drawsFigures: Bool

  /// - Parameter folder: Where it lies, as commands name it; nil for a page, which says the same wherever it lies.
  init(_ result: CalibrateResult, in folder: String?, drawsFigures: Bool) {
    (title, sections, manifest) = (result.name, result.sections, result.manifest)
    caveat = CalibrationSection.caveat(result.verdict)
    answer = AnswerBlock(CalibrationAnswer(result, in: folder).lines)
    self.drawsFigures = drawsFigures
  }

  /// Of every section, in order; none where the page shows none.
  public var figures: [Figure] { drawsFigures ? sections.flatMap(\.figures) : [] }

  /// What the pages say.
  public var document: ReportDocument {
    ReportDocument(
      title: "\(title): calibration of the LiDAR", caveat: caveat,
      sections: (answer.lines.isEmpty ? [] : [.init("answer", "Verdict", [.answer(answer)])]) + [findings]
        + sections.enumerated().map { content($1, number: $0 + 1) } + [data])
  }

  /// Every one; folded where the answer above says what a person acts on.
  private var findings: ReportDocument.Section {
    .init("findings", "Findings", [.list(sections.flatMap(\.findings))], folded: !answer.lines.isEmpty)
  }

  private var scenes: DisplayTable {
    DisplayTable(
      columns: [.text("scene"), .init("frames with truth"), .text("confidence"), .text("truth")],
      rows: manifest.scenes.map {
        [$0.name, "\($0.frames)", $0.hasConfidence ? "yes" : "no, all counts as 2", $0.truthIndependence]
      })
  }

  private func content(_ section: CalibrationSection, number: Int) -> ReportDocument.Section {
    let tables = section.tables.enumerated().flatMap { index, table -> [ReportDocument.Block] in
      let caption: [ReportDocument.Block] = table.caption.map { [.paragraph($0)] } ?? []
      return caption + [
        .table("part-\(number)-\(index + 1)", caption: table.caption ?? "\(section.title).", table.table)
      ]
    }
    return .init(
      "part-\(number)", section.title,
      section.sentences.map { .paragraph($0) } + tables
        + (drawsFigures ? section.figures.map { .figure(FigureBlock($0)) } : [])
        + (section.notes.isEmpty ? [] : [.list(section.notes)]))
  }

  private var data: ReportDocument.Section {
    let (plan, pixels) = (manifest.plan, manifest.pixels)
    let limit = plan.maxTruth.map { " ≤ \(Quantity($0, .significant(3)).text) m" } ?? ""
    let without =
      "\(pixels.unknownTruth) whose truth is unknown, \(pixels.onDepthSteps) on a depth step, "
      + "\(pixels.outOfRange) out of range"
      + (pixels.unknownConfidence > 0 ? ", \(pixels.unknownConfidence) of unknown confidence" : "")
    let leftOut = PageLimits.listed(manifest.leftOut)
    return .init(
      "data", "Data",
      [
        .paragraph(
          "\(pixels.withTruth) LiDAR pixels with truth at \(Quantity(plan.minTruth, .significant(3)).text) < d\(limit); excluded "
            + "\(without). Truth is read bilinearly at the LiDAR pixel's centre; where the values that are needed differ by "
            + "more than \(Quantity(plan.stepRatio - 1, .percent(0)).text), the pixel has none. Means over the pixels of a "
            + "frame, then over frames, then over scenes. The noise model sees at most \(plan.keptPixels) pixels of each "
            + "scene and level, spread evenly over its frames."),
        .table("data", caption: "The scenes.", role: .reference, scenes),
      ] + (leftOut.isEmpty ? [] : [.paragraph("Skipped, without truth or LiDAR: \(leftOut).")]) + [
        .list(manifest.inputs.map { "`\($0.file)`, SHA-256 `\($0.sha256)`" }),
        .paragraph(
          "Written by Fathom \(manifest.version), seed \(plan.seed). `calibration.json` has every option; "
            + "`calibration.yaml` is what `\(flag: "calibration")` of `fathom evaluate` applies; the CSV files beside this page hold the "
            + "same numbers in full precision."),
      ])
  }
}
