import Foundation
import FathomTestSupport
import Testing

@testable import FathomDocuments

@Suite("Pictures and charts of a page")
struct EmbeddedFileTests {
  @Test("formats and sizes are read from the first bytes")
  func formats() throws {
    let png: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 1, 0, 0, 0, 0, 192,
    ]
    let picture = try EmbeddedPicture(png, file: "a.txt")
    #expect(
      picture.width == 256 && picture.height == 192
        && picture.source.html.hasPrefix("data:image/png;base64,iVBORw0KGgo"))
    let gif = try EmbeddedPicture([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0x00, 0x02, 0x40, 0x01], file: "a")
    #expect(gif.width == 512 && gif.height == 320)
    // An application segment of 4 bytes, a fill byte, then a progressive frame header: 8 bits, 270 rows, 480 columns.
    let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xC2, 0, 17, 8, 1, 14, 1, 0xE0, 3]
    let photograph = try EmbeddedPicture(jpeg, file: "a")
    #expect(
      photograph.width == 480 && photograph.height == 270
        && photograph.source.html.hasPrefix("data:image/jpeg;"))
  }

  @Test(
    "what is not a picture, or was cut short, is refused",
    arguments: [
      [], [0x3C, 0x73, 0x76, 0x67], [0x89, 0x50, 0x4E, 0x47, 13], [0x47, 0x49, 0x46, 0x38, 0x39],
      [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2], [0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0, 0, 0, 0, 0, 0],
    ] as [[UInt8]])
  func refused(bytes: [UInt8]) {
    let error = #expect(throws: PageError.self) { try EmbeddedPicture(bytes, file: "gallery/a.png") }
    #expect(error?.file == "gallery/a.png")
  }

  @Test(
    "a chart needs a root with a viewBox",
    arguments: [
      "", "text", "<svg>", "<svg></svg>", "<svg viewBox='0 0 1'></svg>", "<svg viewBox='0 0 0 1'></svg>",
    ])
  func charts(text: String) {
    #expect(throws: PageError.self) { try EmbeddedChart(Array(text.utf8), title: "t", file: "figures/a.svg") }
  }

  @Test("every figure that stands in Reports is a chart")
  func committed() throws {
    let reports = PackageFiles.root.appendingPathComponent("Reports").path
    let files = try FileManager.default.subpathsOfDirectory(atPath: reports).filter { $0.hasSuffix(".svg") }
    #expect(!files.isEmpty)
    for file in files {
      let bytes = Array(try #require(FileManager.default.contents(atPath: reports + "/" + file)))
      #expect(throws: Never.self, "\(file)") { _ = try EmbeddedChart(bytes, title: "t", file: file) }
    }
  }
}

@Suite("Interval bars")
struct IntervalScaleTests {
  private func cell(_ value: Double?, _ low: Double? = nil, _ high: Double? = nil) -> DisplayTable.Cell {
    var cell = DisplayTable.Cell("x")
    (cell.value, cell.low, cell.high) = (value, low, high)
    return cell
  }

  @Test("the axis covers values and intervals, and marks zero")
  func axis() throws {
    let cells = [cell(1, -1, 2), cell(3, 2, 4), cell(nil)]
    let scale = try #require(IntervalScale(cells))
    #expect(scale.low == -1 && scale.high == 4 && !scale.isExceeded)
    #expect(scale.bar(for: cells[0]).html.contains(#"<line class="zero" x1="22.4%" x2="22.4%""#))
    #expect(scale.bar(for: cells[0]).html.contains(#"<line x1="4.0%" x2="59.2%""#))
    #expect(scale.bar(for: cells[1]).html.contains(#"<circle cx="77.6%""#))
    #expect(!scale.bar(for: cells[2]).html.contains("circle"))
  }

  @Test("one value far beyond the others becomes an arrowhead, and does not stretch the axis")
  func outlier() throws {
    let usual = (1...6).map { cell(Double($0), Double($0) - 0.5, Double($0) + 0.5) }
    let far = cell(100, 90, 110)
    let scale = try #require(IntervalScale(usual + [far]))
    #expect(scale.low == 0.5 && scale.high == 6.5 && scale.isExceeded)
    #expect(scale.bar(for: far).html.contains("path") && !scale.bar(for: far).html.contains("circle"))
    let (wide, below) = (cell(nil, -100, 3), cell(-100, -110, 2))
    #expect(
      scale.bar(for: wide).html.contains(#"<line x1="4.0%""#) && scale.bar(for: below).html.contains("path"))
    // With four values none can be called unusual.
    let few = try #require(IntervalScale(Array(usual.prefix(3)) + [far]))
    #expect(few.high == 110 && !few.isExceeded)
  }

  @Test("there are no bars without two intervals, or without a distance between them")
  func none() {
    #expect(IntervalScale([cell(1, 0, 2), cell(3)]) == nil)
    #expect(IntervalScale([cell(0, 0, 0), cell(0, 0, 0)]) == nil)
    #expect(IntervalScale([cell(1, .nan, 2), cell(1, 0, .infinity)]) == nil)
  }
}
