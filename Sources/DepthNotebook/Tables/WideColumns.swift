import DepthReport
import Storage

/// How columns of a wide table become rows of a long one: every measure is a row, with its parts beside each other.
struct WideColumns {
  /// A part of a measure: `value` is the column named as the measure itself, `low` that with `_low`.
  struct Part {
    let name: String
    let suffix: String
    /// Whether it makes a row by itself: an interval without a value does not.
    var isLeading = false
  }

  /// Columns that every row repeats.
  let keys: [String]
  /// Stems of the columns that become rows.
  let measures: [String]
  let parts: [Part]

  static let value = [Part(name: "value", suffix: "", isLeading: true)]
  static let interval = value + [Part(name: "low", suffix: "_low"), Part(name: "high", suffix: "_high")]

  /// The columns of the long table.
  var columns: [String] { keys + ["metric"] + parts.map(\.name) }

  /// The rows of the long table; a measure without any leading part on a row of the wide table has none.
  ///
  /// - Throws: `FathomError` where a key is no column. A part that is none is an empty cell.
  func rows(of table: StoredTable) throws(FathomError) -> [[String]] {
    var keyPlaces: [Int] = []
    for key in keys { keyPlaces.append(try table.place(key)) }
    let places = measures.map { measure in parts.map { table.optionalPlace(measure + $0.suffix) } }
    let leading = parts.indices.filter { parts[$0].isLeading }
    var long: [[String]] = []
    for row in table.rows {
      let key = keyPlaces.map { row[$0] }
      for (measure, places) in zip(measures, places) {
        let cells = places.map { $0.map { row[$0] } ?? "" }
        if leading.contains(where: { !cells[$0].isEmpty }) { long.append(key + [measure] + cells) }
      }
    }
    return long
  }
}

extension StoredTable {
  /// Some columns under new names.
  ///
  /// - Throws: `FathomError` where one is missing.
  func columns(_ names: [String]) throws(FathomError) -> [[String]] {
    var places: [Int] = []
    for name in names { places.append(try place(name)) }
    return rows.map { row in places.map { row[$0] } }
  }

  /// Stems of measures: the columns after the keys that are not the end of another one's interval.
  func measures(after keys: [String]) -> [String] {
    columns(without: keys).filter { column in
      !["_low", "_high", "_change"].contains { suffix in
        column.hasSuffix(suffix) && has(String(column.dropLast(suffix.count)))
      }
    }
  }
}
