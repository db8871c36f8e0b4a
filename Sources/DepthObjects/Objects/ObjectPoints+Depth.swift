public import DepthCore

extension ObjectPoints {
  /// The points of a detected object in a depth map: raw LiDAR, fused or true (domain §5).
  ///
  /// Of the object's depths (``ObjectDepths``) those within `options.selection` are unprojected, in the order of the
  /// map's pixels. The median is that of all the object's depths.
  /// - Parameter depth: Planar, metres, any resolution of the camera's field of view.
  /// - Parameter confidence: At the depth map's resolution; nil counts as high.
  /// - Parameter camera: Of the frame, in a y-up world.
  public init(
    of object: DetectedObject, in depth: DepthMap, confidence: Raster<UInt8>? = nil, camera: PosedCamera,
    conventions: DetectionConventions, options: ObjectOptions = ObjectOptions()
  ) throws(ObjectPointsError) {
    let depths = try ObjectDepths(
      of: object, in: depth, confidence: confidence, imageSize: camera.intrinsics.imageSize,
      conventions: conventions, options: options)
    self.init(
      depths, mapSize: depth.size, camera: camera, flips: options.flips ?? RowFlips(for: conventions),
      options: options)
  }

  /// The points of an object in a frame's LiDAR.
  public init(
    of object: DetectedObject, in frame: DepthFrame, camera: PosedCamera, conventions: DetectionConventions,
    options: ObjectOptions = ObjectOptions()
  ) throws(ObjectPointsError) {
    try self.init(
      of: object, in: frame.lidar, confidence: frame.confidence, camera: camera, conventions: conventions,
      options: options)
  }

  /// The points of depths that were taken already, unprojected by `flips`.
  /// - Parameter depths: Taken with the same `options`.
  /// - Parameter mapSize: Resolution of the depth map that they come from.
  public init(
    _ depths: ObjectDepths, mapSize: RasterSize, camera: PosedCamera, flips: RowFlips,
    options: ObjectOptions = ObjectOptions()
  ) {
    let (intrinsics, size) = (camera.intrinsics, camera.intrinsics.imageSize)
    let (scaleX, scaleY) = (
      Double(size.width) / Double(mapSize.width), Double(size.height) / Double(mapSize.height)
    )
    let range = options.selection.depthRange(ofSorted: depths.sorted)
    let kept = depths.samples.filter { range?.contains($0.depth) ?? false }
    self.init(
      points: kept.map { sample in
        let u = (Double(sample.column) + options.unprojectionOffset) * scaleX
        let v = (Double(sample.row) + options.unprojectionOffset) * scaleY
        return camera.point(u: u, v: flips.unprojectedRow(v, intrinsics), depth: sample.depth)
      },
      depths: kept.map { $0.depth }, camera: camera, imageBox: depths.imageBox, medianDepth: depths.median,
      rim: Set(kept.indices.filter { kept[$0].isRim }))
  }
}
