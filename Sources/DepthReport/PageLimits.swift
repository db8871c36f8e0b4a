import FathomPlainText

/// How much of a run of many scenes a page holds, so that it opens at once and can be read: what is longer is summarised, with
/// a word on where the whole is. The files beside the page are always whole.
package enum PageLimits {
  package static let rows = 500  // Most rows of a table with a row per scene.
  package static let columns = 8  // Most scenes or bins that are columns of a table.
  package static let names = 40  // Most scenes or files that a sentence or a list names.
  package static let shown = 10  // How many are shown of what is longer.

  /// Names for a sentence: all, or the first ones "… and 1990 more".
  package static func listed(_ names: [String]) -> String {
    names.listed(atMost: names.count > Self.names ? shown : Self.names)
  }

  /// The items of a list: all, or the first ones and a line that says how many more there are, and where.
  /// - Parameter rest: What the others are, and which file holds them, behind their number: "more: `diagnosis.csv`".
  package static func items(_ items: [String], rest: String) -> [String] {
    guard items.count > names else { return items }
    return items.prefix(shown) + ["\(items.count - shown) \(rest)."]
  }
}
