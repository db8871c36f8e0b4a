internal import PictureFiles
internal import PlainText

/// Rows of numbers in a text: separated by blanks, commas or semicolons; lines that begin with "#" are passed over.
struct NumberTable {
  /// Words of a first line that holds no numbers; empty where there is none.
  private(set) var header: [String] = []
  private(set) var rows: [[Double]] = []

  /// Rows that were lists.
  init(rows: [[Double]]) { self.rows = rows }

  /// - Throws: `PictureFault` for a word that is no number.
  init(_ text: String) throws(PictureFault) {
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let words = line.split { $0 == "," || $0 == ";" || $0.isWhitespace }
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      let numbers = words.map { Double($0) }
      if numbers[0] == nil, rows.isEmpty, header.isEmpty {
        header = words.map(String.init)
        continue
      }
      if let wrong = numbers.firstIndex(of: nil) {
        throw PictureFault("line \(number + 1) holds '\(words[wrong].prefix(40))', which is no number")
      }
      rows.append(numbers.compactMap(\.self))
    }
  }

  /// All numbers, row by row.
  var numbers: [Double] { rows.flatMap(\.self) }
}
