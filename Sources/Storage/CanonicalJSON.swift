private import Foundation

/// JSON with sorted keys, so that equal values give equal bytes.
public enum CanonicalJSON {
  /// Without a line feed at the end.
  ///
  /// - Parameter isPretty: Whether a value has a line of its own; without it a long document is half as large.
  /// - Throws: `EncodingError` where a number is not finite.
  public static func text(_ value: some Encodable, isPretty: Bool = true) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
