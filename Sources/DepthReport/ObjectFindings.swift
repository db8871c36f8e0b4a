import PlainText
import DepthCore
import DepthEvaluation
import DepthObjects

/// What a run shows about objects, in sentences; each is only said where the data carry it.
struct ObjectFindings {
  let results: ObjectResults

  /// Most important first.
  var sentences: [String] {
    let hasTruth = results.hasTruth
    return [
      hasTruth ? headline : nil, hasTruth ? depthCost : nil, hasTruth ? bestBox : nil, hasTruth ? ways : nil,
      label, detection, hasTruth ? unknown : withoutTruth, failures,
    ].compactMap { $0 } + leftOut
  }

  private var method: String { results.plan.referenceMethod }

  /// For the report's own findings: placement errors by depth map, and what of them is the depth's.
  var headlines: [String] { [headline, depthCost].compactMap { $0 } }

  /// Placement errors by depth map.
  private var headline: String? {
    let estimates = results.depths.compactMap { depth in
      results.overall(depth: depth, method: method)?[.placement].map { (depth, $0) }
    }
    guard let first = estimates.first else { return nil }
    let scenes = estimates.map(\.1.scenes).max() ?? 0
    let parts = estimates.map { depth, estimate in
      "\(centimetres(estimate.value))\(brackets(estimate.interval)) from \(Self.name(depth))"
        + (estimate.scenes < scenes ? " (in \(counted(estimate.scenes, "scene")) only)" : "")
    }
    return
      "Boxed by `\(method)`, the median placement error of an effect is \(list(parts)) (\(counted(first.1.objects, "object")) "
      + "in \(Self.name(first.0)); "
      + (scenes > 1
        ? "medians over a scene's objects, means over \(scenes) scenes"
          + (scenes < ComparisonVerdict.fewestForInterval
            ? ", brackets hardly more than their range)." : ").")
        : "one scene).")
  }

  /// Every depth map against the truth, on the objects that both box.
  private var depthCost: String? {
    guard results.depths.contains(ObjectPlan.truth) else { return nil }
    let parts = results.depths.filter { $0 != ObjectPlan.truth }.compactMap { depth -> String? in
      results.difference(.placement, depth: depth, method: method, against: ObjectPlan.truth, method).map {
        let change = centimetres(abs($0.difference))
        return
          "\(Self.name(depth)) \($0.difference >= 0 ? "costs" : "gains") \(change)\(evidence($0)) on "
          + "\(counted($0.objects, "object"))"
      }
    }
    guard !parts.isEmpty else { return nil }
    return
      "Against the true depth at the same objects, \(list(parts)). These are differences of medians. What is left with the true depth is the box method's, the mask's and the view's."
  }

  private var bestBox: String? {
    guard let depth = results.depths.first else { return nil }
    let ranked = results.plan.boxMethods.compactMap { method in
      results.overall(depth: depth, method: method)?[.iou].map { (method, $0.value) }
    }.sorted { $0.1 > $1.1 }
    guard let best = ranked.first, ranked.count > 1 else { return nil }
    var text =
      "In \(Self.name(depth)), the box method with the largest mean IoU of the objects that it boxes is `\(best.0)`, \(Quantity.fixed(best.1, 2)) (the best of \(ranked.count) on these very objects)"
    let specified = BoxMethod.pcaXZ.id
    if best.0 != specified,
      let difference = results.difference(.iou, depth: depth, method: best.0, against: depth, specified)
    {
      text +=
        "; the specified `\(specified)` has \(Quantity.fixed(difference.reference, 2)) on the same "
        + "\(counted(difference.objects, "object")), a difference of "
        + "\(Quantity.fixed(difference.difference, 2))\(evidence(difference, decimals: 2, unit: ""))"
    }
    return text + "."
  }

  private var ways: String? {
    guard let depth = results.depths.first, let group = results.overall(depth: depth, method: method) else {
      return nil
    }
    let metrics = [ObjectMetric.placement] + ObjectMetric.otherPlacements
    let found = zip(PlacementMethod.all.map(\.id), metrics).compactMap { way, metric in
      group[metric].map { (way, $0) }
    }.sorted { $0.1.value < $1.1.value }
    guard found.count > 1 else { return nil }
    let parts = found.map { way, estimate in
      "`\(way)` \(centimetres(estimate.value)) (\(estimate.objects) of \(group.known))"
    }
    return
      "Ways to place an effect in \(Self.name(depth)), median error and objects that got a place: \(list(parts)). "
      + "They are medians of different objects where not all got a place."
  }

  private var label: String? {
    let parts = results.depths.filter { $0 != ObjectPlan.truth }.compactMap { depth in
      results.overall(depth: depth, method: method)?[.labelError].map { estimate in
        "\(Quantity(estimate.value, .length).text) in \(Self.name(depth)) (\(counted(estimate.objects, "object")))"
      }
    }
    guard !parts.isEmpty else { return nil }
    return
      "The distance label is off by a median of \(list(parts)), held against the median true depth of the same mask."
  }

  private var detection: String? {
    guard let row = results.detection?.overall else { return nil }
    let counts = row.counts
    return
      "Detections with a score above \(results.plan.decoding.confidenceThreshold), held against the projected true boxes at an "
      + "overlap of \(results.plan.matchOverlap): precision \(share(counts.precision, row.precisionInterval)), recall "
      + "\(share(counts.recall, row.recallInterval)) (\(counts.matched) right, \(counts.spurious) wrong, \(counts.missed) "
      + "missed of the objects that the data name)."
  }

  private var withoutTruth: String? {
    results.objectCount > 0
      ? "No object has a true box: boxes are in `objects.csv`, but neither they nor placements are scored."
      : nil
  }

  /// Where only some objects have true boxes.
  private var unknown: String? {
    let (objects, known) = results.sureObjectCounts
    guard known > 0, known < objects else { return nil }
    return
      "\(objects - known) of \(objects) detections above the confidence threshold have no true box: they are boxed but not "
      + "scored, and in scenes with true boxes they count as wrong detections."
  }

  private var failures: String? {
    let low = results.failures.filter { $0.status == .lowScore }
      .reduce(0) { $0 + $1.methods.values.reduce(0, +) }
    let parts = results.depths.compactMap { depth -> String? in
      guard let group = results.overall(depth: depth, method: method), group.boxed < group.objects else {
        return nil
      }
      let reason = commonReason(depth).map { " (\($0))" } ?? ""
      return "\(group.objects - group.boxed) of \(group.objects) in \(Self.name(depth))\(reason)"
    }
    var text: [String] = []
    if low > 0 {
      text.append(
        "\(counted(low, "detection")) of \(results.objectCount) \(low == 1 ? "is" : "are") not above the confidence threshold and \(low == 1 ? "is" : "are") not boxed."
      )
    }
    if !parts.isEmpty { text.append("Without a box by `\(method)`: \(list(parts)).") }
    return text.isEmpty ? nil : text.joined(separator: " ")
  }

  /// Why a map is not there, where that is all that went wrong with it and always for the same reason.
  private func commonReason(_ depth: String) -> String? {
    let failed = results.failures.filter { $0.depth == depth }
    guard failed.count == 1, let failure = failed.first, failure.status == .noMap else { return nil }
    return failure.hasOneReason ? failure.example.reason : nil
  }

  private var leftOut: [String] {
    let reasons = results.leftOut.map(\.reason).firstAppearances
    return reasons.map { reason in
      let scenes = results.leftOut.filter { $0.reason == reason }.map { left in
        left.scene + (left.frames.map { " (\(counted($0, "frame")))" } ?? "")
      }
      let names = scenes.count > PageLimits.names ? PageLimits.listed(scenes) : list(scenes)
      return "The detections of \(names) are left out: \(reason)."
    }
  }
}
