import FathomPlainText
import DepthCore
import DepthEvaluation
import DepthFusion
import DepthTuning

/// What a search says, in sentences; the recommendation first.
struct TuningFindings {
  let run: TuningRun
  private let words: TuningWords, found: SearchVerdict, commands: DataCommands
  /// As commands name it; nil for the page's own.
  private let folder: String?

  init(_ run: TuningRun, _ commands: DataCommands, folder: String?) {
    (self.run, words, found) = (run, TuningWords(run: run), run.conclusions)
    (self.commands, self.folder) = (commands, folder)
  }

  /// "fathom evaluate demo.h5 --config Reports/demo-tuned/tuned.yaml"
  var evaluatingTuned: String {
    evaluating(DataCommands.option("config", "\(folder ?? DataCommands.pageFolder)/tuned.yaml")).code
  }

  private func evaluating(_ options: [String]) -> String {
    commands.command("evaluate", commands.inputs, commands.truth + commands.chosen + options)
  }

  /// What limits all that follows; nil where nothing does.
  var caveat: String? {
    let dependent = run.scenes.compactMap { scene in
      found.dependentScenes[scene.name].map { (scene: scene.name, dependence: $0) }
    }
    guard let first = dependent.first else { return nil }
    return
      "In \(dependent.count) of \(run.scenes.count) scenes the truth is not an independent measurement (\(first.scene): \(first.dependence)): thresholds that select similar returns look better than they are."
      + (dependent.contains { $0.dependence == TruthIndependence.multiview.rawValue }
        ? " Multi-view truth is from the recording itself: it cannot show a gain over the LiDAR." : "")
  }

  /// What a person acts on: whether to change anything, and what to run next.
  var answer: AnswerBlock {
    AnswerBlock(
      (isBeatenByLidar ? [rawLidar].compactMap { $0 }.map { .init("First", $0) } : [])
        + [.init("Answer", recommendation), .init("Next", next)])
  }

  private var next: String {
    switch found.next {
    case .tryLidarMethods:
      "\(evaluating(DataCommands.option("methods", "auto,residual,smoothed")).code) tries what keeps the LiDAR's own depth and adds to it."
    case .evaluateRecommended:
      "\(evaluatingTuned) evaluates with the recommended values\(folder == nil ? DataCommands.meaningOfFolder : "")."
    case .needsScenes:
      "Search again with more scenes: \(commands.command("tune", commands.inputs + ["MORE.h5"], commands.truth).code)."
    case .evaluate: "\(evaluating([]).code) says how accurate these values are."
    }
  }

  /// The threshold sentences, and what they rest on.
  var sentences: [String] {
    [form, floor, isBeatenByLidar ? nil : rawLidar, optimism].compactMap { $0 }
      + zip(run.questions, found.questions).map(sentence) + [front, scenes].compactMap { $0 }
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
    let (verdict, answer) = (run.verdict, found.recommendation)
    let reference = words.configuration(SearchGrid.reference)
    let from = words.loss(found.referenceLoss)
    guard let choice = answer.chosen else {
      return
        "**Keep the app's values** (\(reference)): no configuration reaches a coverage of \(run.plan.objective.coverageFloor ?? 0)."
    }
    let chosen = words.configuration(choice)
    let keep = "**Keep the app's values** (\(reference)): \(objective) is \(from)"
    switch answer.reason {
    case .gains:
      return
        "**Change the app's values** (\(reference)) **to: \(chosen).** In scenes that the choice had not seen, \(objective) \(isHigherBetter ? "rises" : "falls") from \(from) to \(words.loss(answer.heldOutLoss)): a gain of \(words.gain(verdict))."
    case .alreadyBest, .noneCovers:
      return keep
        + "; of \(found.configurations) configurations none is better by more than one standard error."
    case .notEstablished:
      return keep + ". The best simple alternative, \(chosen), gains \(words.gain(verdict)): not established."
    case .tooFewScenes:
      return keep
        + ". In these \(run.searched.scenes.count) scenes it is better with: \(chosen); gain \(words.gain(verdict)). But fewer than \(TuningVerdict.fewestScenes) scenes cannot tell that from luck: more are needed before a change can be recommended."
    }
  }

  /// Where the reference misses the coverage that was asked for.
  private var floor: String? {
    found.missedCoverage.map {
      "The app's values cover \(Quantity($0.reference, .percent()).text) of the truth, less than the \(Quantity($0.floor, .percent()).text) that was asked for."
    }
  }

  /// The baseline to beat: what an app has without any fusion.
  private var rawLidar: String? {
    guard let lidar = found.rawLidar else { return nil }
    return "The raw LiDAR, without any fusion, has \(words.loss(lidar.loss)): "
      + (isBeatenByLidar
        ? "**less error than any of these configurations**. What is searched are global lines."
        : "more error than the best of these configurations.")
  }

  /// Whether no configuration is worth anything.
  private var isBeatenByLidar: Bool { found.rawLidar?.beatsAll == true }

  private var optimism: String? {
    let answer = found.recommendation
    guard let optimism = answer.optimism, let best = answer.best else { return nil }
    return
      "Optimism of choosing and judging in the same scenes: \(words.amount(optimism)). The least loss of \(found.configurations) configurations (\(words.configuration(best))) is \(words.loss(answer.inSampleLoss)) in the scenes that it was chosen from; least losses chosen without the scene that they are scored in come to \(words.loss(answer.heldOutBestLoss))."
  }

  private func sentence(_ question: ThresholdQuestion, _ answer: SearchVerdict.Question) -> String {
    let verdict = question.verdict
    let specified = words.values(SearchGrid.reference, of: question.axes)
    let title = question.title.prefix(1).uppercased() + question.title.dropFirst()
    let chosen = answer.chosen.map { words.values($0, of: question.axes) } ?? Quantity.none
    switch answer.reason {
    case .noneCovers:
      return "\(title): keep \(specified); changing it alone reaches the coverage with no value."
    case .alreadyBest:
      return
        "\(title): keep \(specified); with all else as specified no other value is better by more than one standard error."
    case .gains:
      return "\(title): \(chosen) instead of \(specified) alone buys \(words.gain(verdict))"
        + (answer.isRecommended
          ? "."
          : "; taken by itself that is established, and `\(question.axes.map { OptionName($0).flag }.joined(separator: "`, `"))` alone would recommend it.")
    case .tooFewScenes where !answer.hasGain, .notEstablished where !answer.hasGain:
      return "\(title): keep \(specified); what looks best (\(chosen)) buys nothing in scenes held out."
    case .tooFewScenes, .notEstablished:
      let doubt =
        answer.reason == .notEstablished
        ? "that is not established" : "fewer than \(TuningVerdict.fewestScenes) scenes cannot establish it"
      return
        "\(title): keep \(specified); choosing it alone (\(chosen)) would buy \(words.gain(verdict)), but \(doubt)."
    }
  }

  private var front: String? {
    guard let widest = found.widest, let narrowest = found.narrowest else { return nil }
    return
      "Coverage against error: the widest coverage on the front is \(Quantity(widest.coverage, .percent()).text) at \(words.loss(widest.loss)) on frames with depth (\(words.configuration(widest.configuration))), the least error \(words.loss(narrowest.loss)) at \(Quantity(narrowest.coverage, .percent()).text) (\(words.configuration(narrowest.configuration)))."
  }

  private var scenes: String? {
    let count = found.recommendation.heldOut
    if let reach = found.detectable {
      return
        "With \(count) scenes a gain of the whole choice is established from about \(words.amount(reach)) on, half the width of its 99 % interval; smaller ones these data cannot tell from none. Single thresholds have intervals of their own."
    }
    return found.isSameInAllHeldOut
      ? "In all \(count) scenes held out the choice made without them does as well as the app's values." : nil
  }
}
