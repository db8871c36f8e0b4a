import DepthCore
import Testing

@testable import DepthGraphics

private let red = Colour(red: 1, green: 0, blue: 0)

@Suite("Canvas")
struct CanvasTests {
  @Test("fills the pixels of a rectangle and no other")
  func fill() throws {
    let canvas = try Canvas(width: 8, height: 6)
    canvas.fill(Rectangle(x: 2, y: 1, width: 3, height: 2), red)
    for row in 0..<6 {
      for column in 0..<8 {
        let isInside = (2..<5).contains(column) && (1..<3).contains(row)
        #expect(canvas.pixel(row: row, column: column) == (isInside ? red : .white))
      }
    }
  }

  @Test("draws an image upright, channels in order, and only in its rectangle")
  func image() throws {
    let canvas = try Canvas(width: 6, height: 6, background: nil)
    let image = Raster<RGB>(
      width: 2, height: 2,
      values: [
        RGB(red: 255, green: 0, blue: 0), RGB(red: 0, green: 255, blue: 0), RGB(red: 0, green: 0, blue: 255),
        RGB(red: 51, green: 102, blue: 153),
      ])
    try canvas.image(image, in: Rectangle(x: 1, y: 1, width: 4, height: 4), interpolation: .nearest)
    #expect(canvas.pixel(row: 0, column: 0)?.alpha == 0 && canvas.pixel(row: 5, column: 5)?.alpha == 0)
    for row in 1..<5 {
      for column in 1..<5 {
        #expect(canvas.pixel(row: row, column: column) == Colour(image[(row - 1) / 2, (column - 1) / 2]))
      }
    }
  }

  @Test("a shrunk photograph is averaged, not picked from")
  func shrunk() throws {
    let canvas = try Canvas(width: 4, height: 4)
    let stripes = Raster<RGB>(
      width: 64, height: 64,
      values: (0..<64 * 64).map {
        $0 % 2 == 0 ? RGB(red: 0, green: 0, blue: 0) : RGB(red: 255, green: 255, blue: 255)
      })
    try canvas.image(stripes, in: Rectangle(x: 0, y: 0, width: 4, height: 4))
    let grey = try #require(canvas.pixel(row: 2, column: 2)?.red)
    #expect(abs(grey - 0.5) < 0.05)
  }

  @Test("clips while it is asked to, and dots are round")
  func clip() throws {
    let canvas = try Canvas(width: 20, height: 20)
    canvas.clipped(to: Rectangle(x: 0, y: 0, width: 10, height: 20)) {
      canvas.dot([10, 10], radius: 6, .black)
    }
    #expect(canvas.pixel(row: 10, column: 8) == .black && canvas.pixel(row: 10, column: 11) == .white)
    #expect(canvas.pixel(row: 4, column: 4) == .white && canvas.pixel(row: 6, column: 8) == .black)
    canvas.dot([10, 10], radius: 6, .black)
    #expect(canvas.pixel(row: 10, column: 11) == .black)
  }

  @Test("a line covers its width, text its length")
  func strokeAndText() throws {
    let canvas = try Canvas(width: 120, height: 40)
    canvas.stroke([[[10, 35], [110, 35]]], red, width: 2)
    #expect(canvas.pixel(row: 34, column: 60) == red && canvas.pixel(row: 35, column: 60) == red)
    #expect(canvas.pixel(row: 32, column: 60) == .white)
    let style = TextStyle(size: 14)
    let width = canvas.textWidth("depth [m] δ½", style)
    canvas.text("depth [m] δ½", at: [10, 20], style)
    var inked: [Int] = []
    for column in 0..<120 {
      for row in 0..<28 where canvas.pixel(row: row, column: column) != .white { inked.append(column) }
    }
    let (first, last) = (try #require(inked.min()), try #require(inked.max()))
    #expect(first >= 10 && Double(last) <= 10 + width + 1 && Double(last) > 10 + 0.9 * width)
  }

  @Test("lines fit the width, and lose no word")
  func wrapping() throws {
    let canvas = try Canvas(width: 1, height: 1)
    let style = TextStyle(size: 13)
    let text = "The LiDAR of the first frame, carried into the last one\nby a wordthatisfartoolongforoneline"
    let lines = canvas.lines(of: text, width: 120, style)
    #expect(lines.allSatisfy { canvas.textWidth($0, style) <= 120 } && lines.count > 3)
    #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " && $0 != "\n" })
    #expect(canvas.lines(of: "", width: 120, style) == [""])
  }

  @Test("the same drawing gives the same PNG, of the canvas's size")
  func png() throws {
    func drawing() throws -> [UInt8] {
      let canvas = try Canvas(width: 300, height: 7)
      canvas.text("0.5", at: [3, 6], TextStyle(size: 6))
      ColourBar(ColourScale(range: 0...1, label: "x")).draw(on: canvas, at: [100, 0], height: 7)
      return try canvas.png()
    }
    let bytes = try drawing()
    #expect(try drawing() == bytes)
    #expect(Array(bytes.prefix(8)) == [137, 80, 78, 71, 13, 10, 26, 10])
    #expect(Array(bytes[16..<24]) == [0, 0, 1, 44, 0, 0, 0, 7])
  }

  @Test("the name of a colour bar is no longer than the bar", arguments: [60.0, 180, 400])
  func barTitle(_ height: Double) throws {
    let canvas = try Canvas(width: 1, height: 1)
    let bar = ColourBar(ColourScale(range: 0...10, label: "difference from the LiDAR there", unit: "%"))
    let style = bar.titleStyle(height, on: canvas)
    #expect(canvas.textWidth(bar.scale.title, style) <= height + 0.5 && style.size <= bar.style.size)
    #expect(height < 300 || style.size == bar.style.size)
  }

  @Test("an impossible size is refused in one line", arguments: [(0, 5), (5, 40_000), (-1, 1)])
  func sizes(_ width: Int, _ height: Int) throws {
    let error = #expect(throws: GraphicsError.self) { _ = try Canvas(width: width, height: height).png() }
    #expect(
      error?.description
        == "cannot make a picture of \(width)×\(height): a side must measure 1 to 32,767 pixels")
  }
}
