import CFathomKernels
import DepthCore

/// The LiDAR pixels that a local model is fitted to, each with the relative value and the LiDAR's noise there.
struct LidarAnchors: Sendable {
  /// Relative map sampled at the LiDAR's pixels; NaN where a neighbour is missing or the value is not positive.
  let relative: DepthMap
  /// Depth, metres; NaN where the pixel is not an anchor of the whole set.
  let depth: [Float]
  /// Standard deviation of the relative error.
  let deviation: [Float]
  /// What it may be at most: ``LidarNoise/scatter``.
  let scatter: [Float]
  /// What was found of the noise of the best returns, by depth; nil where it was not looked for.
  let bestNoise: DeviationByDepth?
  /// The pixels that are anchors, ascending.
  private(set) var indices: [Int32]
  /// Rows and columns from one anchor to the next: more than 1 in a thinned set, whose anchors lie in every such row and column.
  private(set) var pitch = 1
  /// LiDAR pixels that an anchor stands for.
  var pixelsEach: Int { pitch * pitch }
  /// Smallest deviation in the frame: that of a pixel of full weight.
  let bestDeviation: Float
  var size: RasterSize { relative.size }
  var count: Int { indices.count }

  /// Every return above `minDepth`, weighted by its noise instead of chosen by confidence, unless the options
  /// ask for a confidence.
  init(_ frame: DepthFrame, relative map: DepthMap, options: FusionOptions, noise: LidarNoise? = nil) {
    let lidar = frame.lidar
    let sampler = BilinearSampler(
      source: lidar.size, target: map.size, mapping: options.positionMapping,
      offset: options.registration ?? .zero, extendsEdges: false)
    let noise = noise ?? LidarNoise(frame, options)
    let (low, high) = (Float(options.minDepth), options.local.maxDepth.map(Float.init) ?? .infinity)
    let levels = options.minConfidence == nil ? nil : frame.confidence?.values
    let minConfidence = options.minConfidence ?? 0
    let (count, width) = (lidar.values.count, lidar.width)
    var indices: [Int32] = []
    indices.reserveCapacity(count)
    var rows = BilinearRows(sampler, of: map)
    var relative = [Float](unsafeUninitializedCapacity: count) { values, initialized in
      initialized = count
      guard let first = values.baseAddress else { return }
      for row in 0..<lidar.height { rows.read(row, to: first + row * width) }
    }
    let depth = [Float](unsafeUninitializedCapacity: count) { depth, initialized in
      initialized = count
      relative.withUnsafeMutableBufferPointer { relative in
        for index in 0..<count {
          depth[index] = .nan
          guard relative[index] > 0 && relative[index].isFinite else {
            relative[index] = .nan
            continue
          }
          let d = lidar.values[index]
          guard d > low && d < high, d.isFinite else { continue }
          if let levels, levels[index] < minConfidence { continue }
          depth[index] = d
          indices.append(Int32(index))
        }
      }
    }
    self.relative = DepthMap(width: lidar.width, height: lidar.height, values: relative)
    (self.depth, self.deviation, self.indices) = (depth, noise.deviations, indices)
    (scatter, bestNoise) = (noise.scatter, noise.byLevel.last)
    bestDeviation = indices.reduce(.infinity) { min($0, noise.deviations[Int($1)]) }
  }

  /// The anchors without some.
  /// - Parameter positions: Ascending.
  func withholding(_ positions: [Int]) -> LidarAnchors {
    var rest = self
    rest.indices = []
    rest.indices.reserveCapacity(count - positions.count)
    var next = 0
    for k in indices.indices {
      if next < positions.count, positions[next] == k { next += 1 } else { rest.indices.append(indices[k]) }
    }
    return rest
  }

  /// ln(LiDAR/map) at some anchors.
  /// - Parameter map: Its depths there.
  func logRatios(to map: [Float], at indices: [Int32]) -> [Double] {
    let lidar = indices.map { depth[Int($0)] }
    return withUnsafeTemporaryAllocation(of: Float.self, capacity: indices.count) { ratios in
      log_ratios(lidar, map, indices.count, ratios.baseAddress)
      return ratios.map(Double.init)
    }
  }

  /// Every fourth or second anchor of every fourth or second row where that leaves enough: what ranks candidates.
  ///
  /// Errors are alike over ``LocalOptions/lidarCorrelation`` pixels, so that neighbours tell little that one of them does not, and
  /// cost as much.
  /// - Parameter blockSide: Of blocks that are held out together; the inner quarter of each must keep an anchor.
  func thinned(blockSide: Int) -> LidarAnchors {
    for pitch in [4, 2] where pitch == 2 || (blockSide >= 16 && blockSide % 4 == 0) {
      var kept: [Int32] = []
      kept.reserveCapacity((size.height / pitch + 1) * (size.width / pitch + 1))
      for row in stride(from: 0, to: size.height, by: pitch) {
        for index in stride(from: row * size.width, to: (row + 1) * size.width, by: pitch)
        where !depth[index].isNaN { kept.append(Int32(index)) }
      }
      guard kept.count >= Self.leastThinned else { continue }
      var rest = self
      (rest.indices, rest.pitch) = (kept, pitch)
      return rest
    }
    return self
  }

  /// Fewest anchors that a thinned set may keep.
  static let leastThinned = 2048

  /// 1 for a pixel of the smallest noise, (σ_best/σ)² for the others.
  @inline(__always) func weight(_ index: Int) -> Double {
    let ratio = Double(bestDeviation / deviation[index])
    return ratio * ratio
  }
}
