import DepthReport
import DepthCalibration
import DepthFusion
import FathomPlainText
public import FathomRuns
import FathomStatistics

/// What a correction of stated standard deviations is, guarantees and costs, in sentences.
public struct DeviationCorrectionWords {
  private let result: CalibrateDeviationResult
  private var found: DeviationCorrection { result.correction }
  public init(_ result: CalibrateDeviationResult) { self.result = result }

  public var sentences: [String] { [caveat, factor, guarantee, heldOut, width, skipped].compactMap(\.self) }

  private var unit: String { found.unit.rawValue }
  private var coverage: String { percent(found.coverage) }
  private func percent(_ share: Double) -> String { Quantity(share, .percent(0)).text }

  private var caveat: String? {
    guard result.dependentScenes > 0 else { return nil }
    return
      "The truth of \(counted(result.dependentScenes, "scene")) is not independent of the LiDAR: errors that both share do not show."
  }

  private var factor: String {
    let scales = found.scales(of: result.method).map(\.scale)
    func text(_ scale: Double?) -> String { Quantity(scale, .significant(3)).text }
    let source =
      "learnt on "
      + (found.unit == .frame
        ? "\(counted(found.frames, "frame")) of one scene"
        : "\(counted(found.scenes, "scene")), \(counted(found.frames, "frame"))")
    guard scales.count > 1 else {
      return "\(result.method)'s σ is multiplied by \(text(scales.first)), \(source)."
    }
    return
      "\(result.method)'s σ is multiplied by \(text(scales.min())) to \(text(scales.max())), by confidence and depth (\(counted(scales.count - 1, "cell"))), \(source): \(found.shapingScenes) for the differences between cells, \(found.learningScenes) for the common factor."
  }

  private var guarantee: String {
    let wanted = DeviationCorrection.coverages[0]
    let lower =
      found.coverage < wanted
      ? "\(percent(wanted)) needs at least \(DeviationCorrection.fewestScenes(wanted)) \(unit)s; \(found.scenes) can guarantee \(coverage). "
      : ""
    return lower
      + "In a new \(unit)\(found.unit == .frame ? " of this scene" : "") the intervals d ± \(Quantity.significant(DeviationCorrection.quantile(found.coverage), 3))·σ hold on average at least \(coverage) of the pixels, whatever the distribution, if that \(unit) and these are exchangeable."
      + (found.unit == .frame ? " Nothing is guaranteed for other scenes." : "")
  }

  private func shares(_ mean: DeviationCorrection.Mean) -> String {
    Quantity(
      mean.value, .supported(times: 100, unit: "%"), low: mean.interval?.low, high: mean.interval?.high
    ).text
  }

  private var heldOut: String {
    let before = "Before the correction these intervals hold \(shares(found.before)) of the pixels"
    guard let after = found.after else {
      return before
        + "; what they hold in unseen \(unit)s cannot be shown, because too few \(unit)s remain without it."
    }
    return before
      + "; with the factors of the other \(unit)s, each \(unit) excluded in turn, \(shares(after))."
  }

  private var width: String {
    let (before, after) = (found.deviationBefore.value, found.deviationAfter.value)
    let times = Quantity.significant(after / before, 3)
    let enough = Quantity.significant(after / before / found.reserve, 3)
    return
      "The correction makes the intervals \(times) times as wide (mean σ \(Quantity(before, .length).text) → \(Quantity(after, .length).text))."
      + (found.reserve > 1.005
        ? " For these \(unit)s alone \(enough) times would be enough; the rest is the reserve for a guarantee from \(counted(found.learningScenes, unit))."
        : "")
  }

  private var skipped: String? {
    let scenes =
      result.without.isEmpty
      ? nil
      : "\(counted(result.without.count, unit)) without truth, metric depth or a usable σ: \(PageLimits.listed(result.without))"
    let pixels =
      result.unusable > 0
      ? "\(counted(result.unusable, "pixel")) whose σ is 0, negative or not a number" : nil
    let parts = [scenes, pixels].compactMap(\.self)
    return parts.isEmpty ? nil : "Skipped: \(parts.joined(separator: "; "))."
  }
}
