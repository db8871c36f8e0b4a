/// What one object looks like under one combination of the three flips. What the data do not hold is nil.
public struct FlipMeasurement: Sendable, Hashable, Codable {
  /// Id of the combination: "box-flip+mask-flip+image-flip".
  public var flips = ""
  /// Sum of the shares of box, mask and points in the wrong place, each 0…1; nil where nothing was measured.
  public var cost: Double?
  /// Share of the object's depths within the true box's range of depth and 5 cm, 0…1. The third flip does not matter.
  public var depthAgreement: Double?
  /// 1.4826·MAD of the object's depths over their median.
  public var depthSpread: Double?
  /// Whether depths under the mask were found; false where the whole box stands in. nil without a mask or any depth.
  public var isMasked: Bool?
  /// Share of the mask in its box, 0…1.
  public var maskInBox: Double?
  /// How much of the mask's outline lies on edges of LiDAR depth, 0…1.
  public var outlineOnEdges: Double?
  /// How far the box stands out from what is beside it, 0…1, ½ not at all.
  public var boxNearness: Double?
  /// Share of the detected box within the true box's image, 0…1.
  public var boxInTrueImage: Double?
  /// Share of the object's points in the true box and 5 cm around it, 0…1.
  public var pointsInTrueBox: Double?
  /// Mean of |z − d|/d, up to 0.2, over 0.2, of its pixels carried to other frames: 0…1. Depends on the third flip only.
  public var otherFramesDisagreement: Double?
  /// Centre of the box fitted by `pca-xz`: distance across the ray, and along it (positive is too far); centimetres.
  public var lateralCentimetres: Double?, alongRayCentimetres: Double?
  /// Of that box and the true one, 0…1.
  public var iou: Double?
  /// How far the third flip moves the object's points, in the median; centimetres.
  public var thirdFlipShiftCentimetres: Double?
  init() {}
}

/// A detected object under every combination of flips.
public struct FlippedObject: Sendable, Hashable, Codable {
  /// Frame that it was seen in, from 0.
  public var frame: Int
  /// Position among the scene's detections, from 0.
  public var object: Int
  public var label: String
  /// In the order of ``ObjectFlips/combinations``.
  public var measurements: [FlipMeasurement]
}
