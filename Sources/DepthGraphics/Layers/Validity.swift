public import DepthCore

/// Which pixels of a depth map take part, and why the others do not.
public struct Validity: PictureLayer {
  /// What a pixel is; of several reasons the first that applies.
  public enum State: UInt8, Sendable, CaseIterable {
    /// Not finite or not positive.
    case missing
    /// The LiDAR is not confident enough.
    case lowConfidence
    /// Outside the depths that count.
    case outOfRange
    /// The relative map has no value there.
    case noRelative
    /// Takes part.
    case used

    /// Colours that people of any colour vision tell apart (Okabe & Ito 2008).
    public var colour: RGB {
      switch self {
      case .missing: RGB(red: 0, green: 0, blue: 0)
      case .lowConfidence: RGB(red: 213, green: 94, blue: 0)
      case .outOfRange: RGB(red: 86, green: 180, blue: 233)
      case .noRelative: RGB(red: 204, green: 121, blue: 167)
      case .used: RGB(red: 0, green: 158, blue: 115)
      }
    }
  }

  /// At the depth map's resolution.
  public var states: Raster<State>
  /// 0…1.
  public var opacity: Float

  /// - Precondition: `opacity` is 0…1.
  public init(_ states: Raster<State>, opacity: Float = 1) {
    precondition((0...1).contains(opacity), "an opacity is 0…1")
    (self.states, self.opacity) = (states, opacity)
  }

  /// - Parameter depth: Metres.
  /// - Parameter confidence: At the depth map's resolution; nil counts as high.
  /// - Parameter minimumConfidence: Lowest confidence that counts.
  /// - Parameter depthRange: Depths that count, metres, between its ends.
  /// - Parameter relative: Read at the depth map's pixels, centre to centre; nil for not looked at.
  public static func states(
    of depth: DepthMap, confidence: Raster<UInt8>?, minimumConfidence: UInt8 = 2,
    depthRange: ClosedRange<Double> = 0.1...4, relative: DepthMap?
  ) -> Raster<State> {
    var states = Raster(width: depth.width, height: depth.height, filledWith: State.used)
    for (index, value) in depth.values.enumerated() {
      if !(value > 0 && value.isFinite) {
        states.values[index] = .missing
      } else if (confidence?.values[index] ?? 2) < minimumConfidence {
        states.values[index] = .lowConfidence
      } else if !(Double(value) > depthRange.lowerBound && Double(value) < depthRange.upperBound) {
        states.values[index] = .outOfRange
      }
    }
    guard let relative else { return states }
    BilinearSampler(source: depth.size, target: relative.size).forEachSample(of: relative) { index, value in
      if states.values[index] == .used, !(value > 0 && value.isFinite) { states.values[index] = .noRelative }
    }
    return states
  }

  public func draw(on picture: inout Raster<RGBA>) {
    let numbers = Raster(
      width: states.width, height: states.height, values: states.values.map { Float($0.rawValue) })
    let colours = State.allCases.map(\.colour)
    let alpha = SIMD8<Float>(repeating: opacity)
    picture.blend(sampling: NearestRows(numbers, size: picture.size).read) { number in
      var result = OctetColour(colours[0], alpha: alpha)
      for (index, colour) in colours.enumerated().dropFirst() {
        let isThis = number .== Float(index)
        result.red.replace(with: Float(colour.red), where: isThis)
        result.green.replace(with: Float(colour.green), where: isThis)
        result.blue.replace(with: Float(colour.blue), where: isThis)
      }
      return result
    }
  }
}
