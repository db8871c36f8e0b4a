import Foundation
import Testing

@testable import DepthCharts

@Suite("Axes")
struct AxisTests {
  @Test(arguments: [
    (0.0, 1.0, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
    (-30.0, 20.0, ["−30", "−20", "−10", "0", "10", "20"]),
    (0.0, 0.0013, ["0.0000", "0.0002", "0.0004", "0.0006", "0.0008", "0.0010", "0.0012"]),
    (
      0.0, 60_000.0,
      [
        "0", "10\u{202F}000", "20\u{202F}000", "30\u{202F}000", "40\u{202F}000", "50\u{202F}000",
        "60\u{202F}000",
      ]
    ),
    (0.0, 4e9, ["0", "1·10⁹", "2·10⁹", "3·10⁹", "4·10⁹"]),
    (1e-7, 5e-7, ["1·10⁻⁷", "2·10⁻⁷", "3·10⁻⁷", "4·10⁻⁷", "5·10⁻⁷"]),
  ])
  func linearTicks(_ low: Double, _ high: Double, _ labels: [String]) {
    #expect(AxisTicks.linear(in: low...high, most: 7).labels == labels)
  }

  @Test(arguments: [
    (0.01, 100.0, ["0.01", "0.1", "1", "10", "100"]), (0.4, 9.0, ["0.5", "1", "2", "5"]),
    (2.0, 5.0, ["2.0", "2.5", "3.0", "3.5", "4.0", "4.5", "5.0"]),
    (1e-8, 1e6, ["10⁻⁶", "0.001", "1", "1000", "10⁶"]),
  ])
  func logarithmicTicks(_ low: Double, _ high: Double, _ labels: [String]) {
    #expect(AxisTicks.logarithmic(in: low...high, most: 7).labels == labels)
  }

  @Test("at most so many ticks, inside the range, evenly spaced", arguments: 1...200)
  func anyRange(_ seed: Int) {
    let (a, b) = (sin(Double(seed)) * pow(10, Double(seed % 13) - 6), cos(Double(seed) * 7))
    let range = min(a, b)...max(a, b)
    let ticks = AxisTicks.linear(in: range, most: 7)
    #expect((2...7).contains(ticks.values.count))
    let extent = range.upperBound - range.lowerBound
    #expect(
      ticks.values.allSatisfy {
        $0 >= range.lowerBound - 1e-8 * extent && $0 <= range.upperBound + 1e-8 * extent
      })
    #expect(Set(ticks.labels).count == ticks.labels.count)
  }

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

  @Test("long labels turn until they stay apart, then some are left out")
  func labels() {
    let words = (0..<12).map { "a label of scene \($0)" }
    #expect(TickLabels(["a", "b"], spacing: 50).degrees == 0)
    #expect(TickLabels(words, spacing: 50).degrees == 45)
    #expect(TickLabels(words, spacing: 18).degrees == 90)
    let dense = TickLabels(words, spacing: 7)
    #expect(dense.texts.count { !$0.isEmpty } < words.count && dense.texts.count == words.count)
    let long = TickLabels([String(repeating: "long ", count: 100)], spacing: 50)
    #expect(long.height < 160 && long.texts[0].hasSuffix("…"))
  }

  @Test("flags of marks do not meet")
  func flags() {
    let places = [100.0, 104, 110, 300, 690, 695]
    let flags = MarkLabels(places.map { ($0, "a name of some length") }, right: 716).flags
    for (index, flag) in flags.enumerated() {
      #expect(flag.extent.upperBound <= 716)
      for other in flags[..<index] where other.row == flag.row {
        #expect(!other.extent.overlaps(flag.extent))
      }
    }
  }
}
