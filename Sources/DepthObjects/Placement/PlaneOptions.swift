/// The constants of finding horizontal planes in one frame.
public struct PlaneOptions: Sendable, Hashable, Codable {
  /// Lowest ARKit confidence of a return.
  public var minimumConfidence: UInt8 = 2
  /// Depths that count, inclusive, metres.
  public var depthRange: ClosedRange<Float> = 0.1...5
  /// A normal comes from neighbours this many depth pixels to either side.
  public var normalStep = 3
  /// A neighbour whose depth differs by more than this share belongs to something else.
  public var largestJump = 0.1
  /// Normals within this angle of up count, radians.
  public var largestTilt = 15 * Double.pi / 180
  /// A plane whose own points tilt more than this is none, radians.
  public var largestPlaneTilt = 5 * Double.pi / 180
  /// Height of a bin of the histogram, metres.
  public var binHeight = 0.01
  /// Points within this height of a plane belong to it, metres.
  public var reach = 0.03
  /// Fewest points of a plane.
  public var fewestPoints = 80
  /// Least area of a plane, square metres.
  public var leastArea = 0.05
  /// Side of the squares that the extent is made of, metres.
  public var cellSize = 0.1

  public init() {}
}
