import DepthCore
import DepthDiagnosis
import Foundation
import Testing

/// A room's depth with a rectangle in every map that holds one number.
private func filled(_ value: Float, _ maps: [DepthMap], columns: Range<Int> = 10..<26) -> [DepthMap] {
  maps.map { map in
    var map = map
    for row in 8..<24 { for column in columns { map[row, column] = value } }
    return map
  }
}

private func quantised(_ maps: [DepthMap], _ counts: Float) -> [DepthMap] {
  maps.map { map in
    DepthMap(
      width: map.width, height: map.height, values: map.values.map { ($0 * counts).rounded() / counts })
  }
}

@Suite("One number in many pixels")
struct RepeatedValueTests {
  private static let room = BrokenRoom(frames: 8)
  private let maps = RepeatedValueTests.room.frames.map(\.lidar)
  private let still = BrokenRoom(frames: 8, moves: false).frames.map(\.lidar)

  @Test(
    "fill values are named with their share", arguments: [9999, 10, 32.767, 0.001, 12, 1e10, 80] as [Float])
  func fills(_ value: Float) throws {
    let found = try #require(RepeatedValue(in: filled(value, maps)))
    #expect(found.kind == .fill && found.metres == value && found.isFar == (value > 1))
    #expect(abs(found.share - 16 * 16 / (64 * 48)) < 1e-9)
  }

  @Test("a number between others is one where pixels beside it do not lead up to it, and the camera moves")
  func between() throws {
    let poses = Self.room.frames.map(\.worldFromCamera)
    let found = try #require(RepeatedValue(in: filled(1.9, maps), poses: poses))
    #expect(found.kind == .fill && found.metres == 1.9 && found.isBetween)
    // Of a camera that stands still it may be a thing.
    #expect(RepeatedValue(in: filled(1.9, still), poses: Array(repeating: poses[0], count: 8)) == nil)
    for counts in [1000, 100, 20] as [Float] {
      #expect(RepeatedValue(in: quantised(maps, counts), poses: poses) == nil)
    }
  }

  @Test("of millimetres it is named as it is stored")
  func counts() throws {
    #expect(RepeatedValue(in: filled(12, quantised(maps, 1000)))?.count == 12_000)
    #expect(RepeatedValue(in: filled(12, quantised(maps, 5000)))?.count == 60_000)
    #expect(try #require(RepeatedValue(in: filled(12, maps))).count == nil)
  }

  @Test(
    "one frame is enough where no depth camera gives the number",
    arguments: [9999, 32.767, 65.534] as [Float])
  func singleFrame(_ value: Float) {
    #expect(RepeatedValue(in: filled(value, [maps[0]]))?.metres == value)
    #expect(RepeatedValue(in: filled(value, still))?.metres == value)
  }

  @Test("what is beyond an end and was set to it is a clamp")
  func clamps() throws {
    let far = maps.map { map in
      DepthMap(width: map.width, height: map.height, values: map.values.map { min($0, 3) })
    }
    let poses = Self.room.frames.map(\.worldFromCamera)
    let found = try #require(RepeatedValue(in: far, poses: poses))
    #expect(found.kind == .clamp && found.metres == 3 && found.isFar)
    let near = maps.map { map in
      DepthMap(width: map.width, height: map.height, values: map.values.map { max($0, 2.2) })
    }
    #expect(RepeatedValue(in: near, poses: poses).map { $0.kind == .clamp && !$0.isFar } == true)
    // A wall may stand there as well, if the camera only moves along it.
    #expect(RepeatedValue(in: far) == nil)
    let aside = poses.indices.map { index in
      poses[0].map { pose in
        var pose = pose
        pose.translation += 0.2 * Double(index) * pose.xAxis
        return pose
      }
    }
    #expect(RepeatedValue(in: far, poses: aside) == nil)
  }

  @Test(
    "rooms stand for themselves, however coarse their depth is", arguments: [1000, 256, 100, 20] as [Float])
  func rooms(_ counts: Float) {
    #expect(RepeatedValue(in: quantised(maps, counts)) == nil)
    #expect(RepeatedValue(in: quantised(still, counts)) == nil)
    #expect(RepeatedValue(in: maps) == nil)
  }

  @Test("a wall that is seen straight on has one distance, and that is right")
  func walls() {
    let wall = DepthMap(width: 64, height: 48, filledWith: 3.2)
    #expect(RepeatedValue(in: Array(repeating: wall, count: 8)) == nil)
    // A thing in front of it, from a camera that stands still.
    #expect(RepeatedValue(in: filled(1.5, Array(repeating: wall, count: 8))) == nil)
    // A camera that approaches it.
    let nearer = (0..<8).map { DepthMap(width: 64, height: 48, filledWith: 3.2 - 0.1 * Float($0)) }
    #expect(RepeatedValue(in: nearer) == nil)
  }

  @Test("so does a sparse map")
  func sparse() {
    let sparse = quantised(maps, 1000).map { map in
      DepthMap(
        width: map.width, height: map.height,
        values: map.values.enumerated().map { $0.offset % 37 == 0 ? $0.element : 0 })
    }
    #expect(RepeatedValue(in: sparse) == nil)
  }

  @Test("the sky of a rendered landscape is not a fault, the same number in a hole of a room is one")
  func skies() {
    let landscape = (0..<8).map { frame in
      DepthMap(
        width: 64, height: 48,
        values: (0..<64 * 48).map { index in
          let row = index / 64
          return row < 16 + frame ? 655.35 : min(655.35, 90 / (Float(row - 16 - frame) + 0.5))
        })
    }
    #expect(RepeatedValue(in: landscape) == nil)
    #expect(RepeatedValue(in: filled(655.35, maps))?.kind == .fill)
  }
}

@Suite("Fill values in a scene")
struct FillValueTests {
  @Test("a fill value of the LiDAR is a contradiction, and what follows is judged without it")
  func lidar() throws {
    let room = BrokenRoom(frames: 10)
    let clean = SceneDiagnosis(room.sample, seed: 0).findings
    #expect(!clean.contains { $0.test == "lidar-fill" })
    var wrong = room
    for (index, map) in filled(9999, room.frames.map(\.lidar)).enumerated() {
      wrong.frames[index].lidar = map
    }
    let found = SceneDiagnosis(wrong.sample, seed: 0).findings
    let finding = try #require(found.first { $0.test == "lidar-fill" })
    #expect(finding.verdict == .contradicted && finding.supported == "fill-value")
    #expect(finding.summary.hasPrefix("8.3 % of the pixels are exactly 9999 m"))
    #expect(finding.fix?.contains("`--invalid 9999`") == true)
    #expect(finding.correction == .noDepth(object: "lidar/depth", metres: 9999))
    #expect(found.filter(\.verdict.isWrong).map(\.test) == ["lidar-fill"])
  }

  @Test("so are those of the truth and of a metric prediction, with the option of each")
  func others() throws {
    var room = BrokenRoom(frames: 10)
    let prediction = StoredPrediction(name: "net", kind: .metric, size: BrokenRoom.size)
    room.header.truthSize = BrokenRoom.size
    room.header.predictions = [prediction]
    let maps = room.frames.map(\.lidar)
    for (index, map) in filled(80, maps).enumerated() {
      room.frames[index].predictions = [(prediction, map)]
      room.frames[index].truth = filled(0.001, [maps[index]])[0]
    }
    let found = SceneDiagnosis(room.sample, seed: 0).findings
    #expect(found.first { $0.test == "truth-fill" }?.fix?.contains("`--truth-invalid 0.001`") == true)
    #expect(
      found.first { $0.test == "prediction-fill:net" }?.fix?.contains("`--prediction-invalid net=80`") == true
    )
    #expect(!found.contains { $0.test == "lidar-fill" })
  }

  @Test("the correction takes away exactly these pixels")
  func correction() {
    var sample = BrokenRoom(frames: 3).sample
    let map = filled(9999, [sample.frames[0].lidar])[0]
    sample.frames[0].lidar = map
    Correction.noDepth(object: "lidar/depth", metres: 9999).apply(to: &sample)
    #expect(sample.frames[0].lidar.values.count { $0.isNaN } == 256)
    #expect(Correction.noDepth(object: "lidar/depth", metres: 9999).changesPixels)
  }
}
