public import DepthCore

/// Everything that determines a simulated data set: the same options give the same bytes.
public struct SynthesisOptions: Sendable, Hashable {
  /// Name of the data set, and of its scenes with a number behind.
  public var name = "demo"
  /// What kind of place the scenes are.
  public var setting = SceneSetting.furnishedRoom
  /// Seed of every random value; a stream per scene, frame and purpose is derived from it. The presets share 1, and so
  /// their rooms, but for `large`.
  public var seed: UInt64 = 1
  /// Seed of what sensors and network add to a place; nil for `seed`. Another one records the same place again.
  public var noiseSeed: UInt64?
  /// Number of scenes, each a room of its own.
  public var sceneCount = 6
  public var framesPerScene = 8
  public var frameIntervalSeconds = 0.2
  /// Whether the person who holds the camera walks a loop of about 1.4 × 0.8 m, a step or two each second, instead of standing.
  public var walks = false
  /// The image that the intrinsics belong to, 4:3.
  public var imageSize = RasterSize(width: 1920, height: 1440)
  /// Resolution of the exact depth.
  public var truthSize = RasterSize(width: 960, height: 720)
  /// Resolution of the LiDAR map.
  public var lidarSize = RasterSize(width: 256, height: 192)
  /// Resolution of the network's map.
  public var relativeSize = RasterSize(width: 518, height: 392)
  /// Resolution of the colour image.
  public var colourSize = RasterSize(width: 480, height: 360)
  /// Whether detections have masks; without them they are found at half the resolution along both axes.
  public var hasMasks = true
  /// How much of the LiDAR map is at which confidence.
  public var levelShares = ConfidenceShares.fused
  /// Share of the high-confidence returns replaced by a false depth of 0.3–1 m.
  public var outlierShare = 0.0
  /// Where given, the LiDAR's standard deviation at confidence 0, 1 and 2, instead of a phone's errors: independent Gaussian
  /// noise around the exact depth of the pixel's centre, without flying pixels, outliers, withdrawn returns and rounding to
  /// millimetres.
  public var noiseLaw: [RangeLaw]?
  /// Whether every scene is recorded by sensors of its own, drawn at random: the zoo. Place, confidence shares, noise and
  /// network of a scene are the draw's then.
  public var drawsSensors = false
  /// For frames in turn: how many returns at confidence 2 remain, all at 0.1–4 m; nil leaves a frame as it is.
  public var highConfidenceReturns: [Int?] = []
  /// What the networks of the scenes give, in turn.
  public var networks: [SyntheticNetwork] = [.disparity, .disparity, .normalisedDisparity]
  /// Largest relative error of the network's smooth distortion.
  public var distortion = 0.07
  /// Standard deviation of the network's relative noise, pixel by pixel.
  public var networkNoise = 0.004
  /// Standard deviation of the Gaussian that softens the network's edges, pixels of its map.
  public var edgeSoftness = 1.0
  /// Where given, every frame's shift is chosen so that the map's sd/mean is this.
  public var relativeSpread: Double?
  /// The options of `SynthesisPreset.demo`.
  public init() {}
}

/// What kind of place a scene is.
public enum SceneSetting: String, Sendable, Hashable, CaseIterable {
  /// A living room of about 5 × 5 m.
  case furnishedRoom = "room"
  /// A study of about 3 × 3.5 m, so that every return lies in the specification's 0.1–4 m.
  case smallRoom = "study"
  /// Nothing in view but one wall, 1.4–1.7 m away and turned by about 3°.
  case flatWall = "wall"
  /// A concrete hall of about 12 × 14 m with little that reflects.
  case darkHall = "hall"
}

/// What a simulated monocular network gives.
public enum SyntheticNetwork: String, Sendable, Hashable, CaseIterable {
  /// Disparity with a scale and shift of its own in every frame, as Depth Anything gives.
  case disparity
  /// Depth with a scale and shift, as Marigold gives.
  case depth
  /// Disparity divided by the frame's maximum, as the Core ML conversion of Depth Anything gives.
  case normalisedDisparity = "normalised-disparity"

  /// What the values mean.
  public var kind: RelativeKind { self == .depth ? .depth : .disparity }
}

/// Shares of the three confidence levels; they add up to 1.
public struct ConfidenceShares: Sendable, Hashable {
  /// Share at level 2, 1 and 0.
  public var high: Double, medium: Double, low: Double

  /// - Precondition: No share is negative and their sum is 1 within 1e-6.
  public init(high: Double, medium: Double, low: Double) {
    precondition(min(high, medium, low) >= 0, "a share is not negative")
    precondition(abs(high + medium + low - 1) < 1e-6, "shares add up to 1")
    (self.high, self.medium, self.low) = (high, medium, low)
  }

  /// 87, 10 and 3 %: well-lit rooms, the default.
  public static let fused = ConfidenceShares(high: 0.87, medium: 0.10, low: 0.03)
  /// 55, 15 and 30 %: as measured on an iPhone recording.
  public static let phone = ConfidenceShares(high: 0.55, medium: 0.15, low: 0.30)
}
