import DepthCore
import Foundation
import Testing

@testable import DepthDiagnosis

@Suite("Scenes of one plane")
struct PlaneTests {
  /// A camera that looks down at a floor and walks in a bow.
  private func floor(_ seed: UInt64) -> BrokenRoom {
    var room = BrokenRoom(frames: 9)
    room.header.cameraConvention = .arkit
    let camera = BrokenRoom.intrinsics.scaled(to: BrokenRoom.size)
    let flip = RigidTransform(xAxis: [1, 0, 0], yAxis: [0, -1, 0], zAxis: [0, 0, -1], translation: .zero)
    var generator = SplitMix64(seed: seed)
    for index in room.frames.indices {
      let t = Double(index), turn = 0.02 * t, (c, s) = (cos(0.12), sin(0.12))
      let right = SIMD3(cos(turn), 0, sin(turn)), ahead = SIMD3(sin(turn), 0, -cos(turn))
      let forward = s * ahead - c * SIMD3(0, 1, 0), down = -c * ahead - s * SIMD3(0, 1, 0)
      let pose = RigidTransform(
        xAxis: right, yAxis: down, zAxis: forward,
        translation: [-0.9 + 0.03 * t * t, 1.3 + 0.003 * t * t, 0.3 - 0.13 * t + 0.003 * t * t])
      let depth = (0..<BrokenRoom.size.count).map { i -> Float in
        let (v, u) = (Double(i / BrokenRoom.size.width) + 0.5, Double(i % BrokenRoom.size.width) + 0.5)
        let ray = pose.direction(SIMD3((u - camera.cx) / camera.fx, (v - camera.cy) / camera.fy, 1))
        let noise = 0.005 * (Double(generator.next() >> 11) * 0x1p-52 - 1)
        return Float(-pose.translation.y / ray.y * (1 + noise))
      }
      room.frames[index].lidar = DepthMap(width: 64, height: 48, values: depth)
      room.frames[index].relative = DepthMap(width: 64, height: 48, values: depth.map { 1 / $0 })
      room.frames[index].worldFromCamera = pose.after(flip)
    }
    return room
  }

  @Test("right poses of a camera that sees only a floor are not called late", arguments: [1, 2] as [UInt64])
  func poses(_ seed: UInt64) {
    let found = SceneDiagnosis(floor(seed).sample, seed: 0).findings
    #expect(found.filter { $0.verdict.isWrong }.map { "\($0.test): \($0.summary)" } == [])
  }

  @Test("a floor is one plane, and so is a part of it; a room is none")
  func planes() {
    for frame in floor(3).frames {
      #expect(DepthGrid(frame).isOnePlane)
      var part = frame
      for index in 0..<BrokenRoom.size.count / 2 { part.lidar.values[index] = .nan }
      #expect(DepthGrid(part).isOnePlane)
    }
    #expect(!BrokenRoom().frames.contains { DepthGrid($0).isOnePlane })
  }

  @Test("of ranks of one plane no place of a network's map is judged")
  func place() {
    // The order of near and far is nearly that of the floor farther down.
    let moved = floor(4).changed { frame in
      frame.relative = frame.relative?.rearranged { (max(0, $0 - 5), max(0, $1 - 3)) }
      for index in 0..<BrokenRoom.size.count {
        frame.relative?.values[index] *= 1 + 0.002 * Float(index % 64)
      }
    }
    let found = PairingConvention().findings(in: moved.sample, after: [], seed: 0)
    #expect(!found.contains { $0.test == "relative-placement" })
  }
}
