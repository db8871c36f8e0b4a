public import DepthFusion
public import FathomStatistics

/// A correction of the standard deviations that a method states, what it guarantees, and what it does on scenes that it has not seen.
public struct DeviationCorrection: Sendable {
  /// Shares of the pixels that intervals can be made for, in the order in which they are tried.
  public static let coverages = [0.95, 0.9, 0.8]
  /// Fewest scenes that can guarantee a share p: ⌈p/(1−p)⌉, because with n scenes ΣF(t) = p·(n+1) must be at most n.
  public static func fewestScenes(_ coverage: Double) -> Int {
    Int((coverage / (1 - coverage) - 1e-9).rounded(.up))
  }
  /// Half the width of the interval d ± q·σ for a share.
  public static func quantile(_ coverage: Double) -> Double {
    NormalDistribution.quantile((1 + coverage) / 2)
  }

  /// A mean over scenes with its 95 % interval; nil for fewer than four scenes.
  public struct Mean: Sendable {
    public let value: Double, interval: ConfidenceInterval?

    fileprivate init(
      _ values: [Double], _ scenes: [String], _ bootstrap: inout SceneBootstrap, to most: Double = .infinity
    ) {
      value = values.reduce(0, +) / Double(values.count)
      interval = bootstrap.interval(ofMean: values, scenes: scenes, possible: 0...most)
    }
  }

  /// Why there is none.
  public enum Obstacle: Error, Sendable, Equatable {
    /// So many scenes have a usable σ.
    case tooFewScenes(Int)
    /// No factor up to thousands holds enough pixels: σ is probably in another unit.
    case noFactor
  }

  /// What the guarantee is for, and what a tally is of.
  public enum Unit: String, Sendable {
    case scene
    /// Of one scene.
    case frame
  }

  private let fit: DeviationScaleFit
  public let unit: Unit
  /// Units.
  public let scenes: Int, frames: Int, pixels: Int
  /// Share of the pixels in the intervals, on average over scenes: as stated, and with the factors of all other scenes; nil where these are
  /// too few.
  public let before: Mean, after: Mean?
  /// Mean σ, metres: as stated, and with the factors.
  public let deviationBefore: Mean, deviationAfter: Mean
  /// The share that is guaranteed.
  public var coverage: Double { fit.coverage }
  /// Scenes that gave the differences between cells, and those that gave the common factor.
  public var shapingScenes: Int { fit.shaping }
  public var learningScenes: Int { fit.learning }
  /// The factor over the one that would be enough for these scenes.
  public var reserve: Double { fit.reserve }

  /// - Parameter tallies: One per unit, in their order.
  /// - Parameter seed: Of the resamples of intervals.
  public init(_ tallies: [DeviationTally], each unit: Unit = .scene, seed: UInt64) throws(Obstacle) {
    self.unit = unit
    let known = tallies.filter { $0.frames > 0 }
    guard let coverage = Self.coverages.first(where: { known.count >= Self.fewestScenes($0) }) else {
      throw .tooFewScenes(known.count)
    }
    guard let fit = DeviationScaleFit(known, coverage: coverage) else { throw .noFactor }
    (self.fit, scenes) = (fit, known.count)
    (frames, pixels) = known.reduce((0, 0)) { ($0.0 + $1.frames, $0.1 + $1.pixels) }
    let names = known.map(\.scene)
    var bootstrap = SceneBootstrap(seed: seed)
    before = Mean(known.compactMap { $0.coverage(coverage) }, names, &bootstrap, to: 1)
    let heldOut = known.indices.compactMap { index in
      var others = known
      let scene = others.remove(at: index)
      return DeviationScaleFit(others, coverage: coverage)?.coverage(of: scene)
    }
    after = heldOut.count == known.count ? Mean(heldOut, names, &bootstrap, to: 1) : nil
    deviationBefore = Mean(known.map(\.deviation), names, &bootstrap)
    deviationAfter = Mean(known.map { fit.deviation(of: $0) }, names, &bootstrap)
  }

  /// As a calibration file has them: that for every other pixel first.
  public func scales(of method: String) -> [DeviationScale] {
    [DeviationScale(method, fit.scale(nil))]
      + fit.cells.map { cell in
        let range = CalibrationPlan.range(of: cell.bin ?? 0)
        return DeviationScale(
          method, fit.scale(cell), confidence: cell.level, from: range.from, to: range.to)
      }
  }
}
