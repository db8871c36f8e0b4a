import DepthCore
import Foundation
import Testing

@testable import DepthObjects

/// Why principal axes are wrong on an L: its largest variance lies along the line between the ends of its arms.
@Suite("An open laptop")
struct OpenLaptopTests {
  /// Two panels at a right angle that share an edge at the origin, as a grid of points: one along x, the other
  /// along `up`.
  private func panels(_ first: Double, _ second: Double, along up: SIMD3<Double>, width: SIMD3<Double>)
    -> [SIMD3<Double>]
  {
    (0..<60).flatMap { i in
      (0..<40).flatMap { j -> [SIMD3<Double>] in
        let (t, side) = ((Double(i) + 0.5) / 60, width * ((Double(j) + 0.5) / 40))
        return [SIMD3(first * t, 0, -2) + side, up * (second * t) + [0, 0, -2] + side]
      }
    }
  }

  private func object(_ points: [SIMD3<Double>]) -> ObjectPoints {
    ObjectPoints(
      points: points, depths: points.map { -$0.z },
      camera: PosedCamera(BoxView.intrinsics, .identity, .arkit),
      imageBox: PixelRectangle(minX: 0, minY: 0, maxX: 1, maxY: 1), medianDepth: 2)
  }

  @Test(
    "stood up like a book, arms of 35 cm: the principal axis is the diagonal, the edges are found by closeness"
  )
  func book() throws {
    let points = object(panels(0.35, 0.35, along: [0, 0, 1], width: [0, 0.25, 0]))
    // The ends of the arms are at (0.35, −2) and (0, −1.65): the line between them runs at −45°.
    #expect(abs(try BoxMethod.pcaXZ.box(of: points).box.yaw + .pi / 4) < 1e-9)
    let truth = OrientedBox(center: [0.175, 0.125, -1.825], size: [0.35, 0.25, 0.35], yaw: 0)
    let diagonal = BoxErrors(of: try BoxMethod.pcaXZ.box(of: points), truth: truth, camera: .zero)
    #expect(diagonal.yawDegrees > 44.9 && diagonal.iou < 0.5)
    for method in [BoxMethod.closeness, .auto] {
      let errors = BoxErrors(of: try method.box(of: points), truth: truth, camera: .zero)
      #expect(errors.yawDegrees < 0.1 && errors.iou > 0.9, "\(method.id)")
    }
    #expect(try BoxMethod.auto.box(of: points).diagnostics.reason.contains("two vertical faces"))
  }

  @Test("with unequal arms the axis turns towards the longer one, and stays wrong")
  func unequalArms() throws {
    let points = object(panels(0.35, 0.2, along: [0, 0, 1], width: [0, 0.25, 0]))
    let degrees = try BoxMethod.pcaXZ.box(of: points).box.yaw * 180 / .pi
    #expect(degrees < -15 && degrees > -35)
    let truth = OrientedBox(center: [0.175, 0.125, -1.9], size: [0.35, 0.25, 0.2], yaw: 0)
    #expect(BoxErrors(of: try BoxMethod.auto.box(of: points), truth: truth, camera: .zero).yawDegrees < 0.1)
  }

  @Test(
    "on its base, screen upright: in space the axis tilts by half of a right angle, seen from above it is right"
  )
  func onTheTable() throws {
    // The base runs towards the viewer along x, the screen stands at its end; both are 40 cm wide along z.
    let points = object(panels(0.25, 0.25, along: [0, 1, 0], width: [0, 0, 0.4]))
    let fit = try BoxMethod.pca3D.box(of: points)
    let pose = fit.posed.pose
    let tilts = [pose.xAxis, pose.yAxis, pose.zAxis].map { asin(min(1, abs($0.y))) * 180 / .pi }
    #expect(tilts.filter { abs($0 - 45) < 1 }.count == 2)
    let truth = OrientedBox(center: [0.125, 0.125, -1.8], size: [0.25, 0.25, 0.4], yaw: 0)
    #expect(BoxErrors(of: fit, truth: truth, camera: .zero).iou < 0.6)
    #expect(BoxErrors(of: try BoxMethod.pcaXZ.box(of: points), truth: truth, camera: .zero).iou > 0.9)
  }
}
