import DepthCore
import DepthFusion
import FathomPlainText
import Foundation

/// Whether LiDAR and truth are metres once `units` and `scale` were applied; judged together, because they say the same.
///
/// Cost, by blocks of the image: by how many decades the median depths lie outside of what is plausible, and by how many
/// the two differ. Declared metres may be anything that people record, from within a body to across a street (0.01–50 m);
/// another unit must bring the depths to where a phone's LiDAR works (0.3–5 m).
public struct DepthUnitConvention: CompetingConvention {
  public init() {}
  public let correctable = ["depth-unit", "truth-unit"]
  private static let declaredRange = 0.01...50.0, phoneRange = 0.3...5.0

  public func axes(for sample: SceneSample) -> [ConventionAxis] {
    [
      ("depth-unit", "Unit of the LiDAR depth", "lidar/depth"),
      ("truth-unit", "Unit of the truth", "truth/depth"),
    ]
    .prefix(Self.hasTruth(sample) ? 2 : 1).map { id, title, object in
      ConventionAxis(
        id: id, title: title, hypotheses: DepthUnitReading.hypotheses(of: object),
        declared: DepthUnitReading.metres.rawValue, leastExcess: 0.19,
        costUnit: "decades outside a plausible range, and between LiDAR and truth", fittingCost: 0.3,
        property: "units and scale of \(object)")
    }
  }

  private static func hasTruth(_ sample: SceneSample) -> Bool { sample.frames.contains { $0.truth != nil } }

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    if let reason = earlier.reasonToWait(for: [
      DepthAcrossFramesConvention.id, DepthAcrossFramesConvention.truth,
    ]) {
      return axes(for: sample).map { Finding(notTestable: $0, in: sample.header, reason) }
    }
    let found = findings(in: sample, seed: seed).map(Self.decided)
    guard found.count == 1 else { return found }
    return found + [
      Finding(
        "truth-unit", "Unit of the truth", in: sample.header, verdict: .notTestable,
        summary: "the scene has no truth")
    ]
  }

  /// Numbers that are not metres: millimetres, where these are possible, are likelier than centimetres.
  private static func decided(_ finding: Finding) -> Finding {
    guard finding.verdict == .undecidable,
      finding.readings.contains(where: { $0.hypothesis.id == finding.declared && !$0.isConsistent })
    else { return finding }
    let likely = [DepthUnitReading.thousandTimesTooLarge, .thousandTimesTooSmall].map(\.rawValue)
    guard
      let reading = finding.readings.first(where: { $0.isConsistent && likely.contains($0.hypothesis.id) })
    else { return finding }
    var decided = finding
    (decided.verdict, decided.supported) = (.contradicted, reading.hypothesis.id)
    (decided.fix, decided.correction) = (reading.hypothesis.fix, reading.hypothesis.correction)
    decided.summary =
      "declared 'metres', but \(reading.hypothesis.statement). What it looks like: \(reading.hypothesis.symptom)"
    // Of metres, which are rejected, not of centimetres, which are not.
    let declared = finding.readings.first { $0.hypothesis.id == finding.declared }
    decided.margin = declared.flatMap { declared in
      finding.units.map { Evidence.margin((declared.excess, declared.standardError), units: $0) }
    }
    return decided
  }

  /// Feet look like metres: only a truth, or poses that are in metres, tell them apart. A confirmation of a unit that nothing is
  /// left where there is neither.
  static func allowingFeet(_ finding: Finding, after all: [Finding]) -> Finding {
    let tests: Set = ["truth-unit", "pose-scale"]
    guard finding.test == "depth-unit", finding.verdict == .confirmed,
      !all.contains(where: { tests.contains($0.test) && $0.verdict == .confirmed })
    else { return finding }
    return finding.undecided(
      "no millimetres and no centimetres; feet would look the same where no truth and no poses of this scale speak "
        + "against them")
  }

  public func objection(to sample: SceneSample) -> String? {
    sample.header.lidarSize == nil ? "the scene has no LiDAR depth" : nil
  }

  public func costs(_ sample: SceneSample, _ axes: [ConventionAxis]) -> [ReadingCosts] {
    let isAlone = axes.count == 1
    let (blocks, frames) = sample.parts { frame -> [(lidar: Double, truth: Double?)] in
      let grid = DepthGrid(frame)
      let lidar = grid.blockMedians(grid.disparity.map { 1 / $0 })
      guard let truth = frame.truth else { return isAlone ? lidar.map { ($0 ?? .nan, nil) } : [] }
      let ratios = grid.blockMedians(TruthConvention.logRatios(frame, grid, to: truth))
      return zip(lidar, ratios)
        .map { lidar, ratio in (lidar ?? .nan, ratio.map { (lidar ?? .nan) * Foundation.exp(-$0) }) }
    }
    return DepthUnitReading.allCases.enumerated().flatMap { i, unit in
      guard !isAlone
      else { return [ReadingCosts([i], blocks.map { Self.implausibility($0.lidar, unit) }, of: frames)] }
      return DepthUnitReading.allCases.enumerated().map { j, other in
        ReadingCosts(
          [i, j],
          blocks.map { lidar, truth in
            guard let truth else { return .nan }
            let difference = Foundation.log10(lidar * unit.factor / (truth * other.factor))
            return Self.implausibility(lidar, unit) + Self.implausibility(truth, other) + abs(difference)
          }, of: frames)
      }
    }
  }

  /// Decades outside of the range.
  private static func implausibility(_ stored: Double, _ unit: DepthUnitReading) -> Double {
    let (depth, range) = (stored * unit.factor, unit == .metres ? declaredRange : phoneRange)
    // Feet are rare, and look like metres; inches look like centimetres.
    return (unit == .feet ? 0.2 : unit == .inches ? 0.1 : 0)
      + abs(Foundation.log10(depth / min(max(depth, range.lowerBound), range.upperBound)))
  }
}

/// What a metric number may be that should be metres.
enum DepthUnitReading: String, CaseIterable {
  case metres, thousandTimesTooLarge = "thousand-times-too-large"
  case hundredTimesTooLarge = "hundred-times-too-large", hundredTimesTooSmall = "hundred-times-too-small"
  case thousandTimesTooSmall = "thousand-times-too-small", feet, inches

  /// Number × this = metres.
  var factor: Double {
    switch self {
    case .metres: 1
    case .thousandTimesTooLarge: 1e-3
    case .hundredTimesTooLarge: 1e-2
    case .hundredTimesTooSmall: 1e2
    case .thousandTimesTooSmall: 1e3
    case .feet: 0.3048
    case .inches: 0.0254
    }
  }

  /// - Parameter object: The array, below the scene's group.
  static func hypotheses(of object: String) -> [Hypothesis] {
    allCases.map { unit in
      let (statement, fix) =
        switch unit {
        case .metres: ("the numbers are metres", "nothing")
        case .thousandTimesTooLarge: ("the numbers are millimetres", "set units of \(object) to 'mm'")
        case .hundredTimesTooLarge: ("the numbers are centimetres", "set units of \(object) to 'cm'")
        case .hundredTimesTooSmall, .thousandTimesTooSmall:
          ("the numbers are metres already", "set units of \(object) to 'm', and scale to 1")
        case .feet: ("the numbers are feet", "multiply \(object) by 0.3048, or set its scale to that")
        case .inches: ("the numbers are inches", "multiply \(object) by 0.0254, or set its scale to that")
        }
      return Hypothesis(
        unit.rawValue, statement,
        symptom: unit == .feet || unit == .inches
          ? "depths are \(Quantity.significant(1 / unit.factor, 3)) times too large"
          : "depths are a \(unit.rawValue.replacing("-", with: " "))",
        fix: fix, correction: unit == .metres ? nil : .unit(object: object, factor: unit.factor))
    }
  }
}
