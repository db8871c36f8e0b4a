public import DepthEvaluation
import FathomStatistics
import Foundation

/// How large a scene's errors are in the standard deviations σ that a method states, by confidence and depth in its map.
///
/// Every frame counts alike, whatever the number of its pixels.
public struct DeviationTally: Sendable {
  struct Cell: Sendable {
    /// Of a frame's pixels by |d−g|/σ, summed over frames.
    var shares = [Double](repeating: 0, count: binCount)
    /// Σσ over the frame's number of pixels, summed over frames; metres.
    var deviation = 0.0
    var pixels = 0
  }

  /// Bins of |d−g|/σ up to 2⁻⁸, 2⁻⁸⁺¹ᐟ⁶⁴, … 2¹²; the last one holds what is beyond.
  static let binCount = 20 * 64 + 2
  static func upperEnd(_ bin: Int) -> Double { exp2(Double(bin) / 64 - 8) }

  public let scene: String
  public private(set) var frames = 0, pixels = 0
  private(set) var cells: [ErrorCell: Cell] = [:]
  private var within = DeviationCorrection.coverages.map { _ in 0.0 }

  public init(_ scene: String) { self.scene = scene }

  /// Takes a frame in; one without a usable σ changes nothing.
  public mutating func add(_ found: StatedErrors) {
    guard !found.errors.isEmpty else { return }
    let share = 1 / Double(found.errors.count)
    let limits = DeviationCorrection.coverages.map(DeviationCorrection.quantile)
    frames += 1
    pixels += found.errors.count
    for i in found.errors.indices {
      let z = abs(found.errors[i]) / found.deviations[i]
      let cell = ErrorCell(level: Int(found.levels[i]), bin: CalibrationPlan.bin(of: found.depths[i]))
      let position = z > 0 ? ((log2(z) + 8) * 64).rounded(.up) : 0
      let bin = Int(min(max(position, 0), Double(Self.binCount - 1)))
      cells[cell, default: Cell()].shares[bin] += share
      cells[cell, default: Cell()].deviation += found.deviations[i] * share
      cells[cell, default: Cell()].pixels += 1
      for (index, limit) in limits.enumerated() where z <= limit { within[index] += share }
    }
  }

  /// Mean share of a frame's pixels in the intervals that should hold one of ``DeviationCorrection/coverages``.
  func coverage(_ wanted: Double) -> Double? {
    DeviationCorrection.coverages.firstIndex(of: wanted).map { within[$0] / Double(frames) }
  }
}
