import DepthCalibration
public import DepthCharts
import DepthEvaluation
import DepthFusion
import Mustache

/// `report.md` of a calibration: findings first, then one section after another.
public struct CalibrationReport: Sendable {
  /// Name of the data.
  public let title: String
  /// What limits everything else: where the truth comes from.
  public let caveat: String?
  public let sections: [CalibrationSection]
  public let manifest: CalibrationManifest
  /// Whether the page shows the figures of its sections.
  public let drawsFigures: Bool

  public init(
    title: String, caveat: String?, sections: [CalibrationSection], manifest: CalibrationManifest,
    drawsFigures: Bool = true
  ) {
    (self.title, self.caveat, self.sections, self.manifest) = (title, caveat, sections, manifest)
    self.drawsFigures = drawsFigures
  }

  /// Of every section, in order; none where the page shows none.
  public var figures: [Figure] { drawsFigures ? sections.flatMap(\.figures) : [] }

  /// The page.
  public func render() throws -> String {
    let template = try MustacheTemplate(string: Self.template)
    let pixels = manifest.pixels
    let limit = manifest.plan.maxTruth.map { " ≤ \(Rounded.number($0, digits: 3)) m" } ?? ""
    let content: [String: Any] = [
      "title": title, "caveat": caveat.map { [["text": $0]] } ?? [],
      "findings": sections.flatMap(\.findings), "sections": sections.map(content),
      "range": "\(Rounded.number(manifest.plan.minTruth, digits: 3)) < d\(limit)",
      "kept": "\(manifest.plan.keptPixels)",
      "step": Rounded.percent(manifest.plan.stepRatio - 1, decimals: 0),
      "pixels": "\(pixels.withTruth)",
      "without": "\(pixels.unknownTruth) whose truth is unknown, \(pixels.onDepthSteps) on a depth step, "
        + "\(pixels.outOfRange) out of range"
        + (pixels.unknownConfidence > 0 ? ", \(pixels.unknownConfidence) of no known confidence" : ""),
      "scenes": scenes.markdown,
      "leftOut": manifest.leftOut.isEmpty ? [] : [["names": manifest.leftOut.joined(separator: ", ")]],
      "inputs": manifest.inputs.map { ["file": $0.file, "sha256": $0.sha256] },
      "version": manifest.version, "seed": "\(manifest.plan.seed)",
    ]
    return template.render(content)
  }

  private var scenes: DisplayTable {
    DisplayTable(
      columns: [
        .init("scene", numeric: false), .init("frames with truth"), .init("confidence", numeric: false),
        .init("truth", numeric: false),
      ],
      rows: manifest.scenes.map {
        [$0.name, "\($0.frames)", $0.hasConfidence ? "yes" : "no, all counts as 2", $0.truthIndependence]
      })
  }

  private func content(_ section: CalibrationSection) -> [String: any Sendable] {
    [
      "title": section.title, "sentences": section.sentences, "tables": section.tables.map(Self.content),
      "figures": drawsFigures ? section.figures.map { ["name": $0.name, "alt": $0.alt] } : [],
      "notes": section.notes,
    ]
  }

  private static func content(_ table: CalibrationSection.Table) -> [String: any Sendable] {
    let caption: [[String: String]] = table.caption.map { [["text": $0]] } ?? []
    return ["caption": caption, "table": table.table.markdown]
  }

  static let template = """
    # {{{title}}}: calibration of the LiDAR

    {{#caveat}}
    **{{{text}}}**

    {{/caveat}}
    ## Findings

    {{#findings}}
    - {{{.}}}
    {{/findings}}

    {{#sections}}
    ## {{{title}}}

    {{#sentences}}
    {{{.}}}

    {{/sentences}}
    {{#tables}}
    {{#caption}}
    {{{text}}}

    {{/caption}}
    {{{table}}}
    {{/tables}}
    {{#figures}}
    ![{{{alt}}}](figures/{{{name}}}.svg)

    {{/figures}}
    {{#notes}}
    - {{{.}}}
    {{/notes}}

    {{/sections}}
    ## Data

    {{{pixels}}} LiDAR pixels with truth at {{{range}}}; left out {{{without}}}. Truth is read bilinearly at the LiDAR pixel's centre; where the
    values that are needed differ by more than {{{step}}}, the pixel has none. Means over the pixels of a frame, then over frames, then over scenes. The noise
    model sees at most {{{kept}}} pixels of each scene and level, spread evenly over its frames.

    {{{scenes}}}
    {{#leftOut}}
    Left out, without truth or LiDAR: {{{names}}}.

    {{/leftOut}}
    {{#inputs}}
    - `{{{file}}}`, SHA-256 `{{{sha256}}}`
    {{/inputs}}

    Written by Fathom {{{version}}}, seed {{{seed}}}. `calibration.json` holds every option; `calibration.yaml` is what
    `fathom evaluate --calibration` applies; the CSV files beside this page hold the same numbers in full precision.

    """
}
