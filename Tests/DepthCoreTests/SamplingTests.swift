import Testing

@testable import DepthCore

@Suite("Positions and bilinear sampling")
struct SamplingTests {
  @Test("the three mappings of pixel 0, the middle and the last")
  func mappings() {
    // 256 LiDAR columns onto 518: corner to corner, plain scale, centre to centre.
    #expect(PositionMapping.corners.position(of: 0, source: 256, target: 518) == 0)
    #expect(PositionMapping.corners.position(of: 255, source: 256, target: 518) == 517)
    #expect(PositionMapping.scale.position(of: 128, source: 256, target: 518) == 259)
    #expect(PositionMapping.centres.position(of: 0, source: 256, target: 512) == 0.5)
    #expect(PositionMapping.centres.position(of: 255, source: 256, target: 512) == 510.5)
    #expect(PositionMapping.corners.position(of: 0, source: 1, target: 5) == 0)
  }

  @Test("a linear ramp is reproduced inside and clamped at the edges")
  func ramp() {
    let map = DepthMap(width: 4, height: 2, values: [0, 1, 2, 3, 10, 11, 12, 13])
    var values: [Double] = []
    BilinearSampler(source: RasterSize(width: 8, height: 2), target: map.size).forEachSample(of: map) {
      values.append($1)
      #expect($0 == values.count - 1)
    }
    #expect(Array(values[..<8]) == [0, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3])
    #expect(values[8] == 10)
  }

  @Test("a missing neighbour makes a sample missing only where it has weight")
  func missing() {
    let map = DepthMap(width: 3, height: 1, values: [1, .nan, 3])
    func samples(_ width: Int) -> [Double] {
      var values: [Double] = []
      BilinearSampler(source: RasterSize(width: width, height: 1), target: map.size).forEachSample(of: map) {
        values.append($1)
      }
      return values
    }
    let same = samples(3)
    #expect(same[0] == 1 && same[1].isNaN && same[2] == 3)
    let finer = samples(6)
    #expect(finer[0] == 1 && finer[5] == 3)
    #expect(finer[1].isNaN && finer[2].isNaN && finer[3].isNaN && finer[4].isNaN)
  }
}
