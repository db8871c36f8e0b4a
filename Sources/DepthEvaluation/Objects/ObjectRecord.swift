public import DepthCore
public import DepthObjects

/// A detected object as all of its rows have it.
public struct ObservedObject: Sendable, Hashable {
  /// Scene name, unique in the run.
  public var scene: String
  /// Position of the frame in the scene, from 0.
  public var frameIndex: Int
  /// `frame_id`, or the index.
  public var frame: String
  /// Position in the scene's detections; in the frame's where they were decoded.
  public var index: Int
  /// Class name.
  public var label: String
  /// Detector confidence, 0…1.
  public var score: Float
  /// The true box, in a y-up world.
  public var truth: OrientedBox?
  /// How much of the true box is seen.
  public var visibility: ObjectVisibility?
  /// Distance from the camera to the true box's centre, metres.
  public var range: Double?
}

/// One object, one depth map, one box method: a row of `objects.csv`.
public struct ObjectRecord: Sendable {
  /// How it ended; all but `ok` have no box.
  public enum Status: String, Sendable, CaseIterable {
    case ok
    /// The detector is not sure enough: a miss.
    case lowScore = "low_score"
    /// The method of the depth map gave none.
    case noMap = "no_map"
    /// No depth in its image box counts.
    case noDepth = "no_depth"
    /// Its image box is not finite.
    case badImageBox = "bad_image_box"
    case tooFewPoints = "too_few_points"
    /// A coordinate is not finite.
    case notFinite = "not_finite"
    /// LAPACK refused.
    case numerical
  }

  public var object: ObservedObject
  /// "lidar", "truth" or a method's id; nil for a detection below the confidence threshold.
  public var depth: String?
  /// Id of the box method; nil also where there is no depth map.
  public var method: String?
  public var status: Status
  /// In words, where there is no box.
  public var reason: String?
  /// Depths and points that the method worked with; nil where there were none.
  public var view: ObjectView?
  public var fit: BoxFit?
  /// Of the box; nil without true box.
  public var errors: BoxErrors?
  /// Per `PlacementMethod.all`: how far the effect stands from its true place; empty without depths or true box.
  public var placements: [PlacementError?] = []
  /// Per `PlacementAnchor.allCases`: height of the plane that its ray hits, world, metres.
  public var planeHeights: [Double?] = []

  /// A row without depth.
  init(
    _ object: ObservedObject, depth: String? = nil, method: String? = nil, status: Status,
    reason: String? = nil
  ) {
    (self.object, self.depth, self.method) = (object, depth, method)
    (self.status, self.reason) = (status, reason)
  }

  /// Error of a way of placing an effect; nil where it gave no place or the true one is unknown.
  public func placement(_ method: PlacementMethod) -> PlacementError? {
    guard let index = PlacementMethod.all.firstIndex(of: method), index < placements.count else { return nil }
    return placements[index]
  }
}

/// An object's depths in one map.
public struct ObjectView: Sendable, Hashable, BitwiseCopyable {
  /// Points that are left after the selection.
  public var pointCount: Int
  /// False where the mask left too few depths, so that all of the box count.
  public var isMasked: Bool
  /// What the distance label shows, metres.
  public var medianDepth: Double
  /// The same of the true depth; nil where the frame has none there.
  public var trueMedianDepth: Double?
  /// Of an effect on it, metres.
  public var effectWidth: Double
  /// Metres; positive is too far.
  public var labelError: Double? { trueMedianDepth.map { medianDepth - $0 } }
}

/// Right, wrong and missed detections of one frame.
public struct DetectionRecord: Sendable {
  public var scene: String, frameIndex: Int
  /// By class.
  public var classes: [DetectionScore.Row]
}
