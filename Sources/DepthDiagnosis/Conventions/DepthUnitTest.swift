import DepthFusion
import Foundation

/// Whether depths are metres once `units` and `scale` were applied.
///
/// Cost: by how many decades the median depth lies outside of what is plausible. Declared metres may be anything that
/// people record (0.1–50 m); another unit must bring the depths to where a phone's LiDAR works (0.3–5 m).
public struct DepthUnitTest: ConventionTest {
  public init() {}

  private static let title = "Unit of the LiDAR depth"
  private static let declaredRange = 0.1...50.0, phoneRange = 0.3...5.0

  public func axes(for sample: SceneSample) -> [ConventionAxis] {
    [
      ConventionAxis(
        id: "depth-unit", title: Self.title, hypotheses: DepthUnitReading.hypotheses(of: "lidar/depth"),
        declared: DepthUnitReading.metres.rawValue, leastExcess: 0.25,
        costUnit: "decades of the median depth outside a plausible range")
    ]
  }

  public func objection(to sample: SceneSample) -> String? {
    sample.header.lidarSize == nil ? "the scene has no LiDAR depth" : nil
  }

  public func costs(_ sample: SceneSample, _ axes: [ConventionAxis]) -> [ReadingCosts] {
    let medians = sample.frames.flatMap { frame in
      let grid = DepthGrid(frame)
      return grid.blockMedians(grid.disparity.map { 1 / $0 })
    }
    return DepthUnitReading.allCases.enumerated().map { position, unit in
      let range = unit == .metres ? Self.declaredRange : Self.phoneRange
      return ReadingCosts([position], medians.map { Self.decades($0 * unit.factor, outside: range) })
    }
  }

  private static func decades(_ depth: Double, outside range: ClosedRange<Double>) -> Double {
    let nearest = min(max(depth, range.lowerBound), range.upperBound)
    return abs(Foundation.log10(depth / nearest))
  }
}

/// What a metric number may be that should be metres.
enum DepthUnitReading: String, CaseIterable {
  case metres
  case thousandTimesTooLarge = "thousand-times-too-large"
  case hundredTimesTooLarge = "hundred-times-too-large"
  case hundredTimesTooSmall = "hundred-times-too-small"
  case thousandTimesTooSmall = "thousand-times-too-small"

  /// Number × this = metres.
  var factor: Double {
    switch self {
    case .metres: 1
    case .thousandTimesTooLarge: 1e-3
    case .hundredTimesTooLarge: 1e-2
    case .hundredTimesTooSmall: 1e2
    case .thousandTimesTooSmall: 1e3
    }
  }

  /// - Parameter object: The array, below the scene's group.
  static func hypotheses(of object: String) -> [Hypothesis] {
    allCases.map { unit in
      let (statement, fix) =
        switch unit {
        case .metres: ("the numbers are metres as declared", "nothing")
        case .thousandTimesTooLarge: ("the numbers are millimetres", "set units of \(object) to 'mm'")
        case .hundredTimesTooLarge: ("the numbers are centimetres", "set units of \(object) to 'cm'")
        case .hundredTimesTooSmall, .thousandTimesTooSmall:
          ("the numbers are metres already", "set units of \(object) to 'm', and scale to 1")
        }
      return Hypothesis(
        unit.rawValue, statement, symptom: "depths are \(unit.rawValue.replacing("-", with: " "))", fix: fix,
        correction: unit == .metres ? nil : .unit(object: object, factor: unit.factor))
    }
  }
}
