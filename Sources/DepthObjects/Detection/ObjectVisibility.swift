public import DepthCore

/// How much of a true box an image shows.
public struct ObjectVisibility: Sendable, Hashable, BitwiseCopyable {
  /// Area of the detection's mask over that of the whole box's outline, also where that lies beyond the image; nil
  /// without mask. Seldom 1 even for an object that nothing hides: objects do not fill their boxes.
  public var share: Double?
  /// Share of the outline that lies in the image, 0…1.
  public var inImage: Double
  /// Faces of the box that are turned to the camera, 0…3.
  public var faces: Int

  /// - Parameter box: In the camera's world.
  /// - Parameter maskThreshold: A mask pixel belongs to the object above it.
  /// - Returns: nil where nothing of the box lies before the camera.
  public init?(
    of box: OrientedBox, detectedAs object: DetectedObject, camera: PosedCamera,
    conventions: DetectionConventions, maskThreshold: Float, rounding: Letterbox.Rounding
  ) {
    let outline = box.silhouette(seenBy: camera), area = Self.area(outline)
    guard area > 0, area.isFinite else { return nil }
    let size = camera.intrinsics.imageSize
    inImage = min(1, Self.area(Self.clipped(outline, to: size)) / area)
    share = object.mask.map { mask in
      let stride = conventions.maskStride
      let input = RasterSize(width: mask.width * stride, height: mask.height * stride)
      let letterbox = Letterbox(image: size, input: input, rounding: rounding)
      let pixel = Double(stride * stride) / (letterbox.scaleX * letterbox.scaleY)
      return Double(mask.values.count { $0 > maskThreshold }) * pixel / area
    }
    faces = Self.facesSeen(of: box, from: camera.position)
  }

  /// Along each axis of the box one face is seen where the camera stands beyond it.
  private static func facesSeen(of box: OrientedBox, from position: SIMD3<Double>) -> Int {
    let step = position - box.center
    let (length, width) = Footprint.axes(yaw: box.yaw)
    let ground = SIMD2(step.x, step.z)
    let along = [abs(ground.dot(length)), abs(step.y), abs(ground.dot(width))]
    return zip(along, [box.size.x, box.size.y, box.size.z]).count { $0 > $1 / 2 }
  }

  /// Gauss's formula; the orientation does not matter.
  private static func area(_ polygon: [SIMD2<Double>]) -> Double {
    guard polygon.count > 2 else { return 0 }
    var twice = 0.0
    for (a, b) in zip(polygon, polygon.dropFirst() + polygon.prefix(1)) { twice += a.x * b.y - a.y * b.x }
    return abs(twice) / 2
  }

  /// The part of a convex polygon in the image (Sutherland & Hodgman 1974).
  private static func clipped(_ polygon: [SIMD2<Double>], to size: RasterSize) -> [SIMD2<Double>] {
    let sides: [(SIMD2<Double>, Double)] = [
      ([-1, 0], 0), ([1, 0], Double(size.width)), ([0, -1], 0), ([0, 1], Double(size.height)),
    ]
    return sides.reduce(polygon) { polygon, side in
      var kept: [SIMD2<Double>] = []
      for (a, b) in zip(polygon, polygon.dropFirst() + polygon.prefix(1)) {
        let (d, e) = (a.dot(side.0) - side.1, b.dot(side.0) - side.1)
        if d <= 0 { kept.append(a) }
        if (d <= 0) != (e <= 0) { kept.append(a + (b - a) * (d / (d - e))) }
      }
      return kept
    }
  }
}
