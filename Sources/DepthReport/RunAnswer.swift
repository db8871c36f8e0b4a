public import FathomDocuments
import DepthCore
import DepthEvaluation
import DepthFusion
public import DepthVerdicts
import FathomPlainText

/// A run in three lines, and a line for each method that its reader asked about. It words a verdict and decides nothing.
public struct RunAnswer: Sendable {
  let run: EvaluationRun, verdict: RunVerdict, commands: RunCommands
  var rules: EvaluationProtocol { run.plan.rules }
  private var units: LengthUnit { run.plan.units }
  var hasLidar: Bool { run.basis.hasLidar }

  public init(_ run: EvaluationRun, _ verdict: RunVerdict, commands: RunCommands) {
    (self.run, self.verdict, self.commands) = (run, verdict, commands)
  }

  /// What was measured, what is best and how sure that is, where the error is, and what to do next.
  public var lines: [AnswerBlock.Line] {
    InputDoubtWords(run: run, verdict: verdict).lines + [
      .init("Measured", measured), .init("Answer", answer),
    ] + (uncertainty.map { [.init("Uncertainty", $0)] } ?? []) + (place.map { [.init("Where", $0)] } ?? [])
      + [.init("Next", next)]
  }

  // MARK: What was measured

  private var measured: String {
    let found = verdict.data
    guard found.scenes > 0 else { return "Nothing: no file could be read." }
    guard found.scored > 0 else {
      return "\(counted(found.scenes, "scene")) without truth: errors cannot be given"
        + (verdict.steadiness == nil
          ? ". Without poses and neighbouring frames, steadiness over time cannot be given either."
          : "; the steadiness over time can.")
    }
    guard hasLidar else { return measuredMaps }
    // A scene with truth may have no pixel of it that counts.
    let widest = verdict.ranking.methods.map(\.withFallback).max {
      ($0.frames, $0.scenes) < ($1.frames, $1.scenes)
    }
    let scored = widest?.scenes ?? found.scored
    let scenes =
      scored < found.scenes
      ? "\(scored) of \(counted(found.scenes, "scene"))" : counted(scored, "scene")
    let amount = widest.map { "\(counted($0.frames, "frame")) of \(scenes)" } ?? scenes
    return (["\(amount), protocol \(rules.title).", truth] + [covered].compactMap(\.self)).joined(
      separator: " ")
  }

  /// Where the truth is from, and what it therefore cannot show.
  private var truth: String {
    let found = verdict.data
    var sentences = [simulated].compactMap(\.self)
    if found.dependent > 0 {
      let how = found.dependences.map(\.rawValue).joined(separator: ", ")
      let what =
        found.dependences == [.multiview]
        ? "from the recording itself"
        : found.dependences == [.unknown]
          ? "not declared to be independent of the LiDAR" : "not independent of the LiDAR (\(how))"
      sentences.append(
        "\(share(found.dependent)) is \(what): it cannot show a gain over the LiDAR, only a loss.")
    }
    if let selected = found.selected {
      sentences.append(
        "\(share(selected)) was selected: its makers excluded pixels that disagree with the LiDAR, so the raw LiDAR looks better than it is."
      )
    }
    if sentences.isEmpty { sentences.append("The truth is independent of the LiDAR.") }
    return sentences.joined(separator: " ")
  }

  /// How much of the frames has truth; nil where nearly all has.
  var covered: String? {
    guard let share = verdict.data.truthShare, share.isPartial else { return nil }
    let whose = verdict.data.isReferenceDependent ? "The reference" : "The truth"
    let (mean, least) = (Quantity(share.mean, .percent()).text, Quantity(share.least, .percent()).text)
    let cropped = rules.crop == .none ? "" : ", after the protocol’s crop,"
    let range =
      rules.maxDepth.map { "from \(rules.minDepth.typed) to \($0.typed) m" }
      ?? "from \(rules.minDepth.typed) m on"
    return "\(whose) \(range)\(cropped) covers \(mean) of the pixels"
      + (mean == least ? "." : ", \(least) in the \(run.frameWord) that has least.")
  }

  /// Whether the truth is computed; nil where it is measured.
  var simulated: String? {
    let rendered = verdict.data.rendered
    guard rendered > 0 else { return nil }
    return "\(share(rendered)) is rendered: these are **simulated data**, not measurements of a device."
  }

  /// "The truth of 2 of 6 scenes"
  private func share(_ count: Int) -> String {
    let scored = verdict.data.scored
    return count == scored ? "The truth" : "The truth of \(count) of \(counted(scored, run.sceneWord))"
  }

  // MARK: What is best

  private var answer: String {
    let ranking = verdict.ranking
    guard let best = ranking[ranking.best] else {
      return verdict.data.scored == 0
        ? noFileIsScored ?? "Without ground truth, no method can be ranked."
          + (verdict.steadiness.map { " " + steadiest($0) } ?? "")
        : hasLidar ? "None: no method gave depth where the truth is known." : noMapIsScored
    }
    if verdict.data.isReferenceDependent { return answerOnDependentTruth(best) }
    return [
      hasLidar ? isBest(best) : isBestMap(best), question(best), passedOver,
      // A comparison that was refused for it says so.
      ranking.placed.count > 1 && verdict.contrast?.comparison.obstacle != .fit ? MapFits(run).mixture : nil,
    ].compactMap(\.self).joined(separator: " ")
  }

  /// Where the truth is made of the LiDAR: what it cannot show, and a loss that it can.
  private func answerOnDependentTruth(_ best: RankedMethod) -> String {
    let ranking = verdict.ranking
    let place = ranking.column == MetricColumn.maeMeasured.id ? " where the LiDAR measures" : ""
    let raw = ranking.methods.first { $0.ids.contains(verdict.baseline) }
    let loss = verdict.contrast.flatMap {
      $0.outcome == .worse && !ranking.baselineIsBest ? question(best) : nil
    }
    return [
      raw.map {
        "\(reference(verdict.baseline).capitalizedFirst) (\(name($0.method))) differs from the reference by an MAE of \(length($0.error))\(place)."
      },
      ranking.baselineIsBest
        ? "No method comes closer to it."
        : "**A gain cannot be shown here**: \(best.method.literal) comes closer (\(length(best.error))), but the reference \(origin).",
      ranking.baselineIsBest ? question(best) : loss, passedOver, worthOfConfidence,
    ].compactMap(\.self).joined(separator: " ")
  }

  /// "is made of the same LiDAR frames"
  private var origin: String {
    let found = verdict.data.dependences
    return found == [.multiview]
      ? "is made of the same LiDAR frames"
      : found == [.sameSensor] ? "is from the LiDAR itself" : "is not known to be independent of the LiDAR"
  }

  /// What a reference of neighbouring frames can show of the sensor.
  private var worthOfConfidence: String? {
    guard verdict.data.dependences == [.multiview], let levels = verdict.confidence?.levels else {
      return nil
    }
    let list = levels.map { "\(Quantity($0.medianRel, .percent(2)).text) at confidence \($0.level)" }
    return
      "What it shows: the raw LiDAR’s median relative error, averaged over frames, is \(list.joined(separator: ", "))."
  }

  /// What can be said without truth.
  private func steadiest(_ found: SteadinessVerdict) -> String {
    let raw = units.text(found.methods.first { $0.method == found.baseline }?.value)
    guard !found.baselineIsBest, let best = found.methods.first, let gain = best.gain else {
      return
        "None is steadier than \(reference(found.baseline)): a still surface moves by \(raw) between its frames."
    }
    return
      "**\(best.method.literal)** is the steadiest of \(found.methods.count): a still surface moves by \(length(best.value)) between "
      + "frames, \(Quantity(gain, .percent(0)).text) less than with \(reference(found.baseline)) (\(raw)). Steady is not accurate: a "
      + "depth map that lags behind is steady, too."
  }

  private func isBest(_ best: RankedMethod) -> String {
    let ranking = verdict.ranking
    let number = ranking.placed.count
    let (name, error) = (best.method.literal, length(best.error))
    let place = ranking.column == MetricColumn.maeMeasured.id ? " where the LiDAR measures" : ""
    guard number > 1 else {
      return "**\(name)** has an MAE of \(error)\(place); there is no other method to compare it with."
    }
    guard ranking.baselineIsBest else {
      if best.withFallback.obstacle != nil { return "\(leads(best, of: "\(number) methods"))\(place)." }
      return
        "\(leads(best, of: "\(number) methods"))\(place), \(change(best.withFallback))\(standIn(best.method))."
    }
    let equal = ranking.placed.filter {
      !$0.ids.contains(verdict.baseline) && $0.withFallback.outcome == .same
    }
    let others = ranking.placed.first {
      !$0.ids.contains(verdict.baseline) && $0.withFallback.outcome == .worse
    }
    return "**No method beats \(reference(best.withFallback.reference))**: MAE \(error)\(place)."
      + (equal.isEmpty
        ? ""
        : " \(equal.map(\.method.literal).joined(separator: ", ")) \(equal.count == 1 ? "equals" : "equal") it.")
      + (others.map {
        " The next, \($0.method.literal), has \(change($0.withFallback))\(standIn($0.method))."
      } ?? "")
  }

  /// " (in 2 frames that it refused, the raw LiDAR stands in)"; nothing where it refused none.
  private func standIn(_ id: String) -> String {
    let method = verdict.ranking.methods.first { $0.method == id || $0.ids.contains(id) }
    guard hasLidar, let refused = method?.framesRefused, refused > 0 else { return "" }
    return " (in \(counted(refused, "frame")) that it refused, the raw LiDAR stands in)"
  }

  /// The opening of an answer: which method leads, and its error.
  func leads(_ best: RankedMethod, of others: String) -> String {
    let names = ties(with: best).map { "**\(name($0.method))**" }
    return
      "\(names.joined(separator: " and ")) \(names.count == 1 ? "has" : "have") the lowest error of \(others): "
      + "MAE \(length(best.error))"
  }

  /// Methods with a place whose error is that of the best to within what counts as a difference; the best is the first.
  func ties(with best: RankedMethod) -> [RankedMethod] {
    verdict.ranking.placed.filter {
      $0.method == best.method
        || $0.withFallback.obstacle == nil
          && abs($0.error - best.error) < ComparisonVerdict.noGain * best.error
    }
  }

  /// The run's one question, and what the scenes say to it.
  private func question(_ best: RankedMethod) -> String? {
    guard let contrast = verdict.contrast else { return nil }
    let compared = contrast.comparison
    let isAboutBest =
      compared.reference == verdict.baseline && (compared.method == best.method || isAnswered(compared))
    guard compared.outcome != .same else {
      return isAboutBest || verdict.ranking.baselineIsBest && compared.reference == verdict.baseline
        ? nil : "\(name(compared.method)) and \(name(compared.reference)) have the same MAE."
    }
    if let obstacle = compared.obstacle {
      return
        "\(name(compared.method)) and \(reference(compared.reference)) are not compared: \(words(obstacle, compared))."
    }
    let found =
      isAlike(compared)
      ? "is equal to \(reference(compared.reference)) at the precision shown" : "has \(change(compared))"
    let opening =
      isAboutBest
      ? "" : "\(name(compared.method)), the method under test, \(found)\(standIn(compared.method)). "
    return opening + "The difference, \(difference(compared))," + certainty(contrast)
  }

  /// "a leaves out pixels that b covers (coverage 88.9 % and 100.0 %)"
  func words(_ obstacle: ComparisonObstacle, _ compared: ComparisonVerdict) -> String {
    guard obstacle == .coverage else { return "only one of them was fitted to the truth" }
    let isReference = compared.outcome == .worse
    let (first, second) =
      isReference ? (compared.reference, compared.method) : (compared.method, compared.reference)
    func coverage(_ id: String) -> String {
      let method = verdict.ranking.methods.first { $0.method == id || $0.ids.contains(id) }
      return Quantity(method?.coverage, .percent()).text
    }
    return
      "\(name(first)) leaves out pixels that \(name(second)) covers (coverage \(coverage(first)) and \(coverage(second)))"
  }

  private func certainty(_ contrast: ContrastVerdict) -> String {
    let scenes = counted(contrast.comparison.scenes, run.sceneWord)
    let p =
      contrast.p.map {
        "p = \(Quantity($0, .significant(2)).text)\($0 == contrast.smallestP ? ", the smallest possible" : ""), sign flips over \(scenes), the run’s single planned test"
      } ?? ""
    let power =
      contrast.detectable.map { detectable in
        " With \(scenes), the smallest detectable difference is \(length(detectable))"
          + (contrast.scenesForHalf.map { "; detecting half of it needs about \($0) \(run.sceneWord)s." }
            ?? ".")
      } ?? ""
    switch contrast.outcome {
    case .better, .worse: return " is statistically significant (\(p))." + power
    case .undecided where contrast.dependence != nil:
      let correlation = Quantity(contrast.dependence, .decimals(2)).text
      return
        " is **not shown**: neighbouring images have similar differences (correlation \(correlation)), as in a video, so \(scenes) count as fewer (\(p), were they independent). Name the videos with `\(flag: "scene-by")`."
    case .undecided:
      let holdsZero =
        contrast.comparison.excludesZero == false && (contrast.p ?? 1) <= ContrastVerdict.level
        ? "; the interval holds 0" : ""
      return " is **not statistically significant** (\(p)\(holdsZero))." + power
    case .tooFewScenes, .notComparable:
      return " cannot be tested with \(scenes): a test needs at least \(ContrastVerdict.fewestScenes)."
        + power
    }
  }

  /// Methods that answer for less: with a LiDAR, those with smaller errors.
  private var passedOver: String? {
    let compared = verdict.contrast?.comparison
    let told = compared?.obstacle == .coverage ? compared?.method : nil
    // Of networks, the answer says how many were compared.
    let left = hasLidar ? verdict.ranking.passedOver : verdict.ranking.unplaced
    let (own, others) = (
      left.filter { $0.reason == .sameFrames }, left.filter { $0.reason != .sameFrames && $0.method != told }
    )
    let methods = others.map { method in
      "\(name(method.method)) (\(answered(method)), coverage \(Quantity(method.coverage, .percent()).text))"
    }
    let sentences =
      own.map { "Not ranked: \(name($0.method)), which averages the frames that the reference is made of." }
      + (methods.isEmpty
        ? []
        : ["Not ranked, because of missing \(run.sceneWord)s or pixels: \(methods.joined(separator: ", "))."])
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }

  /// What a method has an error for: scenes, or without a LiDAR images.
  private func answered(_ method: RankedMethod) -> String {
    hasLidar ? counted(method.withFallback.scenes, "scene") : counted(method.framesSolved, "image")
  }

  var subject: RankedMethod? { verdict.ranking.subject(of: verdict.contrast) }

  /// nil where the truth counts as exact.
  private var uncertainty: String? {
    subject?.ids.lazy.compactMap { UncertaintyReport(run)?.line($0) }.first
  }

  /// How the error of the method in question is made.
  private var place: String? {
    guard let subject, let anatomy = verdict.anatomy(of: subject.method) else { return nil }
    let support =
      hasLidar && subject.framesRefused > 0
      ? ", in the \(counted(subject.framesSolved, "frame")) in which it has depth" : ""
    let words = [pooled(anatomy, beside: subject.error), made(anatomy)].filter { !$0.isEmpty }
    return words.isEmpty ? nil : "`\(name(subject.method))`\(support): \(words.joined(separator: " "))"
  }

  // MARK: What to do next

  private var hasConfidence: Bool { verdict.data.withoutConfidence.count < verdict.data.scenes }

  private var next: String {
    let step = verdict.next
    if noFileIsScored != nil { return "Fix or remove that file, and evaluate again." }
    if !hasLidar, let text = nextOfMaps(step) { return text }
    switch step.kind {
    case .needsTruth:
      return commands.canUseMultiview
        ? "\(commands.evaluatingMultiview.code) makes a reference from neighbouring frames, where they have poses."
        : commands.usesMultiview
          ? "Add the ground truth to the data set, as `truth/depth`, or record more frames with poses: no scene has enough for `\(flag: "truth") multiview`."
          : "Add the ground truth to the data set, as `truth/depth`. A recording with LiDAR, poses and intrinsics can use `\(flag: "truth") multiview` instead, from 7 frames on."
    case .needsIndependentTruth:
      // Truth of the LiDAR itself holds no error of the LiDAR, so there is nothing to calibrate.
      guard verdict.data.dependences != [.sameSensor] else {
        return
          "Evaluate on truth from another sensor, such as a laser scan: the LiDAR's own depth cannot show a gain."
      }
      guard verdict.data.dependences != [.unknown] else {
        return
          "If the truth is from another sensor, declare it (`independence` of `truth/depth`; in Python `truth_independence`), and evaluate again."
      }
      return
        "\(commands.calibrating.code) says how large the LiDAR's error is by \(hasConfidence ? "confidence and range" : "range"). To show a gain, evaluate on truth from another sensor, such as a laser scan."
    case .needsNetwork:
      let (command, makesFile) = commands.addingPrediction
      return command.code
        + (makesFile
          ? " makes a data set with what your network made of these frames; then evaluate that."
          : " adds what your network made of these frames; then evaluate again.")
    case .needsScenes:
      guard let wanted = step.scenes else { return tooSmall }
      return "\(commands.evaluatingMore.code): add recordings of other places, to \(wanted) scenes at least."
    case .look:
      let (frames, meaning) = commands.drawingFrames
      let page = "\(frames.code) makes a page of all frames\(meaning)."
      guard let method = step.method, let scene = step.scene, let frame = step.frame else { return page }
      guard let command = commands.render(scene: scene, frame: frame, method: method) else {
        return
          "\(page) The largest AbsRel of \(name(method)) is in frame \(frame.literal) of \(scene.literal)."
      }
      return "\(command.code) draws the \(run.frameWord) in which \(name(method)) has its largest error."
    }
  }

  /// Of a difference that no practical number of scenes would show.
  var tooSmall: String {
    "More than 100,000 \(run.sceneWord)s like these would be needed to show so small a difference."
  }

  // MARK: Numbers

  func length(_ value: Double) -> String { units.text(value) }

  /// Whether the digits that count are the same.
  func isAlike(_ compared: ComparisonVerdict) -> Bool {
    length(compared.value) == length(compared.referenceValue)
  }

  /// "45 % less than the raw LiDAR's 30.8 mm"
  func change(_ compared: ComparisonVerdict, naming: Bool = true) -> String {
    let other = "\(naming ? reference(compared.reference) + "’s " : "")\(length(compared.referenceValue))"
    guard let (amount, word) = gain(compared) else { return "the same as \(other)" }
    if isAlike(compared) { return "equal to \(other) at the precision shown" }
    return naming
      ? "\(amount) \(word) than \(other)" : "by \(amount): MAE \(length(compared.value)) instead of \(other)"
  }

  /// "45 %", "less"; nil where both are the same. Beside a method without error, whose share nothing is, a length.
  func gain(_ compared: ComparisonVerdict) -> (amount: String, word: String)? {
    guard compared.outcome != .same else { return nil }
    guard let gain = compared.gain else { return (length(compared.value), "more") }
    return (Quantity(abs(gain), .percent(abs(gain) < 0.1 ? 1 : 0)).text, gain > 0 ? "less" : "more")
  }

  /// "−13.9 mm [−15.7, −13.1]"
  func difference(_ compared: ComparisonVerdict) -> String {
    let text = units.difference(
      compared.value - compared.referenceValue, low: compared.low, high: compared.high)
    guard compared.low == nil, compared.scenes > 1, let smallest = compared.smallest,
      let largest = compared.largest
    else { return text }
    return text + "; by \(run.sceneWord) from \(units.difference(smallest)) to \(units.difference(largest))"
  }

  /// A method as a part of a sentence.
  func name(_ method: String) -> String { run.name(of: method).literal }

  func reference(_ id: String) -> String {
    switch id {
    case MethodSelection.lidarBilinear.id: "the raw LiDAR"
    case MethodSelection.lidarNearest.id: "the raw LiDAR (nearest pixel)"
    default: name(id)
    }
  }
}

extension LengthUnit {
  /// A length: "16.9 mm".
  package func text(_ metres: Double?, low: Double? = nil, high: Double? = nil) -> String {
    Quantity(metres, style, low: low, high: high).text
  }

  /// A difference of lengths, with its sign.
  func difference(_ metres: Double?, low: Double? = nil, high: Double? = nil) -> String {
    Quantity(metres, style.signed, low: low, high: high).text
  }

  /// The interval of a length alone: "[14.2, 19.8] mm".
  func interval(_ low: Double, _ high: Double) -> String {
    Quantity(nil, style, low: low, high: high).interval
  }

  var style: Quantity.Style { .supported(times: display.scale, unit: display.symbol ?? "") }
}
