import FathomPlainText
import DepthCore
import DepthObjects
import Foundation
import Testing

@testable import DepthDiagnosis

private let allThree = "box-flip+mask-flip+image-flip"

@Suite("The three row flips, tested on objects")
struct ObjectFlipsTests {
  @Test(
    "each combination of origins is found, with true boxes and without",
    arguments: [ImageOrigin.topLeft, .bottomLeft], [ImageOrigin.topLeft, .bottomLeft])
  func origins(boxes: ImageOrigin, masks: ImageOrigin) throws {
    let right = RowFlips(for: DetectionConventions(boxOrigin: boxes, maskOrigin: masks))
    let room = FlipRoom.room.counted(boxes: boxes, masks: masks)
    #expect(room.allowed() == [right.id])
    #expect(room.withoutTruth.allowed() == [right.id])
  }

  @Test("a wrong declaration is contradicted, with the attribute to change and the numbers that show it")
  func declarations() throws {
    let cases: [(ImageOrigin, ImageOrigin, [String])] = [
      (.bottomLeft, .bottomLeft, []), (.topLeft, .bottomLeft, ["objects/bbox"]),
      (.bottomLeft, .topLeft, ["objects/mask"]), (.topLeft, .topLeft, ["objects/bbox", "objects/mask"]),
    ]
    for (boxes, masks, attributes) in cases {
      var room = FlipRoom.room
      (room.conventions.boxOrigin, room.conventions.maskOrigin) = (boxes, masks)
      let flips = room.measured()
      #expect(flips.declaredID == RowFlips(for: room.conventions).id)
      #expect((flips.declaredID == allThree) == attributes.isEmpty)
      let right = try #require(flips.hypotheses.first { $0.id == allThree })
      #expect(right.fix.isEmpty == false && (right.fix == "nothing") == attributes.isEmpty)
      for attribute in attributes { #expect(right.fix.contains("origin of \(attribute) to 'bottom-left'")) }
      #expect(right.symptom.contains("wrong rows") != attributes.isEmpty)
      #expect(right.symptom.isEmpty == attributes.isEmpty)
      #expect(flips.allowed == [allThree])
    }
  }

  @Test("a recording upside down lacks the third flip, by true boxes and by other frames alone")
  func thirdFlip() throws {
    let room = FlipRoom.room.upsideDown
    let flips = room.measured()
    #expect(flips.allowed == ["none"])
    #expect(room.withoutTruth.allowed() == ["none"])
    let right = try #require(flips.hypotheses.first { $0.id == "none" })
    #expect(right.symptom.contains("sideways in portrait") && right.fix.contains("lidar/depth"))
  }

  @Test("what nothing in the file decides stays open, and the rest is decided")
  func undecidable() throws {
    let room = FlipRoom.room
    func decided(_ room: FlipRoom) throws -> DecidedFlips {
      let flips = room.measured()
      try #require(!flips.consistent.isEmpty)
      return flips.decided(flips.consistent)
    }
    let unposed = try decided(room.withoutPoses)
    #expect(unposed.boxToDepth == true && unposed.depthToMask == true && unposed.depthToImage == nil)
    let unmasked = try decided(
      room.changed { room in for index in room.objects.indices { room.objects[index].mask = nil } })
    #expect(unmasked.boxToDepth == true && unmasked.depthToMask == nil && unmasked.depthToImage == true)
    let still = room.withoutTruth.changed { room in
      for index in room.frames.indices { room.frames[index].worldFromCamera = .identity }
      let first = room.frames[0].lidar
      for index in room.frames.indices { room.frames[index].lidar = first }
    }
    #expect(try decided(still).depthToImage == nil)
  }

  @Test("where poses bring no frames together, they say nothing about rows")
  func wrongPoses() {
    let room = FlipRoom.room.withoutTruth
    let flips = room.changed { room in
      for index in room.frames.indices {
        room.frames[index].worldFromCamera = room.frames[index].worldFromCamera?.inverse
      }
    }.measured()
    #expect(flips.caution?.contains("poses or intrinsics") == true)
    #expect(flips.allowed == [allThree, "box-flip+mask-flip"])
  }

  @Test("objects that look the same upside down decide neither box nor mask")
  func symmetric() throws {
    let room = FlipRoom.room.withoutTruth.changed { room in
      for index in room.objects.indices {
        room.objects[index].box = PixelRectangle(minX: 600, minY: 420, maxX: 1200, maxY: 1020)
        var mask = Raster(width: 160, height: 120, filledWith: Float(0))
        for row in 35..<85 { for column in 50..<100 { mask[row, column] = 1 } }
        room.objects[index].mask = mask
      }
    }
    let allowed = room.allowed()
    #expect(allowed == [allThree, "mask-flip+image-flip", "box-flip+image-flip", "image-flip"])
  }

  @Test("the right row of the table is the best, and unmasked objects are counted")
  func table() throws {
    let room = FlipRoom.room
    let flips = room.measured()
    #expect(flips.table.map(\.flips) == flips.hypotheses.map(\.id))
    let right = try #require(flips.table.first { $0.flips == allThree })
    #expect(right.objects == room.objects.count)
    let (cost, points) = (try #require(right.cost), try #require(right.pointsInTrueBox))
    #expect(flips.objection == nil && flips.caution == nil)
    for row in flips.table where row.flips != allThree {
      let (otherCost, otherPoints) = (try #require(row.cost), try #require(row.pointsInTrueBox))
      #expect(otherCost > cost && otherPoints < points, "\(row.flips)")
    }
    let unturned = try #require(flips.table.first { $0.flips == "box-flip+image-flip" })
    let (masked, unmasked) = (try #require(right.maskedShare), try #require(unturned.maskedShare))
    #expect(unmasked < masked)
    let mirrored = try #require(flips.table.first { $0.flips == "box-flip+mask-flip" })
    #expect(mirrored.depthAgreement == right.depthAgreement && mirrored.depthSpread == right.depthSpread)
    let (near, far) = (try #require(right.lateralCentimetres), try #require(mirrored.lateralCentimetres))
    let shift = try #require(right.thirdFlipShiftCentimetres)
    #expect(far > near && shift > 20)
  }

  @Test("equal input gives equal bytes; every number survives JSON")
  func determinism() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let room = FlipRoom.room
    let (first, second) = (room.measured(), room.measured())
    #expect(try encoder.encode(first.objects) == encoder.encode(second.objects))
    #expect(try encoder.encode(first.table) == encoder.encode(second.table))
    let decoded = try JSONDecoder().decode([FlippedObject].self, from: encoder.encode(first.objects))
    #expect(decoded == first.objects)
    #expect(Set(first.objects.map { $0.measurements.map(\.flips) }) == [ObjectFlips.combinations.map(\.id)])
  }

  @Test("what cannot be tested says why")
  func objections() {
    let room = FlipRoom.room
    #expect(room.changed { $0.objects = [] }.measured().objection == "the scene has no detected objects")
    let few = room.changed { $0.objects = Array($0.objects.prefix(3)) }.measured()
    #expect(few.objection?.hasPrefix("3 objects") == true && few.costs.count == 3)
    let blind = room.changed { room in
      for index in room.frames.indices { room.frames[index].intrinsics = nil }
    }
    let unseen = blind.measured()
    #expect(unseen.objection?.contains("no intrinsics") == true && unseen.objects.isEmpty)
    let empty = room.changed { room in
      for index in room.frames.indices {
        room.frames[index].lidar = DepthMap(width: 96, height: 72, filledWith: .nan)
      }
      for index in room.objects.indices { room.objects[index].mask = nil }
    }
    #expect(empty.withoutTruth.measured().costs.isEmpty)
  }
}
