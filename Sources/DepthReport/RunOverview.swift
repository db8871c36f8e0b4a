public import FathomDocuments
import DepthCore
import DepthEvaluation
import DepthVerdicts
import FathomPlainText
import FathomStatistics
import Foundation

/// The first screen of a run: what a verdict comes to, in a badge, three numbers and two pictures.
public struct RunOverview {
  private let run: EvaluationRun, verdict: RunVerdict, answer: RunAnswer
  private let diagnosis: DiagnosisSection?, isDoubted: Bool

  /// - Parameter diagnosis: nil where the data were not asked.
  /// - Parameter isDoubted: Whether a warning stands above all.
  public init(_ answer: RunAnswer, _ diagnosis: DiagnosisSection?, isDoubted: Bool) {
    (run, verdict, self.answer) = (answer.run, answer.verdict, answer)
    (self.diagnosis, self.isDoubted) = (diagnosis, isDoubted)
  }

  func block(_ gallery: GalleryBlock?) -> OverviewBlock {
    var frame = gallery.flatMap(Self.pair)
    if verdict.ranking.methods.count > 1, let shown = GallerySelection.subject(of: verdict) {
      frame?.rank += " of \(answer.name(shown))"
    }
    return OverviewBlock(
      badge: badge, tiles: [error, gain, truth].compactMap(\.self), comparison: comparison, frame: frame)
  }

  // MARK: The badge

  public var badge: OverviewBlock.Badge {
    guard verdict.doubts == nil, !isDoubted else {
      return .init(.doubtful, "Doubtful input", "the numbers may show an error in the data")
    }
    if let count = diagnosis?.contradictionCount, count > 0 {
      return .init(
        .doubtful, "Doubtful input", "the data contradict \(counted(count, "declared convention"))")
    }
    guard verdict.data.scored > 0 else { return .init(.open, "No ground truth", "errors cannot be given") }
    guard let best = verdict.ranking[verdict.ranking.best] else {
      return .init(.open, "Nothing scored", "no method gave depth where the truth is known")
    }
    guard let contrast = verdict.contrast else {
      return .init(.open, "Measured", "\(answer.name(best.method)) alone, compared with no other method")
    }
    let compared = contrast.comparison
    let pair = "\(answer.name(compared.method)) against \(answer.reference(compared.reference))"
    if let obstacle = compared.obstacle {
      return .init(.open, "Not comparable", "\(pair): \(answer.words(obstacle, compared))")
    }
    guard compared.outcome != .same else { return .init(.open, "Equal", pair) }
    guard contrast.outcome != .worse else { return .init(.worse, "Worse", pair) }
    if verdict.data.isReferenceDependent, let share = verdict.data.truthShare, share.isThin {
      return .init(
        .open, "Reference too thin", "it covers \(Quantity(share.mean, .percent()).text) of the pixels")
    }
    guard !verdict.data.isReferenceDependent else {
      return .init(.open, "Cannot tell", "this reference cannot show a gain over the LiDAR")
    }
    switch contrast.outcome {
    case .better, .worse: return .init(.better, "Better", pair)
    case .undecided: return .init(.open, "Cannot tell", "\(pair): the difference is not significant")
    case .tooFewScenes, .notComparable:
      return .init(
        .open, "Cannot tell",
        "\(pair): \(counted(compared.scenes, run.sceneWord)), and a test needs \(ContrastVerdict.fewestScenes)"
      )
    }
  }

  // MARK: Numbers

  private var subject: RankedMethod? {
    verdict.ranking.subject(of: run.basis.hasLidar ? verdict.contrast : nil)
  }

  private var error: OverviewBlock.Tile? {
    guard let subject else { return nil }
    let interval = interval(of: subject)
    let place = verdict.ranking.column == MetricColumn.maeMeasured.id ? ", where the LiDAR measures" : ""
    let support =
      counted(subject.withFallback.frames, run.frameWord)
      + (run.basis.hasLidar && subject.framesRefused > 0 ? ", the raw LiDAR in \(subject.framesRefused)" : "")
    return .init(
      "MAE of \(answer.name(subject.method))"
        + (subject.ids.contains { run.isFittedToTruth($0) } ? ", fitted to the truth" : ""),
      DisplayTable.Cell(subject.error, run.plan.units.display, interval: interval).number
        + (run.plan.units.display.symbol.map { " " + $0 } ?? ""),
      (interval.map { "95 % interval \(run.plan.units.interval($0.low, $0.high)); " } ?? "") + support + place
    )
  }

  private var gain: OverviewBlock.Tile? {
    guard let compared = verdict.contrast?.comparison, compared.obstacle == nil else { return nil }
    let label = "\(answer.name(compared.method)) against \(answer.reference(compared.reference))"
    guard !verdict.data.isReferenceDependent || compared.outcome == .worse else {
      return .init(
        label, "no gain can be shown",
        verdict.data.dependences == [.unknown]
          ? "the truth is not declared to be independent" : "the reference is made of the LiDAR’s own depth")
    }
    guard let (amount, word) = answer.gain(compared) else { return .init(label, "equal", "the same MAE") }
    return .init(
      label, "\(amount) \(word) error",
      answer.difference(compared) + (compared.low == nil ? "" : ", 95 % interval"))
  }

  private var truth: OverviewBlock.Tile? {
    let found = verdict.data
    guard found.scored > 0 else { return nil }
    let kind =
      found.rendered == found.scored
      ? "simulated"
      : found.isReferenceDependent
        ? (found.dependences == [.multiview]
          ? "from the recording itself"
          : found.dependences == [.unknown] ? "of unknown origin" : "not independent of the LiDAR")
        : found.rendered + found.dependent + (found.selected ?? 0) == 0
          ? (run.basis.hasLidar ? "measured" : "as given") : "of several kinds"
    return .init(
      found.isReferenceDependent ? "Reference" : "Ground truth", kind,
      diagnosis.map {
        "\($0.confirmedCount) tests of the data’s conventions confirmed, \($0.contradictionCount) contradicted"
      } ?? counted(found.scored, run.sceneWord))
  }

  /// nil where the error is not one of the tables' own.
  private func interval(of method: RankedMethod) -> ConfidenceInterval? {
    guard method.framesRefused == 0, method.bothSolved == nil,
      let column = MetricColumn(id: verdict.ranking.column),
      let id = method.ids.first(where: { id in run.aggregation.summary.contains { $0.method == id } })
    else { return nil }
    return run.statistics.interval(of: id, column: column)
  }

  // MARK: Methods beside each other

  private static let mostRows = 6

  private var comparison: OverviewBlock.Comparison? {
    let ranking = verdict.ranking
    let baseline = ranking.methods.first { $0.ids.contains(verdict.baseline) }?.method
    let wanted = [baseline, ranking.best, verdict.contrast?.comparison.method].compactMap(\.self)
    let methods = (wanted + verdict.subjects + ranking.placed.map(\.method)).firstAppearances
      .compactMap { ranking[$0] }.filter { $0.framesSolved > 0 }.prefix(Self.mostRows)
      .sorted { ($0.error, $0.method) < ($1.error, $1.method) }
    guard methods.count > 1 else { return nil }
    let display = run.plan.units.display
    let cells = methods.map { method -> [DisplayTable.Cell] in
      var name = DisplayTable.Cell(answer.name(method.method))
      name.target = Definition.anchor(method: method.ids.first ?? method.method)
      return [name, .init(method.error, display, interval: interval(of: method))]
    }
    let column = DisplayTable.Column("MAE" + (display.symbol.map { " [\($0)]" } ?? ""), .lowerIsBetter)
    let ranked = ranking.methods.count { $0.framesSolved > 0 }
    return .init(
      title: methods.count < ranked ? "\(methods.count) of \(ranked) methods by error" : "Methods by error",
      table: DisplayTable(columns: [.text("method"), column], cells: cells),
      reference: ranking[baseline].map { $0.error * display.scale }, note: standIns(methods))
  }

  /// "In frames that a method refused, the raw LiDAR counts: spec, 9 of 18."
  private func standIns(_ methods: [RankedMethod]) -> String? {
    let refusing = methods.filter { run.basis.hasLidar && $0.framesRefused > 0 }.map {
      "\(answer.name($0.method)), \($0.framesRefused) of \($0.withFallback.frames)"
    }
    return refusing.isEmpty
      ? nil : "In frames that a method refused, the raw LiDAR counts: \(refusing.joined(separator: "; "))."
  }

  // MARK: The worst frame

  /// What is to be seen and where it is wrong; without an image the truth stands for it.
  private static func pair(_ gallery: GalleryBlock) -> GalleryBlock.Frame? {
    guard var frame = gallery.frames.first else { return nil }
    let scene = ["image", "truth", "LiDAR"].compactMap { role in frame.pictures.first { $0.role == role } }
    let last = frame.pictures.last
    frame.pictures = [scene.first, last].compactMap(\.self)
    if frame.pictures.count == 2, frame.pictures[0] == frame.pictures[1] { frame.pictures.removeLast() }
    // Its ends and what grey means; the gallery below says how many pixels are beyond the ends.
    let scale = gallery.scales.first { $0.roles == [last?.role] }?.title.components(separatedBy: "; ") ?? []
    frame.caption = scale.count > 2 ? "\(scale[0]); \(scale[scale.count - 1])" : scale.joined(separator: "; ")
    return frame.pictures.isEmpty ? nil : frame
  }
}
