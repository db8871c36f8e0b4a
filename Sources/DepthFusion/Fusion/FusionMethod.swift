public import DepthCore

/// A way from one frame to a metric depth map.
public protocol FusionMethod: Sendable {
  /// As in every file, with the form where it has one: "ols@disparity".
  var id: String { get }
  /// The form in which it fits; nil for a method that fits nothing.
  var space: Space? { get }
  /// What it is.
  var role: MethodRole { get }
  /// Lowest confidence of its pairs under these options; nil for a method that selects none, or by its own rules.
  func minConfidence(under options: FusionOptions) -> UInt8?
  /// Whether it looks at the frames before.
  var needsHistory: Bool { get }
  /// Whether it looks at the camera image, where there is one.
  var needsImage: Bool { get }
  /// Whether it is held to the sensor's own map, whatever the options say about its correction and smoothing.
  var isLiteral: Bool { get }
  /// Whether it says how sure it is of each pixel, where it is asked (``FusionContext/wantsDeviation``).
  var givesDeviation: Bool { get }
  /// Fuses one frame. The generator is the only source of randomness.
  func fuse(_ frame: DepthFrame, in context: FusionContext, using generator: inout SplitMix64) -> FusionResult
}

extension FusionMethod {
  /// Whether it looks at the truth, which no app can.
  public var isOracle: Bool { role == .oracle }
  public func minConfidence(under options: FusionOptions) -> UInt8? { nil }
  public var needsHistory: Bool { false }
  public var needsImage: Bool { false }
  public var isLiteral: Bool { needsHistory }
  public var givesDeviation: Bool { false }
}

/// What a method may know beside the frame.
public struct FusionContext: Sendable {
  /// Selection and estimator options.
  public var options: FusionOptions
  /// What the scene's relative values mean, declared or found.
  public var relativeKind: RelativeKind
  /// Truth depths that count, metres, lower end exclusive; only an oracle looks at them.
  public var truthRange: ClosedRange<Double>
  /// Resolution at which the map will be used, where it is known; a method that mixes maps of two resolutions
  /// writes its map at this one, so that neither is resampled twice.
  public var outputSize: RasterSize?
  /// Whether results say the standard deviation of each pixel.
  public var wantsDeviation = false
  /// Frames before this one, newest first, with LiDAR and camera only.
  public var history: [DepthFrame] = []
  public var cameraConvention = CameraConvention.unknown
  private let shared = SharedFindings()

  public init(
    options: FusionOptions = FusionOptions(), relativeKind: RelativeKind = .unknown,
    truthRange: ClosedRange<Double> = 0.1...10
  ) { (self.options, self.relativeKind, self.truthRange) = (options, relativeKind, truthRange) }

  /// The LiDAR's noise, found once for a frame.
  func noise(of frame: DepthFrame) -> LidarNoise { shared.noise(of: frame, options) }

  /// The LiDAR averaged with the frames before, found once for a frame.
  func smoothed(_ frame: DepthFrame) throws(TemporalFailure) -> TemporalFilter.Smoothed {
    try shared.smoothed(frame, self).get()
  }

  /// Whether a true depth lies in the range, compared in the files' Float32.
  func isScored(_ depth: Float) -> Bool {
    depth > Float(truthRange.lowerBound) && depth <= Float(truthRange.upperBound)
  }
}
