import DepthObjects

/// Right, wrong and missed detections, added up over the frames of each scene.
public struct DetectionTally: Sendable {
  /// A scene's counts.
  struct Scene: Sendable {
    let name: String
    var classes: [String: DetectionCounts] = [:]
  }

  private(set) var scenes: [Scene] = []
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
