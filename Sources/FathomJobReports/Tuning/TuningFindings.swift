import DepthReport
import FathomStatistics
import FathomDocuments
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
      "\(evaluating(DataCommands.option("methods", "auto,residual,smoothed")).code) evaluates methods that keep the LiDAR's own depth and add to it."
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
      "The specified defaults are thresholds. Here they apply to a fit linear in \(forms)\(inScenes), as the relative map requires. The app itself fits linearly in depth: `spec` and `shipped` in `fathom evaluate`."
  }

  /// "Keep …" or "Change … to …".
  var recommendation: String {
    let (verdict, answer) = (run.verdict, found.recommendation)
    let reference = words.configuration(SearchGrid.reference)
    let from = words.loss(found.referenceLoss)
    guard let choice = answer.chosen else {
      return
        "**Keep the specified defaults** (\(reference)): no configuration reaches a coverage of \(run.plan.objective.coverageFloor ?? 0)."
    }
    let chosen = words.configuration(choice)
    let keep = "**Keep the specified defaults** (\(reference)): \(objective) is \(from)"
    switch answer.reason {
    case .gains:
      return
        "**Change the specified defaults** (\(reference)) **to: \(chosen).** In held-out scenes, \(objective) \(isHigherBetter ? "rises" : "falls") from \(from) to \(words.loss(answer.heldOutLoss)): a gain of \(words.gain(verdict))."
    case .alreadyBest, .noneCovers:
      return keep
        + "; of \(found.configurations) configurations none is better by more than one standard error."
    case .notEstablished:
      return keep + ". The best simple alternative, \(chosen), gains \(words.gain(verdict)): not established."
    case .tooFewScenes:
      return keep
        + ". In these \(run.searched.scenes.count) scenes it is better with: \(chosen); gain \(words.gain(verdict)). Fewer than \(TuningVerdict.fewestScenes) scenes cannot exclude chance: a change needs more."
    }
  }

  /// Where the reference misses the coverage that was asked for.
  private var floor: String? {
    found.missedCoverage.map {
      "The specified defaults cover \(Quantity($0.reference, .percent()).text) of the truth, less than the \(Quantity($0.floor, .percent()).text) that was asked for."
    }
  }

  /// The baseline to beat: what an app has without any fusion.
  private var rawLidar: String? {
    guard let lidar = found.rawLidar else { return nil }
    return "The raw LiDAR, without fusion, has \(words.loss(lidar.loss)): "
      + (isBeatenByLidar
        ? "**less error than every configuration searched**. The search covers fits of one line per frame."
        : "more error than the best configuration searched.")
  }

  /// Whether no configuration is worth anything.
  private var isBeatenByLidar: Bool { found.rawLidar?.beatsAll == true }

  private var optimism: String? {
    let answer = found.recommendation
    guard let optimism = answer.optimism, let best = answer.best else { return nil }
    return
      "Selection bias (optimism): \(words.amount(optimism)). The best of \(found.configurations) configurations (\(words.configuration(best))) has \(words.loss(answer.inSampleLoss)) in the scenes that selected it. Selected without the scene that scores it, the best has \(words.loss(answer.heldOutBestLoss))."
  }

  private func sentence(_ question: ThresholdQuestion, _ answer: SearchVerdict.Question) -> String {
    let verdict = question.verdict
    let specified = words.values(SearchGrid.reference, of: question.axes)
    let title = question.title.prefix(1).uppercased() + question.title.dropFirst()
    let chosen = answer.chosen.map { words.values($0, of: question.axes) } ?? Quantity.none
    switch answer.reason {
    case .noneCovers:
      return "\(title): keep \(specified); no other value reaches the coverage, the rest as specified."
    case .alreadyBest:
      return
        "\(title): keep \(specified); no other value is better by more than one standard error, the rest as specified."
    case .gains:
      return "\(title): \(chosen) instead of \(specified) alone gains \(words.gain(verdict))"
        + (answer.isRecommended
          ? "."
          : "; by itself this is established: `\(question.axes.map { OptionName($0).flag }.joined(separator: "`, `"))` alone would recommend it.")
    case .tooFewScenes where !answer.hasGain, .notEstablished where !answer.hasGain:
      return "\(title): keep \(specified); what looks best (\(chosen)) gains nothing in held-out scenes."
    case .tooFewScenes, .notEstablished:
      let doubt =
        answer.reason == .notEstablished
        ? "not established" : "fewer than \(TuningVerdict.fewestScenes) scenes cannot establish it"
      return
        "\(title): keep \(specified); choosing it alone (\(chosen)) gains \(words.gain(verdict)): \(doubt)."
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
        "With \(count) scenes, a gain of the whole choice must exceed about \(words.amount(reach)), half the width of its 99 % interval, to be established. Single thresholds have their own intervals."
    }
    return found.isSameInAllHeldOut
      ? "In all \(count) held-out scenes, the choice made without them equals the specified defaults." : nil
  }
}
