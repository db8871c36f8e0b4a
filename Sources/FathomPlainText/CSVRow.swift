/// One row of a CSV file: its cells without their quotes, in memory that the next row takes over.
public struct CSVRow: Sendable {
  var bytes: [UInt8] = []  // Every cell as UTF-8 with a zero byte behind it, which no cell holds.
  var ends: [Int] = []  // Where each cell ends: the place of its zero byte.
  /// The line on which it begins, from 1.
  public internal(set) var line = 1
  var isASCII = true  // Whether all of it is ASCII, so that it is UTF-8 for certain.
  public init() {}

  /// A row that was never in a file.
  public init(_ cells: [String]) {
    for cell in cells {
      bytes += cell.utf8
      endCell()
    }
    isASCII = bytes.allSatisfy { $0 < 0x80 }
  }

  /// Number of cells.
  public var count: Int { ends.count }

  /// Bytes of a cell.
  /// - Precondition: `index < count`
  public func withBytes<Result>(of index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let start = index == 0 ? 0 : ends[index - 1] + 1
    return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[start..<ends[index]])) }
  }

  /// A cell as text: what ``CSVCell/field(_:)`` was given.
  /// - Precondition: `index < count`
  public func text(_ index: Int) -> String {
    CSVCell.text(withBytes(of: index) { String(decoding: $0, as: UTF8.self) })
  }

  /// All cells as text.
  public var texts: [String] { (0..<count).map(text) }

  /// Whether no cell holds anything but blanks.
  public var isBlank: Bool {
    bytes.allSatisfy { $0 == 0 || $0 == UInt8(ascii: " ") || ($0 >= 9 && $0 <= 13) }
  }

  mutating func empty(line: Int) {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    (self.line, isASCII) = (line, true)
  }

  mutating func endCell() {
    ends.append(bytes.count)
    bytes.append(0)
  }
}
