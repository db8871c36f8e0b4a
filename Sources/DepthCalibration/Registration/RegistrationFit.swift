public import DepthCore

/// The shift between LiDAR and relative map over all scenes, and whether it should be corrected.
public struct RegistrationFit: Sendable {
  /// Why an axis is left in place, or that it is not.
  public enum Verdict: String, Codable, Sendable {
    case recommended
    /// The interval holds zero.
    case indistinguishable
    /// Below ``leastShift``.
    case tooSmall = "too-small"
    /// Too few to say anything about another one.
    case tooFewScenes = "too-few-scenes"
  }

  public struct Axis: Sendable {
    /// Mean over scenes, LiDAR pixels.
    public let shift: Double
    /// By Student's t over scenes; nil for one scene.
    public let interval: Interval?
    /// Scenes with enough edges.
    public let scenes: Int

    /// Whether it is there and large enough to matter.
    public var verdict: Verdict {
      guard scenes >= CorrectionFit.fewestScenes, let interval else { return .tooFewScenes }
      guard !interval.contains(0) else { return .indistinguishable }
      return abs(shift) < RegistrationFit.leastShift ? .tooSmall : .recommended
    }
    var isRecommended: Bool { verdict == .recommended }

    init?(_ values: [Double]) {
      guard !values.isEmpty else { return nil }
      (shift, scenes) = (values.reduce(0, +) / Double(values.count), values.count)
      interval = Interval(meanOf: values)
    }
  }

  /// Shifts below this are left alone, LiDAR pixels: where an edge lies is not known better in maps of two resolutions.
  public static let leastShift = 0.1
  /// Columns and rows; nil where no scene has enough edges.
  public let x: Axis?, y: Axis?
  /// Scenes with a relative map.
  public let scenes: [SceneAlignment]

  public init(_ scenes: [SceneAlignment]) {
    self.scenes = scenes.filter(\.hasRelative)
    x = Axis(self.scenes.compactMap(\.shift.x))
    y = Axis(self.scenes.compactMap(\.shift.y))
  }

  /// What a calibration should apply: an axis that is not to be told from zero, or too small, stays in place.
  public var recommended: PixelOffset {
    PixelOffset(
      x: x?.isRecommended == true ? x?.shift ?? 0 : 0, y: y?.isRecommended == true ? y?.shift ?? 0 : 0)
  }
}
