package import Yams

/// Why a text is not taken as YAML.
package struct YAMLFault: Error, CustomStringConvertible {
  package let reason: String
  package var description: String { reason }
}

/// The one door to the YAML library for files that others wrote.
///
/// What would do harm is found first (``YAMLStructure``). And the library reads 1:30 as a number to base 60 (YAML 1.1) without a look at
/// overflow, which is found before anybody asks for a number.
package enum YAMLText {
  /// - Returns: nil for an empty document.
  /// - Throws: `YAMLFault` where it is not YAML, has an alias, a key that is not a word, too many levels, or a number to base 60 beyond
  ///   64 bits.
  package static func document(_ text: String) throws(YAMLFault) -> Node? {
    if let objection = YAMLStructure.objection(to: text) { throw YAMLFault(reason: objection) }
    let document: Node?
    do { document = try Yams.compose(yaml: text, .default, .default, .utf8) } catch {
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
