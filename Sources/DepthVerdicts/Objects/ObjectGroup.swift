import DepthCore
public import DepthEvaluation
import DepthObjects
public import FathomStatistics

/// A mean over scenes with what it is made from.
public struct ObjectEstimate: Sendable {
  public var value: Double
  /// 95 %, over scenes; nil for fewer than four scenes.
  public var interval: ConfidenceInterval?
  public var objects: Int, scenes: Int
}

/// Two depth maps or box methods on the objects that both have.
public struct ObjectDifference: Sendable {
  public var value: Double, reference: Double
  /// Of the difference; nil for fewer than four scenes.
  public var interval: ConfidenceInterval?
  public var objects: Int, scenes: Int
  public var difference: Double { value - reference }
}

/// Objects of one kind in one depth map, boxed by one method.
public struct ObjectGroup: Sendable {
  /// What the objects have in common.
  public let division: ObjectDivision
  /// Name of the bin; "all" where the objects are not divided.
  public let bin: String
  public let depth: String, method: String
  /// Detections above the confidence threshold.
  public let objects: Int
  public let boxed: Int
  /// Those whose true box is known, boxed or not.
  public let known: Int
  /// Scenes with a detection.
  public let scenes: Int
  /// One per `ObjectMetric.all`.
  public let values: [ObjectEstimate?]

  public subscript(_ metric: ObjectMetric) -> ObjectEstimate? {
    ObjectMetric.index(of: metric.id).flatMap { values[$0] }
  }
}

/// A way to divide objects.
public enum ObjectDivision: String, Sendable, CaseIterable {
  case all, label = "class", range, visibility

  /// The bin of an object, with what bins are ordered by; nil where it belongs to none.
  func bin(of object: ObservedObject) -> (order: Int, name: String)? {
    switch self {
    case .all: return (0, "all")
    case .label: return (0, object.label)
    case .range:
      guard let range = object.range, range.isFinite else { return nil }
      let metre = min(Int(saturating: range), Self.farthest)
      return (metre, metre < Self.farthest ? "\(metre)–\(metre + 1) m" : "\(metre) m and more")
    case .visibility:
      guard let share = object.visibility?.share else { return nil }
      let index = Self.visibilities.firstIndex { share >= $0.least } ?? Self.visibilities.count - 1
      return (index, Self.visibilities[index].name)
    }
  }

  private static let farthest = 5
  /// Smallest share of the box's outline that the mask covers, from the most visible on.
  private static let visibilities = [
    (least: 0.5, name: "full (mask covers half of the outline or more)"),
    (least: 0.2, name: "partly (from a fifth on)"), (least: -Double.infinity, name: "hardly (less)"),
  ]
}
