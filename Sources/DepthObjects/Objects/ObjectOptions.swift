public import DepthCore

/// The constants by which an object's points are chosen (domain §5).
public struct ObjectOptions: Sendable, Hashable, Codable {
  /// Erosion of the mask, and between which of the sorted depths points are kept.
  public var selection = PointSelection.specified
  /// Lowest ARKit confidence of a return.
  public var minimumConfidence: UInt8 = 2
  /// Depths that count, inclusive, metres.
  public var depthRange: ClosedRange<Float> = 0.1...4
  /// A point's mask value must be above it.
  public var maskThreshold: Float = 0.5
  /// With fewer depths under the mask than this, all depths of the box count.
  public var fewestMaskedDepths = 3
  /// Which rows are turned over; nil for what the conventions call for.
  public var flips: RowFlips?
  /// Where in a depth pixel its ray starts, 0…1 along both axes: ½ is its centre; the app's code uses 0.
  public var unprojectionOffset = 0.5
  /// How the network's input was letterboxed.
  public var letterboxRounding = Letterbox.Rounding.none
  public init() {}

  /// Without the selection, which is the box method's.
  private enum CodingKeys: String, CodingKey {
    case minimumConfidence, depthRange, maskThreshold, fewestMaskedDepths, flips, unprojectionOffset
    case letterboxRounding
  }
}

extension ObjectOptions: DeclaredOptions {
  /// Its options; the letterbox is another's, too.
  public static let rules: [Rule] = [
    Rule(
      "object-confidence", \.minimumConfidence, .from(0, to: 2),
      help: "Lowest confidence of a LiDAR return on an object"),
    Rule("object-range", \.depthRange, .above(0, to: 1000), .metres, help: "Depths that an object may have"),
    Rule(
      "mask-threshold", \.maskThreshold, .from(0, below: 1), help: "A point's mask value must be above this"),
    Rule(
      "masked-depths", \.fewestMaskedDepths, .atLeast(1),
      help: "With fewer depths under the mask, all pixels of the box count"),
    Rule(
      "object-flips", \.flips, standard: "conventions",
      help: "Rows to flip, or conventions for the flips that the data need"),
    Rule(
      "unprojection-offset", \.unprojectionOffset, .from(0, to: 1),
      help: "Where in a depth pixel its ray starts; the app's code uses 0"),
  ]
}
