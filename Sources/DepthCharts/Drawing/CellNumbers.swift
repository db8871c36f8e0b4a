internal import Foundation

/// The values of a heat map as numbers in its cells.
struct CellNumbers {
  static let mostCells = 150
  private static let smallestSize = 7.0

  /// Rounded alike, so that they can be compared: `texts[row][column]`.
  private let texts: [[String?]]
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

  func draw(in panel: inout Panel, layout: HeatMapLayout, colourPosition: (Int, Int) -> Double?) {
    guard let size else { return }
    for (row, texts) in texts.enumerated() {
      for (column, text) in texts.enumerated() {
        guard let text, let position = colourPosition(row, column) else { continue }
        let (x, y) = layout.centre(row: row, column: column)
        panel.text(text, at: x, y, .center, size: size, colour: Viridis.textColour(on: position))
      }
    }
  }
}
