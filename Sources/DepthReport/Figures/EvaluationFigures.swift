import DepthEvaluation
public import FathomDocuments
public import DepthCharts
import DepthCore
public import DepthVerdicts

/// The charts of an evaluation, as values: drawing them is `ChartRenderer`'s business.
///
/// Only what exists is here: no truth, no errors; no objects, no placements. Equal runs give equal figures.
public struct EvaluationFigures: Sendable {
  /// Where in the report a figure stands; the raw value is stable.
  public enum Section: String, Sendable, CaseIterable {
    case methods, ranges, confidence, scenes, frames, objects
  }

  /// Sections that have figures, in the order of the report.
  public let sections: [(section: Section, figures: [Figure])]
  /// Every figure, section by section; names are unique.
  public var all: [Figure] { sections.flatMap(\.figures) }

  /// The figures of a section; none where nothing exists.
  public func figures(in section: Section) -> [Figure] {
    sections.first { $0.section == section }?.figures ?? []
  }

  /// - Parameter gallery: Pictures that marks of frames lead to.
  public init(_ run: EvaluationRun, _ verdict: RunVerdict, gallery: GalleryBlock? = nil) {
    let methods = FigureMethods(run, verdict.ranking)
    // A single value is a number, not a chart.
    func charts(_ found: Chart?...) -> [Figure?] {
      found.map { $0.flatMap { $0.valueCount > 1 ? Figure.chart($0) : nil } }
    }
    let found: [(section: Section, figures: [Figure?])] = [
      (
        .methods,
        charts(
          MethodErrorFigure.mae(methods), MethodErrorFigure.absRel(methods),
          // Adjacent frames cannot show a gain over the LiDAR.
          verdict.data.dependences == [.multiview] ? nil : GainFigure.figure(methods),
          CumulativeFigure.figure(methods), CoverageFigure.figure(methods))
      ), (.ranges, charts(BreakdownFigures.range(methods))),
      (.confidence, charts(BreakdownFigures.confidence(methods), SparsificationFigure.figure(methods))),
      (.scenes, [SceneFigure.figure(methods)]),
      (.frames, charts(FrameStripFigure.figure(methods, FrameStrip(run, verdict), gallery: gallery))),
      (.objects, ObjectFigures.all(run.objects, verdict.objects, run.plan.units)),
    ]
    sections = found.map { ($0.section, $0.figures.compactMap(\.self)) }.filter { !$0.figures.isEmpty }
  }
}
