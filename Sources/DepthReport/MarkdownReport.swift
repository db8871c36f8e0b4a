public import DepthEvaluation
import DepthFusion
import Foundation
import Mustache

/// `report.md`: the numbers of a run for people, findings first.
public struct MarkdownReport: Sendable {
  let run: EvaluationRun
  let manifest: RunManifest
  /// Name of the data, for the title.
  let title: String

  public init(_ run: EvaluationRun, manifest: RunManifest, title: String) {
    (self.run, self.manifest, self.title) = (run, manifest, title)
  }

  /// The page.
  public func render() throws -> String {
    let findings = Findings(run)
    let protocolLine = "Protocol \(run.plan.rules.summary)."
    let template = try MustacheTemplate(string: Self.template)
    let protocolSections: [[String: any Sendable]] = run.protocols.map { [protocols($0)] } ?? []
    let content: [String: Any] = [
      "title": title,
      "caveat": findings.caveat.map { [["text": $0]] } ?? [],
      "findings": findings.sentences,
      "protocol": protocolLine,
      "methods": ReportTables.methods(run, intervals: true).markdown,
      "notes": StatisticsNotes.general(run) + StatisticsNotes.sparsification(run),
      "against": ComparisonReport.sections(run).map(Self.content),
      "ranks": ComparisonReport.ranks(run).map { [Self.content($0)] } ?? [],
      "baseline": run.baseline,
      "options": OptionDifferences.list(run.plan.options),
      "calibration": CalibrationNotes.list(manifest.calibration, run.plan.options),
      "protocols": protocolSections,
      "source": run.plan.rules.source,
      "scenes": ReportTables.scenes(run, column: "abs_rel").markdown,
      "breakdowns": Breakdown.all.compactMap { breakdown -> [String: String]? in
        ReportTables.breakdown(breakdown, run).map { ["title": breakdown.title, "table": $0.markdown] }
      },
      "objects": objects,
      "refusals": ReportTables.refusals(run).map { [["table": $0.markdown]] } ?? [],
      "fits": ReportTables.fits(run).markdown,
      "data": ReportTables.data(run).markdown,
      "inputs": manifest.inputs.map { input in
        [
          "file": input.file, "sha256": input.sha256,
          "fault": input.unreadable.map { ": **unreadable**, \($0)" } ?? "",
        ]
      },
      "definitions": ReportTables.methodDefinitions(run).markdown,
      "metrics": ReportTables.metricDefinitions.markdown,
      "version": manifest.version,
      "seed": "\(manifest.seed)",
    ]
    return template.render(content)
  }

  /// The section on objects; nothing where the data have none.
  private var objects: [[String: any Sendable]] {
    run.objects.map { results in
      let scenes = Set(results.records.map(\.object.scene))
      let report = ObjectReport(
        results: results,
        unsureScenes: run.scenes.filter { scenes.contains($0.name) && !$0.header.hasConfidence }.map(\.name))
      return [
        [
          "sentences": ObjectFindings(results: results).sentences, "notes": report.notes,
          "tables": report.sections.map { section -> [String: any Sendable] in
            let note: [[String: any Sendable]] = section.note.map { [["text": $0]] } ?? []
            return ["title": section.title, "table": section.table.markdown, "note": note]
          },
        ]
      ]
    } ?? []
  }

  /// The section that explains why numbers differ between protocols.
  private func protocols(_ comparison: ProtocolComparison) -> [String: any Sendable] {
    let metric = Metric.absRel
    let best = run.aggregation.summary.filter { !$0.isOracle && $0.method != run.baseline }
      .compactMap { row in row.value(Findings.headline).map { (row.method, $0) } }
      .min { $0.1 < $1.1 }
    let named = [run.baseline] + (best.map { [$0.0] } ?? [])
    return [
      "metric": metric.title,
      "overview": ProtocolTables.overview(comparison, metric).markdown,
      "presets": comparison.rows.map(\.preset).firstAppearances.filter { $0 != comparison.start }.map {
        preset in
        [
          "name": preset.title, "start": comparison.start.title, "summary": preset.summary,
          "source": preset.source,
          "sentences": ProtocolTables.sentences(comparison, to: preset, metric, methods: named),
          "table": ProtocolTables.steps(comparison, to: preset, metric).markdown,
        ] as [String: any Sendable]
      },
      "refused": comparison.refused.map { "`\($0.preset.name)` is left out: \($0.reason)." },
    ]
  }

  private static func content(_ section: ComparisonReport.Section) -> [String: any Sendable] {
    ["title": section.title, "table": section.table.markdown, "notes": section.notes]
  }

  static let template = """
    # {{{title}}}: accuracy of depth fusion

    {{#caveat}}
    **{{{text}}}**

    {{/caveat}}
    ## Findings

    {{#findings}}
    - {{{.}}}
    {{/findings}}

    ## Methods

    {{#options}}
    Options that differ from the defaults: {{{.}}}.

    {{/options}}
    {{#calibration}}
    {{{.}}}

    {{/calibration}}
    {{{protocol}}} Means over every truth pixel; ↓ lower is better, ↑ higher is better. An oracle looks at the truth.

    {{{methods}}}
    {{#notes}}
    - {{{.}}}
    {{/notes}}

    {{#against}}
    ## {{{title}}}

    {{{protocol}}} Only pixels that the bilinear LiDAR map measures. "Both solved": frames that both solved. "With fallback": all
    frames, the raw LiDAR standing in where a method refused; one row where none was refused, or no frame was solved by both. A positive gain is a lower MAE.

    {{{table}}}
    {{#notes}}
    - {{{.}}}
    {{/notes}}

    {{/against}}
    {{#ranks}}
    ## {{{title}}}

    {{{protocol}}} Methods ranked within every scene, 1 is the lowest error, the raw LiDAR standing in where a method refused; oracles
    are no candidates. p is Nemenyi's, corrected for all pairs.

    {{{table}}}
    {{#notes}}
    - {{{.}}}
    {{/notes}}

    {{/ranks}}
    {{#protocols}}
    ## The same predictions under every protocol: {{{metric}}} ↓

    Brackets are 95 % intervals over scenes. A protocol that fits every prediction to the truth gives numbers that no app can be held against;
    the fit minimises squares, so AbsRel can rise by it.

    {{{overview}}}
    {{#refused}}
    - {{{.}}}
    {{/refused}}

    {{#presets}}
    ### From {{{start}}} to {{{name}}}

    {{{summary}}}. Source: {{{source}}}. One switch at a time, in the order in which they act: what each
    changes.

    {{{table}}}
    {{#sentences}}
    - {{{.}}}
    {{/sentences}}

    {{/presets}}
    {{/protocols}}
    ## Scenes: AbsRel ↓

    {{{protocol}}} Frames without a value are left out.

    {{{scenes}}}
    {{#breakdowns}}
    ## {{{title}}}

    {{{protocol}}} Each bin by itself; a frame without pixels in a bin is left out of it.

    {{{table}}}
    {{/breakdowns}}
    {{#objects}}
    ## Objects

    {{#sentences}}
    - {{{.}}}
    {{/sentences}}

    {{#notes}}
    {{{.}}}

    {{/notes}}
    {{#tables}}
    ### {{{title}}}

    {{{table}}}
    {{#note}}
    - {{{text}}}

    {{/note}}
    {{/tables}}
    {{/objects}}
    ## Fits

    Medians over the frames in which a line was computed, refused ones included.

    {{{fits}}}
    {{#refusals}}
    ## Frames without a result

    {{{table}}}
    {{/refusals}}
    ## Data

    {{{data}}}
    {{#inputs}}
    - `{{{file}}}`{{{fault}}}, SHA-256 `{{{sha256}}}`
    {{/inputs}}

    ## Definitions

    {{{definitions}}}
    d prediction, g truth, e = ln d − ln g. A prediction that is not finite or not positive is missing: it lowers the coverage,
    never counts as within a δ, and is left out of the error means.

    {{{metrics}}}
    Protocol source: {{{source}}}. Written by Fathom {{{version}}}, seed {{{seed}}}. `run.json` holds every option; the CSV files beside this page hold the same
    numbers in full precision.

    """
}
