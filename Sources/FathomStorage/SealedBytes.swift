/// Bytes with their SHA-256, of a file that an interrupted command continues from: one that changed since is ignored.
///
/// `{"sha256":"…","value":…}` and a line feed, so that JSON stays JSON; the bytes stand in it as they are.
package enum SealedBytes {
  private static let start = Array(#"{"sha256":""#.utf8), middle = Array(#"","value":"#.utf8)
  private static let end = Array("}\n".utf8)
  private static let digits = 64

  package static func seal(_ bytes: [UInt8]) -> [UInt8] {
    start + Array(Digest.hexadecimal(bytes).utf8) + middle + bytes + end
  }

  /// - Returns: The bytes that ``seal(_:)`` was given; nil where they, or what stands around them, are no longer the same.
  package static func open(_ sealed: [UInt8]) -> [UInt8]? {
    let head = start.count + digits + middle.count
    guard sealed.count >= head + end.count else { return nil }
    let bytes = Array(sealed[head..<sealed.count - end.count])
    return seal(bytes) == sealed ? bytes : nil
  }
}
