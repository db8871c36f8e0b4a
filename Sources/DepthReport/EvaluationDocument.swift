public import FathomDocuments
public import FathomRunFolders
public import FathomRuns
import FathomPlainText
import DepthCore
import DepthEvaluation
public import DepthVerdicts

/// What a run found, as a document for people: findings first.
public struct EvaluationDocument: Sendable {
  let run: EvaluationRun, verdict: RunVerdict, manifest: RunManifest
  let title: String  // Name of the data, for the title.
  /// Charts, which know their sections; nil where none were drawn.
  let figures: EvaluationFigures?
  /// Frames to look at; nil where no pictures were drawn.
  let gallery: GalleryBlock?
  /// Why there are none; nil where there is no reason to speak of.
  let galleryLack: String?
  /// What the data say about their conventions; nil where they were not asked.
  let diagnosis: DiagnosisSection?
  private let commands: RunCommands

  /// - Parameter data: How commands name the data; nil for the files' names alone.
  public init(
    _ run: EvaluationRun, _ verdict: RunVerdict, manifest: RunManifest, title: String,
    data: RunData? = nil, figures: EvaluationFigures? = nil,
    gallery: GalleryBlock? = nil, galleryLack: String? = nil, diagnosis: RunDiagnosis? = nil
  ) {
    commands = RunCommands(run.scenes, manifest, data)
    (self.run, self.verdict, self.manifest, self.title) = (run, verdict, manifest, title)
    (self.figures, self.gallery, self.galleryLack) = (figures, gallery, galleryLack)
    self.diagnosis = diagnosis.map { DiagnosisSection($0) }
  }

  public var document: ReportDocument {
    let findings = Findings(run, verdict)
    let doubts = (manifest.warnings ?? []).map { "Doubtful input: \($0.literal)." }
    let caveat = doubts + [findings.caveat, diagnosis?.warning].compactMap { $0 }
    let sections =
      [answer, .init("findings", "Other findings", [.list(faults + findings.sentences)])].filter {
        !$0.blocks.contains(.list([]))
      } + [methods, uncertainty, DeviationSection(run).section].compactMap(\.self)
      + ComparisonReport.sections(run)
      + [frames, scenes].compactMap(\.self) + breakdowns
      + [
        protocols, ComparisonReport.ranks(run, verdict), objects, fits, refusals, diagnosis?.section, data,
        definitions,
      ].compactMap(\.self)
    return ReportDocument(
      title: heading, caveat: caveat.isEmpty ? nil : caveat.joined(separator: " "),
      sections: sections.map(folded))
  }

  /// Sections that add little are folded: of one scene its row alone, and beside a reference made of the LiDAR what cannot show a gain.
  private func folded(_ section: ReportDocument.Section) -> ReportDocument.Section {
    let ids =
      (run.scenes.count == 1 ? ["scenes"] : [])
      + (verdict.data.isReferenceDependent ? ["against-\(run.baseline)", "steps", "refusals"] : [])
    var section = section
    if ids.contains(section.id) { section.isFolded = true }
    return section
  }

  /// "demo: accuracy of depth fusion"; of networks' maps "mynet, half against gt: accuracy of depth maps".
  private var heading: String {
    let title = self.title.asDataSet
    guard !run.basis.hasLidar else {
      return verdict.data.scored == 0
        ? "\(title): depth without a ground truth"
        : verdict.data.isReferenceDependent
          ? "\(title): depth beside "
            + (verdict.data.dependences == [.unknown]
              ? "a truth of unknown origin" : "a reference made of the LiDAR")
          : "\(title): accuracy of depth fusion"
    }
    let subject = manifest.inputs.first.flatMap { truth in
      commands.readsMaps ? "\(run.networks.listed(atMost: Self.mostNetworks)) against \(truth.file)" : nil
    }
    return "\(subject ?? title): accuracy of depth maps"
  }
  private static let mostNetworks = 4

  /// The reader's question, in three lines, and method by method.
  private var answer: ReportDocument.Section {
    let answer = RunAnswer(run, verdict, commands: commands)
    return .init(
      "answer", "Verdict",
      [
        .overview(RunOverview(answer, diagnosis, isDoubted: manifest.warnings != nil).block(gallery)),
        .answer(AnswerBlock(answer.lines)),
      ] + (answer.methods.isEmpty ? [] : [.list(answer.methods)]))
  }

  /// What was taken away because it cannot be.
  private var faults: [String] {
    guard let rows = manifest.impossible, let first = rows.first else { return [] }
    let (what, whose) =
      rows.count == 1 ? ("One row", "its values are") : ("\(rows.count) rows", "their values are")
    return [
      "**A bug in fathom**: \(what) had impossible values, and \(whose) omitted; run.json lists them. "
        + "The first: \(first.table), \(first.problem)."
    ]
  }

  /// A section with its figures between what it says and how that was found.
  private func section(
    _ id: String, _ title: String, _ head: [ReportDocument.Block], notes: [String] = [],
    subsections: [ReportDocument.Section] = [], folded: Bool = false
  ) -> ReportDocument.Section {
    let figures = EvaluationFigures.Section(rawValue: id).flatMap { self.figures?.figures(in: $0) } ?? []
    let drawn = figures.map { ReportDocument.Block.figure(FigureBlock($0)) }
    let list: [ReportDocument.Block] = notes.isEmpty ? [] : [.list(notes)]
    return .init(id, title, head + drawn + list, subsections: subsections, folded: folded)
  }

  private var methods: ReportDocument.Section {
    let options = OptionDifferences.list(run.plan.options).map {
      "Options that differ from the defaults: \($0)."
    }
    let head = options + CalibrationNotes.list(manifest.calibration, run.plan.options)
    let scenes = verdict.inference.scenes
    let withoutDepth = ReportTables.withoutDepth(run)
    let missing =
      withoutDepth.isEmpty
      ? ""
      : " No row: \(withoutDepth.map { "`\(run.name(of: $0).literal)`" }.joined(separator: ", ")) gave no depth in any \(run.frameWord); "
        + "\"Frames that are not scored\" says why."
    return section(
      "methods", "Methods",
      [
        .paragraph(
          "Protocol \(run.plan.rules.summary). It holds for every table and chart of this page.\(missing)")
      ] + head.map { .paragraph($0) }
        + table(
          "methods", ReportTables.methods(run, verdict, intervals: true),
          caption: "Error of every method over all truth pixels\(IntervalNotes.suffix(scenes)).",
          before:
            "Means over every truth pixel that a \(run.basis.hasLidar ? "method" : "map") covers; ↓ lower is better, ↑ higher is better."
            + (run.aggregation.summary.contains(where: \.isOracle) ? " An oracle uses the truth." : "")
            + unscored + MethodRows(run, ReportTables.errors).sentence
            + (verdict.coverageIsEqual
              ? ""
              : " The methods cover different shares of the truth, so no error is bold\(run.basis.hasLidar ? ": the tables below compare them with each other on the same pixels." : ", and a comparison of two of them is one over different pixels.")")
        )
        + tails(scenes),
      notes: StatisticsNotes.general(verdict.inference, run.plan.rules.aggregation)
        + StatisticsNotes.sparsification(run))
  }

  private var uncertainty: ReportDocument.Section? {
    UncertaintyReport(run).map { report in
      .init(
        "uncertainty", "Uncertainty",
        caption: "Errors without the noise of the truth, their uncertainty, and where it comes from.",
        report.table, notes: report.notes)
    }
  }

  /// What a mean hides; of data without truth, how steady the methods are.
  private func tails(_ scenes: Int) -> [ReportDocument.Block] {
    guard verdict.data.scored > 0 else {
      return table(
        "tails", ReportTables.tails(run, verdict), caption: "Steadiness\(IntervalNotes.suffix(scenes)).",
        before: "Flicker measures how much a surface fluctuates between frames.\(temporalBasis)")
    }
    let hasFlicker = run.basis.hasLidar || ValueSupport(run, column: MetricColumn(.flicker)).most.frames > 0
    return table(
      "tails", ReportTables.tails(run, verdict),
      caption:
        "Typical and large errors\(hasFlicker ? ", depth steps and steadiness" : " and depth steps")\(IntervalNotes.suffix(scenes)).",
      before:
        "The mean is not everything: half of the pixels have errors below the median, one in twenty above P95. "
        + "Boundary F1 measures how well depth steps are preserved"
        + (hasFlicker ? ", flicker how much a surface fluctuates between frames." : ".") + temporalBasis)
  }

  /// A table with what it says; nothing where it has no rows.
  private func table(_ id: String, _ table: DisplayTable, caption: String, before: String? = nil)
    -> [ReportDocument.Block]
  {
    guard !table.rows.isEmpty else { return [] }
    return (before.map { [.paragraph($0)] } ?? []) + [.table(id, caption: caption, table)] + note(table)
  }

  private var unscored: String {
    let count = run.aggregation.framesWithoutTruth
    return count > 0 && verdict.data.scored > 0
      ? " Frames with depth are counted of those that have a truth; \(count) have none to compare a map with."
      : ""
  }

  /// What the two metrics over time rest on, which is not what errors rest on.
  private var temporalBasis: String {
    let support = ValueSupport(run, column: .temporalAbsRel).most
    return support.frames == 0
      ? ""
      : " Temporal AbsRel and flicker need poses and neighbouring frames but no truth: "
        + "\(counted(support.frames, "frame")) of \(counted(support.scenes, "scene")) have them."
  }

  private func note(_ table: DisplayTable) -> [ReportDocument.Block] {
    table.partialNote.map { [.paragraph($0)] } ?? []
  }

  private var protocols: ReportDocument.Section? {
    run.protocols.map { ProtocolSections.section($0, run, verdict.ranking) }
  }

  private var scenes: ReportDocument.Section? {
    let table = ReportTables.scenes(run, column: .absRel)
    guard !table.rows.isEmpty else { return nil }
    return section(
      "scenes", "Scenes",
      [
        .paragraph(
          "AbsRel [%] by scene; frames without a value are excluded. `scenes.csv` has every scene and metric."
        ),
        .table("scenes", caption: "AbsRel of every method by scene.", table),
      ] + note(table))
  }

  private var breakdowns: [ReportDocument.Section] {
    run.breakdowns.compactMap { breakdown in
      ReportTables.breakdown(breakdown, run).map { table in
        section(
          breakdown.id, breakdown.title,
          [
            .paragraph(
              "AbsRel [%]; frames without such pixels are excluded from the column. `\(breakdown.id).csv` has every bin and metric."
            ),
            .table(breakdown.id, caption: "\(breakdown.title), AbsRel.", table),
          ] + note(table))
      }
    }
  }

  private var frames: ReportDocument.Section? {
    let strip = FrameStrip(run, verdict)
    let drawn = figures?.figures(in: .frames).map { ReportDocument.Block.figure(FigureBlock($0)) } ?? []
    let table = strip.map { strip -> [ReportDocument.Block] in
      [.table(FrameErrorTable(strip: strip, commands: commands, gallery: gallery, basis: run.basis).block)]
    }
    let pictures: [ReportDocument.Block] =
      galleryLack.map { [.paragraph("No pictures: \($0).")] } ?? gallery.map { gallery in
        [
          .paragraph(
            "The worst, the median and the best \(run.frameWord)s of \(shownMethod), by AbsRel, from different scenes where possible. "
              + "Pictures of the same kind share one colour scale. `fathom frames` makes a page of all \(run.frameWord)s."
          ),
          .gallery(gallery),
        ]
      } ?? []
    let blocks = drawn + pictures + (table ?? [])
    return blocks.isEmpty ? nil : .init("frames", "Frames", blocks)
  }

  /// "`auto`, the best method"
  private var shownMethod: String {
    guard let shown = GallerySelection.subject(of: verdict) else { return "a method" }
    let place =
      shown == verdict.ranking.best
      ? "the best \(run.basis.hasLidar ? "method" : "network")"
      : shown == verdict.ranking.bestFitted
        ? "the best of those that fuse or predict depth" : "the method under test"
    return "`\(run.name(of: shown))`, \(place)"
  }

  private var objects: ReportDocument.Section? {
    guard let results = run.objects else { return nil }
    let scenes = Set(results.scenes)
    let report = ObjectReport(
      results: results, units: run.plan.units,
      unsureScenes: run.scenes.filter { scenes.contains($0.name) && !$0.header.hasConfidence }.map(\.name))
    let sentences = verdict.objects.map { ObjectFindings(verdict: $0, units: run.plan.units).sentences } ?? []
    return section(
      "objects", "Objects",
      (sentences.isEmpty ? [] : [.list(sentences)]) + report.notes.map { .paragraph($0) },
      subsections: report.sections, folded: true)
  }

  private var fits: ReportDocument.Section? {
    let table = ReportTables.fits(run)
    guard !table.rows.isEmpty else { return nil }
    return section(
      "fits", "Fits",
      [
        .paragraph(
          run.basis.hasLidar
            ? "Medians over the frames in which a line was computed, refused ones included."
            : "The lines by which maps were fitted to the truth: medians over the images of a scene.")
      ]
        + SceneTableSummary.fits(
          TableBlock("fits", caption: "Medians of the fitted lines over the frames of a scene.", table)
        ).blocks, folded: true)
  }

  private var refusals: ReportDocument.Section? {
    ReportTables.refusals(run).map { table in
      .init(
        "refusals", "Frames that are not scored",
        caption: "Frames that methods refused, or that have no truth to compare with.", table)
    }
  }

  private var data: ReportDocument.Section {
    section(
      "data", "Data",
      SceneTableSummary.data(
        TableBlock("data", caption: "What the scenes hold.", role: .reference, ReportTables.data(run)),
        limit: run.isOfSingleImages ? 1 : PageLimits.rows
      ).blocks + [.list(inputs)])
  }

  /// The files; of too many, what is wrong with some stands first.
  private var inputs: [String] {
    let faulty = manifest.inputs.filter { $0.unreadable != nil }
    let all =
      manifest.inputs.count > PageLimits.names
      ? faulty + manifest.inputs.filter { $0.unreadable == nil } : manifest.inputs
    return PageLimits.items(
      all.map { input in
        let fault = input.unreadable.map { ": **unreadable**, \($0)" } ?? ""
        return "`\(input.file)`\(fault), SHA-256 `\(input.sha256)`"
      }, rest: "more files: `run.json` lists every one")
  }

  private var definitions: ReportDocument.Section {
    section(
      "definitions", "Definitions",
      [
        .table(
          "method-definitions", caption: "The methods.", role: .reference,
          ReportTables.methodDefinitions(run)),
        .paragraph(
          "d prediction, g truth, e = ln d − ln g. A prediction that is not finite or not positive is missing: it "
            + "lowers the coverage, never counts as within a δ, and is excluded from the error means."),
        .table(
          "metric-definitions", caption: "The metrics.", role: .reference,
          ReportTables.metricDefinitions(run)),
        .paragraph(
          "Protocol source: \(run.plan.rules.source). Written by Fathom \(manifest.version), seed \(manifest.seed). "
            + "`run.json` has every option; the CSV files next to this page have the same numbers in full precision."
        ),
      ], folded: true)
  }
}
