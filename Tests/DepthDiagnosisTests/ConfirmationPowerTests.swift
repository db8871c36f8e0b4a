import DepthCore
import DepthDiagnosis
import Foundation
import Testing

private func findings(_ room: BrokenRoom) -> [String: Finding] {
  let found = SceneDiagnosis(room.sample, seed: 0).findings
  return Dictionary(found.map { ($0.test, $0) }) { first, _ in first }
}

extension BrokenRoom {
  fileprivate func withIntrinsics(_ k: CameraIntrinsics) -> BrokenRoom {
    var room = changed { $0.intrinsics = k }
    room.header.intrinsics = k
    return room
  }

  fileprivate func withTruth(_ factor: Float = 1, plus metres: Float = 0) -> BrokenRoom {
    var room = changed { frame in
      frame.truth = DepthMap(
        width: Self.size.width, height: Self.size.height,
        values: frame.lidar.values.map { $0 * factor + metres })
    }
    room.header.truthSize = Self.size
    return room
  }

  fileprivate func withConfidence(_ levels: [UInt8]) -> BrokenRoom {
    changed { frame in
      frame.confidence = Raster(
        width: Self.size.width, height: Self.size.height,
        values: (0..<Self.size.count).map { levels[$0 % levels.count] })
    }
  }
}

@Suite("Only what the data could have contradicted is confirmed")
struct ConfirmationPowerTests {
  @Test("a camera that stands still confirms nothing of poses and K")
  func still() {
    let found = findings(BrokenRoom(frames: 10, moves: false))
    for test in [
      "frame-agreement", "pose-delay", "pose-scale", "pose-convention", "pose-unit", "intrinsics",
      "focal-length", "principal-point", "depth-kind",
    ] {
      #expect(found[test]?.verdict == .undecidable, "\(test): \(found[test]?.summary ?? "")")
    }
  }

  @Test(
    "poses that come late, a focal length and a scale that are off are never confirmed", arguments: [0, 1, 2])
  func nearest(_ fault: Int) throws {
    let room = BrokenRoom(frames: 12, isSteady: false)
    var wrong = room
    let k = BrokenRoom.intrinsics
    switch fault {
    case 0:
      for index in room.frames.indices {
        wrong.frames[index].worldFromCamera = room.frames[max(0, index - 1)].worldFromCamera
      }
    case 1:
      wrong = room.withIntrinsics(
        CameraIntrinsics(fx: k.fx * 1.1, fy: k.fy * 1.1, cx: k.cx, cy: k.cy, imageSize: k.imageSize))
    default: wrong = room.changed { $0.worldFromCamera?.translation *= 1.2 }
    }
    let test = ["pose-delay", "focal-length", "pose-scale"][fault]
    let finding = try #require(findings(wrong)[test])
    #expect(finding.verdict != .confirmed, "\(finding.summary)")
  }

  @Test("a wrap at 65.535 m is excluded only by depths beyond it")
  func wrap() {
    let room = BrokenRoom(frames: 2)
    #expect(findings(room)["depth-wrap"]?.verdict == .undecidable)
    let far = room.changed { $0.lidar.values[7] = 80 }
    #expect(findings(far)["depth-wrap"]?.verdict == .confirmed)
  }

  @Test("depth that was cut to 12, 13 or 16 bits is named with the metres at which it begins anew")
  func cut() {
    for (factor, metres, id) in [(1, 4.096, "4.096"), (3, 8.192, "8.192"), (25, 65.536, "65.536")]
      as [(Float, Float, String)]
    {
      let right = BrokenRoom(frames: 4).changed { $0.lidar.values = $0.lidar.values.map { $0 * factor } }
      #expect(findings(right)["depth-wrap"]?.verdict.isWrong == false)
      let cut = right.changed { frame in
        frame.lidar.values = frame.lidar.values.map { $0.truncatingRemainder(dividingBy: metres) }
      }
      let found = findings(cut)
      #expect(found["depth-wrap"]?.supported == "wraps-at-" + id, "\(found["depth-wrap"]?.summary ?? "")")
      #expect(found["frame-agreement"]?.verdict == .notTestable)
    }
  }

  @Test("65.535 m in the place of holes is named, and not taken for a wrap")
  func fill() {
    let room = BrokenRoom(frames: 2).changed { frame in
      for index in stride(from: 0, to: frame.lidar.values.count, by: 20) {
        frame.lidar.values[index] = 65.535
      }
    }
    let found = findings(room)["depth-wrap"]
    #expect(found?.supported == "fill-value")
    #expect(found?.correction == .noDepth(object: "lidar/depth", metres: 65.535))
  }

  @Test("metres are confirmed where a truth or poses exclude feet")
  func feet() {
    var bare = BrokenRoom(frames: 6).changed { $0.worldFromCamera = nil }
    bare.header.hasPoses = false
    let open = findings(bare)["depth-unit"]
    #expect(open?.verdict == .undecidable && open?.summary.contains("feet") == true)
    #expect(findings(bare.withTruth())["depth-unit"]?.verdict == .confirmed)
  }

  @Test("levels of confidence whose highest value never occurs may be a mask")
  func mask() {
    let room = BrokenRoom(frames: 2)
    #expect(findings(room.withConfidence([0, 1]))["confidence-scale"]?.verdict == .undecidable)
    #expect(findings(room.withConfidence([0, 1, 2]))["confidence-scale"]?.verdict == .confirmed)
  }

  @Test("an axis that is off to both sides alike may be that of another size")
  func size() {
    let k = CameraIntrinsics(
      fx: 300, fy: 300, cx: 240, cy: 180, imageSize: RasterSize(width: 640, height: 480))
    #expect(findings(BrokenRoom(frames: 2).withIntrinsics(k))["intrinsics-size"]?.verdict == .undecidable)
  }

  @Test("a truth of another scale is not a ray length")
  func truthScale() {
    let found = findings(BrokenRoom().withTruth(1 / 0.85))
    #expect(found["truth-kind"]?.verdict != .contradicted)
    #expect(found["truth-scale"]?.verdict == .contradicted && found["truth-scale"]?.correction == nil)
    #expect(found["truth-scale"]?.supported == "factor-0.85")
    // A copy confirms nothing.
    #expect(findings(BrokenRoom().withTruth())["truth-scale"]?.verdict == .undecidable)
    // A sensor's own error.
    #expect(findings(BrokenRoom().withTruth(1.02))["truth-scale"]?.verdict == .confirmed)
  }

  @Test("metres between LiDAR and truth are not called a factor", arguments: [0.2, -0.3] as [Float])
  func truthOffset(_ metres: Float) {
    let found = findings(BrokenRoom().withTruth(plus: metres))["truth-scale"]
    #expect(found?.verdict == .contradicted, "\(found?.summary ?? "")")
    #expect(found?.supported == "offset-\(-Double((metres * 10).rounded()) / 10)")
  }

  @Test("what is 3.9 times the truth is not called feet")
  func nearFeet() {
    var room = BrokenRoom().withTruth(1 / 3.90625).changed { $0.worldFromCamera = nil }
    room.header.hasPoses = false
    let found = findings(room)
    #expect(found["depth-unit"]?.verdict == .undecidable, "\(found["depth-unit"]?.summary ?? "")")
    #expect(found["truth-scale"]?.supported == "factor-3.91", "\(found["truth-scale"]?.summary ?? "")")
  }

  @Test("a LiDAR that lies wrong is blamed, not the maps that agree with each other")
  func mirroredLidar() {
    var room = BrokenRoom().withTruth()
    for index in room.frames.indices {
      room.frames[index].lidar = Symmetry.mirroredHorizontally.upright(room.frames[index].lidar)
      room.frames[index].worldFromCamera = nil
    }
    room.header.hasPoses = false
    let found = findings(room)
    #expect(found["lidar-orientation"]?.supported == "mirrored-horizontally")
    #expect(found.values.allSatisfy { $0.correction == nil })
  }

  @Test("a LiDAR that freezes for a part of the recording is named with its frames")
  func frozen() throws {
    let room = BrokenRoom(frames: 24)
    var wrong = room
    // Every third frame of the recording is looked at.
    for index in room.frames.indices {
      wrong.frames[index].index = 3 * index
      if index > 16 { wrong.frames[index].lidar = room.frames[16].lidar }
    }
    wrong.header.frameCount = 72
    wrong.header.timestampsSeconds = (0..<72).map { Double($0) / 10 }
    let finding = try #require(findings(wrong)["repeated-frames"])
    #expect(finding.supported == "frozen" && finding.summary.contains("48 to 69"), "\(finding.summary)")
  }

  @Test("relative maps that were stretched one by one are said to be")
  func range() {
    let stretched = BrokenRoom(noise: 0.001).changed { frame in
      guard let map = frame.relative, let low = map.values.min(), let high = map.values.max() else { return }
      frame.relative?.values = map.values.map { ($0 - low) / (high - low) }
    }
    #expect(findings(stretched)["relative-range"]?.supported == "per-frame")
    #expect(findings(BrokenRoom())["relative-range"]?.supported == "free")
  }
}
