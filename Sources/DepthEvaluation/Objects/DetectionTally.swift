package import DepthObjects

/// Right, wrong and missed detections, added up over the frames of each scene.
public struct DetectionTally: Sendable {
  /// A scene's counts.
  package struct Scene: Sendable {
    package let name: String
    package var classes: [String: DetectionCounts] = [:]
  }

  package private(set) var scenes: [Scene] = []
  public init() {}
  public var isEmpty: Bool { scenes.isEmpty }

  /// Adds a frame.
  /// - Parameter record: The frames of a scene come one after the other.
  public mutating func add(_ record: DetectionRecord) {
    if scenes.last?.name != record.scene { scenes.append(Scene(name: record.scene)) }
    for row in record.classes {
      scenes[scenes.count - 1].classes[row.label, default: DetectionCounts()] += row.counts
    }
  }
}

extension DetectionCounts {
  package static func += (left: inout DetectionCounts, right: DetectionCounts) {
    left.matched += right.matched
    left.spurious += right.spurious
    left.missed += right.missed
  }
}
