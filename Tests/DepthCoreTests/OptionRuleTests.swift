import DepthCore
import Testing

@Suite("Declared options")
struct OptionRuleTests {
  struct Knobs: DeclaredOptions {
    var share = 0.25
    var depths: ClosedRange<Float> = 0.1...4
    var fewest: Int?
    var mapping = PositionMapping.centres

    static let rules: [Rule] = [
      Rule("share", \.share, .above(0, to: 1), help: "A share"),
      Rule("depths", \.depths, .from(0, below: 1000), .metres, help: "Depths that count"),
      Rule("fewest", \.fewest, .atLeast(2), standard: "no limit", help: "Fewest of them"),
      Rule("mapping", \.mapping, help: "Where a pixel lies"),
    ]
  }

  @Test("help holds words, unit and default")
  func help() {
    #expect(
      Knobs.rules.map(\.help) == [
        "A share (default: 0.25).", "Depths that count, metres (default: 0.1,4).",
        "Fewest of them (default: no limit).",
        "Where a pixel lies: corners, scale or centres (default: centres).",
      ])
  }

  @Test(
    "text is read, and what is out of range is said with the range",
    arguments: [
      ("share", "1", nil), ("share", "0", "share: 0 is out of range; write a number above 0 and at most 1"),
      ("depths", "0, 10", nil),
      ("depths", "1,1000", "depths: 1,1000 is out of range; write two numbers from 0 to below 1000 m"),
      ("fewest", "2", nil), ("fewest", "1", "fewest: 1 is out of range; write a whole number of at least 2"),
      ("mapping", "scale", nil),
    ])
  func problems(_ name: String, _ text: String, _ problem: String?) {
    var knobs = Knobs()
    #expect(Knobs.rule(name).read(text, &knobs))
    // Behind it may stand what was probably meant.
    #expect(
      problem.map { knobs.firstOutOfRange?.description.hasPrefix($0) == true }
        ?? (knobs.firstOutOfRange == nil))
    Knobs.rule(name).reset(&knobs)
    #expect(knobs.firstOutOfRange == nil)
  }

  @Test(
    "what is not such a value changes nothing",
    arguments: [
      ("share", "half"), ("depths", "4,1"), ("depths", "4"), ("fewest", "2.5"), ("mapping", "left"),
    ])
  func unreadable(_ name: String, _ text: String) {
    var knobs = Knobs()
    #expect(!Knobs.rule(name).read(text, &knobs))
    #expect(!Knobs.rule(name).set([1, 2], &knobs))
    #expect(
      knobs.share == 0.25 && knobs.depths == 0.1...4 && knobs.fewest == nil && knobs.mapping == .centres)
  }
}
