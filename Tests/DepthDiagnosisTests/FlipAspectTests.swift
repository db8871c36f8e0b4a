import DepthCore
import DepthObjects
import Foundation
import Testing

@testable import DepthDiagnosis

/// The single measurements, on numbers that can be checked by hand.
@Suite("What tells the flips apart")
struct FlipAspectTests {
  private static let imageSize = RasterSize(width: 160, height: 120)
  private let conventions = DetectionConventions(maskStride: 4)

  /// An object 1 m away before a wall at 2 m, in columns 10..<20 and rows 6..<12 of a map of 40×30.
  private var frame: DepthFrame {
    var lidar = DepthMap(width: 40, height: 30, filledWith: 2)
    for row in 6..<12 { for column in 10..<20 { lidar[row, column] = 1 } }
    return DepthFrame(index: 0, lidar: lidar)
  }

  /// Its detection; a mask pixel is a depth pixel.
  private func object(maskRows: Range<Int> = 6..<12) -> DetectedObject {
    var mask = Raster(width: 40, height: 30, filledWith: Float(0))
    for row in maskRows { for column in 10..<20 { mask[row, column] = 1 } }
    return DetectedObject(
      frame: 0, label: "cup", score: 1, box: PixelRectangle(minX: 40, minY: 24, maxX: 80, maxY: 48),
      mask: mask)
  }

  @Test("a mask in its box, and the share of it in the box turned over")
  func maskInBox() throws {
    let upright = try #require(MaskInBox(object(), conventions, imageSize: Self.imageSize))
    // The box turned over covers rows 18..<24, and a pixel around: none of rows 6..<12.
    #expect(upright.sameOrigin == 1 && upright.otherOrigin == 0)
    let lower = try #require(MaskInBox(object(maskRows: 9..<21), conventions, imageSize: Self.imageSize))
    // Rows 9…12 of twelve lie in the box or a pixel below; 17…20 in the other or a pixel above.
    #expect(lower.sameOrigin == 4.0 / 12 && lower.otherOrigin == 4.0 / 12)
    #expect(MaskInBox(object(maskRows: 0..<0), conventions, imageSize: Self.imageSize) == nil)
  }

  @Test("an outline on edges of depth, and on a wall")
  func outline() throws {
    let outline = try #require(
      MaskOutline(of: object(), conventions, on: frame.lidar.size, imageSize: Self.imageSize))
    // A step from 1 m to 2 m is more than a full one; turned over, the outline lies on the wall.
    #expect(outline.shareOnEdges(LogDepth(frame), turned: false) == 1)
    #expect(outline.shareOnEdges(LogDepth(frame), turned: true) == 0)
    var gentle = frame
    for index in gentle.lidar.values.indices where gentle.lidar.values[index] == 1 {
      gentle.lidar.values[index] = Float(2 * exp(-0.04))
    }
    let share = try #require(outline.shareOnEdges(LogDepth(gentle), turned: false))
    #expect(abs(share - 0.4) < 1e-5)
    var blind = frame
    for index in blind.lidar.values.indices { blind.lidar.values[index] = .nan }
    #expect(outline.shareOnEdges(LogDepth(blind), turned: false) == nil)
  }

  @Test("a box before a wall, and a box on it")
  func contrast() throws {
    let (box, depth) = (object().box, LogDepth(frame))
    #expect(BoxContrast.nearness(depth, box, imageSize: Self.imageSize) == 1)
    let turned = box.flipped(imageHeight: 120)
    #expect(BoxContrast.nearness(depth, turned, imageSize: Self.imageSize) == 0.5)
    let whole = PixelRectangle(minX: 0, minY: 0, maxX: 160, maxY: 120)
    #expect(BoxContrast.nearness(depth, whole, imageSize: Self.imageSize) == nil)
    let nowhere = PixelRectangle(minX: -3e38, minY: 3e38, maxX: 3e38, maxY: -3e38)
    #expect(BoxContrast.nearness(depth, nowhere, imageSize: Self.imageSize) == nil)
  }

  @Test("pixels meet other frames with the third flip, and miss them without it")
  func otherFrames() throws {
    let room = BrokenRoom(noise: 0)
    let frames = OtherFrames(room.frames, of: room.header)
    let pixels = Array(0..<BrokenRoom.size.count)
    let found = try #require(frames.disagreement(of: pixels, in: room.frames[0]))
    #expect(found.flipped < 0.1 && found.unflipped > found.flipped + 0.1)
    #expect(frames.disagreement(of: [], in: room.frames[0]) == nil)
    let alone = OtherFrames([room.frames[0]], of: room.header)
    #expect(alone.disagreement(of: pixels, in: room.frames[0]) == nil)
  }

  @Test("a true box: what it holds, its depths, its image with rows from either end")
  func trueBox() throws {
    let camera = PosedCamera(
      CameraIntrinsics(fx: 100, fy: 100, cx: 80, cy: 50, imageSize: Self.imageSize), .identity, .opencv)
    let box = OrientedBox(center: [0, 0.2, 2], size: [0.4, 0.4, 0.4], yaw: .pi / 2)
    let truth = TrueBox(box, seenBy: camera)
    #expect(truth.holds([0.24, 0.2, 2]) && !truth.holds([0.26, 0.2, 2]))
    #expect(abs(truth.depths.lowerBound - 1.75) < 1e-9 && abs(truth.depths.upperBound - 2.25) < 1e-9)
    // The nearest face: columns 80 ± 100·0.2/1.8, rows from 50 (all depths) to 50 + 100·0.4/1.8.
    let right = RowFlips(boxToDepth: false, depthToMask: false)
    let half = PixelRectangle(minX: 75, minY: 40, maxX: 85, maxY: 60)
    #expect(abs(try #require(truth.share(of: half, right)) - 0.5) < 1e-6)
    let mirrored = RowFlips(boxToDepth: false, depthToMask: false, depthToImage: false)
    let below = PixelRectangle(minX: 75, minY: 52, maxX: 85, maxY: 60)
    #expect(abs(try #require(truth.share(of: below, right)) - 1) < 1e-6)
    #expect(truth.share(of: below, mirrored) == 0)
  }

  @Test("names of combinations")
  func names() {
    #expect(Set(ObjectFlips.combinations.map(\.id)).count == 8)
    #expect(ObjectFlips.combinations.first?.id == "box-flip+mask-flip+image-flip")
    #expect(ObjectFlips.combinations.last?.id == "none")
    let one = RowFlips(boxToDepth: true, depthToMask: false)
    #expect(one.fix(insteadOf: one) == "nothing")
    #expect(one.statement == "boxes count rows from the bottom, masks from the top")
  }
}
