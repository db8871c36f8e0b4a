import DepthVerdicts
import FathomDocuments
import FathomPlainText

/// How a method's error is made.
extension RunAnswer {
  /// The error that the shares that follow are shares of, where that is not the one beside them, a mean over frames and scenes.
  func pooled(_ anatomy: ErrorAnatomy?, beside error: Double) -> String {
    guard let anatomy, length(anatomy.error) != length(error) else { return "" }
    return "Over all pixels together, each counting once, its MAE is \(length(anatomy.error))."
  }

  func made(_ anatomy: ErrorAnatomy) -> String {
    let parts = [
      ofFrames(anatomy) ?? ofScenes(anatomy) ?? anatomy.bias.map { bias($0, of: anatomy.method) },
      anatomy.frames.flatMap(ofFew),
      anatomy.depthSteps.flatMap { part($0, "lie at depth steps") },
      anatomy.leastConfident.flatMap { part($0, "have confidence \(anatomy.leastConfidentLevel ?? 0)") },
      anatomy.filledError.map { error in
        "Where the LiDAR has nothing (\(Quantity(anatomy.filledPixels, .percent()).text) of the truth), the MAE is \(length(error))."
      },
    ]
    return parts.compactMap(\.self).joined(separator: " ")
  }

  /// What single frames make of the error, where that says more than the depth does.
  private func ofFrames(_ anatomy: ErrorAnatomy) -> String? {
    guard let frames = anatomy.frames, frames.count > 1 else { return nil }
    if frames.isOfOne {
      let name =
        run.isOfSingleImages
        ? "Image \(frames.scene.literal)"
        : "\(run.frameWord.capitalizedFirst) \(frames.frame.literal) of \(frames.scene.literal)"
      return "\(name) alone makes \(Quantity(frames.largest.error, .percent(0)).text) of the error."
    }
    guard frames.bias >= 0.5, frames.bias >= (anatomy.bias?.share ?? 0) + 0.2 else { return nil }
    // What all frames of a scene have alike is the scene's.
    if let scenes = anatomy.scenes, scenes.count > 1, scenes.count < frames.count,
      scenes.bias >= 0.9 * frames.bias
    {
      return ofScenes(scenes)
    }
    return
      "Bias that differs from \(run.frameWord) to \(run.frameWord) makes \(Quantity(frames.bias, .percent(0)).text) of the error."
  }

  /// Few frames that make most of the error.
  private func ofFew(_ frames: ErrorAnatomy.Frames) -> String? {
    guard frames.areFew, !frames.isOfOne, let half = frames.half else { return nil }
    let place =
      run.isOfSingleImages
      ? "" : half.scene.map { ", all of \($0.literal)," } ?? ", of \(counted(half.scenes, run.sceneWord)),"
    return
      "\(half.frames) of \(counted(frames.count, run.frameWord))\(place) \(half.frames == 1 ? "makes" : "make") \(Quantity(half.part.error, .percent(0)).text) of the error."
  }

  /// What scenes make of it, where a law of all pixels together is one of some scenes.
  private func ofScenes(_ anatomy: ErrorAnatomy) -> String? {
    guard let bias = anatomy.bias, bias.isMaterial, !bias.isOfFewPixels, let scenes = anatomy.scenes,
      scenes.differ
    else { return nil }
    return ofScenes(scenes)
  }

  private func ofScenes(_ scenes: ErrorAnatomy.Scenes) -> String {
    func end(_ scene: ErrorAnatomy.InScene) -> String {
      "\(length(abs(scene.bias))) \(way(scene.bias)) in \(scene.scene.literal)"
    }
    return
      "Bias that differs from \(run.sceneWord) to \(run.sceneWord) makes \(Quantity(scenes.bias, .percent(0)).text) of the error, from \(end(scenes.lowest)) to \(end(scenes.highest))."
  }

  private func way(_ value: Double) -> String { value >= 0 ? "too far" : "too near" }

  private func part(_ part: ErrorAnatomy.Part, _ words: String) -> String? {
    guard part.standsOut else { return nil }
    return
      "\(Quantity(part.pixels, .percent()).text) of the pixels \(words) and make \(Quantity(part.error, .percent(0)).text) of the error."
  }

  private func bias(_ bias: ErrorAnatomy.Bias, of method: String) -> String {
    let share = Quantity(bias.share, .percent(0)).text
    guard bias.isMaterial else {
      return "Bias makes \(share) of the error; the rest is noise and local errors."
    }
    if bias.isOfFewPixels, let ratio = bias.unevenness {
      return
        "Few pixels make most of the error: within half a metre of depth, the RMSE is \(Quantity(ratio, .significant(2)).text) times the MAE, so no bias is claimed."
    }
    func cause(_ words: String) -> String {
      MapFits(run).sets(bias.course, of: method) ? "." : ": \(words) that is off."
    }
    let report = UncertaintyReport(run)
    func unclaimed(_ amount: String, _ offset: Double, at range: Double) -> String? {
      report?.explanation(ofOffset: offset, at: range).map {
        "A difference of \(amount) at every depth is \($0), so no offset is claimed."
      }
    }
    switch bias.course {
    case .share:
      let scale = bias.scale ?? 0
      return unclaimed(Quantity(abs(scale), .percent()).text, scale, at: 1)
        ?? "It is \(Quantity(abs(scale), .percent()).text) \(way(scale)) at every depth, which makes \(share) of the error\(cause("a scale"))"
    case .either:
      let scale = bias.scale ?? 0
      return unclaimed(Quantity(abs(scale), .percent()).text, scale, at: 1)
        ?? "Bias makes \(share) of the error: it is \(Quantity(abs(scale), .percent()).text) or \(length(abs(bias.mean))) \(way(bias.mean)) at every depth. These depths do not tell a scale from a shift."
    case .length:
      let range = verdict.ranking[method].flatMap { report?.meanRange(of: $0.ids) } ?? 0
      return unclaimed(length(abs(bias.mean)), bias.mean, at: range)
        ?? "It is \(length(abs(bias.mean))) \(way(bias.mean)) at every depth, which makes \(share) of the error\(cause("a shift"))"
    case .varying where bias.largest.isEmpty:
      return "Few pixels of each range of depth make its mean error, so no bias is claimed."
    case .varying:
      func metres(_ value: Double) -> String { Quantity.fixed(value, value == value.rounded() ? 0 : 1) }
      func end(_ range: ErrorAnatomy.AtRange) -> String {
        "\(length(abs(range.bias))) \(way(range.bias)) at \(metres(range.from)) to \(metres(range.to)) m"
      }
      let claimed = bias.largest.filter {
        report?.explanation(ofOffset: $0.bias, at: ($0.from + $0.to) / 2) == nil
      }
      let part = claimed.compactMap(\.share).reduce(0, +)
      let opening =
        (claimed.count < bias.largest.count ? "beyond what the truth’s scale may be off by " : "")
        + "\(Quantity(part, .percent(0)).text) of it "
      guard !claimed.isEmpty else {
        return
          "Bias that changes with depth makes \(share) of the error, but it may come from the truth’s scale, so no offset is claimed."
      }
      return
        "Bias that changes with depth makes \(share) of the error, \(opening)\(claimed.map(end).joined(separator: " and "))."
    }
  }
}
