private import Foundation

/// Why a file is not a CSV file that can be read.
public struct CSVFault: Error, Sendable, Equatable {
  /// The file is not there.
  public let isMissing: Bool
  /// "line 3: a quoted cell is not closed".
  public let reason: String

  public init(_ reason: String, line: Int? = nil, isMissing: Bool = false) {
    self.reason = line.map { "line \($0): \(reason)" } ?? reason
    self.isMissing = isMissing
  }
}

/// Reads a CSV file row by row, whatever its length, in as much memory as its longest row takes.
///
/// Comma, semicolon or tab between the cells, whichever the first line holds most of; quotes as in RFC 4180; lines end with LF, CR or
/// both. Rows of blanks are skipped.
public struct CSVReader: ~Copyable {
  /// Longest cell and row. No table of results comes near; what does is another file, and would only fill the memory.
  public static let longestCell = 1 << 20, longestRow = 1 << 26
  /// Of the file; negative where everything is in ``chunk`` already.
  private let descriptor: Int32
  private var chunk: [UInt8], position: Int, line: Int
  /// nil until the first row is read.
  private var delimiter: UInt8?

  /// - Throws: ``CSVFault`` where there is no such file, or it may not be read or is none.
  public init(readingFrom path: String) throws(CSVFault) {
    // A pipe without a writer must not stop the process at opening it.
    let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard opened >= 0 else {
      throw errno == ENOENT
        ? CSVFault("it does not exist", isMissing: true) : CSVFault(String(cString: strerror(errno)))
    }
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      close(opened)
      throw CSVFault(isFolder ? "it is a folder" : "it is not a regular file")
    }
    (descriptor, chunk, position, line, delimiter) = (opened, [], 0, 1, nil)
  }

  /// Text that is in memory.
  public init(_ text: String) {
    (descriptor, chunk, position, line, delimiter) = (-1, Array(text.utf8), 0, 1, nil)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Skips the mark of byte order and finds out what stands between the cells.
  private mutating func start() throws(CSVFault) {
    _ = try peek()
    if chunk.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    for byte in chunk[position...] {
      if byte == Self.quote { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == Self.lineFeed || byte == Self.carriageReturn { break }
      if Self.delimiters.contains(byte) { counts[byte, default: 0] += 1 }
    }
    delimiter = Self.delimiters.max { counts[$0, default: 0] < counts[$1, default: 0] }
  }

  // `max` takes the last of equals: the comma.
  private static let delimiters = [UInt8(ascii: "\t"), UInt8(ascii: ";"), UInt8(ascii: ",")]
  private static let quote = UInt8(ascii: "\"")
  private static let lineFeed = UInt8(ascii: "\n"), carriageReturn = UInt8(ascii: "\r")
  private static let chunkSize = 1 << 18

  /// Replaces what was read by the next piece of the file; empty at its end.
  private mutating func fill() throws(CSVFault) {
    position = 0
    guard descriptor >= 0 else {
      chunk = []
      return
    }
    let descriptor = descriptor
    var number: Int32 = 0
    chunk = Array(unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
      while true {
        let done = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
        if done < 0 && errno == EINTR { continue }
        if done < 0 { number = errno }
        count = max(0, done)
        return
      }
    }
    guard number == 0 else { throw CSVFault(String(cString: strerror(number)), line: line) }
  }

  /// The next byte without taking it; nil at the end.
  private mutating func peek() throws(CSVFault) -> UInt8? {
    if position == chunk.count { try fill() }
    return position < chunk.count ? chunk[position] : nil
  }

  /// Reads the next row that is not blank.
  /// - Returns: false at the end of the file.
  /// - Throws: ``CSVFault`` where a quote is not closed or stands where none may, a cell holds a zero byte or is too long, or
  ///   what was read is not UTF-8.
  public mutating func next(_ row: inout CSVRow) throws(CSVFault) -> Bool {
    if delimiter == nil { try start() }
    repeat {
      row.empty(line: line)
      guard try peek() != nil else { return false }
      while try cell(of: &row) {}
      guard row.isASCII || String(validating: row.bytes, as: UTF8.self) != nil else {
        throw CSVFault("it is not UTF-8 text", line: row.line)
      }
    } while row.isBlank
    return true
  }

  /// Reads one cell and what ends it.
  /// - Returns: Whether another one follows in the row.
  private mutating func cell(of row: inout CSVRow) throws(CSVFault) -> Bool {
    let start = row.bytes.count
    let isQuoted = try peek() == Self.quote
    if isQuoted {
      position += 1
      try quoted(into: &row, from: start)
    } else {
      try plain(into: &row, from: start)
    }
    row.endCell()
    guard row.bytes.count <= Self.longestRow else {
      throw CSVFault("a row of more than \(Self.longestRow >> 20) MB", line: row.line)
    }
    let end = try peek()
    if end != nil { position += 1 }
    switch end {
    case .some(let byte) where byte == delimiter: return true
    case Self.lineFeed: line += 1
    case Self.carriageReturn:
      line += 1
      if try peek() == Self.lineFeed { position += 1 }
    case nil: break
    case Self.quote: throw CSVFault("a quote inside a cell that does not begin with one", line: line)
    default: throw CSVFault("text behind the quote that closes a cell", line: line)
    }
    return false
  }

  /// Up to what ends a cell without quotes.
  private mutating func plain(into row: inout CSVRow, from start: Int) throws(CSVFault) {
    let delimiter = delimiter
    try take(into: &row, from: start) {
      $0 == delimiter || $0 == Self.lineFeed || $0 == Self.carriageReturn || $0 == Self.quote
    }
  }

  /// Up to behind the quote that closes; two of them stand for one.
  private mutating func quoted(into row: inout CSVRow, from start: Int) throws(CSVFault) {
    let opened = line
    while true {
      try take(into: &row, from: start) { $0 == Self.quote || $0 == Self.lineFeed }
      guard let byte = try peek() else { throw CSVFault("a quoted cell is not closed", line: opened) }
      position += 1
      if byte == Self.lineFeed {
        line += 1
        row.bytes.append(byte)
      } else if try peek() == Self.quote {
        position += 1
        row.bytes.append(byte)
      } else {
        return
      }
    }
  }

  /// Adds bytes to the row up to one that ends them.
  private mutating func take(
    into row: inout CSVRow, from start: Int, until ends: (UInt8) -> Bool
  ) throws(CSVFault) {
    while true {
      var (stop, seen): (Int, UInt8) = (position, 0)
      var hasZero = false
      let isEnded = chunk.withUnsafeBufferPointer { bytes in
        while stop < bytes.count {
          let byte = bytes[stop]
          if ends(byte) { return true }
          if byte == 0 { hasZero = true }
          seen |= byte
          stop += 1
        }
        return false
      }
      if seen >= 0x80 { row.isASCII = false }
      if hasZero { throw CSVFault("a cell holds a zero byte", line: line) }
      row.bytes += chunk[position..<stop]
      position = stop
      guard row.bytes.count - start <= Self.longestCell else {
        throw CSVFault("a cell of more than \(Self.longestCell >> 20) MB", line: line)
      }
      if isEnded { return }
      guard try peek() != nil else { return }
    }
  }
}
