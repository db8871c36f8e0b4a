import DepthCore
import DepthObjects
import Testing

@Suite("Edges of a box in an image")
struct ProjectedEdgeTests {
  /// 100 pixels of focal length, looking along −z from the origin.
  private let camera = PosedCamera(
    CameraIntrinsics(fx: 100, fy: 100, cx: 50, cy: 40, imageSize: RasterSize(width: 100, height: 80)),
    .identity, .arkit)

  private func box(_ center: SIMD3<Double>, _ size: SIMD3<Double>) -> PosedBox {
    PosedBox(OrientedBox(center: center, size: size, yaw: 0))
  }

  @Test("seen along an axis, only the edges of the front are visible")
  func front() {
    let edges = box([0, 0, -3], [1, 1, 1]).edges(seenBy: camera)
    #expect(edges.visible.count == 4 && edges.hidden.count == 8)
    // The front is at depth 2.5: half a metre is 20 pixels.
    for (start, end) in edges.visible {
      for point in [start, end] {
        #expect(abs(abs(point.x - 50) - 20) < 1e-9 && abs(abs(point.y - 40) - 20) < 1e-9)
      }
    }
  }

  @Test("where three faces are seen, three edges meet in the hidden corner")
  func corner() {
    let edges = box([2, -2, -5], [1, 1, 1]).edges(seenBy: camera)
    #expect(edges.visible.count == 9 && edges.hidden.count == 3)
    // Right of, below and behind the middle: (2.5, −2.5, −5.5).
    let far = SIMD2(50 + 100 * 2.5 / 5.5, 40 + 100 * 2.5 / 5.5)
    for (start, end) in edges.hidden {
      let ends = [start, end].map { (($0 - far) * ($0 - far)).sum() }
      #expect(min(ends[0], ends[1]) < 1e-12)
    }
  }

  @Test("edges are cut before the camera, and nothing behind it is drawn")
  func cut() {
    let beside = box([1, 0, 0], [0.5, 0.5, 4]).edges(seenBy: camera, nearest: 0.1)
    #expect(beside.visible.count + beside.hidden.count == 8)
    let all = beside.visible + beside.hidden
    #expect(all.allSatisfy { $0.0.x.isFinite && $0.1.x.isFinite && $0.0.x > 50 && $0.1.x > 50 })
    // The nearest image point of the inner edges: 0.75 m to the right at depth 0.1.
    let rightmost = all.map { max($0.0.x, $0.1.x) }
    #expect(rightmost.contains { abs($0 - (50 + 100 * 0.75 / 0.1)) < 1e-6 })
    let behind = box([0, 0, 3], [1, 1, 1]).edges(seenBy: camera)
    #expect(behind.visible.isEmpty && behind.hidden.isEmpty)
    let inside = box([0, 0, 0], [4, 4, 4]).edges(seenBy: camera)
    #expect(inside.hidden.isEmpty && inside.visible.count == 8)
  }
}
