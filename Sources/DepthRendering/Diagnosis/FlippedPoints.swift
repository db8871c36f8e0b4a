import DepthCore
import DepthDiagnosis
import DepthGraphics
import DepthObjects

/// The points that the flips of a sample's conventions give its objects in one frame, in the image.
struct FlippedPoints {
  var points: [EvidencePicture.ProjectedPoint] = []

  init(of sample: SceneSample, frame: DepthFrame) {
    guard let intrinsics = frame.intrinsics else { return }
    // Where a point is seen does not depend on the pose.
    let camera = PosedCamera(intrinsics, .identity, .opencv)
    for object in sample.objects where object.frame == frame.index {
      let found = try? ObjectPoints(of: object, in: frame, camera: camera, conventions: sample.conventions)
      for point in found?.points ?? [] {
        guard let seen = camera.project(point) else { continue }
        points.append(.init(u: seen.u, v: seen.v, value: seen.depth))
      }
    }
  }
}
