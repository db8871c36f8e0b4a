internal import DepthCore

/// What a surface looks like to the camera and how much of the LiDAR's infrared it returns.
struct Material: Sendable {
  /// How the colour varies over the surface.
  enum Pattern: Sendable {
    case plain, stripes, tiles, mottled
  }
  /// Linear red, green, blue, 0…1.
  var colour: SIMD3<Double>
  /// Share of the infrared that comes back, 0…1; independent of the visible colour, as for real dyes.
  var reflectance: Double
  var pattern = Pattern.mottled
  /// Period of the pattern, metres.
  var period = 0.3
  static let plaster = Material(colour: [0.72, 0.70, 0.64], reflectance: 0.85, period: 0.9)
  static let ceiling = Material(colour: [0.82, 0.82, 0.80], reflectance: 0.88, pattern: .plain)
  static let parquet = Material(
    colour: [0.42, 0.27, 0.15], reflectance: 0.6, pattern: .stripes, period: 0.14)
  static let tiling = Material(colour: [0.55, 0.55, 0.52], reflectance: 0.7, pattern: .tiles, period: 0.4)
  static let concrete = Material(colour: [0.16, 0.16, 0.17], reflectance: 0.14, period: 0.7)
  static let wood = Material(colour: [0.38, 0.22, 0.10], reflectance: 0.62, pattern: .stripes, period: 0.06)
  static let linen = Material(colour: [0.55, 0.50, 0.42], reflectance: 0.75, period: 0.05)
  static let wool = Material(colour: [0.12, 0.22, 0.34], reflectance: 0.55, period: 0.08)
  static let leather = Material(colour: [0.05, 0.04, 0.04], reflectance: 0.12, period: 0.1)
  static let enamel = Material(colour: [0.80, 0.80, 0.82], reflectance: 0.8, pattern: .plain)
  static let screen = Material(colour: [0.015, 0.015, 0.02], reflectance: 0.06, pattern: .plain)
  static let ceramic = Material(colour: [0.10, 0.30, 0.38], reflectance: 0.65, period: 0.04)
  static let clay = Material(colour: [0.50, 0.18, 0.08], reflectance: 0.6, period: 0.12)
  static let leaves = Material(colour: [0.08, 0.25, 0.05], reflectance: 0.5, period: 0.05)
  static let paper = Material(colour: [0.60, 0.12, 0.10], reflectance: 0.7, pattern: .plain)
  static let glaze = Material(colour: [0.62, 0.45, 0.10], reflectance: 0.7, period: 0.05)

  /// The same material dyed and aged at random, so that two pieces of furniture differ.
  func varied(using generator: inout SplitMix64) -> Material {
    var material = self
    let tint = SIMD3(
      generator.uniform(0.8, 1.25), generator.uniform(0.8, 1.25), generator.uniform(0.8, 1.25))
    material.colour = (colour * tint).clamped(lowerBound: .zero, upperBound: .one)
    material.reflectance = min(0.95, reflectance * generator.uniform(0.85, 1.1))
    return material
  }
}
