public import DepthCore

/// How far the ground truth itself may be off, as standard deviations: "0.002m,0.5%,scale=1%,step=1mm".
public struct TruthDeviation: OptionValue, Hashable, Codable {
  /// Noise of a truth pixel, independent from pixel to pixel: √(a² + (b·g)²) with a in metres and b a share of the depth g.
  public var noise = 0.0, relativeNoise = 0.0
  /// What all truth of a run is off together, a share of the depth: a board's print, a laser's scale.
  public var scale = 0.0
  /// Steps in which the truth is stored, metres.
  public var step = 0.0

  public init(noise: Double = 0, relativeNoise: Double = 0, scale: Double = 0, step: Double = 0) {
    (self.noise, self.relativeNoise, self.scale, self.step) = (noise, relativeNoise, scale, step)
  }

  /// Variance of a truth pixel's noise as these numbers say, square metres.
  /// - Parameter rangeSquare: Mean of g² over the pixels that are meant, square metres.
  package func noiseVariance(rangeSquare: Double) -> Double {
    noise * noise + relativeNoise * relativeNoise * rangeSquare
  }

  /// Whether truth pixels have noise of their own.
  public var hasNoise: Bool { noise > 0 || relativeNoise > 0 }

  public static let form = "parts such as 0.002m,0.5%,scale=1%,step=1mm, each once"

  /// nil where a part is not known, comes twice, or is not above 0.
  public static func reading(_ text: String) -> TruthDeviation? {
    var result = TruthDeviation()
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = word.drop { $0 == " " }.split(separator: "=", omittingEmptySubsequences: false)
      let isShare = word.hasSuffix("%")
      let place: WritableKeyPath<TruthDeviation, Double>
      switch (sides.count == 2 ? sides[0] : "", isShare) {
      case ("", false) where sides.count == 1: place = \.noise
      case ("", true) where sides.count == 1: place = \.relativeNoise
      case ("scale", true): place = \.scale
      case ("step", false): place = \.step
      default: return nil
      }
      let number = sides[sides.count - 1]
      let (digits, factor) =
        isShare
        ? (number.dropLast(), 0.01)
        : number.hasSuffix("mm") ? (number.dropLast(2), 0.001) : (number.dropLast(), 1)
      guard isShare || number.hasSuffix("m"), let value = Double(digits), value > 0, value.isFinite,
        result[keyPath: place] == 0
      else { return nil }
      result[keyPath: place] = value * factor
    }
    return result
  }

  /// One value, whose parts have commas between them.
  public static func list(_ text: String) -> [TruthDeviation]? { reading(text).map { [$0] } }

  public var typed: String {
    func percent(_ share: Double) -> String { (share * 100).typed + "%" }
    let parts = [
      noise > 0 ? noise.typed + "m" : nil, relativeNoise > 0 ? percent(relativeNoise) : nil,
      scale > 0 ? "scale=" + percent(scale) : nil, step > 0 ? "step=" + step.typed + "m" : nil,
    ]
    return parts.compactMap(\.self).joined(separator: ",")
  }
}
