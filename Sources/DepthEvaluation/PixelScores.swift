/// What a prediction is worth on one frame.
struct PixelScores {
  var values: [Double?] = []  // One per `MetricColumn.all`.
  var breakdowns: [String: [Int: BinScores]] = [:]  // Per breakdown id and bin.
  /// Curves of the error by confidence; nil without confidence or predictions.
  var sparsification: Sparsification?
  /// Pixels by their error; nil without predictions.
  var errors: ErrorCounts?
  /// nil where they were not asked for.
  var counts: PixelCounts?
  /// nil where they were not asked for.
  var moments: TruthMoments?
  /// nil where it was not asked for.
  var extended: ExtendedErrors? {
    didSet {
      guard let extended else { return }
      let summary = ErrorSummary(ErrorSums(), image: ImageErrors(extended: extended))
      for column in MetricColumn.extended { values[column.position] = column.metric.value(summary) }
    }
  }
  /// The line by which the prediction was fitted to the truth; nil where it was not.
  var alignment: AlignmentFit?
  /// How honest the prediction's own standard deviations are; nil where it states none.
  var deviation: DeviationScores?
}

extension FrameRecord {
  /// Takes over what scoring found.
  mutating func take(_ scores: PixelScores) {
    (values, breakdowns) = (scores.values, scores.breakdowns)
    (sparsification, errors, pixels) = (scores.sparsification, scores.errors, scores.counts)
    moments = scores.moments
    deviation = scores.deviation
  }
}
