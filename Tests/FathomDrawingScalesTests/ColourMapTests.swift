import DepthCore
import Foundation
import FathomTestSupport
import Testing

@testable import FathomDrawingScales

/// Colours of Matplotlib and cmcrameri, written by Tests/Reference/make_colour_maps.py.
private struct GoldenColours: Decodable {
  let shares: [Double]
  let maps: [String: [[Double]]]

  static func read() throws -> GoldenColours {
    let file = PackageFiles.root.appendingPathComponent("Tests/Reference/golden/colour_maps.json")
    return try JSONDecoder().decode(GoldenColours.self, from: Data(contentsOf: file))
  }
}

@Suite("Colour maps")
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

  // To half a step of 8 bits.
  @Test("viridis grows lighter from end to end, so that it reads without colour")
  func lightness() {
    let levels = ColourMap.viridis.table.map(\.luminance)
    #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 <= $1 + 0.002 })
    #expect(levels[0] < 0.02 && levels[255] > 0.7)
  }
}
