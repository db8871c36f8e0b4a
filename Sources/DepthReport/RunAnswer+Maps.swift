import FathomDocuments
import DepthEvaluation
import DepthFusion
import DepthVerdicts
import FathomPlainText

/// What is said where there are networks' maps and a truth alone.
extension RunAnswer {
  /// How many images, by which rules, and what was done to the maps first.
  var measuredMaps: String {
    let found = verdict.data
    let count = run.aggregation.summary.map(frames).max() ?? 0
    let images = counted(count, "image")
    let amount =
      run.isOfSingleImages
      ? images + (count == 1 ? "" : ", each a scene of its own")
      : found.scored < found.scenes
        ? "\(images) of \(found.scored) of \(counted(found.scenes, "scene"))"
        : "\(images) of \(counted(found.scored, "scene"))"
    let sentences = [simulated, covered] + MapFits(run).sentences
    return (["\(amount), protocol \(rules.title)."] + sentences.compactMap(\.self)).joined(separator: " ")
  }

  /// Frames of a method that can be scored.
  private func frames(_ row: Aggregation.SummaryRow) -> Int {
    row.frames - run.aggregation.framesWithoutTruth(of: row.method)
  }

  /// " It gave no depth in 1 of 6 images."; nothing where it gave some in all, or a LiDAR stands in.
  func withoutDepth(_ method: RankedMethod) -> String {
    guard !run.basis.hasLidar,
      let row = run.aggregation.summary.first(where: { method.ids.contains($0.method) }),
      method.framesSolved > 0, method.framesSolved < frames(row)
    else { return "" }
    let count = frames(row)
    return " It gave no depth in \(count - method.framesSolved) of \(counted(count, "image"))."
  }

  /// Whether it is the run's one question and the images cannot answer it.
  func isUntold(_ compared: ComparisonVerdict) -> Bool {
    guard !run.basis.hasLidar, let contrast = verdict.contrast else { return false }
    return contrast.outcome != .better && contrast.outcome != .worse
      && contrast.comparison.method == compared.method && contrast.comparison.reference == compared.reference
  }

  /// What is wrong with the first file where no maps could be read; nil in every other run.
  var noFileIsScored: String? {
    guard commands.readsMaps, run.scenes.isEmpty else { return nil }
    return "None: no image was scored."
      + (run.unreadable.first.map { " \($0.name.literal): \($0.reason.literal)." } ?? "")
  }

  /// Why there is no error although there is truth.
  var noMapIsScored: String {
    var counts: [String: Int] = [:]
    for record in run.records {
      counts[record.fusion.reason ?? record.fusion.status.words(run.basis), default: 0] += 1
    }
    let rows = counts.values.reduce(0, +)
    guard let (reason, count) = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else {
      return "None: the data have no image."
    }
    return
      "None: no map was scored. The most frequent reason, for \(count) of \(counted(rows, "map")): \(reason.literal)."
  }

  /// Who has the lowest error, and by how much.
  func isBestMap(_ best: RankedMethod) -> String {
    // What was fitted to the truth is not compared with what was not.
    func isFitted(_ method: RankedMethod) -> Bool { method.ids.contains { run.isFittedToTruth($0) } }
    let placed = verdict.ranking.placed.filter { isFitted($0) == isFitted(best) }
    guard placed.count > 1, best.withFallback.obstacle == nil else { return alone(best) }
    let isPart = placed.count < verdict.ranking.placed.count
    let tied = ties(with: best)
    let opening =
      tied.count == placed.count
      ? same(tied)
      : leads(
        best,
        of: "\(placed.count) networks"
          + (isPart ? " that were\(isFitted(best) ? "" : " not") fitted to the truth" : ""))
    let copies = tied.count > 1 ? copied(tied) : ""
    guard verdict.ranking.baselineIsBest, let next = placed.dropFirst().first else {
      let baseline = placed.first { $0.ids.contains(verdict.baseline) }
      return "\(opening), \(change(best.withFallback))\(common(best)).\(copies)"
        + (baseline.map { ownPixels(best, $0) } ?? "")
    }
    let compared = next.withFallback
    if compared.obstacle != nil { return alone(best) }
    guard let (amount, word) = gain(compared) else { return "\(opening).\(copies)" }
    return "\(opening); the next, \(name(next.method)), has \(length(compared.value)), \(amount) \(word)."
      + ownPixels(best, next)
  }

  /// "**a** and **b** have the same MAE, 46.4 mm"
  private func same(_ methods: [RankedMethod]) -> String {
    let names = methods.map { "**\(name($0.method))**" }
    let error = length(methods[0].error)
    return names.dropLast().joined(separator: ", ") + " and \(names[names.count - 1]) have the same MAE"
      + (methods.allSatisfy { $0.error == methods[0].error }
        ? ", \(error)" : " to within \(Quantity(ComparisonVerdict.noGain, .percent(2)).text): \(error)")
  }

  /// Of methods with the same error in every scene, which chance does not give.
  private func copied(_ methods: [RankedMethod]) -> String {
    let compared = methods.map(\.withFallback)
    guard compared.allSatisfy({ $0.smallest == $0.largest && $0.smallest == compared[0].smallest }) else {
      return ""
    }
    return " The error is the same in every \(run.sceneWord): their maps are probably the same."
  }

  /// A network without another one to compare it with.
  private func alone(_ best: RankedMethod) -> String {
    let row = run.aggregation.summary.first { best.ids.contains($0.method) }
    func share(_ metric: Metric) -> String? {
      row?.value(MetricColumn(metric)).map { "\(metric.title) \(Quantity($0, .percent()).text)" }
    }
    let error = row?.value(.mae) ?? best.error
    let parts = ["MAE of \(length(error))", share(.absRel), share(.delta1)].compactMap(\.self)
    let missing = withoutDepth(best)
    var gap = ""
    if let coverage = row?.value(.coverage), coverage < Self.wholeCoverage, parts.count == 3 {
      let share = Quantity(coverage, .percent()).text
      gap =
        "\(missing.isEmpty ? " It" : " In the others it") has a depth at \(share) of the pixels with truth: MAE and AbsRel are of these, and δ₁ counts the rest as wrong."
    }
    return "**\(name(best.method))** has an \(parts.joined(separator: ", ")).\(missing)\(gap)"
  }

  /// That errors of two methods are not of the same pixels; nothing where both cover nearly all.
  private func ownPixels(_ first: RankedMethod, _ second: RankedMethod) -> String {
    guard !run.basis.hasLidar, let own = first.coverage, let other = second.coverage,
      min(own, other) < Self.wholeCoverage
    else { return "" }
    let (ownShare, otherShare) = (Quantity(own, .percent()).text, Quantity(other, .percent()).text)
    return " **\(name(first.method))** has a depth at \(ownShare) of the pixels with truth and "
      + "**\(name(second.method))** at \(otherShare): each error is of its own pixels."
  }

  /// A method that covers less is told with its coverage.
  private static let wholeCoverage = 0.95

  /// " (on the 600 images that both have)"; nothing where these are all.
  private func common(_ best: RankedMethod) -> String {
    let frames = best.withFallback.frames
    return frames < best.framesSolved ? " (on the \(counted(frames, "image")) that both have)" : ""
  }

  /// Whether a comparison has been told with the best: the next of it, which is the baseline.
  func isAnswered(_ compared: ComparisonVerdict) -> Bool {
    !run.basis.hasLidar && verdict.ranking.baselineIsBest
      && verdict.ranking.placed.dropFirst().first?.method == compared.method
  }

  func isBaselineOfSeveral(_ method: RankedMethod) -> Bool {
    method.ids.contains(verdict.baseline) && run.networks.count > 1
  }

  /// What to do next; nil where the words are those of every run.
  func nextOfMaps(_ step: NextStep) -> String? {
    switch step.kind {
    case .needsTruth: return "Add the ground truth to the data set, as `truth/depth`."
    case .needsScenes:
      guard commands.readsMaps else { return nil }
      guard let scenes = step.scenes else { return tooSmall }
      let wanted = "Evaluate at least \(scenes) \(run.sceneWord)s"
      guard let pair = verdict.contrast?.comparison, pair.scenes < verdict.data.scored else {
        return wanted + "."
      }
      return "\(wanted) in which both \(name(pair.method)) and \(name(pair.reference)) give depth: "
        + "here there \(pair.scenes == 1 ? "is" : "are") \(pair.scenes) of \(verdict.data.scored)."
    case .look: return look(step)
    case .needsIndependentTruth, .needsNetwork: return nil
    }
  }

  private func look(_ step: NextStep) -> String? {
    let (command, meaning) = commands.drawingFrames
    let isOne = (run.aggregation.summary.map(frames).max() ?? 0) == 1
    let page = "\(command.code) makes a page of \(isOne ? "the image" : "all images")\(meaning)."
    guard !isOne, let method = step.method, let scene = step.scene, let frame = step.frame else {
      return page
    }
    guard commands.render(scene: scene, frame: frame, method: method) == nil else { return nil }
    let place = run.isOfSingleImages ? scene.literal : "image \(frame.literal) of \(scene.literal)"
    return "\(page) The largest AbsRel of \(name(method)) is in \(place)."
  }
}
