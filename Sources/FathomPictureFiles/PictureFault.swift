/// Why the bytes of a picture or map cannot be used: one line without a final full stop.
public struct PictureFault: Error, Sendable, Hashable, CustomStringConvertible {
  public let reason: String

  public init(_ reason: String) { self.reason = reason }

  public var description: String { reason }
}
