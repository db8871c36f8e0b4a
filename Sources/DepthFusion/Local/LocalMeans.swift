import DepthCore

/// Gaussian means of ln(LiDAR/map) over pixels of the same confidence that do not jump; the LiDAR's own error is mostly averaged
/// out.
///
/// By confidence, because returns of little noise say nothing of the map where there are none: beyond a depth step, far away.
struct LocalMeans {
  /// 0 where none was wanted.
  private(set) var means: [Float]
  /// Share of the LiDAR's variance that is left in each; 1 where none was wanted.
  private(set) var left: [Float]

  /// - Parameter levels: Confidence of every pixel; nil for one.
  /// - Parameter jumps: Not 0 for pixels that do not count.
  /// - Parameter places: Pixels at which the means are wanted, ascending.
  /// - Parameter window: Standard deviation of the Gaussian, pixels.
  /// - Parameter correlation: ``LocalOptions/lidarCorrelation``.
  init(
    _ logRatio: DepthMap, _ levels: [UInt8]?, without jumps: [UInt8], at places: [Int32], window: Double,
    correlation: Double
  ) {
    let (width, cells) = (logRatio.width, CellGrid(over: logRatio.size, deviation: window))
    means = [Float](repeating: 0, count: logRatio.values.count)
    left = [Float](repeating: 1, count: logRatio.values.count)
    guard !places.isEmpty else { return }
    // Kinds of pixels: the levels that there are get numbers.
    var numbers = [UInt8](repeating: 0, count: 256)
    var known: [UInt8] = [], last = numbers.count
    for level in levels ?? [2] where Int(level) != last {
      last = Int(level)
      if known.contains(level) { continue }
      numbers[last] = UInt8(known.count)
      known.append(level)
    }
    let kinds =
      levels.map { levels in levels.map { numbers[Int($0)] } } ?? [UInt8](repeating: 0, count: means.count)
    // Number and sum of the ratios of each cell, cell by cell of each kind.
    var sums = [SIMD2<Double>](repeating: .zero, count: known.count * cells.size.count)
    // Rows between which errors are alike say the same.
    let apart = max(1, Int(correlation / 2))
    sums.withUnsafeMutableBufferPointer { sums in
      for row in stride(from: 0, to: logRatio.height, by: apart) {
        for column in 0..<width {
          let i = row * width + column, ratio = logRatio.values[i]
          guard ratio.isFinite, jumps[i] == 0 else { continue }
          let place = Int(kinds[i]) * cells.size.count + cells.cell(row: row, column: column)
          sums[place] += SIMD2(1, Double(ratio))
        }
      }
    }
    var own = [[Int32]](repeating: [], count: known.count)
    for place in places { own[Int(kinds[Int(place)])].append(place) }

    let least = Float(AutoChoice.noiseGain(window: window, correlation: correlation))
    let sampler = BilinearSampler(source: logRatio.size, target: cells.size)
    for (kind, own) in own.enumerated() where !own.isEmpty {
      let sums = sums[kind * cells.size.count..<(kind + 1) * cells.size.count]
      let (counts, totals) = (cells.blurred(sums.map { $0.x }), cells.blurred(sums.map { $0.y }))
      let mean = cells.map(zip(counts, totals).map { $0 > 0 ? $1 / $0 : 0 })
      // Where the window holds few of them, its mean is of as few areas over which errors are alike.
      let full = cells.map(counts.map { $0 * Double(apart) / cells.pixelsPerCell })
      means.withUnsafeMutableBufferPointer { means in
        sampler.forEachSample(of: mean, at: own) { means[Int(own[$0])] = Float($1) }
      }
      left.withUnsafeMutableBufferPointer { left in
        sampler.forEachSample(of: full, at: own) {
          left[Int(own[$0])] = min(1, least / max(Float($1), least))
        }
      }
    }
  }
}
