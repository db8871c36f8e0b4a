public import DepthCore

/// The constants of an effect's place and size (domain §5).
public struct EffectOptions: Sendable, Hashable, Codable {
  /// Narrowest and widest effect, metres.
  public var widths = 0.1...3.0
  /// An effect stands above its object's base by this, or half the object's height if that is less, metres.
  public var largestRise = 0.02
  public init() {}
}

extension EffectOptions: DeclaredOptions {
  public static let rules: [Rule] = [
    Rule("effect-widths", \.widths, .above(0, to: 1e6), .metres, help: "Narrowest and widest effect"),
    Rule(
      "effect-rise", \.largestRise, .from(0, to: 1e6), .metres,
      help: "Height of an effect above its object's base, at most"),
  ]
}
