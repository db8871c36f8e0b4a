import DepthCore

/// `lidar-bilinear`: a map sampled at the pixel centres of another size, half-pixel centres, borders clamped.
func bilinear(_ map: DepthMap, at size: RasterSize) -> [Double] {
  func taps(_ count: Int, _ sourceCount: Int) -> [(low: Int, high: Int, weight: Double)] {
    (0..<count).map { index in
      let x = (Double(index) + 0.5) * Double(sourceCount) / Double(count) - 0.5
      let clamped = min(max(x, 0), Double(sourceCount - 1))
      let low = min(Int(clamped), sourceCount - 2)
      return (low, low + 1, clamped - Double(low))
    }
  }
  let (columns, rows) = (taps(size.width, map.width), taps(size.height, map.height))
  var values: [Double] = []
  values.reserveCapacity(size.count)
  for r in rows {
    for c in columns {
      let top = Double(map[r.low, c.low]) * (1 - c.weight) + Double(map[r.low, c.high]) * c.weight
      let bottom = Double(map[r.high, c.low]) * (1 - c.weight) + Double(map[r.high, c.high]) * c.weight
      values.append(top * (1 - r.weight) + bottom * r.weight)
    }
  }
  return values
}

/// Pixels farther than `radius` from a step of more than 10 % between neighbouring pixels.
func awayFromSteps(_ truth: DepthMap, radius: Double) -> [Bool] {
  var away = [Bool](repeating: true, count: truth.size.count)
  let reach = Int(radius)
  func clear(_ row: Int, _ column: Int) {
    for r in max(0, row - reach)...min(truth.height - 1, row + reach) {
      for c in max(0, column - reach)...min(truth.width - 1, column + reach) {
        let (dr, dc) = (Double(r - row), Double(c - column))
        if dr * dr + dc * dc <= radius * radius { away[r * truth.width + c] = false }
      }
    }
  }
  func isStep(_ a: Float, _ b: Float) -> Bool { max(a, b) > 1.1 * min(a, b) }
  for row in 0..<truth.height {
    for column in 0..<truth.width {
      let depth = truth[row, column]
      let right = column + 1 < truth.width && isStep(depth, truth[row, column + 1])
      let below = row + 1 < truth.height && isStep(depth, truth[row + 1, column])
      if right || below { clear(row, column) }
      if right { clear(row, column + 1) }
      if below { clear(row + 1, column) }
    }
  }
  return away
}

/// Mean absolute error, root mean square error and δ½ over the pixels of one image.
struct DepthError {
  var l1 = 0.0, rmse = 0.0, deltaHalf = 0.0

  init(predicted: [Double], truth: DepthMap, where isCounted: [Bool]) {
    var count = 0.0
    for index in predicted.indices where isCounted[index] {
      let (d, g) = (predicted[index], Double(truth.values[index]))
      count += 1
      l1 += abs(d - g)
      rmse += (d - g) * (d - g)
      if max(d / g, g / d) < 1.25.squareRoot() { deltaHalf += 1 }
    }
    (l1, rmse, deltaHalf) = (l1 / count, (rmse / count).squareRoot(), deltaHalf / count)
  }

  /// Means of the parts.
  init(meanOf errors: [DepthError]) {
    let count = Double(errors.count)
    l1 = errors.map(\.l1).reduce(0, +) / count
    rmse = errors.map(\.rmse).reduce(0, +) / count
    deltaHalf = errors.map(\.deltaHalf).reduce(0, +) / count
  }
}

/// The middle value.
func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}

/// Slope, intercept and correlation of y against x by centred sums in Double.
func lineFit(_ x: [Double], _ y: [Double]) -> (slope: Double, intercept: Double, correlation: Double) {
  let n = Double(x.count)
  let (mx, my) = (x.reduce(0, +) / n, y.reduce(0, +) / n)
  var (xx, xy, yy) = (0.0, 0.0, 0.0)
  for (a, b) in zip(x, y) {
    xx += (a - mx) * (a - mx)
    xy += (a - mx) * (b - my)
    yy += (b - my) * (b - my)
  }
  return (xy / xx, my - xy / xx * mx, xy / (xx * yy).squareRoot())
}
