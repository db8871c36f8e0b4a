import DepthCore
import FathomPlainText
import Foundation

/// What networks predicted, against the LiDAR or, in a scene without one, against the truth: sign, range, orientation, sense and unit.
///
/// Facts of the numbers (negative, constant, stretched) are listed only where they are wrong.
public struct PredictionConvention: Convention {
  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    sample.header.predictions.flatMap { prediction -> [Finding] in
      var (sample, prediction, findings) = (sample, prediction, [Finding]())
      func add(_ found: [Finding]) {
        for finding in found { finding.correction?.apply(to: &sample) }
        findings += found
        prediction = sample.header.predictions.first { $0.name == prediction.name } ?? prediction
      }
      let numbers = PredictionNumbers(of: prediction, in: sample)
      add(numbers.map { [$0.finding(in: sample)] } ?? [])
      guard numbers?.isConstant != true else { return findings }
      let isMetric = prediction.kind == .metric
      add(RelativeLayoutConvention(of: prediction).findings(in: sample, after: earlier, seed: seed))
      guard isMetric else { return findings }
      let unit = PredictionUnitTest(name: prediction.name)
      let reason =
        earlier.reasonToWait(for: ["depth-unit"])
        ?? findings.first { $0.test.hasPrefix("prediction-kind") && $0.verdict.isWrong }.map { _ in
          "its numbers are not in metres"
        }
      add(
        reason.map { reason in
          unit.axes(for: sample).map { Finding(notTestable: $0, in: sample.header, reason) }
        } ?? unit.findings(in: sample, after: earlier, seed: seed))
      return findings
    }
  }
}

/// Numbers of a network's maps that are not what is said of them, whatever they show.
private enum PredictionNumbers {
  /// All below 0, metres, `lowest` to `highest`; whether they are depths with the sign turned.
  case negative(StoredPrediction, low: Float, high: Float, isTurned: Bool)
  /// One number in each map.
  case constant(StoredPrediction)
  /// Metres that end at the same number in every map, though the scenes do not.
  case stretched(StoredPrediction, to: Float)

  /// What maps are stretched to, and by how much they may miss it.
  private static let (ends, slack) = ([Float(1), 255, 65_535], Float(0.005))
  /// Maps that end at one number by chance.
  private static let fewest = 3
  var isConstant: Bool { if case .constant = self { true } else { false } }

  init?(of prediction: StoredPrediction, in sample: SceneSample) {
    let maps = sample.frames.compactMap { frame in
      frame.predictions.first { $0.header.name == prediction.name }.map { (frame, $0.map) }
    }
    let ranges = maps.compactMap { _, map -> (low: Float, high: Float)? in
      let known = map.values.lazy.filter(\.isFinite)
      guard let low = known.min(), let high = known.max() else { return nil }
      return (low, high)
    }
    guard let low = ranges.map(\.low).min(), let high = ranges.map(\.high).max() else { return nil }
    if ranges.allSatisfy({ $0.low == $0.high }) {
      self = .constant(prediction)
      return
    }
    guard prediction.kind == .metric else { return nil }
    /// The median of LiDAR ÷ number, the sign of the numbers turned or not.
    func ratio(_ sign: Double) -> Double? {
      OrderStatistics.median(
        of: maps.flatMap { frame, map in
          let grid = DepthGrid(frame, limit: 32)
          return zip(grid.disparity, grid.samples(of: map)).map { 1 / ($0 * sign * $1) }.filter(\.isFinite)
        })
    }
    if high < 0 {
      let isTurned = sample.header.lidarSize != nil && ratio(-1).map((0.5...2).contains) == true
      self = .negative(prediction, low: low, high: high, isTurned: isTurned)
      return
    }
    guard ranges.count >= Self.fewest, sample.header.lidarSize != nil,
      let end = Self.ends.first(where: { end in
        ranges.allSatisfy { $0.low >= 0 && abs($0.high - end) <= Self.slack * end }
      }), let ratio = ratio(1), !(0.5...2).contains(ratio)
    else { return nil }
    self = .stretched(prediction, to: end)
  }

  func finding(in sample: SceneSample) -> Finding {
    let (name, supported, summary, fix, correction): (String, String, String, String, Correction?)
    switch self {
    case .negative(let prediction, let low, let high, let isTurned):
      (name, supported) = (prediction.name, isTurned ? "sign-turned" : "negative")
      summary =
        "all numbers are negative, \(Double(low).rounded2) to \(Double(high).rounded2)"
        + (isTurned ? ": depths with the sign turned, as axes of graphics have them" : "")
        + ". What it looks like: the network has no depth anywhere"
      let object = "predictions/\(name)/depth"
      fix = isTurned ? "multiply \(object) by -1" : "check what wrote \(object)"
      correction = isTurned ? .unit(object: object, factor: -1) : nil
    case .constant(let prediction):
      (name, supported, correction) = (prediction.name, "constant", nil)
      (summary, fix) = ("every map holds one number", "check what wrote predictions/\(name)/depth")
    case .stretched(let prediction, let end):
      (name, supported) = (prediction.name, "stretched")
      summary =
        "every map ends at \(Int(end)), and none is \(sample.reference.noun)'s size: maps that were stretched one by one are not in metres"
      let object = "predictions/\(name)/depth"
      fix =
        "set the attribute kind of \(object) to 'depth', or give it again as `\(flag: "prediction") \(name):depth=…`"
      correction = .attribute(object: object, name: "kind", value: StoredPrediction.Kind.depth.rawValue)
    }
    return Finding(
      "prediction-numbers:\(name)", "Numbers of the prediction '\(name)'", in: sample.header,
      verdict: .contradicted, declared: "depth", supported: supported, summary: summary, fix: fix,
      correction: correction, property: "predictions/\(name)/depth")
  }
}

/// Cost: |log₁₀| of the median ratio of LiDAR and prediction.
private struct PredictionUnitTest: CompetingConvention {
  let name: String

  func axes(for sample: SceneSample) -> [ConventionAxis] {
    let object = "predictions/\(name)/depth"
    let hypotheses = zip(DepthUnitReading.allCases, DepthUnitReading.hypotheses(of: object)).map {
      unit, known in
      var hypothesis = known
      // Predictions have no units in the schema.
      if unit != .metres { hypothesis.fix = "multiply \(object) by \(unit.factor)" }
      if unit == .thousandTimesTooLarge {
        hypothesis.fix += ", or give it again as `\(flag: "prediction") \(name):millimetres=…`"
      }
      return hypothesis
    }
    return [
      ConventionAxis(
        id: "prediction-unit:\(name)", title: "Unit of the prediction '\(name)'", hypotheses: hypotheses,
        declared: DepthUnitReading.metres.rawValue,
        // A metric network may be off by a factor of two without any fault of the file.
        leastExcess: 0.35, costUnit: "|log₁₀(LiDAR/prediction)|", fittingCost: 0.4,
        property: "kind metric: metres")
    ]
  }

  func objection(to sample: SceneSample) -> String? {
    sample.header.lidarSize == nil ? "the scene has no LiDAR depth" : nil
  }

  func costs(_ sample: SceneSample, _ axes: [ConventionAxis]) -> [ReadingCosts] {
    sample.costs(of: DepthUnitReading.allCases.count) { frame in
      guard let map = frame.predictions.first(where: { $0.header.name == name })?.map else { return [] }
      let grid = DepthGrid(frame)
      return grid.blockMedians(TruthConvention.logRatios(frame, grid, to: map)).map { ratio in
        DepthUnitReading.allCases
          .map { unit in abs((ratio ?? .nan) / Foundation.log(10) - Foundation.log10(unit.factor)) }
      }
    }
  }
}
