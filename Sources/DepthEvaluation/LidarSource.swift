internal import DepthCore
internal import DepthFusion

/// The frame as a method sees it: with the sensor's map, or the corrected and smoothed one.
struct LidarSource {
  let frame: DepthFrame
  /// The frame with the changed map, why there is none, or nil where no change was asked for.
  let changed: Result<DepthFrame, TemporalFailure>?
  /// Earlier frames with the same correction; none where they are in the changed map already.
  private let history: [DepthFrame]

  init(_ frame: DepthFrame, _ context: FusionContext) {
    self.frame = frame
    let correction = context.options.correction
    let isSmoothed = context.options.temporal.lidar == .smoothed
    guard frame.hasLidar, isSmoothed || correction != nil else {
      (changed, history) = (nil, context.history)
      return
    }
    func corrected(_ frame: DepthFrame) -> DepthFrame {
      guard let correction else { return frame }
      var frame = frame
      frame.lidar = correction(frame.lidar)
      return frame
    }
    let earlier = context.history.map(corrected)
    history = isSmoothed ? [] : earlier
    do throws(TemporalFailure) {
      var input = corrected(frame)
      if isSmoothed { input.lidar = try TemporalFilter(context).smoothed(input, history: earlier).map }
      changed = .success(input)
    } catch {
      changed = .failure(error)
    }
  }

  /// A method that is not literal refuses where there is no smoothed map: nothing replaces it.
  func fuse(
    _ method: any FusionMethod, in context: FusionContext, using generator: inout SplitMix64
  ) -> FusionResult {
    switch method.isLiteral ? nil : changed {
    case nil: return method.fuse(frame, in: context, using: &generator)
    case .success(let input):
      var context = context
      context.history = history
      return method.fuse(input, in: context, using: &generator)
    case .failure(let error): return FusionResult(status: .degenerate, reason: "no smoothed LiDAR: \(error)")
    }
  }
}
