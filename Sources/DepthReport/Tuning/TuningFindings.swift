import PlainText
import DepthCore
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
      + (dependent.contains { $0.header.truthIndependence == .multiview }
        ? " Multi-view truth is from the recording itself: it cannot show a gain over the LiDAR." : "")
  }

  /// What a person acts on: whether to change anything, and what to run next.
  var answer: AnswerBlock {
    AnswerBlock(
      (isBeatenByLidar ? [rawLidar].compactMap { $0 }.map { .init("First", $0) } : [])
        + [.init("Answer", recommendation), .init("Next", next)])
  }

  private var next: String {
    if isBeatenByLidar {
      return
        "`fathom evaluate DATA --methods auto,residual,smoothed` tries what keeps the LiDAR's own depth and adds to it."
    }
    if run.verdict.recommendsChange {
      return "`fathom evaluate DATA --config tuned.yaml` evaluates with the recommended values."
    }
    switch run.verdict.reason {
    case .tooFewScenes, .notEstablished:
      return "Search again with more scenes: `fathom tune DATA MORE.h5`."
    case .alreadyBest, .noneCovers, .gains:
      return "`fathom evaluate DATA` says how accurate these values are."
    }
  }

  /// The threshold sentences, and what they rest on.
  var sentences: [String] {
    [form, floor, isBeatenByLidar ? nil : rawLidar, optimism].compactMap { $0 } + run.questions.map(sentence)
      + [front, scenes].compactMap { $0 }
  }

  private var isHigherBetter: Bool { run.plan.objective.column?.metric.direction == .higherIsBetter }
  private var objective: String { run.plan.objective.title }

  /// In which form the reference is fitted; nil where it is the app's.
  private var form: String? {
    let reference = run.plan.grid.configurations[SearchGrid.reference]
    let other = run.scenes.map { reference.space(for: $0.header.relativeKind) }.filter { $0 != .depth }
    guard !other.isEmpty else { return nil }
    let inScenes = other.count == run.scenes.count ? "" : " in \(other.count) of \(run.scenes.count) scenes"
    let forms = other.map(\.rawValue).firstAppearances.joined(separator: " or ")
    return
      "\"The app's values\" are its thresholds: here they limit a fit linear in \(forms)\(inScenes), the form that suits the relative map. The app itself fits linearly in depth; what that gives is `spec` and `shipped` of `fathom evaluate`."
  }

  /// "Keep …" or "Change … to …".
  var recommendation: String {
    let verdict = run.verdict
    let reference = words.configuration(SearchGrid.reference)
    let from = words.loss(run.finals.loss(of: SearchGrid.reference))
    guard let choice = verdict.choice else {
      return
        "**Keep the app's values** (\(reference)): no configuration reaches a coverage of \(run.plan.objective.coverageFloor ?? 0)."
    }
    let chosen = words.configuration(choice.chosen)
    if verdict.recommendsChange, let nested = verdict.nested {
      return
        "**Change the app's values** (\(reference)) **to: \(chosen).** In scenes that the choice had not seen, \(objective) \(isHigherBetter ? "rises" : "falls") from \(from) to \(words.loss(nested.loss)): a gain of \(words.gain(verdict))."
    }
    let keep = "**Keep the app's values** (\(reference)): \(objective) is \(from)"
    switch verdict.reason {
    case .alreadyBest, .noneCovers, .gains:
      return keep
        + "; of \(run.plan.grid.configurations.count) configurations none is better by more than one standard error."
    case .tooFewScenes:
      return keep
        + ". In these \(run.searched.scenes.count) scenes it is better with: \(chosen); gain \(words.gain(verdict)). But fewer than \(TuningVerdict.fewestScenes) scenes cannot tell that from luck: more are needed before a change can be recommended."
    case .notEstablished:
      return keep
        + ". The best simple alternative, \(chosen), gains \(words.gain(verdict)): not established."
    }
  }

  /// Where the reference misses the coverage that was asked for.
  private var floor: String? {
    guard let floor = run.plan.objective.coverageFloor, !run.searched.referenceCovers,
      let coverage = run.searched.coverage(of: SearchGrid.reference)
    else { return nil }
    return
      "The app's values cover \(Quantity(coverage, .percent()).text) of the truth, less than the \(Quantity(floor, .percent()).text) that was asked for."
  }

  /// The baseline to beat: what an app has without any fusion.
  private var rawLidar: String? {
    guard let lidar = lidarLoss else { return nil }
    return
      "The raw LiDAR, without any fusion, has \(words.loss(lidar)): "
      + (isBeatenByLidar
        ? "**less error than any of these configurations**. What is searched are global lines."
        : "more error than the best of these configurations.")
  }

  /// Whether no configuration is worth anything.
  private var isBeatenByLidar: Bool { lidarLoss.map { $0 < run.verdict.inSampleLoss ?? .infinity } ?? false }

  private var lidarLoss: Double? {
    let index = run.plan.objective.columnIndex
    let values = run.confirmed.filter { run.finals.scenes.contains($0.scene) }.compactMap {
      $0.lidarValue(column: index)
    }
    guard !values.isEmpty, values.count == run.finals.scenes.count else { return nil }
    let losses = values.map(run.plan.objective.loss)
    return run.plan.objective.isWorstScene
      ? losses.max() ?? 0 : losses.reduce(0, +) / Double(losses.count)
  }

  private var optimism: String? {
    guard let optimism = run.verdict.optimism, let best = run.verdict.choice?.best,
      let nested = run.verdict.nested
    else { return nil }
    return
      "Optimism of choosing and judging in the same scenes: \(words.amount(optimism)). The least loss of \(run.plan.grid.configurations.count) configurations (\(words.configuration(best))) is \(words.loss(run.verdict.inSampleLoss)) in the scenes that it was chosen from; least losses chosen without the scene that they are scored in come to \(words.loss(nested.bestLoss))."
  }

  private func sentence(_ question: ThresholdQuestion) -> String {
    let verdict = question.verdict
    let specified = words.values(SearchGrid.reference, of: question.axes)
    let title = question.title.prefix(1).uppercased() + question.title.dropFirst()
    guard let choice = verdict.choice else {
      return "\(title): keep \(specified); changing it alone reaches the coverage with no value."
    }
    guard choice.chosen != SearchGrid.reference else {
      return
        "\(title): keep \(specified); with all else as specified no other value is better by more than one standard error."
    }
    let chosen = words.values(choice.chosen, of: question.axes)
    if verdict.recommendsChange {
      let isRecommended = question.axes.allSatisfy { id in
        run.plan.grid.axis(id).map {
          run.plan.grid.positions[run.verdict.recommended][$0] != run.plan.grid.axes[$0].reference
        } ?? false
      }
      return
        "\(title): \(chosen) instead of \(specified) alone buys \(words.gain(verdict))"
        + (isRecommended
          ? "."
          : "; taken by itself that is established, and `--\(question.axes.joined(separator: "`, `--"))` alone would recommend it.")
    }
    guard let gain = verdict.nested?.gain.mean, gain > 0 else {
      return "\(title): keep \(specified); what looks best (\(chosen)) buys nothing in scenes held out."
    }
    let why =
      verdict.reason == .tooFewScenes
      ? "fewer than \(TuningVerdict.fewestScenes) scenes cannot establish it" : "that is not established"
    return
      "\(title): keep \(specified); choosing it alone (\(chosen)) would buy \(words.gain(verdict)), but \(why)."
  }

  private var front: String? {
    guard let widest = run.front.front.first, let narrowest = run.front.front.last, widest != narrowest
    else { return nil }
    return
      "Coverage against error: the widest coverage on the front is \(Quantity(widest.coverage, .percent()).text) at \(words.loss(widest.loss)) on what is solved (\(words.configuration(widest.configuration))), the least error \(words.loss(narrowest.loss)) at \(Quantity(narrowest.coverage, .percent()).text) (\(words.configuration(narrowest.configuration)))."
  }

  private var scenes: String? {
    let verdict = run.verdict
    guard let nested = verdict.nested, nested.heldOut.count >= TuningVerdict.fewestScenes,
      let error = nested.gain.standardError, let interval = verdict.interval
    else { return nil }
    let reach = (interval.upperBound - interval.lowerBound) / 2
    let count = nested.heldOut.count
    guard error > 0 else {
      return nested.heldOut.allSatisfy { $0.loss == $0.referenceLoss }
        ? "In all \(count) scenes held out the choice made without them does as well as the app's values."
        : nil
    }
    return
      "With \(count) scenes a gain of the whole choice is established from about \(words.amount(reach)) on, half the width of its 99 % interval; smaller ones these data cannot tell from none. Single thresholds have intervals of their own."
  }
}
