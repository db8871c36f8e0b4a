public import DepthCore

/// Depth of a scene by pixel over time: the first of two passes over its frames.
public struct MeanDepth: Sendable {
  let size: RasterSize
  private(set) var frames = 0
  private(set) var count: [Int], mean: [Double]
  private var squares: [Double]
  /// Sum over the frames; empty without confidence.
  private var confidences: [Int] = []
  /// Whether all values so far are multiples of a step, metres, largest step first; halves are multiples of their own.
  private var steps = [0.01, 0.001, 0.00025, 0.0001].map { (step: $0, holds: true) }
  private var areHalves = true

  public init(_ size: RasterSize) {
    self.size = size
    count = [Int](repeating: 0, count: size.count)
    mean = [Double](repeating: 0, count: size.count)
    squares = mean
  }

  /// - Parameter confidence: At the size of the map; of all frames or of none.
  public mutating func add(_ map: DepthMap, confidence: Raster<UInt8>? = nil) {
    frames += 1
    if let confidence {
      if confidences.isEmpty { confidences = [Int](repeating: 0, count: size.count) }
      for (pixel, level) in confidence.values.enumerated() { confidences[pixel] += Int(level) }
    }
    for (pixel, value) in map.values.enumerated() where value.isFinite && value > 0 {
      count[pixel] += 1
      let difference = Double(value) - mean[pixel]
      mean[pixel] += difference / Double(count[pixel])
      squares[pixel] += difference * (Double(value) - mean[pixel])
      guard pixel % 7 == 0 else { continue }
      areHalves = areHalves && Self.isHalf(value)
      for index in steps.indices where steps[index].holds {
        let multiple = Double(value) / steps[index].step
        steps[index].holds = abs(multiple - multiple.rounded()) < 0.01
      }
    }
  }

  /// Mean level over the frames, rounded; nil without confidence.
  func confidence(_ pixel: Int) -> Int? {
    confidences.isEmpty ? nil : Int((Double(confidences[pixel]) / Double(frames)).rounded())
  }

  /// Whether a value has no more than the 11 significant bits of a half.
  private static func isHalf(_ value: Float) -> Bool { value.significandBitPattern & 0x1fff == 0 }

  /// Step between the values of the file at a depth, metres; 0 where there is none.
  func resolution(at depth: Double) -> Double {
    if let step = steps.first(where: \.holds)?.step { return step }
    return areHalves ? depth.binade / 1024 : 0
  }

  /// Standard deviation over frames, metres; nil with fewer than two values.
  func deviation(_ pixel: Int) -> Double? {
    count[pixel] > 1 ? (squares[pixel] / Double(count[pixel] - 1)).squareRoot() : nil
  }

  /// Pixels with a value in at least half of the frames.
  var usual: [Int] { count.indices.filter { count[$0] > 0 && 2 * count[$0] >= frames } }
}
