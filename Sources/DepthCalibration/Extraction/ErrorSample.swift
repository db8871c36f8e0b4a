/// One kept pixel: what the noise model is fitted to.
public struct ErrorSample: Sendable, Equatable, Codable {
  /// True depth, metres.
  public var depth: Double
  /// Measured − true, metres.
  public var error: Double
  public init(depth: Double, error: Double) { (self.depth, self.error) = (depth, error) }
}
