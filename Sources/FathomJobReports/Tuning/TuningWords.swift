import FathomStatistics
import FathomPlainText
import DepthEvaluation
import DepthTuning

/// Numbers and configurations of a search as sentences name them.
struct TuningWords {
  let run: TuningRun
  private var grid: SearchGrid { run.plan.grid }

  /// "ols, confidence ≥ 2, 0.1–4 m, at least 20 pairs, corners".
  func configuration(_ index: Int) -> String {
    let labels = Dictionary(uniqueKeysWithValues: zip(grid.axes.map(\.dimension.id), grid.labels(of: index)))
    var parts: [String] = []
    if let method = labels["methods"] { parts.append(method) }
    if let space = labels["space"] { parts.append("\(space) form") }
    if let least = labels["min-confidence"] { parts.append("confidence ≥ \(least)") }
    switch (labels["min-depth"], labels["max-depth"]) {
    case (let near?, let far?): parts.append("\(near)–\(far) m")
    case (let near?, nil): parts.append("from \(near) m")
    case (nil, let far?): parts.append("up to \(far) m")
    case (nil, nil): break
    }
    if let pairs = labels["min-pairs"] { parts.append("at least \(pairs) pairs") }
    if let mapping = labels["position-mapping"] { parts.append("\(mapping) mapping") }
    if let weights = labels["weights"] { parts.append("weights \(weights)") }
    if let threshold = labels["inlier-threshold"],
      grid.axis("methods") == nil || run.plan.grid.configurations[index].usesInlierThreshold
    {
      parts.append("inliers within \(threshold)")
    }
    if let low = labels["min-scale"] { parts.append("|slope| above \(low)") }
    if let high = labels["max-scale"] { parts.append("|slope| below \(high)") }
    return parts.joined(separator: ", ")
  }

  /// The values of some axes: "0.1–4 m", "2", "corners".
  func values(_ index: Int, of axes: [String]) -> String {
    let labels = axes.compactMap { id in grid.axis(id).map { grid.labels(of: index)[$0] } }
    if axes == ["min-depth", "max-depth"], labels.count == 2 { return "\(labels[0])–\(labels[1]) m" }
    let unit = axes.first.flatMap(grid.axis).flatMap { grid.axes[$0].dimension.unit }
    return labels.joined(separator: ", ") + (unit.map { " \($0)" } ?? "")
  }

  /// A loss as the metric's value, with its unit.
  func loss(_ loss: Double?) -> String {
    guard let loss, loss.isFinite else { return Quantity.none }
    return amount(value(ofLoss: loss))
  }

  /// A loss as the metric's value.
  func value(ofLoss loss: Double) -> Double {
    run.plan.objective.column?.metric.direction == .higherIsBetter ? -loss : loss
  }

  /// A difference of losses, with its unit.
  func amount(_ value: Double) -> String { quantity(value).text }

  private func quantity(_ value: Double?, _ range: ClosedRange<Double>? = nil) -> Quantity {
    Quantity(value, style, low: range?.lowerBound, high: range?.upperBound)
  }

  private var style: Quantity.Style {
    let display = run.plan.objective.display
    return .supported(times: display.scale, unit: display.symbol ?? "")
  }

  /// "5.1 mm, 99 % interval [2.2, 8.0] mm over 6 held-out scenes (of the selection rule, …), better in 5 of 6".
  func gain(_ verdict: TuningVerdict) -> String {
    guard let nested = verdict.nested else { return "an unknown amount" }
    let interval = verdict.interval.map { ", 99 % interval \(quantity(nil, $0).interval)" } ?? ""
    let count = nested.heldOut.count
    let agreement =
      verdict.agreeing == count
      ? ""
      : " (of the selection rule, which chose this in \(verdict.agreeing) of \(count) and another value in the rest)"
    let better = nested.heldOut.count { $0.loss < $0.referenceLoss }
    return
      "\(amount(nested.gain.mean))\(interval) over \(count) held-out scenes\(agreement), better in \(better) of \(count)"
  }

  /// The same for a table: "5.1 mm [2.2, 8.0]".
  func shortGain(_ verdict: TuningVerdict) -> String {
    guard let nested = verdict.nested, let interval = verdict.interval else { return "–" }
    return quantity(nested.gain.mean, interval).text
  }
}
