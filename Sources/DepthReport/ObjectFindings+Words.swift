import PlainText
import DepthEvaluation
import Statistics

extension ObjectFindings {
  /// "the raw LiDAR", "the true depth", "the depth of `auto`"
  static func name(_ depth: String) -> String {
    switch depth {
    case ObjectPlan.lidar: "the raw LiDAR"
    case ObjectPlan.truth: "the true depth"
    default: "the depth of `\(depth)`"
    }
  }

  func centimetres(_ value: Double) -> String { Quantity.fixed(value, 1) + " cm" }

  func brackets(_ interval: ConfidenceInterval?) -> String {
    Quantity(nil, .decimals(1), low: interval?.low, high: interval?.high).bracket.map { " " + $0 } ?? ""
  }

  /// How sure a difference is, in its unit.
  func evidence(_ difference: ObjectDifference, decimals: Int = 1, unit: String = "cm") -> String {
    guard let interval = difference.interval else {
      return " (\(counted(difference.scenes, "scene")): too few for an interval)"
    }
    let range = Quantity(
      nil, .decimals(decimals, unit: unit), low: interval.low, high: interval.high
    ).interval
    return " (95 % interval \(range), which \(interval.excludesZero ? "excludes" : "includes") zero)"
  }

  func share(_ value: Double?, _ interval: ConfidenceInterval?) -> String {
    Quantity(value, .decimals(2), low: interval?.low, high: interval?.high).text
  }

  /// "a, b and c"
  func list(_ parts: [String]) -> String {
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return parts.dropLast().joined(separator: ", ") + " and " + last
  }
}
