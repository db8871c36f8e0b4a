import DepthCore
import FathomDrawingScales

/// The values of a heat map as numbers in its cells.
struct CellNumbers {
  static let mostCells = 150
  private static let smallestSize = 7.0
  private let texts: [[String?]]  // Rounded alike, so that they can be compared: `texts[row][column]`.
  /// In pixels; nil where the numbers have no room.
  let size: Double?

  init(_ values: [[Double?]], isLogarithmic: Bool, cellWidth: Double, cellHeight: Double) {
    let numbers = values.joined().compactMap(\.self)
    guard let least = numbers.min(), let greatest = numbers.max(), values.joined().count <= Self.mostCells
    else {
      (texts, size) = ([], nil)
      return
    }
    let largest = NumberText.decimalExponent(max(abs(least), abs(greatest)))
    // Three digits of the largest; one more where the values differ by little.
    let spread = NumberText.decimalExponent(greatest - least)
    let decimals = max(0, max(2 - largest, greatest > least ? min(1 - spread, 4 - largest) : 0))
    texts = values.map { row in
      row.map { value in
        value.map { value in
          isLogarithmic || largest >= 7 || largest < -4
            ? NumberText.significant(value, digits: 3) : NumberText.fixed(value, decimals: decimals)
        }
      }
    }
    let widest = texts.joined().compactMap { $0.map { TextWidth.of($0, size: 1) } }.max() ?? 1
    let fitting = min(ChartStyle.tickSize, 0.88 * cellWidth / widest, 0.75 * cellHeight)
    size = fitting >= Self.smallestSize ? (fitting * 10).rounded(.down) / 10 : nil
  }

  /// The numbers in their cells, each in the one of black and white that is read better on its colour.
  /// - Parameter colour: Of a cell by its row and column; nil without value.
  func elements(layout: HeatMapLayout, colour: (Int, Int) -> RGB?) -> SVGElement {
    var group = SVGElement.group("numbers", ["text-anchor": "middle"])
    guard let size else { return group }
    group.set("font-size", size)
    for (row, texts) in texts.enumerated() {
      for (column, text) in texts.enumerated() {
        guard let text, let ground = colour(row, column) else { continue }
        let (x, y) = layout.centre(row: row, column: column)
        group.append(
          SVGElement("text", text: text, ["x": SVGNumber.text(x), "y": SVGNumber.text(y + 0.36 * size)])
            .filled(Self.ink(on: ground)))
      }
    }
    return group
  }

  /// Black where it has the greater contrast (WCAG 2: relative luminance above 0.179), white elsewhere.
  static func ink(on ground: RGB) -> ChartColour { .fixed(ground.luminance > 0.179 ? "#000000" : "#ffffff") }
}
