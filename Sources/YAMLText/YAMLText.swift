package import Yams

/// Why a text is not taken as YAML.
package struct YAMLFault: Error, CustomStringConvertible {
  package let reason: String
  package var description: String { reason }
}

/// The one door to the YAML library for files that others wrote.
///
/// The library trusts its input in two ways. It copies what an alias names into its place, so that a file of some megabytes can stand for
/// a tree without end, or so deep that freeing it overflows the stack. And it reads 1:30 as a number to base 60 (YAML 1.1) without a
/// look at overflow. Both are found before they do harm.
package enum YAMLText {
  /// - Returns: nil for an empty document.
  /// - Throws: `YAMLFault` where it is no YAML, has an alias, or a number to base 60 beyond 64 bits.
  package static func document(_ text: String) throws(YAMLFault) -> Node? {
    if let name = firstAlias(text) {
      throw YAMLFault(reason: "it has an alias, *\(name), which is not read; write the value out")
    }
    let document: Node?
    do { document = try Yams.compose(yaml: text) } catch {
      // The library quotes the whole line.
      let words = "\(error)"
      throw YAMLFault(reason: words.count > longest ? words.prefix(longest) + "…" : words)
    }
    if let document, let number = firstTooLargeBase60(document) {
      throw YAMLFault(
        reason: "'\(number.prefix(40))' is a number to base 60 in YAML, and too large; write it in digits")
    }
    return document
  }

  private static let longest = 240

  /// The first name that both an anchor (&name) and an alias (*name) have, whatever stands before it: there are more line breaks in
  /// YAML than one thinks of.
  private static func firstAlias(_ text: String) -> Substring? {
    var anchors: Set<Substring> = []
    var aliases: Set<Substring> = []
    let letters = text.utf8
    var before: UInt8?
    for place in letters.indices {
      let letter = letters[place]
      defer { before = letter }
      guard letter == UInt8(ascii: "&") || letter == UInt8(ascii: "*"), before.map(isOfName) != true else {
        continue
      }
      let start = letters.index(after: place)
      let name = text[start..<(letters[start...].firstIndex { !isOfName($0) } ?? letters.endIndex)]
      guard !name.isEmpty else { continue }
      if letter == UInt8(ascii: "&") { anchors.insert(name) } else { aliases.insert(name) }
    }
    return anchors.intersection(aliases).min()
  }

  /// As the library names anchors.
  private static func isOfName(_ letter: UInt8) -> Bool {
    switch letter {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func firstTooLargeBase60(_ node: Node) -> String? {
    // Not a lazy map, which asks twice on every level.
    switch node {
    case .scalar(let scalar): return isTooLargeBase60(scalar.string) ? scalar.string : nil
    case .sequence(let values):
      for value in values { if let found = firstTooLargeBase60(value) { return found } }
    case .mapping(let pairs):
      for (key, value) in pairs {
        if let found = firstTooLargeBase60(key) ?? firstTooLargeBase60(value) { return found }
      }
    case .alias: break
    }
    return nil
  }

  /// Up to 18 letters no such number overflows: at most 16 digits times 60, or eight colons. Each part may have a sign, the first
  /// that of the whole besides.
  private static func isTooLargeBase60(_ text: String) -> Bool {
    guard text.utf8.count > 18, text.utf8.contains(UInt8(ascii: ":")) else { return false }
    let written = text.utf8.filter { $0 != UInt8(ascii: "_") }
    return written.count > 18
      && written.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).allSatisfy { part in
        part.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
          .allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      }
  }
}
