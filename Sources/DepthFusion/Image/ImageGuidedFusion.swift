public import DepthCore

/// The LiDAR at the image's resolution, its depth steps placed by the camera image (``ImageGuide``). Between steps it is the bilinear map.
public struct ImageGuidedFusion: FusionMethod {
  public init() {}
  public var id: String { "image-guided" }
  public var space: Space? { nil }
  public var role: MethodRole { .sensor }
  public var needsImage: Bool { true }
  public var givesDeviation: Bool { true }

  public func fuse(
    _ frame: DepthFrame, in context: FusionContext, using generator: inout SplitMix64
  ) -> FusionResult {
    guard let image = frame.image
    else { return FusionResult(status: .degenerate, reason: "the frame has no camera image") }
    let options = context.options, steps = StepWidth(of: frame.lidar)
    let guide = ImageGuide(frame.lidar, steps, image, registration: options.registration)
    let size = context.outputSize ?? image.size
    let offset = options.offsetIntoLidar(frame.lidar.size, from: size)
    let depths = guide.depths(at: size, offset: offset, agreeing: false)
    var result = FusionResult(status: .ok)
    let depth = depths.completed(with: frame.lidar, offset: offset)
    result.prediction = Prediction(depth: depth)
    if context.wantsDeviation {
      result.state(
        FusedDeviation.lidar(
          depth, of: frame.lidar, context.noise(of: frame), offset: offset))
    }
    result.reason = steps.words
    return result
  }
}

extension DepthMap {
  /// The same, with what is missing read bilinearly from a LiDAR map, and without what the LiDAR does not measure.
  /// - Parameter offset: Where this map lies in the LiDAR's view, beside its own place, its pixels.
  func completed(with lidar: DepthMap, offset: PixelOffset) -> DepthMap {
    var result = self
    let returns = DepthMap(
      width: lidar.width, height: lidar.height,
      values: lidar.values.map { $0 > 0 && $0.isFinite ? $0 : .nan })
    let sampler = BilinearSampler(
      source: size, target: lidar.size, offset: offset, extendsEdges: offset == .zero)
    result.values.withUnsafeMutableBufferPointer { out in
      sampler.forEachSample(of: returns) { index, depth in
        if !depth.isFinite || !out[index].isFinite { out[index] = Float(depth) }
      }
    }
    return result
  }
}

extension StepWidth {
  /// "depth steps 2.7 LiDAR pixels wide at least".
  var words: String {
    guard let narrowest else { return "too few depth steps to tell how wide the LiDAR draws them" }
    return "depth steps \((narrowest * 10).rounded() / 10) LiDAR pixels wide at least"
  }
}
