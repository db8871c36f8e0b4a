/// The form and the estimator that held-out blocks favour, and the simpler one where they do not decide.
///
/// Two candidates are compared on the same held-out returns. The LiDAR's own error is in both residuals, and it is
/// independent of models that have not seen the block, so that it cancels: the mean of e_A² − e_B² is the difference
/// of the models' variances, without any assumption about the LiDAR. Held-out blocks alone would still choose windows
/// so narrow that they copy the LiDAR's correlated errors, because inside a held-out block there is nothing to copy;
/// so each candidate is charged with what it takes over, ``noiseGain(window:correlation:)``·σ_LiDAR².
///
/// Errors are alike within a block, so the standard error of that mean comes from the blocks' means. What is not
/// better by more than two standard errors than something simpler is not chosen (after Breiman et al. 1984): the form of the
/// scene's kind before the others, a wide window before a narrow one, the global line before all.
struct AutoChoice {
  /// An estimator and what it leaves at held-out anchors.
  struct Candidate {
    let name: String, form: AutoForm
    /// ln(LiDAR/map), one per anchor of the set that ranks.
    let residuals: [Double]
    /// Variance of the map's error per variance of the LiDAR's: the order of simplicity.
    let noiseGain: Double
    let fit: @Sendable (LidarAnchors, Line, Space, FusionOptions) -> any LocalModel
  }

  let best: Candidate
  /// The held-out error without the map, where that is hardly larger: the map has no weight then.
  let errorWithoutMap: Double?
  /// What was chosen and how the others did.
  let summary: String
  /// The anchors that `best.residuals` belong to.
  let anchors: LidarAnchors
  var form: AutoForm { best.form }
  /// Widths of the residual fields, as shares of the option's; the first is tried in every form. None is narrower:
  /// a window near the LiDAR's own correlation copies its errors, which held-out blocks cannot see.
  static let widths = [1.0, 1.5, 2.0]

  /// - Parameter forms: Not empty, the scene's natural form first.
  init(_ all: LidarAnchors, _ forms: [AutoForm], _ options: FusionOptions) {
    precondition(!forms.isEmpty, "there is a form to choose")
    anchors = all.thinned(blockSide: options.local.blockSide)
    let bench = CandidateBench(anchors, options)
    let fields = forms.map { bench.residualField(Self.widths[0], $0) }
    let chosen = bench.simplestOfTheBest(fields), form = forms[chosen]

    var candidates = [bench.globalLine(form), fields[chosen]]
    candidates += Self.widths.dropFirst().map { bench.residualField($0, form) }
    candidates += [bench.candidate(.lwlr, form), bench.candidate(.guided, form)]
    candidates = candidates.indices.sorted {
      let (a, b) = (candidates[$0].noiseGain, candidates[$1].noiseGain)
      return a != b ? a < b : $0 < $1
    }.map { candidates[$0] }
    let winner = bench.simplestOfTheBest(candidates)
    best = candidates[winner]
    errorWithoutMap = bench.errorWithoutMap(beside: best)

    var others = forms.indices.filter { $0 != chosen }.map {
      "@\(forms[$0].space.rawValue) \(percent(bench.expectedError(fields[$0])))"
    }
    others += candidates.indices.filter { $0 != winner }
      .map { "\(candidates[$0].name) \(percent(bench.expectedError(candidates[$0])))" }
    summary =
      "\(best.name)@\(form.space.rawValue): held-out error \(percent(bench.expectedError(best))) (\(others.joined(separator: ", ")))"
  }

  /// Variance that a Gaussian mean leaves of an error with Gaussian correlation: ρ²/(ρ² + 2σ²) in two dimensions.
  static func noiseGain(window deviation: Double, correlation: Double) -> Double {
    let square = correlation * correlation
    return square / (square + 2 * deviation * deviation)
  }
}
