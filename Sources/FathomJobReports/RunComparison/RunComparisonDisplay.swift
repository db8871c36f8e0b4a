import DepthReport
public import FathomDocuments
public import FathomRunFolders
import DepthCore
import DepthEvaluation
public import DepthVerdicts
import FathomPlainText
import FathomStatistics

/// The tables of a comparison of runs, for people.
public struct RunComparisonDisplay {
  let comparison: RunComparison
  public init(_ comparison: RunComparison) { self.comparison = comparison }
  private var hasRuns: Bool { comparison.candidates.count > 1 }  // Rows of several runs name theirs first.
  private var runColumn: [DisplayTable.Column] { hasRuns ? [.text("run")] : [] }
  private func runCell(_ label: String) -> [DisplayTable.Cell] { hasRuns ? [DisplayTable.Cell(label)] : [] }

  /// Every method in one column: all frames, and those in which both have depth where frames were refused.
  public func methods(_ column: ComparedColumn) -> DisplayTable {
    let unit = Self.head(column.display.symbol)
    let rows = zip(comparison.candidates, comparison.differences).flatMap { candidate, found in
      candidate.shown.flatMap { pair -> [[DisplayTable.Cell]] in
        let whole = found.headline(pair, column.id)
        let solved = found.difference(pair, column.id, .solved)
        let isComplete = solved?.comparison?.frames == whole?.comparison?.frames
        return [whole, isComplete || solved?.comparison == nil ? nil : solved].compactMap { $0 }.map {
          runCell(candidate.label)
            + row($0, column, isComplete: isComplete, isComparable: found.unequalCoverage($0) == nil)
        }
      }
    }
    return DisplayTable(
      columns: runColumn + [
        .text("method"), .text(FrameWords.head),
        .init("\(comparison.label)\(unit)"),
        .init(hasRuns ? "value\(unit)" : "\(comparison.candidates[0].label)\(unit)"),
        .init("difference\(Self.head(DifferenceMeasure(column).unit))", column.direction),
        .init("Wilcoxon p"), .init("adjusted p"), .init("scenes"), .init("frames"),
      ], cells: rows)
  }

  /// " [mm]"
  private static func head(_ unit: String?) -> String { unit.map { " [\($0)]" } ?? "" }

  private func row(
    _ row: RunDifference, _ column: ComparedColumn, isComplete: Bool, isComparable: Bool
  ) -> [DisplayTable.Cell] {
    let found = row.comparison
    let display = column.display
    let form = Self.words(row.form, isComplete: isComplete)
    return [
      .init(comparison.title(row.pair)), .init(form), .init(found?.referenceValue, display),
      .init(found?.value, display), .init(found?.difference, display, interval: found?.interval),
      .init(isComparable ? found?.test?.pValue : nil, digits: 2),
      .init(isComparable ? found?.adjustedP : nil, digits: 2),
      .init(count: found?.scenes ?? 0), .init(count: found?.frames ?? 0),
    ]
  }

  /// Rule by rule, what was found of every method.
  func gate(_ gate: WorseningGate) -> DisplayTable {
    DisplayTable(
      columns: [.text("rule")] + runColumn + [
        .text("method"), .text(FrameWords.head), .init("worse by"),
        .init("allowed"), .init("sign-flip p"), .init("scenes"), .text("outcome"),
      ],
      cells: gate.verdicts.map { verdict in
        let solved = comparison.differences[verdict.run].difference(
          verdict.pair, verdict.rule.column.id, .solved)
        let whole = comparison.differences[verdict.run].headline(verdict.pair, verdict.rule.column.id)
        let form = Self.words(
          verdict.form, isComplete: solved?.comparison?.frames == whole?.comparison?.frames)
        let style = RunComparisonFindings.style(verdict.rule.column)
        let interval = verdict.interval
        return [.init(verdict.rule.description)] + runCell(comparison.candidates[verdict.run].label) + [
          .init(comparison.title(verdict.pair)), .init(form),
          .init(Quantity(verdict.worsening, style, low: interval?.lowerBound, high: interval?.upperBound)),
          .init(Quantity(verdict.tolerance, style)), .init(verdict.chance, digits: 2),
          .init(count: verdict.scenes), .init(Self.words(verdict.outcome)),
        ]
      })
  }

  /// - Parameter isComplete: Whether nothing was refused, so that both forms are the same.
  private static func words(_ form: RunDifference.Form, isComplete: Bool) -> String {
    switch form {
    case .solved: FrameWords.both
    case .fallback: isComplete ? FrameWords.all : FrameWords.standIn
    case .all: FrameWords.all
    }
  }

  private static func words(_ outcome: WorseningGate.Outcome) -> String {
    switch outcome {
    case .worse: "worse"
    case .within: "within the tolerance"
    case .notShown: "not shown to be worse"
    case .unknown: "cannot tell"
    }
  }

  /// Metrics beside the one that is asked about.
  private var others: [ComparedColumn] {
    let support = comparison.basis.support
    let compared = [Metric.mae, .absRel, .rmse, .delta1].map { MetricColumn($0, support) }
    return (compared + [.mae, .coverage]).firstAppearances.map { ComparedColumn($0) }
  }

  var metrics: DisplayTable {
    let columns = others.filter { $0 != comparison.request.metric }
    return DisplayTable(
      columns: runColumn + [.text("method")]
        + columns.map { .init($0.title + Self.head(DifferenceMeasure($0).unit), $0.direction) },
      cells: zip(comparison.candidates, comparison.differences).flatMap { candidate, found in
        candidate.shown.map { pair in
          runCell(candidate.label) + [.init(comparison.title(pair))]
            + columns.map { column in
              let row = found.headline(pair, column.id)?.comparison
              return .init(row?.difference, column.display, interval: row?.interval)
            }
        }
      })
  }

  var solved: DisplayTable {
    DisplayTable(
      columns: runColumn + [
        .text("method"), .init(comparison.label),
        .init(hasRuns ? "frames with depth" : comparison.candidates[0].label), .init("frames"),
      ],
      cells: zip(comparison.candidates, comparison.differences).flatMap { candidate, found in
        candidate.shown.compactMap { pair in
          found.solved[pair].map { solved in
            runCell(candidate.label) + [
              .init(comparison.title(pair)), .init(count: solved.reference), .init(count: solved.candidate),
              .init(count: solved.frames),
            ]
          }
        }
      })
  }

  var options: DisplayTable {
    DisplayTable(
      columns: [
        .text("run"), .text("option"),
        .text(comparison.label),
        .text(comparison.candidates.count == 1 ? comparison.candidates[0].label : "compared run"),
      ],
      rows: comparison.candidates.flatMap { candidate in
        candidate.options.map {
          [candidate.label, $0.option, $0.reference ?? "not set", $0.value ?? "not set"]
        }
      })
  }

  var runs: DisplayTable {
    let all =
      [(comparison.label, comparison.reference, "reference")]
      + comparison.candidates.map { ($0.label, $0.run, "\($0.frames) frames of \($0.scenes) scenes shared") }
    return DisplayTable(
      columns: [
        .text("run"), .text("version"), .text("role"), .init("scenes"), .init("frames"), .text("data"),
      ],
      rows: all.map { label, run, role in
        [
          label, run.manifest.version, role, "\(run.manifest.counts.scenes)", "\(run.manifest.counts.frames)",
          PageLimits.listed(run.manifest.inputs.map { "\($0.file) \($0.sha256.prefix(12))" }),
        ]
      })
  }
}
