import DepthEvaluation
import DepthFusion
import DepthTuning

/// What a search says, in sentences; the recommendation first.
struct TuningFindings {
  let run: TuningRun
  private let words: TuningWords

  init(_ run: TuningRun) { (self.run, words) = (run, TuningWords(run: run)) }

  /// What limits all that follows; nil where nothing does.
  var caveat: String? {
    let dependent = run.scenes.filter { ![.independent, .render].contains($0.header.truthIndependence) }
    guard let first = dependent.first else { return nil }
    return
      "In \(dependent.count) of \(run.scenes.count) scenes the truth is no independent measurement (\(first.name): \(first.header.truthIndependence.rawValue)): thresholds that let in what resembles it look better than they are."
  }

  /// The recommendation, the threshold sentences, and what they rest on.
  var sentences: [String] {
    [recommendation, optimism].compactMap { $0 } + run.questions.map(sentence)
      + [front, scenes].compactMap { $0 }
  }

  /// "Keep …" or "Change … to …".
  var recommendation: String {
    let verdict = run.verdict
    let reference = words.configuration(SearchGrid.reference)
    let objective = run.plan.objective.title
    let from = words.loss(run.finals.loss(of: SearchGrid.reference))
    guard let choice = verdict.choice else {
      return
        "**Keep the app's values** (\(reference)): no configuration reaches a coverage of \(run.plan.objective.coverageFloor ?? 0)."
    }
    let chosen = words.configuration(choice.chosen)
    if verdict.recommendsChange, let nested = verdict.nested {
      return
        "**Change the app's values** (\(reference)) **to \(chosen).** In scenes that the choice had not seen, \(objective) falls from \(words.loss(run.finals.loss(of: SearchGrid.reference))) to \(words.loss(nested.loss)): a gain of \(words.gain(verdict))."
        .replacing(
          "falls", with: run.plan.objective.column?.metric.direction == .higherIsBetter ? "rises" : "falls")
    }
    let keep = "**Keep the app's values** (\(reference); \(objective) \(from))"
    switch verdict.reason {
    case .alreadyBest:
      return keep
        + ": of \(run.plan.grid.configurations.count) configurations none is better by more than one standard error."
    case .tooFewScenes:
      return keep
        + ". \(chosen) does better in these \(run.searched.scenes.count) scenes (gain \(words.gain(verdict))), but fewer than \(TuningVerdict.fewestScenes) scenes cannot tell that from luck; more scenes are needed before a change can be recommended."
    case .notEstablished, .withinError:
      return keep
        + ". The best simple alternative is \(chosen); its gain in scenes held out, \(words.gain(verdict)), is not established."
    case .noneCovers, .gains: return keep + "."
    }
  }

  private var optimism: String? {
    guard let optimism = run.verdict.optimism, let best = run.verdict.choice?.best,
      let nested = run.verdict.nested
    else { return nil }
    return
      "Optimism of choosing and judging on the same scenes: the best of \(run.plan.grid.configurations.count) configurations (\(words.configuration(best))) has \(words.loss(run.verdict.inSampleLoss)) in the scenes that it was chosen from; choices made without the scene they are scored on have \(words.loss(nested.loss)). The difference, \(words.amount(optimism)), is what such a search flatters itself by."
  }

  private func sentence(_ question: ThresholdQuestion) -> String {
    let verdict = question.verdict
    let specified = words.values(SearchGrid.reference, of: question.axes)
    let title = question.title.prefix(1).uppercased() + question.title.dropFirst()
    guard let choice = verdict.choice, choice.chosen != SearchGrid.reference else {
      return
        "\(title): keep \(specified); with all else as specified no other value is better by more than one standard error."
    }
    let chosen = words.values(choice.chosen, of: question.axes)
    if verdict.recommendsChange {
      return "\(title): change \(specified) to \(chosen), which alone buys \(words.gain(verdict))."
    }
    guard let gain = verdict.nested?.gain.mean, gain > 0 else {
      return "\(title): keep \(specified); what looks best (\(chosen)) buys nothing in scenes held out."
    }
    let why =
      verdict.reason == .tooFewScenes
      ? "fewer than \(TuningVerdict.fewestScenes) scenes cannot establish it" : "that is not established"
    return "\(title): keep \(specified); \(chosen) alone would buy \(words.gain(verdict)), but \(why)."
  }

  private var front: String? {
    guard let widest = run.front.front.first, let narrowest = run.front.front.last, widest != narrowest
    else { return nil }
    return
      "Coverage against error: the widest coverage on the front is \(Rounded.percent(widest.coverage)) at \(words.loss(widest.loss)) on what is solved (\(words.configuration(widest.configuration))), the least error \(words.loss(narrowest.loss)) at \(Rounded.percent(narrowest.coverage)) (\(words.configuration(narrowest.configuration)))."
  }

  private var scenes: String? {
    let verdict = run.verdict
    guard let nested = verdict.nested, let error = nested.gain.standardError, let interval = verdict.interval
    else { return nil }
    let reach = (interval.upperBound - interval.lowerBound) / 2
    let count = nested.heldOut.count
    guard error > 0 else {
      return
        "\(count) scenes, each held out in turn, all chose the app's values or what equals them: nothing was gained and nothing lost."
    }
    return
      "With \(count) scenes a gain is established from about \(words.amount(reach)) on (half the width of its 99 % interval, Student's t); smaller ones these data cannot tell from none."
  }
}
