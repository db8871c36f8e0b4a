package import FathomPictureFiles
internal import FathomPlainText

/// Rows of numbers in a text: separated by blanks, commas or semicolons; lines that begin with "#" are comments.
package struct NumberTable {
  /// Words of a first line that holds no numbers; empty where there is none.
  package private(set) var header: [String] = []
  /// Words of the last comment before the rows, if it has one for each column: "# timestamp tx ty tz qx qy qz qw".
  package private(set) var comment: [String] = []
  package private(set) var rows: [[Double]] = []
  /// Number of the last line, from 1, where it breaks off in the middle: the recorder was ended while it wrote. It is not a row.
  package private(set) var cutLine: Int?
  /// Whether commas are decimal signs, as spreadsheets of many countries write them.
  package private(set) var hasDecimalCommas = false
  /// Rows that were lists.
  package init(rows: [[Double]], header: [String] = []) { (self.rows, self.header) = (rows, header) }

  /// - Throws: `PictureFault` for a word that is not a number.
  package init(_ text: String) throws(PictureFault) {
    // Some editors begin a file with a mark of its byte order.
    let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let areDecimal = Self.showDecimalCommas(lines)
    hasDecimalCommas = areDecimal
    var headerLine = Substring()
    for (number, line) in lines.enumerated() {
      let words = line.split { $0 == "," && !areDecimal || $0 == ";" || $0.isWhitespace }
      guard let first = words.first else { continue }
      if first.hasPrefix("#") {
        if rows.isEmpty { comment = words.map { String($0.drop { $0 == "#" }) }.filter { !$0.isEmpty } }
        continue
      }
      let numbers = words.map { Double(areDecimal ? $0.replacing(",", with: ".")[...] : $0) }
      if numbers[0] == nil, rows.isEmpty, header.isEmpty {
        (header, headerLine) = (words.map(String.init), line)
        continue
      }
      // A whole last line may lack its end; a line of the usual length does not break off.
      if number == lines.count - 1, let last = rows.last,
        numbers.contains(nil) && rows.count > 1 || numbers.count < last.count
      {
        cutLine = number + 1
        return
      }
      if let wrong = numbers.firstIndex(of: nil) {
        throw PictureFault("line \(number + 1) holds '\(words[wrong].prefix(40))', which is not a number")
      }
      rows.append(numbers.compactMap(\.self))
      if rows.count == 1, comment.count != rows[0].count { comment = [] }
      if rows.count == 1, header.count > rows[0].count {
        // "K[0,0]" is one word where blanks divide the rows.
        let words = headerLine.split(whereSeparator: \.isWhitespace)
        if words.count == rows[0].count { header = words.map(String.init) }
      }
    }
  }

  /// Whether words between semicolons or blanks hold one comma each, between digits, and at least one does.
  private static func showDecimalCommas(_ lines: [Substring]) -> Bool {
    var isShown = false
    for line in lines.prefix(mostLooked) {
      let words = line.split { $0 == ";" || $0.isWhitespace }
      guard let first = words.first, let letter = first.first, letter.isNumber || "+-".contains(letter),
        line.contains(",")
      else { continue }
      // "1,2 3,4" may be two rows of two.
      guard line.contains(";") || words.count > 2 else { return false }
      for word in words where word.contains(",") {
        let sides = word.split(separator: ",", omittingEmptySubsequences: false)
        guard sides.count == 2, sides[0].last?.isNumber == true, sides[1].first?.isNumber == true,
          !word.contains(".")
        else { return false }
        isShown = true
      }
    }
    return isShown
  }

  /// Lines that are asked how they write numbers.
  private static let mostLooked = 100
  /// All numbers, row by row.
  package var numbers: [Double] { rows.flatMap(\.self) }
}
