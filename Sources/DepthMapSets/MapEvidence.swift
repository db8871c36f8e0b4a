internal import DepthCore
internal import DepthDataset
internal import DepthImport
internal import FathomPlainText
private import Foundation

/// What the truth shows of maps whose numbers nothing else explains.
///
/// Depth up to scale and shift is never concluded: metres with a fault would look the same.
struct MapEvidence {
  let meaning: MapMeaning
  /// "they are 1.02 times the truth in the 8 images looked at"
  let words: String

  /// - Returns: nil where the maps do not decide it.
  init?(_ maps: [MapSetProbe.Map]) {
    let correlations = Self.correlations(maps)
    guard let correlation = OrderStatistics.median(of: correlations), let worst = correlations.max() else {
      return nil
    }
    let images = "in the \(counted(correlations.count, "image")) looked at"
    if correlation < -0.8, worst < -0.5 {
      let strength = (100 * correlation).rounded() / 100
      meaning = .disparity
      words = "they fall where the truth rises \(images) (rank correlation \(strength))"
      return
    }
    let samples = maps.compactMap(\.sample)
    let ratios = samples.compactMap(\.ratio)
    guard correlation > 0.8, let ratio = OrderStatistics.median(of: ratios) else { return nil }
    let unit = ratio > 500 ? 1000.0 : ratio > 30 ? 256 : 1
    // 1/256 m is one scale among others, such as 1/200 and 1/300: only what is close to it is taken as that.
    guard (unit == 256 ? 0.9...1.1 : 2 / 3...1.5).contains(ratio / unit),
      ratios.allSatisfy({ (0.5...2).contains($0 / unit) }),
      // A map from 0 to 1 may have the size of a near truth; it does not vanish where the truth does.
      samples.contains(where: Self.isThroughZero),
      samples.filter({ $0.spread >= 1.2 }).allSatisfy(Self.isThroughZero)
    else { return nil }
    (meaning, words) = (
      unit == 1000 ? .millimetres : unit == 256 ? .kitti : .metric,
      "they are \(Self.digits(ratio)) times the truth \(images)"
    )
  }

  /// For whoever looks at the input.
  func issue(_ maps: MapRequest) -> SchemaIssue {
    let name = maps.name ?? ""
    return SchemaIssue(
      severity: .note, object: maps.path,
      problem: "the maps of '\(name)' are taken as \(meaning.rawValue): \(words)",
      advice: "if they are something else, say it with \(option: "prediction") \(name):KIND=…")
  }

  /// What maps look like, for a command that a person reads before it runs, where nothing need be decided.
  /// - Parameter truth: Median, metres.
  /// - Returns: Also how far metric maps are from the truth's size, in powers of ten; 1 for maps that are not metric in this unit.
  static func likely(_ maps: [MapSetProbe.Map], truth: Double) -> (meaning: MapMeaning, misfit: Double) {
    if OrderStatistics.median(of: correlations(maps)) ?? 0 < -0.5 { return (.disparity, 0) }
    let ratio = (OrderStatistics.median(of: maps.compactMap(\.median)) ?? 0) / truth
    let samples = maps.compactMap(\.sample).filter { $0.ratio != nil && $0.spread >= 1.2 }
    let units: [(meaning: MapMeaning, factor: Double)] = [(.metric, 1), (.millimetres, 1000), (.kitti, 256)]
    // A map from 0 to 1 may have the size of a near truth; it does not vanish where the truth does.
    guard samples.allSatisfy(isThroughZero),
      let near = units.map({ ($0.meaning, abs(log10(ratio / $0.factor))) }).min(by: { $0.1 < $1.1 }),
      near.1 < log10(2.5)
    else { return (.depth, 1) }
    return (near.0, near.1 < log10(1.5) ? near.1 : 1)
  }

  private static func correlations(_ maps: [MapSetProbe.Map]) -> [Double] {
    maps.compactMap { $0.correlations[.turned(.upright)] }
  }

  static func isThroughZero(_ sample: MapSample) -> Bool {
    guard let line = sample.line, let ratio = sample.ratio else { return false }
    return abs(line.intercept) < 0.3 * ratio * sample.truthMedian
  }

  private static func digits(_ value: Double) -> String { MapSetChecks.number(value) }
}
