internal import DepthCore
internal import Foundation

/// A phone's LiDAR: what it gives for one view of a room.
struct LidarModel: Sendable {
  private let confidence: ConfidenceModel, outlierShare: Double, noiseLaw: [RangeLaw]?
  private let draw: SensorDraw.Lidar?
  /// Share of the error's standard deviation that is pixel noise rather than interpolated between spots.
  private static let whiteShare = 0.2

  /// One view with the standard normal errors of its pixels.
  struct Exposure: Sendable {
    var view: LidarView, noise: [Double]

    init(
      _ caster: RayCaster, shading: Shading, draw: SensorDraw.Lidar? = nil, using generator: inout SplitMix64
    ) {
      view = LidarView(caster, shading: shading, using: &generator)
      if let softness = draw?.softness, softness > 0 { view.soften(by: softness) }
      var spots = SpotField(
        over: view.size, spacing: draw?.correlation ?? SpotField.usualSpacing, using: &generator)
      spots.locate { caster.hit(u: $0, v: $1).solid }
      let whiteShare = draw?.whiteShare ?? LidarModel.whiteShare
      let correlated = (1 - whiteShare * whiteShare).squareRoot()
      noise = []
      noise.reserveCapacity(view.size.count)
      for row in 0..<view.size.height {
        for column in 0..<view.size.width {
          let body = view.solid[row * view.size.width + column]
          let smooth = spots(Double(column) + 0.5, Double(row) + 0.5, on: body)
          noise.append(correlated * smooth + whiteShare * generator.normal())
        }
      }
    }

    /// Lets a share of the noise's variance be that of `pattern`, standard normal pixel by pixel.
    mutating func persist(_ pattern: [Double], share: Double) {
      let (kept, taken) = ((1 - share).squareRoot(), share.squareRoot())
      for index in noise.indices { noise[index] = kept * noise[index] + taken * pattern[index] }
    }

    /// Every `stride`-th pixel, for the confidence model to learn from.
    func samples(stride step: Int) -> [ConfidenceModel.Sample] {
      stride(from: 0, to: noise.count, by: step).map { index in
        .init(
          hardness: view.hardness[index], smear: view.smeared[index] / view.exact[index] - 1,
          noise: noise[index])
      }
    }
  }

  init(
    calibratedOn samples: [ConfidenceModel.Sample], options: SynthesisOptions, draw: SensorDraw.Lidar? = nil
  ) {
    confidence = ConfidenceModel(
      samples: samples, shares: options.levelShares,
      medianErrors: draw?.medianErrors ?? ConfidenceModel.medianErrors)
    (self.draw, outlierShare, noiseLaw) = (draw, options.outlierShare, options.noiseLaw)
  }

  /// Depth in steps of 1 mm, and confidence.
  /// - Parameter highConfidenceReturns: How many returns at confidence 2 to leave, all at 0.1–4 m; nil leaves all.
  func maps(
    _ exposure: Exposure, highConfidenceReturns: Int?, using generator: inout SplitMix64
  ) -> (depth: DepthMap, confidence: Raster<UInt8>) {
    let size = exposure.view.size, graded = exposure.view.hardness.map(confidence.level)
    if let noiseLaw { return Self.maps(exposure, graded.map(\.level), noiseLaw, using: &generator) }
    var levels = Raster(width: size.width, height: size.height, values: graded.map(\.level))
    var depth = DepthMap(
      width: size.width, height: size.height,
      values: graded.indices.map { measured(exposure, $0, deviation: graded[$0].deviation) })
    for index in graded.indices
    where
      confidence
      .isHardest(draw?.missing ?? 0, hardness: exposure.view.hardness[index])
    { depth.values[index] = 0 }
    if outlierShare > 0 { addOutliers(to: &depth, levels, using: &generator) }
    if let highConfidenceReturns {
      for index in Self.withdrawn(allBut: highConfidenceReturns, depth, levels, using: &generator) {
        levels.values[index] = 1
        depth.values[index] = measured(exposure, index, deviation: confidence.mediumDeviation)
      }
    }
    return (depth, levels)
  }

  /// Exact depth with independent Gaussian noise by level and range.
  private static func maps(
    _ exposure: Exposure, _ levels: [UInt8], _ law: [RangeLaw], using generator: inout SplitMix64
  ) -> (depth: DepthMap, confidence: Raster<UInt8>) {
    let size = exposure.view.size
    let depths = levels.indices.map { index in
      let exact = exposure.view.exact[index]
      return Float(exact + law[Int(levels[index])].variance(at: exact).squareRoot() * generator.normal())
    }
    return (
      DepthMap(width: size.width, height: size.height, values: depths),
      Raster(width: size.width, height: size.height, values: levels)
    )
  }

  private func measured(_ exposure: Exposure, _ index: Int, deviation: Double) -> Float {
    let factor = max(0.2, 1 + deviation * exposure.noise[index])
    return Self.inMillimetres(ranged(exposure.view.smeared[index]) * factor)
  }

  /// The depth that the sensor takes a depth for, before noise.
  private func ranged(_ depth: Double) -> Double {
    guard let draw else { return depth }
    let wave = draw.wiggle * sin(2 * .pi * depth / draw.period)
    return max(0.05, depth * (1 + draw.scale + wave) + draw.offset)
  }

  private static func inMillimetres(_ metres: Double) -> Float { Float((metres * 1000).rounded() / 1000) }

  /// Puts patches of the high-confidence returns at 0.3–1 m, as dust, glass and fingers do.
  private func addOutliers(
    to depth: inout DepthMap, _ levels: Raster<UInt8>, using generator: inout SplitMix64
  ) {
    let patches = SpotField(over: depth.size, using: &generator)
    let high = levels.values.indices.filter { levels.values[$0] == 2 }
    let ordered = high.map { index in
      (index, patches(Double(index % depth.width) + 0.5, Double(index / depth.width) + 0.5))
    }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
    let count = Int((outlierShare * Double(high.count)).rounded())
    for (index, _) in ordered.prefix(count) {
      depth.values[index] = Self.inMillimetres(generator.uniform(0.3, 1))
    }
  }

  /// High-confidence pixels to be lowered, so that `count` are left of those that the specified fusion
  /// would use (0.1–4 m), scattered over the image, and none farther away.
  private static func withdrawn(
    allBut count: Int, _ depth: DepthMap, _ levels: Raster<UInt8>, using generator: inout SplitMix64
  ) -> [Int] {
    let high = levels.values.indices.filter { levels.values[$0] == 2 }
    let usable = high.filter { depth.values[$0] > 0.1 && depth.values[$0] < 4 }
    let kept = Set(usable.shuffled(using: &generator).prefix(count))
    return high.filter { !kept.contains($0) }
  }
}
