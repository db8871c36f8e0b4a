private import Foundation
private import FathomPlainText

/// JSON with sorted keys, so that equal values give equal bytes.
public enum CanonicalJSON {
  /// Without a line feed at the end. What cannot be seen, as control characters and marks of the writing direction, stands in it by
  /// its code: the text is safe to be shown.
  /// - Parameter isPretty: Whether a value has a line of its own; without it a long document is half as large.
  /// - Parameter spellsNonFinite: Whether numbers that are not finite become words, for ``value(_:from:)``.
  /// - Throws: `EncodingError` where a number is not finite and has no word.
  public static func text(
    _ value: some Encodable, isPretty: Bool = true, spellsNonFinite: Bool = false
  ) throws -> String {
    try uncoded(value, isPretty: isPretty, spellsNonFinite: spellsNonFinite).visibleJSON
  }

  /// The same, but only JSON's own codes: the form that digests of manifests are of.
  static func uncoded(
    _ value: some Encodable, isPretty: Bool = true, spellsNonFinite: Bool = false
  ) throws -> String {
    let encoder = JSONEncoder()
    if spellsNonFinite {
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    }
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// The value that ``text(_:isPretty:spellsNonFinite:)`` gave this text for.
  /// - Throws: `DecodingError` where the text is of something else.
  public static func value<Value: Decodable>(_: Value.Type = Value.self, from text: String) throws -> Value {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try decoder.decode(Value.self, from: Data(text.utf8))
  }
}
