/// The form and the estimator with the smallest expected error; the first of equals, and the global line unless a
/// local model promises to be a quarter better.
///
/// Held-out blocks alone would choose windows so narrow that they copy the LiDAR's correlated errors, because inside a
/// held-out block there is nothing to copy. So the expected variance of a candidate is the sum of
/// - s² − σ_LiDAR², s = 1.4826·median|e| of the held-out residuals of the anchors of least noise,
/// - what the estimator takes over of the LiDAR's error, ``noiseGain(window:correlation:)``·σ_LiDAR²,
/// - the mean of min(e, 0.2)² over the residuals beyond 5s of the best candidate, less the smallest of all candidates:
///   false returns add the same to every candidate, misjudged objects add to those that cannot follow them.
struct AutoChoice {
  /// An estimator and what it leaves at held-out anchors of least noise.
  struct Candidate {
    let name: String
    let form: AutoForm
    let residuals: [Double]
    /// Variance of the map's error per variance of the LiDAR's.
    let noiseGain: Double
    let fit: @Sendable (LidarAnchors, Line, Space, FusionOptions) -> any LocalModel
  }

  let best: Candidate
  /// What was chosen and how the others did.
  let summary: String

  var form: AutoForm { best.form }

  /// Widths of the residual fields, as shares of the option's; the second is tried in every form.
  static let widths = [0.5, 1.0, 2.0]

  /// A local model must promise an error below this share of the global line's.
  static let simplicity = 0.75

  /// - Precondition: There is a form.
  init(_ anchors: LidarAnchors, _ forms: [AutoForm], _ options: FusionOptions) {
    precondition(!forms.isEmpty, "there is a form to choose")
    let bench = CandidateBench(anchors, options)
    let fields = forms.map { bench.residualField(Self.widths[1], $0) }
    let formScores = bench.scores(fields)
    let chosen = Self.first(formScores)
    let form = forms[chosen]

    var candidates = [fields[chosen], bench.globalLine(form)]
    candidates += [Self.widths[0], Self.widths[2]].map { bench.residualField($0, form) }
    // Two boxes after each other are as wide as a Gaussian of this deviation.
    let box = Double(2 * options.local.guidedRadius + 1) / 6.0.squareRoot()
    candidates.append(bench.candidate(.lwlr, form, window: options.local.regressionDeviation))
    candidates.append(bench.candidate(.guided, form, window: box))
    let scores = bench.scores(candidates)
    var winner = Self.first(scores)
    // The second candidate is the global line.
    if scores[1] * Self.simplicity <= scores[winner] { winner = 1 }
    best = candidates[winner]

    var others = forms.indices.filter { $0 != chosen }.map {
      "@\(forms[$0].space.rawValue) \(percent(formScores[$0]))"
    }
    others += candidates.indices.filter { $0 != winner }.map {
      "\(candidates[$0].name) \(percent(scores[$0]))"
    }
    summary =
      "\(best.name)@\(form.space.rawValue): expected error \(percent(scores[winner])) (\(others.joined(separator: ", ")))"
  }

  /// The first of the smallest.
  private static func first(_ scores: [Double]) -> Int {
    scores.indices.reduce(0) { scores[$1] < scores[$0] ? $1 : $0 }
  }

  /// Variance that a Gaussian mean leaves of an error with Gaussian correlation: ρ²/(ρ² + 2σ²) in two dimensions.
  static func noiseGain(window deviation: Double, correlation: Double) -> Double {
    let square = correlation * correlation
    return square / (square + 2 * deviation * deviation)
  }
}

/// Makes candidates and compares them on one frame.
private struct CandidateBench {
  let anchors: LidarAnchors
  let options: FusionOptions
  let heldOut: HeldOutError
  /// Positions of the anchors of least noise.
  let best: [Int]

  /// Residuals beyond this many s of the best candidate are the tail, and count as at most `tailLimit`.
  static let tailStart = 5.0, tailLimit = 0.2

  init(_ anchors: LidarAnchors, _ options: FusionOptions) {
    (self.anchors, self.options) = (anchors, options)
    heldOut = HeldOutError(anchors, blockSide: options.local.blockSide)
    best = anchors.indices.indices.filter {
      anchors.deviation[Int(anchors.indices[$0])] == anchors.bestDeviation
    }
  }

  func candidate(
    _ name: String, _ form: AutoForm, window deviation: Double,
    _ fit: @escaping @Sendable (LidarAnchors, Line, Space, FusionOptions) -> any LocalModel
  ) -> AutoChoice.Candidate {
    let residuals = heldOut.residuals { fit($0, form.fit.line, form.space, options) }
    let gain = AutoChoice.noiseGain(window: deviation, correlation: options.local.lidarCorrelation)
    return .init(name: name, form: form, residuals: residuals, noiseGain: gain, fit: fit)
  }

  func candidate(_ estimator: LocalEstimator, _ form: AutoForm, window deviation: Double)
    -> AutoChoice.Candidate
  {
    candidate(estimator.id, form, window: deviation, estimator.fit)
  }

  func residualField(_ share: Double, _ form: AutoForm) -> AutoChoice.Candidate {
    let deviation = share * options.local.residualDeviation
    return candidate("residual σ \(deviation) px", form, window: deviation) { anchors, line, space, options in
      ResidualModel(anchors, line, space, options, deviation: deviation)
    }
  }

  func globalLine(_ form: AutoForm) -> AutoChoice.Candidate {
    let model = GlobalModel(line: form.fit.line, space: form.space, options: options)
    return .init(
      name: "global line", form: form, residuals: heldOut.residuals(ofWhole: model), noiseGain: 0
    ) { GlobalModel(line: $1, space: $2, options: $3) }
  }

  /// Expected error of each, a standard deviation.
  func scores(_ candidates: [AutoChoice.Candidate]) -> [Double] {
    let sizes = candidates.map { candidate in
      best.map { candidate.residuals[$0].isFinite ? abs(candidate.residuals[$0]) : .infinity }
    }
    let start = Self.tailStart * (sizes.map { spread($0) }.min() ?? 0)
    let level = Double(anchors.bestDeviation)
    let tails = sizes.map { sizes in
      sizes.reduce(0) { $0 + ($1 > start ? min($1, Self.tailLimit) * min($1, Self.tailLimit) : 0) }
        / Double(max(1, sizes.count))
    }
    let common = tails.min() ?? 0
    return candidates.indices.map { k in
      let bulk = spread(sizes[k].filter { $0 <= start })
      let taken = candidates[k].noiseGain * level * level
      return (max(0, bulk * bulk - level * level) + taken + tails[k] - common).squareRoot()
    }
  }

  private func spread(_ sizes: [Double]) -> Double {
    OrderStatistics.normalConsistency * (OrderStatistics.median(of: sizes) ?? .infinity)
  }
}
