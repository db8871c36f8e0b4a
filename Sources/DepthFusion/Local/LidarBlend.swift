import CFathomKernels
import DepthCore

/// The mean of LiDAR and map where the LiDAR measures, and the map elsewhere.
///
/// Weights are inverse variances; a map with σ_map ≥ 2σ_LiDAR has none. Where the two disagree by more than their
/// noise allows, Tukey's biweight takes weight from the one that is less believable: from the LiDAR where its ratio to
/// the map jumps from pixel to pixel (flying pixels, dust), else from the map, but only where they disagree in the mean
/// over a window as wide as the LiDAR's errors are alike: that is an object which the network misjudged, while one
/// return that is far off is more likely to be the LiDAR's own fault.
struct LidarBlend {
  /// Share of the map at every LiDAR pixel, 0…1.
  let share: DepthMap
  /// Whether the map has weight anywhere that the LiDAR measures.
  let usesMap: Bool
  /// Whether every LiDAR pixel has a depth.
  let isComplete: Bool
  private let lidar: DepthMap
  /// σ of the map's relative error at every LiDAR pixel, its soft edges included.
  let mapDeviations: [Double]
  /// σ_map from which on, in σ_LiDAR, the map has no weight.
  static let trustLimit = 2.0
  /// Range of ln(LiDAR/map) in 3×3 pixels, in the largest σ_LiDAR, that counts as jumping: noise alone reaches 4 in a tenth of all
  /// squares, 6 in one of a thousand.
  static let jumpLimit = 6.0
  /// Of that range, what is put down to noise; where the return continues a surface the rest counts as a depth step. At four, the
  /// steps of small objects in noisy maps are missed.
  static let edgeLimit: Float = 2
  /// Standard deviation of the window of the means, in the LiDAR's correlations.
  static let meanWindow = 2.0

  /// - Parameter predicted: The map at the LiDAR's pixels.
  /// - Parameter levels: Confidence of every pixel; nil for one.
  /// - Parameter scatter: What a return's noise may be at most: beyond a multiple of it, a return is at fault.
  /// - Parameter correlation: ``LocalOptions/lidarCorrelation``.
  init(
    _ lidar: DepthMap, _ deviation: [Float], scatter: [Float], levels: [UInt8]?, map predicted: DepthMap,
    _ mapDeviation: MapDeviation, correlation: Double
  ) {
    let returns = lidar.values.map { $0 > 0 && $0.isFinite ? $0 : .nan }
    self.lidar = DepthMap(width: lidar.width, height: lidar.height, values: returns)
    let logRatio = DepthMap(
      width: lidar.width, height: lidar.height, values: Self.logRatios(returns, predicted.values))
    let range = WindowRange.of(logRatio.values, width: lidar.width, reach: 1)
    let surface = StraightSurface(self.lidar, scatter), count = returns.count
    // Depth steps at which a return is at fault, and how high those are at which it continues a surface.
    var (jumps, steps) = ([UInt8](repeating: 0, count: count), [Float](repeating: 0, count: count))
    // Whether the map may have a share: elsewhere it has no weight whatever it is.
    var isOpen = [Bool](repeating: false, count: count)
    var (wanted, clean) = ([Int32](), [Int]())
    wanted.reserveCapacity(count)
    for i in 0..<count {
      let mayMove = mapDeviation.least < Self.trustLimit * Double(deviation[i]) && returns[i].isFinite
      if mayMove { isOpen[i] = true }
      var isClean = false
      // Where the ratios hardly differ there is no step.
      if range[i] > Self.edgeLimit * scatter[i] {
        let isStep = Double(range[i]) > Self.jumpLimit * Double(scatter[i])
        let continues = surface.continues(at: i)
        if continues { steps[i] = range[i] - Self.edgeLimit * scatter[i] }
        isClean = isStep && continues
        if isStep && !continues { jumps[i] = 1 }
      }
      if isClean { clean.append(i) }
      if mayMove || isClean { wanted.append(Int32(i)) }
    }
    let means = LocalMeans(
      logRatio, levels, without: jumps, at: wanted, window: Self.meanWindow * correlation,
      correlation: correlation)
    let softness = Self.softness(logRatio, levels, steps, deviation)
    let mapDeviations = mapDeviation.deviations(at: predicted.values).enumerated().map { i, deviation in
      max(Double(deviation), softness[levels.map { Int(min($0[i], 2)) } ?? 2] * Double(steps[i]))
    }
    self.mapDeviations = mapDeviations
    var limits = blend_limits(
      trust: Self.trustLimit, noise: Self.noiseLimit, tuning: Self.tuning, certainty: Self.certainty,
      edges: Self.edgeDeviation(logRatio, means, clean))
    var share = DepthMap(width: lidar.width, height: lidar.height, filledWith: 0)
    blend_shares(
      logRatio.values, means.means, means.left, deviation, mapDeviations, jumps, surface.flags,
      count, &limits, &share.values)
    let neighbours = StepNeighbours(lidar: self.lidar, map: predicted, scatter: scatter, jumps: jumps)
    var (usesMap, isComplete) = (false, true)
    var faulty: [Int] = []
    for i in 0..<count {
      guard isOpen[i] else {
        share.values[i] = returns[i].isFinite ? 0 : 1
        if !returns[i].isFinite { isComplete = false }
        continue
      }
      if jumps[i] != 0 {
        if levels?[i] == 0 || neighbours.support(i, against: logRatio.values[i]) {
          share.values[i] = Self.limited(
            share.values[i], logRatio: logRatio.values[i], deviation: deviation[i])
        } else {
          faulty.append(i)
        }
      }
      if share.values[i] > 0 { usesMap = true }
    }
    let most = Self.largestShare(
      atFaulty: faulty, clean: clean, logRatio.values, noise: deviation, range: range)
    for i in faulty where share.values[i] > most {
      let limited = Self.limited(share.values[i], logRatio: logRatio.values[i], deviation: deviation[i])
      share.values[i] = max(most, limited)
    }
    (self.share, self.usesMap, self.isComplete) = (share, usesMap, isComplete)
  }

  private static func logRatios(_ lidar: [Float], _ map: [Float]) -> [Float] {
    [Float](unsafeUninitializedCapacity: lidar.count) { ratios, count in
      log_ratios(lidar, map, lidar.count, ratios.baseAddress)
      count = lidar.count
    }
  }

  /// The share at a depth step of a return of the least confidence, or of one that its neighbours support: there a good return looks
  /// like a flying pixel, and a network's edge may have a larger error than either, so that the map moves it by its deviation at most.
  private static func limited(_ share: Float, logRatio: Float, deviation: Float) -> Float {
    let size = abs(logRatio)
    return size > deviation ? min(share, deviation / size) : share
  }

  /// Most that the map may have of returns that are at fault at depth steps and have no support.
  ///
  /// What the two disagree by there is the LiDAR's error and the map's, whose squares add up. The map's is known from the returns at steps that
  /// continue a surface; the rest is the LiDAR's. Where that is the larger one, as with flying pixels and a map with sharp edges in the right
  /// place, the map may have all; else the LiDAR's over the map's. All in the range of the ratios about each return, which is
  /// the step; limits of two standard errors, so that little evidence moves little.
  static func largestShare(
    atFaulty faulty: [Int], clean: [Int], _ ratios: [Float], noise: [Float], range: [Float]
  ) -> Float {
    func mean(_ places: [Int], noise: [Float]?, errors: Double) -> Double? {
      let squares = places.map { i in
        let (size, own) = (ratios[i] / range[i], (noise?[i] ?? 0) / range[i])
        return Double(min(1, size * size) - own * own)
      }.filter(\.isFinite)
      guard !squares.isEmpty else { return nil }
      let count = Double(squares.count), mean = squares.reduce(0, +) / count
      let variance = squares.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
      return mean + errors * (variance / count).squareRoot()
    }
    guard let both = mean(faulty, noise: nil, errors: -CandidateBench.certainty),
      let map = mean(clean, noise: noise, errors: CandidateBench.certainty), map > 0
    else { return 1 }
    return Float(max(0, min(1, both / map - 1)))
  }

  /// The map's error at clean depth steps, as a share of the step, by confidence: a network's edges are soft.
  ///
  /// Root mean square over returns that continue a surface, less their noise; a return that is off by more than the step is not off by softness.
  private static func softness(
    _ logRatio: DepthMap, _ levels: [UInt8]?, _ steps: [Float], _ deviation: [Float]
  ) -> [Double] {
    guard let levels else { return [0, 0, 0] }
    var sums = [(error: Double, step: Double)](repeating: (0, 0), count: 3)
    for i in steps.indices where steps[i] > 0 && logRatio.values[i].isFinite {
      let (error, step) = (Double(logRatio.values[i]), Double(steps[i]))
      let level = Int(min(levels[i], 2))
      sums[level].error += min(error * error, step * step) - Double(deviation[i] * deviation[i])
      sums[level].step += step * step
    }
    return sums.map { $0.step > 0 ? max(0, $0.error / $0.step).squareRoot() : 0 }
  }

  /// How far the map is off at depth steps: from the returns there that continue a surface, which are not at fault.
  private static func edgeDeviation(_ logRatio: DepthMap, _ means: LocalMeans, _ clean: [Int]) -> Double {
    let sizes = clean.map { abs(Double(logRatio.values[$0] - means.means[$0])) }.filter(\.isFinite)
    return OrderStatistics.median(of: sizes).map { OrderStatistics.normalConsistency * $0 } ?? 0
  }

  /// Standard deviations up to which noise explains a disagreement; at twice as many the map has no weight.
  private static let noiseLimit = 3.0
  /// Variances of the LiDAR's part in a mean that are not counted as the map's error: its square is as uncertain as it is large.
  private static let certainty = 2.0
  /// Of the biweight (Beaton & Tukey 1974).
  static let tuning = 4.685

  /// The blend at a resolution. Where a LiDAR neighbour that has weight is missing, the map.
  ///
  /// Between LiDAR pixels, each counts by its own share, so that one without weight gives nothing to its neighbours.
  /// - Parameter sharpened: The LiDAR at that resolution where it is not to be interpolated; NaN elsewhere.
  /// - Parameter offset: By how much the blend's pixels lie beside their place in the LiDAR's view, pixels of the blend;
  ///   what the LiDAR does not see is the map.
  func blended(
    with map: DepthMap, sharpened: DepthMap? = nil, at size: RasterSize, offset: PixelOffset
  ) -> DepthMap {
    var kept = lidar
    for i in kept.values.indices { kept.values[i] *= 1 - share.values[i] }
    var result = map
    var maps: BilinearRows?
    if map.size != size {
      result = DepthMap(width: size.width, height: size.height, filledWith: .nan)
      maps = BilinearRows(BilinearSampler(source: size, target: map.size), of: map)
    }
    let sampler = BilinearSampler(source: size, target: share.size, offset: offset, extendsEdges: false)
    var (shares, rests) = (BilinearRows(sampler, of: share), BilinearRows(sampler, of: kept))
    result.values.withUnsafeMutableBufferPointer { out in
      withUnsafeTemporaryAllocation(of: Double.self, capacity: 2 * size.width) { line in
        guard let share = line.baseAddress, let out = out.baseAddress else { return }
        let rest = share + size.width
        for row in 0..<size.height {
          if maps != nil { maps?.read(row, to: out + row * size.width) }
          shares.read(row, to: share)
          rests.read(row, to: rest)
          if let sharpened {
            for column in 0..<size.width where rest[column].isFinite {
              let sharp = Double(sharpened[row, column])
              if sharp.isFinite { rest[column] = (1 - share[column]) * sharp }
            }
          }
          // Without a map the LiDAR alone, where it has a share.
          bilinear_mix(share, rest, size.width, out + row * size.width)
        }
      }
    }
    return result
  }
}
