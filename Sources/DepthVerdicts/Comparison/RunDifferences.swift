public import DepthEvaluation
import DepthFusion
import FathomStatistics

/// The rows of two runs compared with each other on the frames that both have, method by method, with the scene as unit.
///
/// Statistics are those of an evaluation's comparisons: the two runs are methods of one panel.
public struct RunDifferences: Sendable {
  /// Pair by pair, column by column, form by form.
  public internal(set) var rows: [RunDifference]
  /// Solved frames of every pair: in the reference, in the candidate, and how many there are.
  public let solved: [MethodPair: SolvedFrames]
  /// How many of the shared frames a method solved.
  public struct SolvedFrames: Sendable, Hashable { public let reference: Int, candidate: Int, frames: Int }
  /// Mean coverage of the truth on the frames that both runs solved.
  private let coverage: [MethodPair: PairedComparison]

  /// - Parameter reference: Rows of the frames that both runs have.
  /// - Parameter candidate: Rows of the same frames, under the same scene names and frame numbers.
  /// - Parameter mode: How frames become one number. Pixels cannot be pooled, because stored rows do not count them.
  /// - Parameter seed: Of the resamples; the scenes' names are hashed in.
  public init(
    _ reference: [FrameRecord], _ candidate: [FrameRecord], pairs: [MethodPair], mode: AggregationMode,
    seed: UInt64
  ) {
    precondition(mode != .pooled, "stored rows do not count pixels")
    let records = reference.map { $0.labelled(.reference) } + candidate.map { $0.labelled(.candidate) }
    let panels = Panels(records, mode: mode)
    var bootstrap = SceneBootstrap(seed: seed)
    let columns = ComparedColumn.all.filter { column in
      guard let metric = column.metric, Metric.extended.contains(metric.metric) else { return true }
      return records.contains { $0.value(metric) != nil }
    }
    rows = pairs.flatMap { pair in
      columns.flatMap { column in
        column.forms.map { form in
          RunDifference(
            pair: pair, column: column, form: form,
            comparison: panels.comparison(pair, column, form, &bootstrap))
        }
      }
    }
    coverage = pairs.reduce(into: [:]) {
      $0[$1] = panels.comparison($1, ComparedColumn(.coverage), .solved, &bootstrap)
    }
    let solvedReference = Dictionary(grouping: reference, by: \.method)
    let solvedCandidate = Dictionary(grouping: candidate, by: \.method)
    solved = Dictionary(
      pairs.map { pair in
        let rows = [solvedReference[pair.reference] ?? [], solvedCandidate[pair.candidate] ?? []]
        // A method may exist in scenes of one kind only.
        let frames = rows.map { Set($0.map(FrameKey.init)) }
        let shared = frames[0].intersection(frames[1])
        let solved = rows.map { $0.count { $0.isSolved && shared.contains(FrameKey($0)) } }
        return (pair, SolvedFrames(reference: solved[0], candidate: solved[1], frames: shared.count))
      }, uniquingKeysWith: { first, _ in first })
  }

  /// What was found of a pair in a column and form.
  public func difference(_ pair: MethodPair, _ column: String, _ form: RunDifference.Form) -> RunDifference? {
    rows.first { $0.pair == pair && $0.column.id == column && $0.form == form }
  }

  /// Coverage in both runs where the one with the better value leaves out too much of what the other covers, see
  /// ``ComparisonObstacle/coverage``; nil where they can be compared.
  public func unequalCoverage(_ row: RunDifference) -> PairedComparison? {
    // A row of all frames is about coverage itself.
    guard row.form != .all, let worsening = row.worsening, worsening != 0, let found = coverage[row.pair]
    else { return nil }
    let (better, gap) =
      worsening < 0 ? (row.pair.candidate, -found.difference) : (row.pair.reference, found.difference)
    // Methods are compared with the raw LiDAR on what it measures, and it may cover less.
    let isSensor =
      MethodSelection.rawLidar.contains { $0.id == better } && row.pair.reference != row.pair.candidate
    return gap > ComparisonObstacle.coverageLoss && !isSensor ? found : nil
  }

  /// The form that stands for a column in tables: all frames, the raw LiDAR standing in where that has a meaning.
  public func headline(_ pair: MethodPair, _ column: String) -> RunDifference? {
    rows.first { $0.pair == pair && $0.column.id == column && $0.form != .solved }
  }
}

extension [RunDifferences] {
  /// Corrects the p-values of each column and form by Holm over all methods and runs.
  public mutating func adjust() {
    for column in ComparedColumn.all {
      for form in column.forms {
        var places: [(run: Int, row: Int)] = []
        for run in indices {
          places += self[run].rows.indices.filter {
            self[run].rows[$0].column == column && self[run].rows[$0].form == form
          }.map { (run, $0) }
        }
        var family = places.map { self[$0.run].rows[$0.row].comparison }
        family.adjust()
        for (place, member) in zip(places, family) { self[place.run].rows[place.row].comparison = member }
      }
    }
  }
}

/// Which run a row is of.
private enum Side: String {
  case reference, candidate
  func label(_ method: String) -> String { rawValue + "\u{1f}" + method }
}

/// The rows of both runs, as they are and as what is delivered.
private struct Panels {
  private let values: ScenePanel
  private let delivered: ScenePanel  // What is 0 where a frame was refused.
  private let solved: ScenePanel  // 1 for a solved frame and 0 for any other, in the column of the coverage.

  init(_ records: [FrameRecord], mode: AggregationMode) {
    values = ScenePanel(RowStore(records), mode: mode) { label in
      let side = label.prefix { $0 != "\u{1f}" }
      return side + "\u{1f}\(MethodSelection.lidarBilinear)"
    }
    delivered = ScenePanel(
      records.map { row in row.holding { row.delivered($0) } }, mode: mode, fallback: nil)
    solved = ScenePanel(
      records.map { row in row.holding { $0 == .coverage ? (row.isSolved ? 1 : 0) : nil } }, mode: mode,
      fallback: nil)
  }

  func comparison(
    _ pair: MethodPair, _ column: ComparedColumn, _ form: RunDifference.Form,
    _ bootstrap: inout SceneBootstrap
  ) -> PairedComparison? {
    let panel =
      switch form {
      case .solved, .fallback: values
      case .all: column == .framesSolved ? solved : delivered
      }
    return PairedComparison(
      Side.candidate.label(pair.candidate), against: Side.reference.label(pair.reference),
      column: column.metric ?? .coverage,
      form: form == .fallback ? .fallback : .solvedFrames, in: panel, &bootstrap)
  }
}

extension FrameRecord {
  fileprivate func labelled(_ side: Side) -> FrameRecord {
    var row = self
    row.method = side.label(method)
    return row
  }

  /// What was delivered of the truth, nothing where the frame was refused; nil where there is no truth, and for a column
  /// that does not tell.
  fileprivate func delivered(_ column: MetricColumn) -> Double? {
    guard column.metric.isZeroWhereRefused else { return nil }
    return switch fusion.status {
    case .ok: value(column)
    case .noTruth: nil
    case .noLidar, .noRelative, .tooFewPairs, .degenerate, .rejectedScale, .impossible: 0
    }
  }

  /// The same row with these values.
  fileprivate func holding(_ value: (MetricColumn) -> Double?) -> FrameRecord {
    var row = self
    row.values = MetricColumn.all.map(value)
    return row
  }
}

private struct FrameKey: Hashable {
  let scene: String, frame: String
  init(_ record: FrameRecord) { (scene, frame) = (record.scene, record.frame) }
}
