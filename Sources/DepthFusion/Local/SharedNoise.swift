import DepthCore
import Synchronization

/// The LiDAR's noise of one frame, found once for all methods that ask for it.
final class SharedNoise: Sendable {
  private struct Known {
    let lidar: DepthMap, confidence: Raster<UInt8>?, options: FusionOptions, noise: LidarNoise
  }

  private let known = Mutex<Known?>(nil)

  /// What was found before, where it was of the same returns and options. Maps that are one copy compare at once.
  func noise(of frame: DepthFrame, _ options: FusionOptions) -> LidarNoise {
    let before = known.withLock { $0 }
    if let before, before.lidar == frame.lidar, before.confidence == frame.confidence,
      before.options == options
    {
      return before.noise
    }
    let noise = LidarNoise(frame, options)
    known.withLock {
      $0 = Known(lidar: frame.lidar, confidence: frame.confidence, options: options, noise: noise)
    }
    return noise
  }
}
