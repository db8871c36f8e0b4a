import Foundation
import FathomPlainText
import FathomTestSupport
import Testing

@Suite("CSV cells and rows")
struct CSVTests {
  private func rows(_ text: String) throws(CSVFault) -> [[String]] {
    var reader = CSVReader(text)
    var (row, rows) = (CSVRow(), [[String]]())
    while try reader.next(&row) { rows.append(row.texts) }
    return rows
  }

  @Test(
    "a name that a spreadsheet would calculate gets an apostrophe",
    arguments: [
      ("=cmd()", "'=cmd()"), ("+1+1", "'+1+1"), ("-1+1", "'-1+1"), ("@SUM(1)", "'@SUM(1)"),
      ("\t=1", "\\u{9}=1"), ("'=1", "''=1"), ("＝1", "'＝1"), ("-", "'-"),
      ("=HYPERLINK(\"http://a,b\")", "\"'=HYPERLINK(\"\"http://a,b\"\")\""), ("-0x10", "'-0x10"),
    ])
  func neutralised(_ name: String, _ cell: String) { #expect(CSVCell.field(name) == cell) }

  @Test(
    "numbers and harmless names stay as they are",
    arguments: ["-0.5", "+1", "-1e-18", "-inf", "1", "room-01", "a=b", "'quoted'", "it's", "", "nan"])
  func untouched(_ name: String) { #expect(CSVCell.field(name) == name) }

  @Test("what a terminal would obey, or is invisible, is written by its code and comes back")
  func invisible() throws {
    for scalar in (0...0x10FFFF).compactMap({ Unicode.Scalar($0) }) where scalar.isInvisible {
      let name = "a\(scalar)b"
      let cell = CSVCell.field(name)
      #expect(cell == "a\\u{\(String(scalar.value, radix: 16))}b")
      #expect(CSVCell.text(cell) == name)
    }
    // Cells of earlier versions have such letters as they are.
    #expect(CSVCell.text("'\t=1") == "\t=1")
    #expect(CSVCell.text("\\u{110000}") == "\\u{110000}")
  }

  @Test("every name comes back as it was")
  func roundTrip() throws {
    let signs = [
      "=", "+", "-", "@", "\t", "\r", "\n", "'", "\"", ",", "a", "1", "", "＝", "\0", "\u{1b}", "\u{7f}",
      "\u{9b}", "\u{202e}",
      "\\", "u{", "\\u{1b}",
    ]
    for first in signs {
      for second in signs {
        for third in signs {
          let name = first + second + third
          let line = "a,b\nx," + CSVCell.field(name) + "\n"
          let found = try rows(line)
          #expect(
            found == [["a", "b"], ["x", name]], "\(name.debugDescription) as \(line.debugDescription)")
        }
      }
    }
  }

  @Test(
    "rows as RFC 4180 has them",
    arguments: [
      ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]), ("a,b\r\n1,2", [["a", "b"], ["1", "2"]]),
      ("a,b\r1,2\r", [["a", "b"], ["1", "2"]]), ("\u{feff}a;b\n1,5;2", [["a", "b"], ["1,5", "2"]]),
      ("a\tb\n1\t", [["a", "b"], ["1", ""]]),
      ("\"a, \"\"b\"\"\"\n\n  \n\"x\ny\"\n", [["a, \"b\""], ["x\ny"]]),
      ("", []), ("\n\n", []), ("a,b\n,\n1,2", [["a", "b"], ["1", "2"]]), ("ä,δ\n", [["ä", "δ"]]),
    ])
  func parsed(_ text: String, _ expected: [[String]]) throws { #expect(try rows(text) == expected) }

  @Test(
    "what is not a CSV is refused with its line",
    arguments: [
      ("a\n\"x", "line 2: a quoted cell is not closed"), ("a\n\"x\"y", "line 2: text behind the quote"),
      ("a\nb\nx\"y", "line 3: a quote inside a cell"), ("a\nx\0y", "line 2: a cell holds a zero byte"),
      ("a\n\"x\0\"", "line 2: a cell holds a zero byte"),
    ])
  func refused(_ text: String, _ reason: String) {
    #expect { _ = try rows(text) } throws: { ($0 as? CSVFault)?.reason.hasPrefix(reason) == true }
  }

  @Test("cells and quotes that lie across the pieces in which a file is read")
  func pieces() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("long.csv")
    // Every boundary of a piece falls at another place of a row.
    let line = "\"name, \"\"ö\"\"\",'=1,12.5\r\n"
    let count = 120_000
    try Data((String(repeating: line, count: count)).utf8).write(to: URL(fileURLWithPath: path))
    var reader = try CSVReader(readingFrom: path)
    var (row, found, wrong) = (CSVRow(), 0, 0)
    while try reader.next(&row) {
      found += 1
      if row.texts != ["name, \"ö\"", "=1", "12.5"] { wrong += 1 }
    }
    #expect(found == count && wrong == 0)
  }

  @Test("a cell or row without end, and bytes that are not text, are refused and not kept in memory")
  func bounds() throws {
    let folder = try TemporaryFolder()
    func fault(_ bytes: Data) throws -> String? {
      let path = folder.path("file.csv")
      try bytes.write(to: URL(fileURLWithPath: path))
      do throws(CSVFault) {
        var reader = try CSVReader(readingFrom: path)
        var row = CSVRow()
        while try reader.next(&row) {}
        return nil
      } catch {
        return error.reason
      }
    }
    let long = Data(repeating: UInt8(ascii: "1"), count: CSVReader.longestCell + 1)
    #expect(try fault(Data("mae\n".utf8) + long)?.contains("a cell of more than 1 MB") == true)
    #expect(try fault(Data("mae\n\"".utf8) + long)?.contains("a cell of more than 1 MB") == true)
    #expect(try fault(Data("mae\n\"".utf8) + long.dropLast(2) + Data("\"".utf8)) == nil)
    #expect(try fault(Data("mae\n".utf8) + Data([0xff, 0xfe])) == "line 2: it is not UTF-8 text")
    // Half a letter in one cell and the rest in the next one is not a letter.
    #expect(try fault(Data([0xc3, UInt8(ascii: ","), 0xbc])) == "line 1: it is not UTF-8 text")
  }

  @Test("what is not a file is refused at once")
  func places() throws {
    let folder = try TemporaryFolder()
    #expect { _ = try CSVReader(readingFrom: folder.path("none.csv")) } throws: {
      ($0 as? CSVFault)?.isMissing == true
    }
    #expect { _ = try CSVReader(readingFrom: folder.path("")) } throws: {
      ($0 as? CSVFault)?.reason == "it is a folder"
    }
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect { _ = try CSVReader(readingFrom: pipe) } throws: {
      ($0 as? CSVFault)?.reason == "it is not a regular file"
    }
  }
}
