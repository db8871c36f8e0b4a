package import FathomPlainText
package import FathomStorage

/// Why the bytes of a picture or map cannot be used: one line without a final full stop.
public struct PictureFault: Error, Sendable, Hashable, CustomStringConvertible {
  public let reason: String
  /// What the system failed in; nil where the file is at fault.
  package let cause: SystemFault?

  public init(_ reason: String) { (self.reason, cause) = (reason, nil) }

  /// - Parameters:
  ///   - cause: What the system failed in.
  ///   - reason: What stands for its words; nil for these themselves.
  package init(_ cause: SystemFault, _ reason: String? = nil) {
    (self.reason, self.cause) = (reason ?? cause.words, cause)
  }

  /// What kind of error it is: the file's, unless the machine failed.
  package var kind: FathomError.Kind { FathomError.readingKind(cause) }

  public var description: String { reason }

  /// Calls one of the C readers, with room for its reason.
  ///
  /// - Parameter body: Returns 1; or 0, or −1 where memory was short.
  static func attempt(_ body: (UnsafeMutablePointer<CChar>?, Int) -> Int32) throws(PictureFault) {
    var reason = [CChar](repeating: 0, count: 225)
    let status = body(&reason, reason.count)
    guard status != 1 else { return }
    let words = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    throw status < 0 ? PictureFault(.memoryIsShort, words) : PictureFault(words)
  }
}
