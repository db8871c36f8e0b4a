import DepthCore
import Testing

@testable import DepthGraphics

@Suite("Iso-lines")
struct IsoLinesTests {
  @Test("lie where a slope has the level, in continuous coordinates")
  func slope() {
    let map = DepthMap(width: 5, height: 4, values: (0..<20).map { Float($0 % 5) })
    let segments = IsoLines(of: map, at: 1.25).segments
    #expect(segments.count == 3)
    // The centre of column 1 is at 1.5, and a quarter further is 1.75.
    #expect(segments.allSatisfy { abs($0.0.x - 1.75) < 1e-9 && abs($0.1.x - 1.75) < 1e-9 })
    #expect(segments.map { min($0.0.y, $0.1.y) }.sorted() == [0.5, 1.5, 2.5])
  }

  @Test("close around a peak, and leave missing values out")
  func peak() {
    var map = DepthMap(width: 5, height: 5, filledWith: 1)
    map[2, 2] = 3
    let segments = IsoLines(of: map, at: 2).segments
    #expect(segments.count == 4)
    let length = segments.reduce(0.0) { sum, segment in
      let d = segment.1 - segment.0
      return sum + (d.x * d.x + d.y * d.y).squareRoot()
    }
    #expect(abs(length - 4 * 0.5 * 2.0.squareRoot()) < 1e-9)
    map[1, 1] = .nan
    #expect(IsoLines(of: map, at: 2).segments.count == 3)
  }

  @Test("an average leaves missing values out and missing")
  func average() {
    var map = DepthMap(width: 3, height: 3, filledWith: 2)
    map[0, 0] = 0
    map[2, 2] = 5
    let smooth = map.boxAveraged(radius: 1)
    #expect(smooth[0, 0].isNaN && smooth[1, 1] == (7 * 2 + 5) / 8)
  }
}
