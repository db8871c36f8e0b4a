import DepthCore
import FathomDrawingScales
import Testing

@testable import DepthGraphics

@Suite("Legends of colours that a picture shines through")
struct VeilTests {
  private let red = Colour(red: 1, green: 0, blue: 0)

  @Test("an opaque layer has none; the lowest one lies on white, others on anything from black to white")
  func shades() throws {
    #expect(Veil(1, at: 2) == nil)
    let alone = try #require(Veil(0.5, at: 0)).shades(of: red)
    #expect(alone == [Colour(red: 1, green: 0.5, blue: 0.5)])
    let over = try #require(Veil(0.5, at: 1)).shades(of: red)
    #expect(over.first == Colour(red: 0.5, green: 0, blue: 0))
    #expect(over.last == Colour(red: 1, green: 0.5, blue: 0.5))
    #expect(zip(over, over.dropFirst()).allSatisfy { $0.green < $1.green })
  }

  @Test("every colour that a grey picture shows under a layer is in its bar")
  func bar() throws {
    let scale = ColourScale(.turbo, range: 0...1, label: "d")
    let veil = try #require(Veil(0.6, at: 1))
    for grey in stride(from: 0.0, through: 1, by: 0.1) {
      for value in stride(from: 0.0, through: 1, by: 0.25) {
        let colour = Colour(try #require(scale.colour(of: value)))
        let seen = 0.6 * colour.red + 0.4 * grey
        let reds = veil.shades(of: colour).map(\.red)
        let (least, most) = try (#require(reds.min()), #require(reds.max()))
        #expect((least - 1e-6...most + 1e-6).contains(seen))
      }
    }
    let middle = veil.middle(of: red)
    #expect(abs(middle.red - 0.8) < 1e-6 && abs(middle.green - 0.2) < 1e-6 && abs(middle.blue - 0.2) < 1e-6)
  }

  @Test(
    "ends of scales are numbers of one digit, not below what they hold",
    arguments: [
      (0.0023, 0.003), (0.1, 0.1), (0.27, 0.3), (0.7, 0.8), (9, 10), (0.30002, 0.3), (1e-7, 1e-6),
    ])
  func round(_ value: Double, _ expected: Double) { #expect(RoundNumber.above(value) == expected) }
}
