import DepthCore

/// Pixels of a truth map near a depth step.
enum DepthEdges {
  /// True for every pixel that lies within a margin of a step between two neighbouring known depths.
  ///
  /// - Parameters:
  ///   - ratio: A step is a ratio of neighbours above this.
  ///   - marginX: Largest distance along a row, pixels.
  ///   - marginY: Largest distance along a column, pixels.
  static func mask(_ truth: DepthMap, ratio: Double, marginX: Double, marginY: Double) -> [Bool] {
    let (width, height) = (truth.width, truth.height)
    var step = [Bool](repeating: false, count: truth.values.count)
    truth.values.withUnsafeBufferPointer { depths in
      step.withUnsafeMutableBufferPointer { step in
        func mark(_ a: Int, _ b: Int) {
          let (p, q) = (Double(depths[a]), Double(depths[b]))
          guard p > 0, q > 0, p.isFinite, q.isFinite, max(p, q) > ratio * min(p, q) else { return }
          step[a] = true
          step[b] = true
        }
        for row in 0..<height {
          for index in row * width..<(row + 1) * width {
            if index + 1 < (row + 1) * width { mark(index, index + 1) }
            if row + 1 < height { mark(index, index + width) }
          }
        }
      }
    }
    let alongRows = dilated(
      step, count: width, lines: height, stride: 1, lineStride: width,
      reach: Int(saturating: min(marginX, Double(width)))
    )
    return dilated(
      alongRows, count: height, lines: width, stride: width, lineStride: 1,
      reach: Int(saturating: min(marginY, Double(height))))
  }

  /// Extends every true value by `reach` pixels along one axis, both ways.
  private static func dilated(
    _ mask: [Bool], count: Int, lines: Int, stride: Int, lineStride: Int, reach: Int
  ) -> [Bool] {
    var result = mask
    for line in 0..<lines {
      let base = line * lineStride
      for direction in [0, 1] {
        var sinceStep = Int.max
        for i in 0..<count {
          let index = base + (direction == 0 ? i : count - 1 - i) * stride
          sinceStep = mask[index] ? 0 : (sinceStep == .max ? .max : sinceStep + 1)
          if sinceStep <= reach { result[index] = true }
        }
      }
    }
    return result
  }
}
