import DepthCore
import DepthDataset
import Foundation
import Testing

@testable import DepthDiagnosis

@Suite("Which of several layers lies wrong")
struct LidarOrientationTests {
  /// Relative map, truth and two networks; nothing else tells of orientations.
  private func room(hasPoses: Bool = false, _ change: (inout DepthFrame) -> Void = { _ in }) -> BrokenRoom {
    var room = BrokenRoom(frames: 12, isSteady: false, noise: 0.002)
    let truths = BrokenRoom(frames: 12, isSteady: false, noise: 0).frames
    let networks = ["netA", "netB"].map { StoredPrediction(name: $0, kind: .metric, size: BrokenRoom.size) }
    for index in room.frames.indices {
      let truth = truths[index].lidar
      room.frames[index].truth = truth
      room.frames[index].predictions = networks.map { (header: $0, map: truth) }
      if !hasPoses { room.frames[index].worldFromCamera = nil }
    }
    (room.header.truthSize, room.header.predictions) = (BrokenRoom.size, networks)
    room.header.hasPoses = hasPoses
    return room.changed(change)
  }

  private func findings(_ room: BrokenRoom) -> [String: Finding] {
    let found = SceneDiagnosis(room.sample, seed: 0).findings
    return Dictionary(found.map { ($0.test, $0) }) { first, _ in first }
  }

  /// The same map in the shape that it had, as a program writes that resizes it to what it expects.
  private func transposed(_ map: DepthMap) -> DepthMap {
    map.rearranged { row, column in
      (column * map.height / map.width, row * map.width / map.height)
    }
  }

  @Test(
    "a turned LiDAR is named, with and without poses, and no other layer is corrected",
    arguments: [true, false])
  func turned(hasPoses: Bool) {
    let found = findings(room(hasPoses: hasPoses) { $0.lidar = Symmetry.rotated180.upright($0.lidar) })
    #expect(found["lidar-orientation"]?.supported == "rotated-180")
    #expect(found.values.filter { $0.correction != nil }.map(\.test) == [])
    #expect(found["prediction-orientation:netA"]?.verdict == .undecidable)
  }

  @Test("a LiDAR that was transposed and squeezed is named")
  func squeezed() {
    let found = findings(room { $0.lidar = transposed($0.lidar) })
    #expect(found["lidar-orientation"]?.supported == "transposed")
    #expect(found.values.filter { $0.correction != nil }.map(\.test) == [])
  }

  @Test("a truth alone that lies wrong is corrected, and not where a turn would change its shape")
  func truth() {
    let turned = findings(room { $0.truth = $0.truth.map(Symmetry.rotated180.upright) })
    #expect(turned["truth-orientation"]?.isCertain == true && turned["lidar-orientation"] == nil)
    let squeezed = findings(room { $0.truth = $0.truth.map(transposed) })
    #expect(squeezed["truth-orientation"]?.supported == "transposed")
    #expect(squeezed["truth-orientation"]?.correction == nil)
  }

  @Test("of two against two nothing is corrected, and of one against one nothing unasked")
  func tie() {
    var two = room { frame in
      frame.truth = frame.truth.map(Symmetry.rotated180.upright)
      frame.relative = frame.relative.map(Symmetry.rotated180.upright)
      frame.predictions.removeLast()
    }
    two.header.predictions.removeLast()
    let even = findings(two)
    #expect(even["truth-orientation"]?.verdict == .contradicted && even["lidar-orientation"] == nil)
    #expect(even.values.filter { $0.correction != nil }.map(\.test) == [])
    var one = room { frame in
      frame.truth = frame.truth.map(Symmetry.rotated180.upright)
      (frame.relative, frame.predictions) = (nil, [])
    }
    (one.header.relativeSize, one.header.predictions) = (nil, [])
    let alone = findings(one)["truth-orientation"]
    #expect(alone?.verdict == .contradicted && alone?.correction != nil && alone?.isCertain == false)
  }

  @Test("where one scene shows that the LiDAR is turned, no map of another is turned for it")
  func scenes() {
    let turned = room { $0.lidar = Symmetry.rotated180.upright($0.lidar) }
    var poor = turned
    for index in poor.frames.indices {
      (poor.frames[index].relative, poor.frames[index].predictions) = (nil, [])
    }
    (poor.header.relativeSize, poor.header.predictions, poor.header.name) = (nil, [], "poor")
    let alone = [SceneDiagnosis(poor.sample, seed: 0)]
    func corrected(_ scenes: [SceneDiagnosis]) -> [String] {
      scenes.withoutChance.flatMap(\.findings).filter { $0.correction != nil }.map(\.test)
    }
    #expect(corrected(alone) == ["truth-orientation"])
    #expect(corrected(alone + [SceneDiagnosis(turned.sample, seed: 0)]) == [])
  }
}
