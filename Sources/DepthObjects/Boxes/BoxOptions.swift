public import DepthCore

/// The constants of the box methods (domain §5).
public struct BoxOptions: Sendable, Hashable, Codable {
  /// Fewest points of a box from points; `six-point` needs one.
  public var minimumPoints = 10
  /// Least size of a box along each axis, metres.
  public var sizeFloor = 0.02
  /// Between which shares of the sorted depths `pca-xz` takes points, 0…1.
  public var specifiedDepthShares = 0.1...0.9
  /// The same of the methods that take them from an eroded mask.
  public var erodedDepthShares = 0.05...0.95
  /// Steps of erosion, as a share of the box's shorter side in mask pixels.
  public var erosionShare = 0.05
  /// Fewest and most steps of erosion.
  public var erosionSteps = 1...3
  public init() {}
}

extension PointSelection {
  /// What a box method wants to be fitted to.
  public enum Kind: Sendable, Hashable {
    case specified, eroded, everything
  }

  /// A kind of selection with these constants.
  public init(_ kind: Kind, _ options: BoxOptions) {
    switch kind {
    case .specified:
      self.init(
        lowestDepthShare: options.specifiedDepthShares.lowerBound,
        highestDepthShare: options.specifiedDepthShares.upperBound)
    case .eroded:
      self.init(
        erosion: .crossSteps(
          share: options.erosionShare, fewest: options.erosionSteps.lowerBound,
          most: options.erosionSteps.upperBound),
        lowestDepthShare: options.erodedDepthShares.lowerBound,
        highestDepthShare: options.erodedDepthShares.upperBound)
    case .everything: self = .everything
    }
  }
}

extension BoxOptions: DeclaredOptions {
  public static let rules: [Rule] = [
    // The robust covariance starts from three points.
    Rule("box-points", \.minimumPoints, .atLeast(3), help: "Smallest number of points of a box"),
    Rule("box-size-floor", \.sizeFloor, .from(0, to: 1e6), .metres, help: "Smallest side of a box"),
    Rule(
      "specified-depths", \.specifiedDepthShares, .from(0, to: 1),
      help: "pca-xz: quantiles of the sorted depths between which points are taken"),
    Rule(
      "eroded-depths", \.erodedDepthShares, .from(0, to: 1),
      help: "The same for the methods with an eroded mask"),
    Rule(
      "erosion-share", \.erosionShare, .from(0, to: 1),
      help: "Erosion of their mask, as a fraction of the box's shorter side"),
    Rule(
      "erosion-steps", \.erosionSteps, .from(0, to: 100), .maskPixels,
      help: "Smallest and largest number of steps of that erosion"),
  ]
}
