import DepthEvaluation
import DepthVerdicts
import FathomStatistics
import FathomTables

/// How honest the standard deviations are that methods state of their maps, and what their confidences are worth:
/// `deviation.csv` and the tables beside it.
enum DeviationTables {
  private typealias Row = DeviationResult.Row

  /// None where no map states any.
  static func files(_ run: EvaluationRun) -> [(name: String, table: DataTable)] {
    let results = run.deviations
    guard !results.isEmpty else { return [] }
    return [
      ("deviation.csv", scenes(results)), ("deviation_summary.csv", summary(results)),
      ("deviation_bins.csv", bins(results)), ("deviation_retained.csv", retained(results)),
    ]
  }

  private static let noValue =
    "no pixel has a usable standard deviation, or they do not determine it; a confidence has only an order, so only the columns of that"
  private static let factors:
    [(id: String, meaning: String, value: @Sendable (DeviationResult.Row) -> Double?)] = [
      (
        "factor_68",
        "what σ must be multiplied by so that |z| ≤ 1 holds 68.27 % of the pixels, from shares of |z| in bins of 1/16 octave",
        { $0.typicalFactor }
      ), ("factor_95", "the same for the interval of 95 %: |z| ≤ 1.96", { $0.factor }),
    ]

  private static func scenes(_ results: [DeviationResult]) -> DataTable {
    DataTable(
      of: "scene × method",
      [
        CommonColumn.scene { $0.scene ?? "" }, CommonColumn.method { $0.method },
        .integer("frames", "frames that were scored") { $0.frames },
        .integer("pixels", "truth pixels with depth and a usable standard deviation or confidence") {
          $0.pixels
        },
      ]
        + DeviationScore.allCases.map { score in
          .number(score.rawValue, score.meaning, unit: score.unit.rawValue, missing: noValue) {
            $0.value(score)
          }
        } + factors.map { .number($0.id, $0.meaning, missing: noValue, $0.value) },
      results.flatMap(\.scenes) as [Row])
  }

  private struct Value: Sendable {
    let result: DeviationResult, score: String, value: Double?
    let interval: ConfidenceInterval?
  }

  private static func summary(_ results: [DeviationResult]) -> DataTable {
    DataTable(
      of: "method × score",
      [
        CommonColumn.method { $0.result.method },
        .text("score", "a column of deviation.csv, which says what it is") { $0.score },
        .number(
          "value", "over pixels, then frames, then scenes, as the protocol says", unit: "the score's",
          missing: noValue
        ) { $0.value },
      ] + CommonColumn.interval(unit: "the score's") { $0.interval }
        + CommonColumn.counts(scenes: { $0.result.scenesWithValue }, frames: { $0.result.whole.frames }),
      results.flatMap { result in
        DeviationScore.allCases.map {
          Value(
            result: result, score: $0.rawValue, value: result.whole.value($0), interval: result.interval($0))
        } + factors.map { Value(result: result, score: $0.id, value: $0.value(result.whole), interval: nil) }
      })
  }

  private struct Retained: Sendable {
    let result: DeviationResult, row: RetainedPixels
  }

  private static func retained(_ results: [DeviationResult]) -> DataTable {
    let fewScenes = "fewer than four scenes"
    return DataTable(
      of: "method × threshold",
      [
        CommonColumn.method { $0.result.method },
        .text("of", "what the threshold is on: deviation (σ in metres) or confidence") {
          $0.result.isOfConfidence ? "confidence" : "deviation"
        },
        .number("wanted_share", "share of the pixels that the threshold is chosen to keep", unit: "share") {
          $0.row.wanted
        },
        .number(
          "threshold", "largest σ or smallest confidence that is kept, chosen on all scenes",
          unit: "m, or that of the confidence", missing: "every pixel is kept"
        ) { $0.row.threshold },
        .number(
          "kept_share", "share of each scene's pixels that the threshold chosen on the other scenes keeps",
          unit: "share"
        ) { $0.row.share },
        .number(
          "kept_share_low", "lower end of its 95 % interval over scenes", unit: "share", missing: fewScenes
        ) {
          $0.row.shareInterval?.low
        },
        .number("kept_share_high", "upper end", unit: "share", missing: fewScenes) {
          $0.row.shareInterval?.high
        },
        .number("mean_error_m", "mean |d−g| of the kept pixels", unit: "m") { $0.row.error },
      ] + CommonColumn.interval(unit: "m") { $0.row.errorInterval },
      results.flatMap { result in result.retained.map { Retained(result: result, row: $0) } })
  }

  private struct Bin: Sendable {
    let method: String, order: String, number: Int
    var share: Double?, group: (deviation: Double, error: Double)?
  }

  private static func bins(_ results: [DeviationResult]) -> DataTable {
    DataTable(
      of: "method × order × bin",
      [
        CommonColumn.method { $0.method },
        .text(
          "order",
          "pit: pixels by Φ((g−d)/σ), in equal bins from 0 to 1; deviation: pixels of each frame by σ, in groups of equal size"
        ) { $0.order },
        .integer("bin", "number of the bin, from 0") { $0.number },
        .number(
          "share", "mean share of the pixels; honest σ give equal shares", unit: "share",
          missing: "order deviation"
        ) { $0.share },
        .number(
          "rms_deviation_m", "root-mean-square σ, mean over frames and scenes", unit: "m",
          missing: "order pit"
        ) { $0.group?.deviation },
        .number(
          "rms_error_m", "root-mean-square error, mean over frames and scenes; honest σ give rms_deviation_m",
          unit: "m", missing: "order pit"
        ) { $0.group?.error },
      ],
      results.flatMap { result in
        result.transform.enumerated().map { Bin(method: result.method, order: "pit", number: $0, share: $1) }
          + result.groups.enumerated().map {
            Bin(method: result.method, order: "deviation", number: $0, group: $1)
          }
      } as [Bin])
  }
}
