import DepthCore

/// How the network's unit changes, over all scenes with a relative map.
public struct UnitDrift: Codable, Sendable, Equatable {
  /// Correlation from which on one is said to fall as the other rises.
  public static let falls = -0.7
  public var scenes: Int
  /// Median over scenes, and how many have it.
  public var flicker: Double?, scenesWithFlicker: Int
  /// Scenes with a slope, and those whose interval leaves out zero.
  public var scenesWithDrift: Int, drifting: Int
  /// Scenes in which every frame has the same maximum, and those in which α rises as something comes nearer.
  public var normalised: Int, followingNearest: Int
  /// Scenes whose maximum varies, and those in which α falls as it rises.
  public var varying: Int, followingMaximum: Int

  /// - Returns: nil for no scenes.
  init?(_ found: [ScaleDrift]) {
    guard !found.isEmpty else { return nil }
    scenes = found.count
    let flickers = found.compactMap(\.flicker)
    (flicker, scenesWithFlicker) = (OrderStatistics.median(of: flickers), flickers.count)
    scenesWithDrift = found.count { $0.drift != nil }
    drifting = found.count { $0.interval.map { !$0.contains(0) } ?? false }
    let normalised = found.filter(\.isNormalised)
    self.normalised = normalised.count
    followingNearest = normalised.count { ($0.correlationWithNearest ?? 0) <= Self.falls }
    let correlations = found.compactMap(\.correlationWithMaximum)
    varying = correlations.count
    followingMaximum = correlations.count { $0 <= Self.falls }
  }
}
