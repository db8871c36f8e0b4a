import DepthCore
import Foundation
import Testing

@testable import DepthObjects

@Suite("Errors of a box")
struct BoxErrorsTests {
  private let truth = OrientedBox(center: [0, 0, -2], size: [0.4, 0.3, 0.2], yaw: 0.5)

  @Test("the four descriptions of the true box have no error but AOE", arguments: -3...4)
  func descriptions(_ quarters: Int) {
    var box = truth
    box.yaw += Double(quarters) * .pi / 2
    if quarters % 2 != 0 { box.size = [0.2, 0.3, 0.4] }
    let errors = BoxErrors(of: box, truth: truth, camera: .zero)
    #expect((errors.size * errors.size).sum() < 1e-24)
    #expect(errors.yawDegrees < 1e-10)
    #expect(abs(errors.iou - 1) < 1e-12 && abs(errors.generalizedIoU - 1) < 1e-12)
    #expect(abs(errors.scale) < 1e-12)
    #expect(abs(errors.orientation - (quarters % 2 == 0 ? 0 : .pi / 2)) < 1e-12)
  }

  @Test("the centre's error along the ray and across it")
  func center() {
    var box = truth
    box.center += [0.03, 0.04, -0.1]
    let errors = BoxErrors(of: box, truth: truth, camera: .zero)
    #expect(abs(errors.centerAlongRay - 0.1) < 1e-12)
    #expect(abs(errors.centerAcrossRay - 0.05) < 1e-12)
    #expect(abs(errors.translation - hypot(0.03, 0.1)) < 1e-12)
    // Nearer to the camera is negative.
    box.center = [0, 0, -1.8]
    #expect(abs(BoxErrors(of: box, truth: truth, camera: .zero).centerAlongRay + 0.2) < 1e-12)
    #expect(BoxErrors(of: box, truth: truth, camera: truth.center).centerAcrossRay > 0.19)
  }

  @Test("sizes belong to the nearest yaw")
  func sizes() {
    // 80° off: 10° off after a quarter turn, with length and width exchanged.
    let box = OrientedBox(center: truth.center, size: [0.25, 0.3, 0.4], yaw: truth.yaw + 80 * .pi / 180)
    let errors = BoxErrors(of: box, truth: truth, camera: .zero)
    #expect(abs(errors.yawDegrees - 10) < 1e-9)
    #expect(abs(errors.size.x) < 1e-12 && abs(errors.size.y) < 1e-12 && abs(errors.size.z - 0.05) < 1e-12)
    #expect(abs(errors.orientation - 80 * .pi / 180) < 1e-12)
    #expect(abs(errors.scale - (1 - 0.2 / 0.25)) < 1e-12)
  }

  @Test("yaws beyond a full turn", arguments: [-12.0, -0.2, 0, 3, 100])
  func wrap(_ yaw: Double) {
    let box = OrientedBox(center: .zero, size: [1, 1, 1], yaw: yaw)
    let near = OrientedBox(center: .zero, size: [1, 1, 1], yaw: yaw - 4 * .pi + 0.1)
    #expect(abs(BoxErrors(of: near, truth: box, camera: [0, 0, 3]).yawDegrees - 0.1 * 180 / .pi) < 1e-9)
  }
}
