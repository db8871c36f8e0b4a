import DepthCore
import DepthDataset
import DepthObjects
import DepthSynthesis
import Foundation

/// A frame of a simulated room with its camera and detections, all truths known.
struct SyntheticView: Sendable {
  let frame: DepthFrame
  let camera: PosedCamera
  let objects: [DetectedObject]
  let conventions: DetectionConventions

  /// Room 1 of the preset "sample" at LiDAR resolution; the floor lies at y = −1.4 m.
  static let room: SyntheticView = {
    var options = SynthesisPreset.sample.options
    options.framesPerScene = 1
    options.truthSize = RasterSize(width: 256, height: 192)
    options.relativeSize = RasterSize(width: 40, height: 30)
    options.colourSize = RasterSize(width: 4, height: 3)
    let scene = SyntheticScene(options: options, index: 0)
    let (frame, found) = (scene.frame(0), scene.objects())
    guard let camera = PosedCamera(of: frame, in: scene.header) else { preconditionFailure("a posed scene") }
    return SyntheticView(
      frame: frame, camera: camera, objects: found.objects, conventions: found.conventions)
  }()
}

extension OrientedBox {
  /// How far a point lies outside, metres along the axis where it does most; negative inside.
  func excess(of point: SIMD3<Double>) -> Double {
    let (p, c, s) = (point - center, cos(yaw), sin(yaw))
    let local = SIMD3(p.x * c + p.z * s, p.y, p.z * c - p.x * s)
    return (SIMD3(abs(local.x), abs(local.y), abs(local.z)) - size / 2).max()
  }
}
