import DepthCore
import Testing

@testable import DepthObjects

/// The specification's own lines ("Y-Flip Convention", "2D → 3D Unprojection"), word for word in Float, beside the
/// options that stand for them.
@Suite("The app's code, literally")
struct AppLiteralTests {
  private let view = SyntheticView.room

  /// World points of the LiDAR pixels in a box that counts rows from the bottom, whatever the mask.
  private func literalPoints(_ bbox: PixelRectangle) -> [SIMD3<Float>] {
    let (lidar, intrinsics) = (view.frame.lidar, view.camera.intrinsics)
    let (imgW, imgH) = (Float(intrinsics.imageSize.width), Float(intrinsics.imageSize.height))
    let (scaleX, scaleY) = (Float(lidar.width) / imgW, Float(lidar.height) / imgH)
    let lx0 = max(0, Int(bbox.minX * scaleX))
    let lx1 = min(lidar.width - 1, Int(bbox.maxX * scaleX))
    let ly0 = max(0, Int((imgH - Float(bbox.maxY)) * scaleY))
    let ly1 = min(lidar.height - 1, Int((imgH - Float(bbox.minY)) * scaleY))
    let (fx, fy) = (Float(intrinsics.fx), Float(intrinsics.fy))
    let (cx, cy) = (Float(intrinsics.cx), Float(intrinsics.cy))
    var points: [SIMD3<Float>] = []
    for ly in ly0...ly1 {
      for lx in lx0...lx1 {
        let depth = lidar[ly, lx]
        guard view.frame.confidence?[ly, lx] == 2, depth >= 0.1, depth <= 4 else { continue }
        let imgX = Float(lx) / scaleX
        let imgY = imgH - Float(ly) / scaleY
        let x = (imgX - cx) / fx * depth
        let y = (imgY - cy) / fy * depth
        let world = view.camera.worldFromCamera([Double(x), Double(y), Double(-depth)])
        points.append(SIMD3(Float(world.x), Float(world.y), Float(world.z)))
      }
    }
    return points
  }

  @Test("box rows, LiDAR rows and unprojection")
  func unprojection() throws {
    var options = ObjectOptions()
    (options.flips, options.selection, options.unprojectionOffset) = (.app, .everything, 0)
    var compared = 0
    for var object in view.objects {
      object.mask = nil
      let literal = literalPoints(object.box)
      guard !literal.isEmpty else { continue }
      let ours = try ObjectPoints(
        of: object, in: view.frame, camera: view.camera, conventions: view.conventions, options: options)
      #expect(ours.points.count == literal.count)
      for (a, b) in zip(ours.points, literal) {
        let error = a - SIMD3(Double(b.x), Double(b.y), Double(b.z))
        #expect((error * error).sum() < 1e-10)  // 10 µm: the app computes in Float
      }
      compared += 1
    }
    #expect(compared >= 4)
  }
}
