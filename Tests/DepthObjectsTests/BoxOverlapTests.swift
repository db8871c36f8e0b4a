import DepthCore
import Foundation
import Testing

@testable import DepthObjects

@Suite("Overlap of boxes")
struct BoxOverlapTests {
  private func box(
    _ center: SIMD3<Double> = .zero, _ size: SIMD3<Double> = [1, 1, 1], yaw: Double = 0
  ) -> PosedBox {
    PosedBox(OrientedBox(center: center, size: size, yaw: yaw))
  }

  @Test("10,000 pairs as by scipy, to 1e-6", arguments: BoxPair.kinds.indices)
  func golden(_ kind: Int) {
    let pairs = BoxPair.all.filter { $0.kind == kind }
    #expect(pairs.count > 1_000)
    var (worst, worstGeneralized) = (0.0, 0.0)
    for pair in pairs {
      let overlap = BoxOverlap(pair.a, pair.b)
      worst = max(worst, abs(overlap.iou - pair.iou))
      worstGeneralized = max(worstGeneralized, abs(overlap.generalizedIoU - pair.generalizedIoU))
    }
    // The stored answers have ten digits.
    #expect(worst < 1e-9)
    #expect(worstGeneralized < 1e-9)
  }

  @Test("the order of the two boxes does not matter")
  func symmetry() {
    for pair in BoxPair.all.prefix(300) {
      let (one, other) = (BoxOverlap(pair.a, pair.b), BoxOverlap(pair.b, pair.a))
      #expect(abs(one.iou - other.iou) < 1e-12 && abs(one.generalizedIoU - other.generalizedIoU) < 1e-12)
    }
  }

  @Test("a box and itself, turned by quarters and described anew", arguments: [0, 0.3, .pi / 4, -2.5])
  func same(yaw: Double) {
    let one = box([5, -3, 2], [0.4, 0.7, 0.2], yaw: yaw)
    for (size, turn) in [
      (SIMD3(0.4, 0.7, 0.2), Double.pi), ([0.2, 0.7, 0.4], .pi / 2), ([0.2, 0.7, 0.4], -.pi / 2),
    ] {
      let overlap = BoxOverlap(one, box([5, -3, 2], size, yaw: yaw + turn))
      #expect(abs(overlap.iou - 1) < 1e-12 && abs(overlap.generalizedIoU - 1) < 1e-12)
    }
    #expect(abs(BoxOverlap(one, one).iou - 1) < 1e-14)
  }

  @Test("touching at a face, an edge and a corner is not an overlap")
  func touching() {
    for step in [SIMD3(1.0, 0, 0), [0, -1, 0], [1, 1, 0], [0, 1, -1], [1, 1, 1]] {
      #expect(BoxOverlap(box(), box(step)).intersection < 1e-15)
    }
    // Corner in the middle of a face.
    #expect(BoxOverlap(box(), box([0.5 + 0.5.squareRoot(), 0, 0], yaw: .pi / 4)).intersection < 1e-15)
    // A crack of a micrometre on either side.
    #expect(BoxOverlap(box(), box([1 + 1e-6, 0, 0])).intersection == 0)
    #expect(abs(BoxOverlap(box(), box([1 - 1e-6, 0, 0])).intersection - 1e-6) < 1e-15)
  }

  @Test("nested, with and without common faces")
  func nested() {
    #expect(abs(BoxOverlap(box(), box([0.1, 0.1, -0.1], [0.5, 0.5, 0.5], yaw: 0.4)).iou - 0.125) < 1e-14)
    #expect(abs(BoxOverlap(box(), box([0.25, 0, 0], [0.5, 1, 1])).iou - 0.5) < 1e-14)
    #expect(abs(BoxOverlap(box(), box([0.25, 0.25, 0.25], [0.5, 0.5, 0.5])).iou - 0.125) < 1e-14)
    let tiny = BoxOverlap(
      box([0, 0, 0], [1e3, 1e3, 1e3], yaw: 1), box([300, -200, 100], [1e-3, 1e-3, 1e-3], yaw: 2))
    #expect(abs(tiny.intersection / 1e-9 - 1) < 1e-9)
  }

  @Test("coplanar and nearly coplanar faces", arguments: [0, 1e-17, 1e-16, 1e-14, 1e-12, 1e-10, 1e-8])
  func coplanar(_ crack: Double) {
    let expected = 0.5 / 1.5
    #expect(abs(BoxOverlap(box(), box([0.5, crack, 0])).iou - expected) < 2 * crack + 1e-14)
    let turned = PosedBox(
      pose: RigidTransform(quaternion: [1, crack, crack, -crack]), size: [1, 1, 1])
    #expect(abs(BoxOverlap(turned, box([0.5, 0, 0])).iou - expected) < 20 * crack + 1e-14)
  }

  @Test("turned by 45° the common ground is an octagon")
  func octagon() {
    let area = 2 * (2.0.squareRoot() - 1)
    let overlap = BoxOverlap(box(), box(yaw: .pi / 4))
    #expect(abs(overlap.intersection - area) < 1e-14)
    // The hull is an octagon too: the square, and on each side a triangle as high as the other one stands out.
    let hull = 1 + 4 * (0.5.squareRoot() - 0.5) / 2
    #expect(abs(overlap.hull - hull) < 1e-14)
    #expect(abs(overlap.generalizedIoU - (area / (2 - area) - (hull - 2 + area) / hull)) < 1e-14)
  }

  @Test("apart: the generalised one tells how far")
  func apart() {
    for gap in [1.0, 2, 10] {
      let overlap = BoxOverlap(box(), box([1 + gap, 0, 0]))
      #expect(overlap.iou == 0)
      #expect(abs(overlap.generalizedIoU + gap / (2 + gap)) < 1e-14)
    }
  }

  @Test("flat boxes overlap nothing, and nothing is NaN")
  func flat() {
    let sheet = box(.zero, [1, 0, 1])
    for other in [box(), sheet, box(.zero, .zero), box([0, 0.5, 0], [1, 0, 1], yaw: 0.5)] {
      for overlap in [BoxOverlap(sheet, other), BoxOverlap(other, sheet)] {
        #expect(overlap.iou == 0)
        #expect(overlap.generalizedIoU.isFinite && overlap.generalizedIoU <= 0)
      }
    }
  }

  @Test("far from the origin the same to the precision of the coordinates")
  func farAway() {
    for pair in BoxPair.all.prefix(200) {
      var (a, b) = (pair.a, pair.b)
      a.pose.translation += [1e5, -1e5, 1e5]
      b.pose.translation += [1e5, -1e5, 1e5]
      #expect(abs(BoxOverlap(a, b).iou - pair.iou) < 1e-6)
    }
  }
}
