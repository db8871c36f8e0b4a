import DepthCore
import DepthObjects
import Foundation
import FathomTestSupport
import Testing

/// SUN RGB-D's frame 17: coloured points and two hand-made oriented boxes, z up.
private struct LabelledRoom {
  static let folder = PackageFiles.realDataPath("sources/sunrgbd")
  static var exists: Bool { FileManager.default.fileExists(atPath: folder + "/000017.bin") }

  /// In a y-up world, metres.
  let points: [SIMD3<Double>]
  /// cx, cy, cz, dx, dy, dz, yaw of the bed and of the night stand, as in the file.
  let bed: [Double], nightStand: [Double]

  init() throws {
    struct Infos: Decodable {
      struct Sample: Decodable {
        struct Instance: Decodable {
          let bbox_3d: [Double]
          let bbox_label_3d: Int
        }
        let instances: [Instance]
      }
      let data_list: [Sample]
    }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: Self.folder + "/000017.bin"))
    let numbers = bytes.withUnsafeBytes { buffer in
      (0..<buffer.count / 4).map {
        Float(bitPattern: UInt32(littleEndian: buffer.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)))
      }
    }
    points = stride(from: 0, to: numbers.count, by: 6).map {
      UpAxis.yUp([Double(numbers[$0]), Double(numbers[$0 + 1]), Double(numbers[$0 + 2])])
    }
    let infos = try JSONDecoder().decode(
      Infos.self, from: Data(contentsOf: URL(fileURLWithPath: Self.folder + "/sunrgbd_000017_infos.json")))
    let instances = infos.data_list.flatMap(\.instances)
    bed = try #require(instances.first { $0.bbox_label_3d == 0 }).bbox_3d
    nightStand = try #require(instances.first { $0.bbox_label_3d == 7 }).bbox_3d
  }

  /// Points in a box whose local coordinates are R(yaw)ᵀ(p − c), with the yaw's sign as it is or turned round.
  func count(in box: [Double], yawSign: Double = 1) -> Int {
    let upright = OrientedBox(
      zUpCenter: SIMD3(box[0..<3]), size: SIMD3(box[3..<6]), yaw: yawSign * box[6])
    let posed = PosedBox(upright)
    return points.count { posed.contains($0) }
  }
}

@Suite("Boxes of a real room")
struct RealBoxTests {
  @Test(
    "SUN RGB-D's labels hold the points they are known to hold, in its sign of yaw only",
    .enabled(if: LabelledRoom.exists, "\(PackageFiles.noRealData)"))
  func labelledBoxes() throws {
    let room = try LabelledRoom()
    #expect(room.points.count == 50_000)
    #expect(room.count(in: room.bed) == 18_117)
    #expect(room.count(in: room.nightStand) == 951)
    #expect(room.count(in: room.bed, yawSign: -1) != 18_117)
    #expect(room.count(in: room.nightStand, yawSign: -1) != 951)
  }

  @Test("a box holds its inside and its surface, and nothing beyond")
  func contains() {
    let box = PosedBox(OrientedBox(center: [1, 2, 3], size: [2, 4, 1], yaw: .pi / 6))
    #expect(box.contains([1, 2, 3]) && box.contains([1, 4, 3]) && !box.contains([1, 4.001, 3]))
    for corner in box.corners {
      let (inside, outside) = (corner * 0.999 + box.center * 0.001, corner * 1.001 - box.center * 0.001)
      #expect(box.contains(inside) && !box.contains(outside))
    }
  }

  @Test("a z-up box turned into the y-up world holds the same points", arguments: [0.0, 0.4, -1.2, 2.5])
  func zUp(_ yaw: Double) {
    let (center, size) = (SIMD3(0.5, -1, 2.0), SIMD3(2.0, 1, 0.6))
    let box = PosedBox(OrientedBox(zUpCenter: center, size: size, yaw: yaw))
    var generator = SplitMix64(seed: 3)
    var inside = 0
    for _ in 0..<2000 {
      func draw() -> Double { Double.random(in: -1.5...1.5, using: &generator) }
      let offset = SIMD3(draw(), draw(), draw())
      // R(yaw)ᵀ offset, about z.
      let (x, y) = (
        cos(yaw) * offset.x + sin(yaw) * offset.y, -sin(yaw) * offset.x + cos(yaw) * offset.y
      )
      let isInside = abs(x) <= 1 && abs(y) <= 0.5 && abs(offset.z) <= 0.3
      inside += isInside ? 1 : 0
      #expect(box.contains(UpAxis.yUp(center + offset)) == isInside)
    }
    #expect(inside > 50)
  }

  @Test("a data set's true box moves its centre only")
  func stored() {
    let box = OrientedBox(center: [1, 2, 3], size: [4, 5, 6], yaw: 0.3)
    #expect(box.upright(from: .y) == box)
    #expect(box.upright(from: .z) == OrientedBox(center: [1, 3, -2], size: [4, 5, 6], yaw: 0.3))
  }
}
