public import DepthCore
public import DepthObjects

/// Coloured points in space, each with the confidence of the return that it came from.
public struct PointCloud: Sendable, Equatable {
  /// Metres.
  public private(set) var positions: [SIMD3<Float>] = []
  /// sRGB, one per point.
  public private(set) var colours: [RGB] = []
  /// ARKit's 0 low, 1 medium, 2 high, one per point.
  public private(set) var confidences: [UInt8] = []
  /// No points yet.
  public init() {}
  /// Number of points.
  public var count: Int { positions.count }

  /// Adds one point.
  public mutating func append(_ position: SIMD3<Double>, _ colour: RGB, confidence: UInt8) {
    positions.append(SIMD3<Float>(position))
    colours.append(colour)
    confidences.append(confidence)
  }

  /// Adds another cloud's points behind these.
  public mutating func append(_ other: PointCloud) {
    positions += other.positions
    colours += other.colours
    confidences += other.confidences
  }

  /// Which pixels of a depth map become points.
  public struct Selection: Sendable, Hashable {
    /// Lowest confidence of the LiDAR at the pixel.
    public var minimumConfidence: UInt8
    /// Planar depths that count, inclusive, metres; nil for all.
    public var depthRange: ClosedRange<Double>?

    public init(minimumConfidence: UInt8 = 0, depthRange: ClosedRange<Double>? = nil) {
      (self.minimumConfidence, self.depthRange) = (minimumConfidence, depthRange)
    }
  }

  /// Where a point's colour comes from.
  public enum Colouring: Sendable {
    /// The pixel of the camera image that its ray goes through.
    case image(Raster<RGB>)
    /// Its planar depth, metres.
    case depth(@Sendable (Double) -> RGB)
  }

  /// One point per pixel that has a depth, row by row: the ray through the pixel's centre at its planar depth (domain §5).
  /// - Parameter depth: Planar, metres, any resolution of the camera's field of view.
  /// - Parameter camera: Of the frame; points are in its world.
  /// - Parameter confidence: The LiDAR's, any resolution, looked up at the pixel's centre; nil counts as high.
  public init(
    of depth: DepthMap, seenBy camera: PosedCamera, confidence: Raster<UInt8>?, _ selection: Selection,
    colouring: Colouring
  ) {
    let size = camera.intrinsics.imageSize
    for row in 0..<depth.height {
      let v = (Double(row) + 0.5) / Double(depth.height)
      for column in 0..<depth.width {
        let metres = Double(depth[row, column])
        guard metres > 0, metres.isFinite, selection.depthRange?.contains(metres) ?? true else { continue }
        let u = (Double(column) + 0.5) / Double(depth.width)
        let level = confidence?.nearest(row, column, of: depth.size) ?? 2
        guard level >= selection.minimumConfidence else { continue }
        let point = camera.point(u: u * Double(size.width), v: v * Double(size.height), depth: metres)
        append(point, colouring.colour(row, column, of: depth.size, metres), confidence: level)
      }
    }
  }
}

extension PointCloud.Colouring {
  fileprivate func colour(_ row: Int, _ column: Int, of size: RasterSize, _ metres: Double) -> RGB {
    switch self {
    case .image(let image): image.nearest(row, column, of: size)
    case .depth(let ramp): ramp(metres)
    }
  }
}
