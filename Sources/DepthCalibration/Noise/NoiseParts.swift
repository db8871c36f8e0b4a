public import DepthCore

/// Which parts of √(a² + (b·d)²) the data show; the other is 0.
public enum NoiseParts: String, Codable, Sendable {
  case both
  /// a alone.
  case constant
  /// b alone.
  case proportional

  public init(_ law: RangeLaw) { self = law.b == 0 ? .constant : law.a == 0 ? .proportional : .both }
}
