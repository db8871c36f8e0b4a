public import DepthCore
import DepthFusion

extension SceneContext {
  /// Finds what the relative map means where the file does not declare it.
  ///
  /// From all frames of the scene, so that the kind does not depend on which of them are used.
  /// - Parameter read: Reads a frame with LiDAR and relative map.
  /// - Throws: What `read` throws.
  public mutating func resolveKind<Failure: Error>(
    read: (Int) throws(Failure) -> DepthFrame
  ) throws(Failure) {
    guard relativeKind == .unknown, header.relativeSize != nil else { return }
    var estimator = RelativeKindEstimator(frameCount: header.frameCount)
    for index in 0..<header.frameCount { estimator.add(try read(index)) }
    (relativeKind, kindCorrelation) = (estimator.kind, estimator.correlation)
  }
}
