import DepthCore
import DepthFusion
import Foundation
import TestSupport
import Testing

@testable import DepthGraphics

/// Colours of Matplotlib and cmcrameri, written by Tests/Reference/make_colour_maps.py.
private struct GoldenColours: Decodable {
  let shares: [Double]
  let maps: [String: [[Double]]]

  static func read() throws -> GoldenColours {
    let file = PackageFiles.root.appendingPathComponent("Tests/Reference/golden/colour_maps.json")
    return try JSONDecoder().decode(GoldenColours.self, from: Data(contentsOf: file))
  }
}

@Suite("Colour maps and scales")
struct ColourMapTests {
  @Test("equal the published ones to half a step of 8 bits", arguments: ColourMap.all.map(\.id))
  func golden(_ id: String) throws {
    let golden = try GoldenColours.read()
    let map = try #require(ColourMap.all.first { $0.id == id })
    let colours = try #require(golden.maps[id])
    #expect(golden.shares.count == 102 && colours.count == 102)
    for (share, expected) in zip(golden.shares, colours) {
      let colour = try #require(map.colour(at: share))
      for (ours, theirs) in zip([colour.red, colour.green, colour.blue], expected) {
        let difference = abs(Double(ours) - 255 * theirs)
        #expect(difference <= 0.5 + 1e-9, "\(id) at \(share)")
      }
    }
    #expect(map.colour(at: .nan) == nil)
  }

  @Test("viridis grows lighter from end to end, so that it reads without colour")
  func lightness() {
    let levels = ColourMap.viridis.table.map(\.greyLevel)
    #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(levels[0] < 40 && levels[255] > 220)
  }

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

  @Test(
    "ticks are round numbers within the range",
    arguments: [
      (0.0...10.0, ["0", "2", "4", "6", "8", "10"]), (0.5...5.0, ["1", "2", "3", "4", "5"]),
      (-0.02...0.02, ["-0.02", "-0.01", "0.00", "0.01", "0.02"]),
      (1200.0...3100.0, ["1500", "2000", "2500", "3000"]),
      (3.0...3.0, ["3"]),
    ])
  func ticks(_ range: ClosedRange<Double>, _ labels: [String]) {
    #expect(ScaleTicks(range, most: 6).labels == labels)
  }
}
