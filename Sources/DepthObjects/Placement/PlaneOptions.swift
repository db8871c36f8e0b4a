public import DepthCore

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
  public var fewestPoints = 80
  /// Least area of a plane, square metres.
  public var leastArea = 0.05
  /// Side of the squares that the extent is made of, metres.
  public var cellSize = 0.1
  public init() {}
}

extension PlaneOptions: DeclaredOptions {
  public static let rules: [Rule] = [
    Rule(
      "plane-confidence", \.minimumConfidence, .from(0, to: 2),
      help: "Lowest confidence of a LiDAR return on a plane"),
    Rule("plane-range", \.depthRange, .above(0, to: 1000), .metres, help: "Depths that count for planes"),
    Rule(
      "plane-step", \.normalStep, .from(1, to: 100), .depthPixels,
      help: "Normals use neighbours at this distance on both sides"),
    Rule(
      "plane-jump", \.largestJump, .above(0, to: 100),
      help: "A neighbour whose depth differs by more than this fraction is not part of the same plane"),
    Rule(
      "plane-normal-tilt", \.largestTiltDegrees, .above(0, to: 90), .degrees,
      help: "Normals count if they are within this angle of up"),
    Rule(
      "plane-tilt", \.largestPlaneTiltDegrees, .above(0, to: 90), .degrees,
      help: "Largest tilt of a plane"),
    Rule("plane-bin", \.binHeight, .from(1e-3, to: 1), .metres, help: "Size of the height bins"),
    Rule(
      "plane-reach", \.reach, .above(0, to: 1), .metres,
      help: "Points within this height of a plane belong to it"),
    Rule("plane-points", \.fewestPoints, .atLeast(1), help: "Smallest number of points of a plane"),
    Rule("plane-area", \.leastArea, .from(0, to: 1e6), .squareMetres, help: "Smallest area of a plane"),
    Rule(
      "plane-cell", \.cellSize, .from(0.01, to: 10), .metres,
      help: "Side of the squares that make up a plane's extent"),
  ]

  /// The angles as they are written.
  var largestTiltDegrees: Double {
    get { largestTilt / .pi * 180 }
    set { largestTilt = newValue * .pi / 180 }
  }
  var largestPlaneTiltDegrees: Double {
    get { largestPlaneTilt / .pi * 180 }
    set { largestPlaneTilt = newValue * .pi / 180 }
  }
}
