/// What is wrong with a recording of a wall or a board.
public struct WallFinding: Sendable, Hashable, Codable {
  public enum Kind: String, Sendable, Hashable, Codable {
    /// No distance was taped.
    case untaped
    /// The corners do not fit the board; the value is ``BoardPose/reprojection`` of the worst frame, pixels.
    case misfit
    /// Fewer frames than ``WallTest/advisedFrames``; with fewer than 3 nothing is said about the noise.
    case fewFrames = "few-frames"
    /// The value is ``WallPlacement/copies``.
    case copies
    /// The value is ``WallPlacement/bow``, metres.
    case notFlat = "not-flat"
    /// The value is measured over taped distance.
    case distanceFactor = "distance-factor"
    /// The value is the angle between the two faces, degrees.
    case notParallel = "not-parallel"
    /// The value is the wall's, or both faces', share of the pixels with depth; of a board the share of its pixels that were taken.
    case smallWall = "small-wall"
    /// The value is the difference of the means of the two halves of the recording, metres.
    case moved
    /// One distance, or equal ones: the scale cannot be measured. Of a board the value is its farthest over its nearest mean depth: too near 1.
    case oneDistance = "one-distance"
    /// The value is the largest distance from the line, metres: the distances do not follow scale and offset within their uncertainty.
    case notLinear = "not-linear"
  }

  public let kind: Kind
  /// nil where it is about all.
  public let scene: String?
  public let value: Double?
  /// Whether nothing may be decided because of it.
  public let prevents: Bool
  public static let untaped = WallFinding(kind: .untaped, scene: nil, value: nil, prevents: true)
}
