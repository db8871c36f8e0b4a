import DepthCore
import Foundation
import Testing

@testable import DepthDiagnosis

/// Ray lengths are made planar with K: where K is wrong, the planar depths are, too.
@Suite("Ray lengths and a wrong K")
struct RayLengthTests {
  private let half: CameraIntrinsics = {
    let k = BrokenRoom.intrinsics
    return CameraIntrinsics(fx: k.fx / 2, fy: k.fy / 2, cx: k.cx / 2, cy: k.cy / 2, imageSize: k.imageSize)
  }()

  /// Rays that a reader made planar with the K of half the image.
  private func room() -> BrokenRoom {
    var room = BrokenRoom(noise: 0.001).changed { frame in
      let rays = frame.lidar.converted(to: .planar, seenBy: BrokenRoom.intrinsics)
      frame.lidar = rays.converted(to: .distance, seenBy: half)
      frame.intrinsics = half
    }
    (room.header.intrinsics, room.header.lidarKind) = (half, .distance)
    return room
  }

  @Test("K is found, the declared kind stays, and corrected depths are those of the right K")
  func geometry() throws {
    let sample = room().sample
    let found = Dictionary(
      uniqueKeysWithValues: GeometryConvention().findings(in: sample, after: [], seed: 0).map {
        ($0.test, $0)
      })
    #expect(found["intrinsics"]?.supported == "half" && found["depth-kind"]?.verdict == .confirmed)
    var corrected = sample
    try #require(found["intrinsics"]?.correction).apply(to: &corrected)
    let right = BrokenRoom(noise: 0.001)
    for (frame, expected) in zip(corrected.frames, right.frames) {
      #expect(frame.intrinsics == expected.intrinsics)
      let isEqual = zip(frame.lidar.values, expected.lidar.values).allSatisfy { abs($0 / $1 - 1) < 1e-5 }
      #expect(isEqual)
    }
  }

  @Test("where nothing tells the LiDAR's kind, a truth of another kind is not a reason for a correction")
  func doubt() throws {
    var room = BrokenRoom(noise: 0.001).changed { frame in
      frame.truth = frame.lidar.converted(to: .planar, seenBy: BrokenRoom.intrinsics)
    }
    room.header.truthSize = BrokenRoom.size
    func finding(_ kind: String?) throws -> Finding {
      let lidar = Finding(
        "depth-kind", "", in: room.header, verdict: kind == nil ? .undecidable : .confirmed,
        declared: "planar",
        supported: kind, summary: "")
      return try #require(
        TruthConvention().findings(in: room.sample, after: [lidar], seed: 0).first { $0.test == "truth-kind" }
      )
    }
    let (decided, open) = (try finding("planar"), try finding(nil))
    #expect(decided.verdict == .contradicted && decided.correction != nil)
    #expect(open.verdict == .contradicted && open.correction == nil && open.summary.contains("LiDAR's kind"))
  }
}
