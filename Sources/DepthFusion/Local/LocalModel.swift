import DepthCore

/// A way from relative values to metric depth that differs from place to place.
///
/// The model knows positions only as shares of the field of view, so that it can be applied to any raster that
/// covers it: the relative map, or its samples at held-out LiDAR pixels.
protocol LocalModel: Sendable {
  /// Metric depth, clamped; NaN where the relative value is missing.
  /// - Parameter offset: By how much a pixel of `relative` lies beside its place in the LiDAR's view, pixels of `relative`.
  func apply(to relative: DepthMap, offset: PixelOffset) -> DepthMap
  /// What `apply(to:)` has at some pixels of a map in the LiDAR's own view, in their order.
  /// - Parameter indices: Row-major.
  func depths(of relative: DepthMap, at indices: [Int32]) -> [Float]
}

extension LocalModel {
  func depths(of relative: DepthMap, at indices: [Int32]) -> [Float] {
    let map = apply(to: relative)
    return indices.map { map.values[Int($0)] }
  }

  /// For a map in the LiDAR's own view.
  func apply(to relative: DepthMap) -> DepthMap { apply(to: relative, offset: .zero) }
}

extension FusionOptions {
  /// Where a raster of the relative map's view lies in the LiDAR's view, beside its own place, pixels of the raster.
  func offsetIntoLidar(_ lidar: RasterSize, from raster: RasterSize) -> PixelOffset {
    registration.map { -$0.scaled(from: lidar, to: raster) } ?? .zero
  }
}

/// The same line everywhere.
struct GlobalModel: LocalModel {
  let line: Line, space: Space, options: FusionOptions

  func apply(to relative: DepthMap, offset: PixelOffset) -> DepthMap {
    FittedFusion.apply(line, in: space, to: relative, options)
  }

  func depths(of relative: DepthMap, at indices: [Int32]) -> [Float] {
    let values = indices.map { relative.values[Int($0)] }
    let row = DepthMap(width: values.count, height: 1, values: values)
    return FittedFusion.apply(line, in: space, to: row, options).values
  }
}

/// The family of models that one local method fits.
struct LocalEstimator: Sendable {
  /// Stable name: "residual".
  let id: String
  let title: String
  /// Paper that defines it.
  let source: String
  /// Standard deviation of the Gaussian that is as wide as its window, LiDAR pixels.
  let window: @Sendable (LocalOptions) -> Double
  /// The model for these anchors, starting from the global line through them.
  let fit:
    @Sendable (_ anchors: LidarAnchors, _ line: Line, _ space: Space, _ options: FusionOptions) ->
      any LocalModel
}
