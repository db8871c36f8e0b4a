import DepthCore
import Synchronization

/// What is found of one frame's LiDAR once for all methods that ask for it: its noise, and its mean with earlier frames.
final class SharedFindings: Sendable {
  /// What they were found of. Maps that are one copy compare at once.
  private struct Source: Equatable {
    let lidar: DepthMap, confidence: Raster<UInt8>?, options: FusionOptions
    var around: [Placed] = [], convention = CameraConvention.unknown
  }

  /// A frame's returns and its camera.
  private struct Placed: Equatable {
    let lidar: DepthMap, confidence: Raster<UInt8>?
    let intrinsics: CameraIntrinsics?, worldFromCamera: RigidTransform?, seconds: Double?

    init(_ frame: DepthFrame) {
      (lidar, confidence) = (frame.lidar, frame.confidence)
      (intrinsics, worldFromCamera) = (frame.intrinsics, frame.worldFromCamera)
      seconds = frame.timestampSeconds
    }
  }

  private struct Known<Value: Sendable>: Sendable {
    let source: Source, value: Value
  }

  private let knownNoise = Mutex<Known<LidarNoise>?>(nil)
  private let knownMean = Mutex<Known<Result<TemporalFilter.Smoothed, TemporalFailure>>?>(nil)

  func noise(of frame: DepthFrame, _ options: FusionOptions) -> LidarNoise {
    let source = Source(lidar: frame.lidar, confidence: frame.confidence, options: options)
    if let known = knownNoise.withLock({ $0 }), known.source == source { return known.value }
    let noise = LidarNoise(frame, options)
    knownNoise.withLock { $0 = Known(source: source, value: noise) }
    return noise
  }

  func smoothed(_ frame: DepthFrame, _ context: FusionContext) -> Result<
    TemporalFilter.Smoothed, TemporalFailure
  > {
    let source = Source(
      lidar: frame.lidar, confidence: frame.confidence, options: context.options,
      around: ([frame] + context.history).map(Placed.init), convention: context.cameraConvention)
    if let known = knownMean.withLock({ $0 }), known.source == source { return known.value }
    let mean = Result { () throws(TemporalFailure) in
      try TemporalFilter(context).smoothed(frame, history: context.history)
    }
    knownMean.withLock { $0 = Known(source: source, value: mean) }
    return mean
  }
}
