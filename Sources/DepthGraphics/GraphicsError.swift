/// A picture that could not be drawn: what was attempted, and Cairo's own explanation.
public struct GraphicsError: Error, Equatable, Sendable, CustomStringConvertible {
  /// An infinitive: "write the picture as PNG".
  public let operation: String
  /// Why, one line.
  public let reason: String
  public init(operation: String, reason: String) { (self.operation, self.reason) = (operation, reason) }
  public var description: String { "cannot \(operation): \(reason)" }
}
