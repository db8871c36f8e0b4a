public import DepthCore

/// How a method ended on a frame; the order is that in which the reasons are looked at.
public enum FusionStatus: String, Sendable, Hashable, Codable, CaseIterable {
  /// The method needs a LiDAR and the scene has none.
  case noLidar = "no_lidar"
  /// The method needs a relative map and the scene has none.
  case noRelative = "no_relative"
  /// Fewer pairs than asked for.
  case tooFewPairs = "too_few_pairs"
  /// The pairs do not determine a slope.
  case degenerate
  /// The guard on the scale said no.
  case rejectedScale = "rejected_scale"
  /// Nothing to score against.
  case noTruth = "no_truth"
  /// What came out cannot be, whatever the data: a fault of Fathom. The row has no values.
  case impossible
  case ok
}

/// A depth map that a method predicts, and how it is read between its pixels.
public struct Prediction: Sendable {
  /// How a map is read at the truth's pixels.
  public enum Sampling: Sendable, Hashable {
    /// Column floor((2x+1)·w/(2·w_t)), rows alike.
    case nearest
    /// Between pixel centres, clamped at the edges; a missing neighbour that has weight makes the sample missing.
    case bilinear
  }

  public enum Unit: String, Sendable, Hashable, Codable, CaseIterable {
    case metres
    /// Depth up to scale, and perhaps shift.
    case depth
    /// 1/depth up to scale, and perhaps shift.
    case disparity
  }

  /// In ``unit``; NaN where there is no prediction.
  public var depth: DepthMap
  public var sampling: Sampling
  /// A map that is not in metres has no error before it is fitted.
  public var unit: Unit

  public init(depth: DepthMap, sampling: Sampling = .bilinear, unit: Unit = .metres) {
    (self.depth, self.sampling, self.unit) = (depth, sampling, unit)
  }
}

/// What a method did with one frame. Numbers are filled whenever they were computed, also on refusal.
public struct FusionResult: Sendable {
  public var status: FusionStatus
  /// In words, where there is something to say.
  public var reason: String?
  /// Pairs that entered the fit.
  public var pairs: Int?
  /// Pairs that agree with the line.
  public var inliers: Int?
  /// The form that the method chose on this frame, where its id does not fix one.
  public var space: Space?
  /// The line, in the method's space.
  public var line: Line?
  /// What the pairs can carry.
  public var design: DesignDiagnostics?
  /// The slope that the same pairs and rule give in Double; only from methods that compute in Float32.
  public var scaleInDouble: Double?
  /// The fused map; nil where the method refused.
  public var prediction: Prediction?
  /// Standard deviation of the map's error at its pixels, metres; nil where it was not asked for, or the method gives none.
  public var deviation: DepthMap?
  /// Score of confidence at its pixels, without a unit, larger where the network is surer; nil where the data have none.
  public var confidence: DepthMap?
  /// What the deviation is made of, where a method found it from the frame.
  public var deviationParts: DeviationParts?
  public init(status: FusionStatus, reason: String? = nil) { (self.status, self.reason) = (status, reason) }
}
