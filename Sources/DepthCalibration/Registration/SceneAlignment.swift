public import DepthCore
public import DepthEvaluation

/// What one frame says of how its relative map and the LiDAR lie to each other.
public struct FrameAlignment: Sendable {
  let index: Int, edges: EdgeTally, scale: FrameScale?
}

/// How a scene's relative maps and its LiDAR lie to each other: a shift in the image, and a unit per frame. No truth is used.
public struct SceneAlignment: Sendable {
  public let name: String
  /// Whether there is anything to align.
  public let hasRelative: Bool
  private let kind: RelativeKind, seconds: [Double]?
  private(set) var edges = EdgeTally()
  private var scales: [FrameScale] = []

  /// - Parameter scene: With its kind resolved.
  public init(_ scene: SceneContext) {
    (name, kind) = (scene.name, scene.relativeKind)
    (hasRelative, seconds) = (scene.header.relativeSize != nil, scene.header.timestampsSeconds)
  }

  /// Measures a frame; may run at the same time as others.
  public func alignment(of frame: DepthFrame) -> FrameAlignment {
    FrameAlignment(
      index: frame.index, edges: EdgeTally(frame, kind: kind),
      scale: FrameScale(frame, kind: kind, seconds: seconds?[frame.index]))
  }

  /// Takes a frame in; frames come in order.
  public mutating func add(_ frame: FrameAlignment) {
    edges += frame.edges
    if let scale = frame.scale { scales.append(scale) }
  }

  /// Columns and rows by which the relative map lies beside the LiDAR, LiDAR pixels; nil for an axis with too few edges.
  public var shift: (x: Double?, y: Double?) { (edges.x, edges.y) }
  /// Depth edges along rows and columns that both maps show.
  public var edgeCounts: (across: Int, down: Int) { (edges.edgesAcross, edges.edgesDown) }
  /// nil without a relative map.
  public var drift: ScaleDrift? { ScaleDrift(scene: name, kind: kind, scales) }
}

extension SceneAlignment {
  /// What the frames of a scene gave, without what its header says.
  package struct Stored: Codable, Sendable {
    let edges: EdgeTally, scales: [FrameScale]
  }

  package var stored: Stored { Stored(edges: edges, scales: scales) }

  /// - Parameter scene: With its kind resolved.
  package init(_ stored: Stored, of scene: SceneContext) {
    self.init(scene)
    (edges, scales) = (stored.edges, stored.scales)
  }
}
