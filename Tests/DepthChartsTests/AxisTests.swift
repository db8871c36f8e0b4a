import FathomDrawingScales
import Foundation
import Testing

@testable import DepthCharts

@Suite("Axes")
struct AxisTests {
  @Test("a range from the data holds all of it", arguments: [false, true], [false, true])
  func automatic(_ isLogarithmic: Bool, _ isSnapped: Bool) {
    for values in [[1.0], [0.9, 1.35], [3, 3.0000001], [1e-5, 4e5], [17, 23, 19]] {
      let scale = AxisScale(
        ChartAxis("x", isLogarithmic: isLogarithmic), showing: values, isSnapped: isSnapped, most: 7)
      #expect(values.allSatisfy(scale.range.contains))
      #expect((1...7).contains(scale.ticks.values.count))
      #expect(values.map(scale.position).allSatisfy { (0...1).contains($0) })
    }
  }

  @Test(
    "extreme values do not stop it",
    arguments: [[0], [], [1e299, -1e299], [1e-300, 1], [1, 1 + 1e-15]] as [[Double]])
  func extremes(_ values: [Double]) {
    let scale = AxisScale(ChartAxis("x"), showing: values, isSnapped: true, most: 7)
    #expect(scale.range.lowerBound < scale.range.upperBound && scale.ticks.values.count < 10)
  }

  @Test("an explicit range stays, but for marks outside")
  func explicitRange() {
    let axis = ChartAxis("x", range: 0...1)
    #expect(AxisScale(axis, showing: [-5, 5], isSnapped: true, most: 7).range == 0...1)
    #expect(AxisScale(axis, showing: [], marks: [0.5, 4], isSnapped: false, most: 7).range == 0...4)
  }

  @Test("long labels turn until they stay apart, then some are omitted")
  func turned() {
    let words = (0..<12).map { "a label of scene \($0)" }
    func labels(_ words: [String], spacing: Double) -> TickLabels {
      TickLabels(words, spacing: spacing, longest: 190)
    }
    #expect(labels(["a", "b"], spacing: 50).degrees == 0)
    #expect(labels(words, spacing: 50).degrees == 45)
    #expect(labels(words, spacing: 18).degrees == 90)
    // A little smaller before any is excluded.
    #expect(labels(words, spacing: 11).texts == words)
    let dense = labels(words, spacing: 7)
    #expect(dense.texts.count { !$0.isEmpty } < words.count && dense.texts.count == words.count)
    let long = labels([String(repeating: "long ", count: 100)], spacing: 50)
    #expect(long.height < 160 && long.texts[0].hasSuffix("…"))
  }

  @Test("no label reaches beyond the left end: a long one behind a short one, too")
  func overhang() {
    let labels = TickLabels(["a", "a rather long label of a scene"], spacing: 40, longest: 190)
    let width = TextWidth.of(labels.texts[1], size: ChartStyle.tickSize)
    #expect(labels.degrees == 45 && abs(labels.overhang - (0.7071 * width - 40)) < 1e-9)
  }

  @Test("a name that a line crosses stands on ground of its own")
  func crossedFlags() {
    func grounds(_ places: [Double]) -> Int {
      let labels = MarkLabels(places.map { ($0, "a name") }, right: 716, longest: 220)
      let names = labels.elements(area: PlotArea(left: 60, top: 80, right: 700, bottom: 300)).children[1]
      return names.children.count { $0.name == "rect" }
    }
    #expect(grounds([100, 300]) == 0)
    // Names at the right end stand left of their lines, where other lines pass.
    #expect(grounds([670, 690]) == 1)
  }

  @Test("flags of marks do not meet")
  func flags() {
    let places = [100.0, 104, 110, 300, 690, 695]
    let flags = MarkLabels(places.map { ($0, "a name of some length") }, right: 716, longest: 220).flags
    for (index, flag) in flags.enumerated() {
      #expect(flag.extent.upperBound <= 716)
      for other in flags[..<index] where other.row == flag.row {
        #expect(!other.extent.overlaps(flag.extent))
      }
    }
  }
}
