import DepthCore
import Foundation
import Testing

@testable import DepthDiagnosis

@Suite("Numbers and maps that stand where others belong")
struct MisplacedDataTests {
  /// Twelve frames with a truth that differs from the LiDAR as sensors do.
  private func room(noise: Double = 0.002, _ change: (inout DepthFrame) -> Void = { _ in }) -> BrokenRoom {
    var room = BrokenRoom(frames: 12, isSteady: false, noise: noise)
    let truths = BrokenRoom(frames: 12, isSteady: false, noise: 0).frames
    for index in room.frames.indices { room.frames[index].truth = truths[index].lidar }
    room.header.truthSize = BrokenRoom.size
    return room.changed(change)
  }

  private func findings(_ room: BrokenRoom) -> [String: Finding] {
    let found = SceneDiagnosis(room.sample, seed: 0).findings
    return Dictionary(found.map { ($0.test, $0) }) { first, _ in first }
  }

  private func expect(_ found: [String: Finding], _ test: String, _ supported: String) {
    #expect(found[test]?.verdict == .contradicted, "\(test): \(found[test]?.summary ?? "no finding")")
    #expect(found[test]?.supported == supported)
    #expect(found[test]?.fix != nil && found[test]?.correction == nil)
  }

  private func stored(_ map: DepthMap, _ values: [Float]) -> DepthMap {
    DepthMap(width: map.width, height: map.height, values: values)
  }

  @Test("of right data nothing is called wrong, with and without noise", arguments: [0, 0.002, 0.02])
  func right(_ noise: Double) {
    let found = findings(room(noise: noise))
    #expect(found.values.filter { $0.verdict.isWrong }.map(\.summary) == [])
  }

  @Test(
    "rows of another length, alternating rows, swapped bytes and a dead column are named, and nothing builds on them"
  )
  func pixels() {
    let right = room(), width = BrokenRoom.size.width
    let long = room {
      $0.lidar = stored(
        $0.lidar,
        (0..<BrokenRoom.size.count).map { [map = $0.lidar] in
          let (row, column) = ($0 / (width + 4), $0 % (width + 4))
          return map[row, min(column, width - 1)]
        })
    }
    expect(findings(long), "lidar-pixels", "rows-of-\(width + 4)")
    var mixed = right
    for index in mixed.frames.indices.dropLast() {
      for row in stride(from: 1, to: BrokenRoom.size.height, by: 2) {
        for column in 0..<width {
          mixed.frames[index].lidar[row, column] = right.frames[index].lidar[row, (column + 12) % width]
        }
      }
    }
    expect(findings(mixed), "lidar-pixels", "rows-alternate")
    let swapped = room {
      $0.lidar = stored($0.lidar, $0.lidar.values.map { Float(UInt16($0 * 1000).byteSwapped) / 1000 })
    }
    expect(findings(swapped), "lidar-pixels", "bytes-swapped")
    #expect(findings(swapped)["frame-agreement"]?.verdict == .notTestable)
    let dead = room { frame in
      for row in 0..<BrokenRoom.size.height { frame.lidar[row, 20] = 0.5 }
    }
    expect(findings(dead), "lidar-pixels", "bars")
  }

  @Test("bars that were added to a network's map are named; a sky is none")
  func bars() {
    func barred(_ rows: Set<Int>) -> [String: Finding] {
      findings(
        room { frame in
          for row in rows { for column in 0..<64 { frame.relative?[row, column] = 0 } }
        })
    }
    expect(barred([0, 1, 2, 3, 44, 45, 46, 47]), "relative-pixels", "bars")
    #expect(barred([0, 1, 2, 3])["relative-pixels"] == nil)
  }

  @Test("a side wall and a post without noise are not called bars, whether the camera stands or moves")
  func walls() {
    func map(_ shift: Int) -> DepthMap {
      DepthMap(
        width: 96, height: 72,
        values: (0..<72 * 96).map { index in
          let column = index % 96 + shift
          return column == 40 ? 1 : column < 60 ? 3 : 3 / (1 + 0.1 * Float(column - 60))
        })
    }
    for shifts in [[0], [0, 0, 0, 0], [0, 1, 2, 3, 4]] {
      #expect(PixelOrder(of: shifts.map(map), isDepth: true) == nil)
    }
  }

  @Test("truths of some frames in another unit are named with their frames")
  func units() {
    let found = findings(
      room { frame in
        if frame.index >= 8 {
          frame.truth = frame.truth.map { truth in stored(truth, truth.values.map { $0 * 3.2808 }) }
        }
      })
    expect(found, "truth-per-frame", "scale-3.28-at-8")
    #expect(found["truth-scale"]?.verdict == .notTestable)
  }

  @Test("truths that were swapped, or one that stands for all, are of other frames")
  func order() {
    let right = room()
    var swapped = right, frozen = right
    (swapped.frames[2].truth, swapped.frames[9].truth) = (right.frames[9].truth, right.frames[2].truth)
    for index in frozen.frames.indices { frozen.frames[index].truth = right.frames[0].truth }
    for room in [swapped, frozen] { expect(findings(room), "truth-delay", "other-frames") }
    #expect(findings(swapped)["truth-delay"]?.summary.contains("2 that of 9, 9 that of 2") == true)
  }

  @Test("a truth that lies beside the LiDAR is named with its side")
  func placement() {
    let found = findings(
      room { frame in
        frame.truth = frame.truth?.rearranged { ($0, max(0, $1 - 4)) }
      })
    expect(found, "truth-placement", "shifted-right")
  }

  @Test("a truth of reciprocals is the LiDAR's depths to the power of -1")
  func reciprocals() {
    let found = findings(
      room { frame in frame.truth = frame.truth.map { truth in stored(truth, truth.values.map { 1 / $0 }) } })
    #expect(found["truth-scale"]?.supported == "power--1.0", "\(found["truth-scale"]?.summary ?? "")")
  }

  @Test("poses in reverse order are named")
  func reversed() {
    var wrong = room()
    let poses = wrong.frames.map(\.worldFromCamera)
    for index in wrong.frames.indices { wrong.frames[index].worldFromCamera = poses[11 - index] }
    #expect(findings(wrong)["frame-agreement"]?.supported == "poses-reversed")
  }

  @Test("depth without its low bits, and a truth of 8 bits, are called coarse")
  func steps() {
    let coarse = findings(
      room { $0.lidar.values = $0.lidar.values.map { Foundation.floor($0 / 0.064) * 0.064 } })
    #expect(coarse["depth-steps"]?.supported == "coarse" && coarse["lidar-fill"] == nil)
    let levels = findings(
      room {
        $0.truth = $0.truth.map { truth in
          stored(truth, truth.values.map { ($0 / 0.0191).rounded() * 0.0191 })
        }
      })
    expect(levels, "truth-steps", "levels-256")
  }

  @Test("stamps with days between two frames are not confirmed")
  func gap() {
    var wrong = room()
    wrong.header.timestampsSeconds = (0..<12).map { Double($0) / 10 + ($0 < 6 ? 0 : 1e6) }
    #expect(findings(wrong)["time-unit"]?.verdict == .undecidable)
  }
}
