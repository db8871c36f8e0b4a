import DepthCore

/// Gaussian means of ln(LiDAR/map) over pixels of the same confidence that do not jump; what the LiDAR errs alone is mostly averaged
/// out.
///
/// By confidence, because returns of little noise say nothing of the map where there are none: beyond a depth step, far away.
struct LocalMeans {
  /// 0 where none was wanted.
  private(set) var means: [Float]
  /// Share of the LiDAR's variance that is left in each; 1 where none was wanted.
  private(set) var left: [Float]

  /// - Parameters:
  ///   - levels: Confidence of every pixel; nil for one.
  ///   - jumps: Not 0 for pixels that do not count.
  ///   - places: Pixels at which the means are wanted, ascending.
  ///   - window: Standard deviation of the Gaussian, pixels.
  ///   - correlation: ``LocalOptions/lidarCorrelation``.
  init(
    _ logRatio: DepthMap, _ levels: [UInt8]?, without jumps: [UInt8], at places: [Int32], window: Double,
    correlation: Double
  ) {
    let (width, cells) = (logRatio.width, CellGrid(over: logRatio.size, deviation: window))
    means = [Float](repeating: 0, count: logRatio.values.count)
    left = [Float](repeating: 1, count: logRatio.values.count)
    guard !places.isEmpty else { return }
    // Levels that there are get numbers.
    var numbers = [Int](repeating: -1, count: 256)
    var count = 0
    for level in levels ?? [2] where numbers[Int(level)] < 0 {
      numbers[Int(level)] = count
      count += 1
    }
    func number(_ i: Int) -> Int { levels.map { numbers[Int($0[i])] } ?? 0 }
    var counts = [[Double]](repeating: cells.zeros, count: count), sums = counts
    // Rows between which errors are alike say the same.
    let apart = max(1, Int(correlation / 2))
    for row in stride(from: 0, to: logRatio.height, by: apart) {
      for column in 0..<width {
        let i = row * width + column
        let ratio = logRatio.values[i]
        guard ratio.isFinite, jumps[i] == 0 else { continue }
        let (level, cell) = (number(i), cells.cell(row: row, column: column))
        counts[level][cell] += 1
        sums[level][cell] += Double(ratio)
      }
    }
    var own = [[Int32]](repeating: [], count: count)
    for place in places { own[number(Int(place))].append(place) }

    let least = Float(AutoChoice.noiseGain(window: window, correlation: correlation))
    let sampler = BilinearSampler(source: logRatio.size, target: cells.size)
    for level in 0..<count where !own[level].isEmpty {
      let (number, sum, own) = (cells.blurred(counts[level]), cells.blurred(sums[level]), own[level])
      sampler.forEachSample(of: cells.map(zip(number, sum).map { $0 > 0 ? $1 / $0 : 0 }), at: own) {
        means[Int(own[$0])] = Float($1)
      }
      // Where the window holds few of them, its mean is of as few areas over which errors are alike.
      sampler.forEachSample(of: cells.map(number.map { $0 * Double(apart) / cells.pixelsPerCell }), at: own) {
        left[Int(own[$0])] = min(1, least / max(Float($1), least))
      }
    }
  }
}
