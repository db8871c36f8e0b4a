import FathomDrawingScales
import Foundation
import Testing

@Suite("Ticks")
struct AxisTicksTests {
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

  @Test(
    "those of a bar of colours",
    arguments: [
      (0.0...10.0, ["0", "2", "4", "6", "8", "10"]), (0.5...5.0, ["1", "2", "3", "4", "5"]),
      (-0.02...0.02, ["−0.02", "−0.01", "0.00", "0.01", "0.02"]),
      (1200.0...3100.0, ["1500", "2000", "2500", "3000"]),
    ])
  func bar(_ range: ClosedRange<Double>, _ labels: [String]) {
    #expect(AxisTicks.linear(in: range, most: 6).labels == labels)
  }

  @Test("a range without extent, or of one that is not finite, has its lower end")
  func noExtent() {
    #expect(AxisTicks.linear(in: 3...3, most: 6) == AxisTicks(values: [3], labels: ["3.00"]))
    #expect(AxisTicks.linear(in: 0...0, most: 6).labels == ["0"])
    #expect(AxisTicks.linear(in: -1e308...1e308, most: 6).values == [-1e308])
  }
}
