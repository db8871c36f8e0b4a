import DepthEvaluation
import DepthVerdicts
import FathomPlainText

/// What a run shows about objects, in sentences; each is only said where the data carry it. It words a verdict and decides nothing.
struct ObjectFindings {
  let verdict: ObjectVerdict
  var units = LengthUnit.millimetres

  /// Most important first.
  var sentences: [String] {
    let ofTruth =
      verdict.hasTruth
      ? [headline, depthCost, bestBox, ways, label, detection, unknown] : [label, withoutTruth]
    return (ofTruth + [failures]).compactMap(\.self) + leftOut
  }

  /// For the report's own findings: placement errors by depth map, and what of them is the depth's.
  var headlines: [String] { verdict.hasTruth ? [headline, depthCost].compactMap(\.self) : [] }

  /// Placement errors by depth map.
  private var headline: String? {
    guard let first = verdict.placements.first else { return nil }
    let scenes = verdict.placements.map(\.scenes).max() ?? 0
    let parts = verdict.placements.map { estimate in
      "\(length(estimate)) with \(Self.name(estimate.name))"
        + (estimate.scenes < scenes ? " (in \(counted(estimate.scenes, "scene")) only)" : "")
    }
    let sample = scenes > 1 ? "medians over a scene's objects, means over \(scenes) scenes" : "one scene"
    return
      "An effect on the box of `\(verdict.boxMethod)` is off by \(list(parts)) (\(counted(first.objects, "object")); \(sample))."
  }

  /// Every depth map against the truth, on the objects that both box.
  private var depthCost: String? {
    let parts = verdict.depthCosts.map { cost in
      "\(Self.name(cost.name)) \(cost.difference >= 0 ? "costs" : "gains") \(size(cost) { units.text($0, low: $1, high: $2) })"
    }
    guard let first = verdict.depthCosts.first else { return nil }
    return
      "Against the true depth at the same \(counted(first.objects, "object")), \(list(parts)). What is left with the true depth "
      + "is the box method's, the mask's and the view's."
  }

  private var bestBox: String? {
    guard let boxes = verdict.boxes, let best = boxes.ranking.first else { return nil }
    var text =
      "In \(Self.name(boxes.depth)), `\(best.name)` has the largest mean IoU of \(counted(boxes.ranking.count, "box method")), "
      + "\(number(best.value, best.low, best.high))"
    if let next = boxes.next { text += "; the next, `\(next.reference)`, \(lead(next))" }
    if let specified = boxes.specified, specified.reference != boxes.next?.reference {
      text += "; the specified `\(specified.reference)` \(lead(specified))"
    }
    let left = boxes.leftOut.map { "`\($0.name)` (\($0.objects))" }
    return text + "."
      + (left.isEmpty
        ? "" : " Not ranked, because they box fewer objects than others (\(best.objects)): \(list(left)).")
  }

  /// "has 0.52 on the same 48 objects, 0.050 [0.01, 0.09] less"
  private func lead(_ contrast: ObjectVerdict.Contrast) -> String {
    "has \(number(contrast.referenceValue)) on the same \(counted(contrast.objects, "object")), "
      + "\(contrast.difference >= 0 ? "less" : "more") by \(size(contrast, number))"
  }

  private var ways: String? {
    guard let ways = verdict.ways else { return nil }
    let parts = ways.ranking.map { "`\($0.name)` \(units.text($0.value)) (\($0.objects) of \(ways.known))" }
    return
      "Ways to place an effect in \(Self.name(ways.depth)), median error and objects that got a place: \(list(parts)). "
      + "They are medians of different objects where not all got a place."
  }

  private var label: String? {
    let parts = verdict.labels.map { "\(length($0)) in \(Self.name($0.name))" }
    return parts.isEmpty
      ? nil
      : "The distance label is off by a median of \(list(parts)), compared with the median true depth of the same mask."
  }

  private var detection: String? {
    guard let found = verdict.detection else { return nil }
    return
      "Detections with a score above \(found.scoreThreshold), compared with the projected true boxes at an overlap of "
      + "\(found.overlap): precision \(share(found.precision, found.precisionLow, found.precisionHigh)), recall "
      + "\(share(found.recall, found.recallLow, found.recallHigh)) (\(found.matched) right, \(found.spurious) wrong, "
      + "\(found.missed) missed of the objects that the data name)."
  }

  private var withoutTruth: String? {
    verdict.detections > 0
      ? "No object has a true box: boxes are in `objects.csv`, but neither they nor placements are scored."
      : nil
  }

  /// Where only some objects have true boxes.
  private var unknown: String? {
    guard verdict.known > 0, verdict.known < verdict.confident else { return nil }
    return
      "\(verdict.confident - verdict.known) of \(verdict.confident) detections above the confidence threshold have no true "
      + "box: they are boxed but not scored, and in scenes with true boxes they count as wrong detections."
  }

  private var failures: String? {
    let low = verdict.belowThreshold
    let parts = verdict.unboxed.map { missing in
      "\(missing.unboxed) of \(missing.objects) in \(Self.name(missing.depth))"
        + (missing.reason.map { " (\($0))" } ?? "")
    }
    var text: [String] = []
    if low > 0 {
      text.append(
        "\(counted(low, "detection")) of \(verdict.detections) \(low == 1 ? "is" : "are") not above the confidence threshold and \(low == 1 ? "is" : "are") not boxed."
      )
    }
    if !parts.isEmpty { text.append("Without a box by `\(verdict.boxMethod)`: \(list(parts)).") }
    return text.isEmpty ? nil : text.joined(separator: " ")
  }

  private var leftOut: [String] {
    verdict.leftOut.map { left in
      let scenes = left.scenes.map { $0.scene + ($0.frames.map { " (\(counted($0, "frame")))" } ?? "") }
      let names = scenes.count > PageLimits.names ? PageLimits.listed(scenes) : list(scenes)
      return "The detections of \(names) are skipped: \(left.reason)."
    }
  }

  /// "the raw LiDAR", "the true depth", "the depth of `auto`"
  static func name(_ depth: String) -> String {
    switch depth {
    case ObjectPlan.lidar: "the raw LiDAR"
    case ObjectPlan.truth: "the true depth"
    default: "the depth of `\(depth)`"
    }
  }

  private func length(_ estimate: ObjectVerdict.Estimate) -> String {
    units.text(estimate.value, low: estimate.low, high: estimate.high)
  }

  private func number(_ value: Double, _ low: Double? = nil, _ high: Double? = nil) -> String {
    Quantity(value, .supported(), low: low, high: high).text
  }

  private func share(_ value: Double?, _ low: Double?, _ high: Double?) -> String {
    Quantity(value, .supported(times: 100, unit: "%"), low: low, high: high).text
  }

  /// A difference without its sign, and how sure it is: "11.1 mm [7.4, 18.9]", "3 mm [−2, 9], which may be none".
  private func size(
    _ contrast: ObjectVerdict.Contrast, _ text: (Double, Double?, Double?) -> String
  ) -> String {
    let isTurned = contrast.difference < 0
    let number = text(
      abs(contrast.difference), isTurned ? contrast.high.map(-) : contrast.low,
      isTurned ? contrast.low.map(-) : contrast.high)
    guard let isSure = contrast.excludesZero else {
      return number + " (\(counted(contrast.scenes, "scene")): too few for an interval)"
    }
    return number + (isSure ? "" : ", which may be none")
  }

  /// "a, b and c"
  private func list(_ parts: [String]) -> String {
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return parts.dropLast().joined(separator: ", ") + " and " + last
  }
}
