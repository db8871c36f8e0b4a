/// How far two words are apart.
public enum EditDistance {
  /// Letters to insert, delete or replace, or neighbours to swap, until one word is the other (optimal string alignment:
  /// Damerau 1964, no letter edited twice).
  public static func between(_ first: String, _ second: String) -> Int {
    let (source, target) = (Array(first), Array(second))
    var before: [Int] = []
    var row = Array(0...target.count)
    for i in source.indices {
      var next = [i + 1]
      for j in target.indices {
        var least = min(row[j + 1] + 1, next[j] + 1, row[j] + (source[i] == target[j] ? 0 : 1))
        if i > 0, j > 0, source[i] == target[j - 1], source[i - 1] == target[j] {
          least = min(least, before[j - 1] + 1)
        }
        next.append(least)
      }
      (before, row) = (row, next)
    }
    return row[target.count]
  }

  private static let longestWord = 64  // Words longer than this are not a typing mistake.

  /// What a word that is unknown was probably meant to be: the same but for the case of letters, one that only goes on
  /// ("mae" for "mae_m"), or one of few other letters; nil where nothing is near.
  /// - Parameter known: What there is, the usual first: the first of equally near words is taken.
  public static func suggestion(for word: String, among known: [String]) -> String? {
    let lowered = word.lowercased()
    guard !lowered.isEmpty, lowered.count <= longestWord else { return nil }
    if let same = known.first(where: { $0.lowercased() == lowered }) { return same }
    if lowered.count >= 3, let longer = known.first(where: { $0.lowercased().hasPrefix(lowered) }) {
      return longer
    }
    let near = known.map { (word: $0, distance: between(lowered, $0.lowercased())) }
      .min { $0.distance < $1.distance }
    guard let near, near.distance <= max(1, lowered.count / 3), near.distance < near.word.count else {
      return nil
    }
    return near.word
  }

  /// What to say about a word that is unknown: "did you mean 'huber'?", or "there are ols, huber" where nothing is near.
  /// - Parameter listed: What there is in the words of a list; nil for the words themselves.
  public static func advice(for word: String, among known: [String], listed: String? = nil) -> String {
    suggestion(for: word, among: known).map { "did you mean '\($0)'?" }
      ?? "there are \(listed ?? known.joined(separator: ", "))"
  }
}
