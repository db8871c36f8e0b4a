private import Foundation

/// JSON with sorted keys, so that equal values give equal bytes.
public enum CanonicalJSON {
  /// Pretty-printed, without a line feed at the end.
  ///
  /// - Throws: `EncodingError` where a number is not finite.
  public static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
