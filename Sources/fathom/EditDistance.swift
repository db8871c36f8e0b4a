/// How far two words are apart.
enum EditDistance {
  /// Letters to insert, delete or replace until one word is the other (Levenshtein 1966).
  static func between(_ first: String, _ second: String) -> Int {
    let target = Array(second)
    var row = Array(0...target.count)
    for (i, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for j in target.indices {
        let next = min(row[j + 1] + 1, row[j] + 1, diagonal + (letter == target[j] ? 0 : 1))
        (diagonal, row[j + 1]) = (row[j + 1], next)
      }
    }
    return row[target.count]
  }
}
