public import DepthCore
public import DepthObjects
import Foundation

/// One box on a floor, seen exactly by a posed camera that looks down at it: every number can be worked out.
public struct BoxScene: Sendable {
  public var header: SceneHeader
  public var frame: DepthFrame
  public var object: DetectedObject
  public let camera: PosedCamera
  public let truth: OrientedBox
  public let conventions = DetectionConventions(
    boxOrigin: .bottomLeft, maskOrigin: .bottomLeft, maskStride: 4)

  /// Where the floor lies, world, metres.
  public static let floor = -1.0

  /// - Parameters:
  ///   - distance: From below the camera to the box's centre, metres.
  ///   - yaw: Of the box.
  public init(name: String = "desk", distance: Double = 1.6, yaw: Double = 0.6) {
    let size = RasterSize(width: 128, height: 96)
    let image = RasterSize(width: 640, height: 480)
    let intrinsics = CameraIntrinsics(fx: 530, fy: 530, cx: 322, cy: 236, imageSize: image)
    truth = OrientedBox(
      center: [0.1, Self.floor + 0.2, -distance], size: [0.6, 0.4, 0.35], yaw: yaw)
    // ARKit's axes, turned down by 25°.
    let (c, s) = (cos(25 * Double.pi / 180), sin(25 * Double.pi / 180))
    let pose = RigidTransform(
      xAxis: [1, 0, 0], yAxis: [0, c, -s], zAxis: [0, s, c], translation: .zero)
    camera = PosedCamera(intrinsics, pose, .arkit)
    let truth = truth
    let camera = camera
    func sample(_ u: Double, _ v: Double) -> (depth: Double, isBox: Bool) {
      Self.depth(along: camera.direction(u: u, v: v), truth)
    }
    let depth = DepthMap(
      width: size.width, height: size.height,
      values: (0..<size.count).map { index in
        Float(sample((Double(index % 128) + 0.5) * 5, (Double(index / 128) + 0.5) * 5).depth)
      })
    // Rows of the mask count from the bottom.
    let mask = Raster<Float>(
      width: 160, height: 120,
      values: (0..<160 * 120).map { index in
        sample((Double(index % 160) + 0.5) * 4, 480 - (Double(index / 160) + 0.5) * 4).isBox ? 1 : 0
      })
    let bounds = truth.imageBounds(seenBy: camera) ?? PixelRectangle(minX: 0, minY: 0, maxX: 1, maxY: 1)
    object = DetectedObject(
      frame: 0, label: "box", score: 0.9, box: bounds.flipped(imageHeight: 480), mask: mask, truth: truth)
    frame = DepthFrame(
      index: 0, lidar: depth, confidence: Raster(width: 128, height: 96, filledWith: 2), truth: depth,
      intrinsics: intrinsics, worldFromCamera: pose)
    header = SceneHeader(name: name, frameCount: 1)
    (header.lidarSize, header.truthSize, header.hasConfidence) = (size, size, true)
    (header.intrinsics, header.hasPoses, header.cameraConvention) = (intrinsics, true, .arkit)
    header.truthIndependence = .render
  }

  /// Planar depth at which a ray from the origin meets the box or the floor; 6 m where it meets neither.
  private static func depth(along ray: SIMD3<Double>, _ box: OrientedBox) -> (depth: Double, isBox: Bool) {
    let (c, s) = (cos(box.yaw), sin(box.yaw))
    let o = SIMD3(-box.center.x * c - box.center.z * s, -box.center.y, box.center.x * s - box.center.z * c)
    let d = SIMD3(ray.x * c + ray.z * s, ray.y, ray.z * c - ray.x * s)
    var (near, far) = (-Double.infinity, Double.infinity)
    for k in 0..<3 {
      let (a, b) = ((-box.size[k] / 2 - o[k]) / d[k], (box.size[k] / 2 - o[k]) / d[k])
      (near, far) = (max(near, min(a, b)), min(far, max(a, b)))
    }
    if near <= far && near > 0 { return (near, true) }
    return (ray.y < 0 ? min(floor / ray.y, 6) : 6, false)
  }
}
