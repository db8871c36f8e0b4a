import FathomDrawingScales
import Testing

@testable import DepthGraphics

@Suite("Colour scales")
struct ColourScaleTests {
  @Test("a scale clamps, leaves NaN without colour, and spans what is not an outlier")
  func scale() {
    let scale = ColourScale(range: 1...3, label: "depth", unit: "m")
    #expect(scale.title == "depth [m]")
    #expect(scale.colour(of: 0) == scale.colour(of: 1) && scale.colour(of: 9) == ColourMap.viridis.table[255])
    #expect(scale.colour(of: .nan) == nil && scale.colour(of: 2) == ColourMap.viridis.table[128])
    let values = (0..<100).map { Double($0) } + [.nan, .infinity, 1e9]
    #expect(ColourScale(spanning: values, label: "x").range == 2...98)
    #expect(ColourScale(spanning: [Double.nan], label: "x").range == 0...1)
    #expect(ColourScale(range: 2...2, label: "x").share(of: 2) == 0.5)
  }
}
