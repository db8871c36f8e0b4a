import DepthCore

/// One combination of flips over all objects of a scene: a row of the table that the diagnosis prints.
///
/// A mean or median is over the objects that have the value; nil where none has.
public struct FlipRow: Sendable, Hashable, Codable {
  /// Id of the combination.
  public var flips: String
  public var objects: Int
  /// Mean of the objects' costs.
  public var cost: Double?
  /// Means, 0…1: see ``FlipMeasurement``.
  public var depthAgreement: Double?, maskInBox: Double?, outlineOnEdges: Double?
  public var boxNearness: Double?, boxInTrueImage: Double?, pointsInTrueBox: Double?
  public var otherFramesDisagreement: Double?, iou: Double?
  /// Share of the objects with mask and depths whose depths are those under the mask, 0…1.
  public var maskedShare: Double?
  /// Medians; centimetres, along the ray without sign.
  public var lateralCentimetres: Double?, alongRayCentimetres: Double?, thirdFlipShiftCentimetres: Double?
  /// Median of 1.4826·MAD over median of an object's depths.
  public var depthSpread: Double?

  /// - Parameter measurements: One per object, of one combination.
  init(_ flips: String, _ measurements: [FlipMeasurement]) {
    func mean(_ value: (FlipMeasurement) -> Double?) -> Double? {
      let values = measurements.compactMap(value)
      return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }
    func median(_ value: (FlipMeasurement) -> Double?) -> Double? {
      OrderStatistics.median(of: measurements.compactMap(value))
    }
    (self.flips, objects) = (flips, measurements.count)
    cost = mean(\.cost)
    depthAgreement = mean(\.depthAgreement)
    maskInBox = mean(\.maskInBox)
    outlineOnEdges = mean(\.outlineOnEdges)
    boxNearness = mean(\.boxNearness)
    boxInTrueImage = mean(\.boxInTrueImage)
    pointsInTrueBox = mean(\.pointsInTrueBox)
    otherFramesDisagreement = mean(\.otherFramesDisagreement)
    iou = mean(\.iou)
    maskedShare = mean { $0.isMasked.map { $0 ? 1 : 0 } }
    lateralCentimetres = median(\.lateralCentimetres)
    alongRayCentimetres = median { $0.alongRayCentimetres.map { abs($0) } }
    thirdFlipShiftCentimetres = median(\.thirdFlipShiftCentimetres)
    depthSpread = median(\.depthSpread)
  }
}
