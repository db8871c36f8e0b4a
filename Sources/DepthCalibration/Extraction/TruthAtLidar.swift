import DepthCore
import DepthEvaluation

/// True depth at the centres of the LiDAR's pixels.
///
/// Read bilinearly, half-pixel centres, edges clamped; where both maps have one resolution that is the pixel itself. A
/// LiDAR pixel on a depth step has no one true depth, so it is excluded.
struct TruthAtLidar: Sendable {
  /// Why pixels have no truth.
  struct LeftOut: Sendable, Equatable, Codable {
    /// A true depth that is needed is unknown.
    var unknown = 0
    /// The true depths around the centre differ too much.
    var steps = 0
    /// The true depth lies outside what counts.
    var outOfRange = 0

    static func += (total: inout LeftOut, part: LeftOut) {
      total.unknown += part.unknown
      total.steps += part.steps
      total.outOfRange += part.outOfRange
    }
  }

  /// Metres, one per LiDAR pixel, row by row; NaN where there is none.
  private(set) var depths: [Double]
  private(set) var leftOut = LeftOut()

  /// - Parameter truth: Metres; what is not finite or not positive is unknown.
  /// - Parameter size: Resolution of the LiDAR map.
  init(_ truth: DepthMap, at size: RasterSize, plan: CalibrationPlan) {
    let columns = AxisTable(source: size.width, target: truth.width, mapping: .centres)
    let rows = AxisTable(source: size.height, target: truth.height, mapping: .centres)
    let range = plan.rules.truthRange
    depths = [Double](repeating: .nan, count: size.count)
    for row in 0..<size.height {
      let (top, bottom) = (Int(rows.lower[row]), Int(rows.upper[row]))
      for column in 0..<size.width {
        let (left, right) = (Int(columns.lower[column]), Int(columns.upper[column]))
        let corners = SIMD4(
          truth[top, left], truth[top, right], truth[bottom, left], truth[bottom, right])
        let (smallest, largest) = (corners.min(), corners.max())
        // A NaN is neither finite nor positive, but min() and max() may skip it.
        guard (0..<4).allSatisfy({ corners[$0] > 0 && corners[$0].isFinite }) else {
          leftOut.unknown += 1
          continue
        }
        guard Double(largest) <= plan.stepRatio * Double(smallest) else {
          leftOut.steps += 1
          continue
        }
        let depth = Self.interpolated(corners, columns.weight[column], rows.weight[row])
        if range.contains(Float(depth)) {
          depths[row * size.width + column] = depth
        } else {
          leftOut.outOfRange += 1
        }
      }
    }
  }

  private static func interpolated(_ corners: SIMD4<Float>, _ x: Double, _ y: Double) -> Double {
    let upper = Double(corners[0]) * (1 - x) + Double(corners[1]) * x
    let lower = Double(corners[2]) * (1 - x) + Double(corners[3]) * x
    return upper * (1 - y) + lower * y
  }
}
