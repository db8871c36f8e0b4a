internal import DepthCore

/// Ready-made options, each for one question.
public enum SynthesisPreset: String, Sendable, CaseIterable {
  case demo, sample, outliers, flatWall = "flat-wall", fewPairs = "few-pairs", phone, large, live
  case noiseLaw = "noise-law", zoo

  /// One line for people who choose.
  public var summary: String {
    switch self {
    case .demo: "6 rooms × 8 frames, truth at 960×720: the general case, disparity networks"
    case .sample: "2 rooms × 2 frames at low resolution, under 3 MB: for tests and examples"
    case .outliers: "20 % of the high-confidence returns at 0.3–1 m: what robust fits are for"
    case .flatWall: "one wall, relative spread 0.003: where Float32 sums lose the slope"
    case .fewPairs: "dark halls with around 20 usable returns in many frames"
    case .phone: "confidence 55/15/30 %, as measured on an iPhone"
    case .noiseLaw:
      "30 small scenes × 2 frames, independent LiDAR noise √(a²+(b·d)²) with known a, b: what calibrate must find"
    case .zoo:
      "40 scenes × 6 frames, each with a LiDAR, a network and poses drawn at random within published ranges"
    case .live: "one room for 30 s at 60 Hz, seen by a person who walks, with objects: what latency costs"
    case .large:
      "truth at 1920×1440, rooms that no other preset has (seed 1009): speed, and a test on unseen data"
    }
  }

  /// The options that the name stands for; every field may be changed afterwards.
  public var options: SynthesisOptions {
    var options = SynthesisOptions()
    options.name = rawValue
    switch self {
    case .demo: break
    case .sample:
      (options.sceneCount, options.framesPerScene) = (2, 2)
      options.truthSize = RasterSize(width: 320, height: 240)
      options.relativeSize = RasterSize(width: 259, height: 196)
      options.colourSize = RasterSize(width: 240, height: 180)
      options.networks = [.disparity, .depth]
    case .outliers:
      // A small room: where the 4 m limit drops honest returns only, the outliers' share of the pairs would grow.
      (options.setting, options.outlierShare, options.distortion) = (.smallRoom, 0.2, 0.015)
    case .flatWall:
      (options.setting, options.sceneCount) = (.flatWall, 2)
      options.networks = [.depth, .disparity]
      options.relativeSpread = 0.003
      (options.distortion, options.networkNoise) = (0.002, 0.0005)
    case .fewPairs:
      (options.setting, options.sceneCount) = (.darkHall, 3)
      options.highConfidenceReturns = [nil, 12, 20, 19, nil, 0, 26, 21]
    case .phone: (options.sceneCount, options.levelShares) = (4, .phone)
    case .noiseLaw:
      (options.sceneCount, options.framesPerScene, options.levelShares) = (30, 2, .phone)
      options.noiseLaw = [
        RangeLaw(a: 0.02, b: 0.03), RangeLaw(a: 0.01, b: 0.012), RangeLaw(a: 0.004, b: 0.004),
      ]
      // Truth at the LiDAR's own pixels, so that nothing is interpolated.
      (options.lidarSize, options.truthSize) = (
        RasterSize(width: 64, height: 48), RasterSize(width: 64, height: 48)
      )
      options.relativeSize = RasterSize(width: 98, height: 74)
      options.colourSize = RasterSize(width: 64, height: 48)
    case .zoo:
      (options.sceneCount, options.framesPerScene, options.drawsSensors) = (40, 6, true)
      options.truthSize = RasterSize(width: 480, height: 360)
      options.relativeSize = RasterSize(width: 392, height: 294)
      options.colourSize = RasterSize(width: 320, height: 240)
    case .live:
      (options.sceneCount, options.framesPerScene, options.frameIntervalSeconds) = (1, 1800, 1.0 / 60)
      (options.walks, options.hasMasks) = (true, false)
      (options.lidarSize, options.truthSize) = (
        RasterSize(width: 96, height: 72), RasterSize(width: 96, height: 72)
      )
      options.relativeSize = RasterSize(width: 98, height: 74)
      options.colourSize = RasterSize(width: 48, height: 36)
    case .large:
      // Rooms, networks and noise of its own: what was tuned on the other presets can be tested here.
      (options.seed, options.sceneCount, options.framesPerScene) = (1009, 4, 6)
      options.truthSize = RasterSize(width: 1920, height: 1440)
    }
    return options
  }
}
