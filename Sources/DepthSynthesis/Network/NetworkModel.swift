internal import DepthCore

/// A monocular network: real detail, soft edges, and a smooth error that no scale and shift removes.
struct NetworkModel: Sendable {
  private let network: SyntheticNetwork, options: SynthesisOptions
  /// Cycles of the distortion across the image, at most.
  private let cycles: Double

  init(_ network: SyntheticNetwork, options: SynthesisOptions, cycles: Double = 2.5) {
    (self.network, self.options, self.cycles) = (network, options, cycles)
  }

  /// The network's map for one frame.
  /// - Parameter depth: Exact planar depth at the resolution of the map.
  /// - Parameter misjudged: Factors on the disparity, pixel by pixel; nil for none.
  func map(of depth: DepthMap, misjudged: [Double]? = nil, using generator: inout SplitMix64) -> DepthMap {
    let size = depth.size
    let soft = SoftEdges(deviation: options.edgeSoftness).applied(
      to: depth.values.indices.map { (misjudged?[$0] ?? 1) / Double(depth.values[$0]) }, size)
    let distortion = PlaneWaves(cycles: 0.5...cycles, using: &generator).values(size)
    let isDepth = network == .depth
    let values = soft.indices.map { index in
      let factor = 1 + options.distortion * distortion[index] + options.networkNoise * generator.normal()
      return (isDepth ? 1 / soft[index] : soft[index]) * factor
    }
    let unit = affineUnit(of: values, using: &generator)
    var map = values.map { ($0 - unit.shift) / unit.scale }
    if network == .normalisedDisparity {
      let largest = map.max() ?? 1
      for index in map.indices { map[index] /= largest }
    }
    // Networks end in a ReLU; what would be negative is the smallest positive value instead.
    return DepthMap(width: size.width, height: size.height, values: map.map { Float(max($0, 1e-4)) })
  }

  /// The frame's own unit: value = scale · r + shift.
  private func affineUnit(
    of values: [Double], using generator: inout SplitMix64
  ) -> (scale: Double, shift: Double) {
    let isDepth = network == .depth, scale = (isDepth ? 3.0 : 0.16) * generator.uniform(0.8, 1.25)
    let shift = isDepth ? generator.uniform(0.1, 0.3) : generator.uniform(0, 0.04)
    guard let spread = options.relativeSpread else { return (scale, shift) }
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let deviation = (squares / Double(values.count)).squareRoot()
    return (scale, mean - deviation / spread)
  }
}
