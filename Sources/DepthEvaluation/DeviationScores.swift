import DepthCore
import FathomStatistics
import Foundation

/// How honest the standard deviations of one map are on one frame, or what its scores of confidence are worth: of these only the order.
public struct DeviationScores: Sendable, Equatable {
  /// Bins of the probability integral transform, and groups of pixels by σ.
  public static let transformBins = 20, groupCount = 10
  /// Upper ends of the bins of |z|, but for the last one, which has none: 2⁻⁸ … 2¹² in steps of 1/16 octave.
  package static let multiples = (0...320).map { exp2(Double($0) / 16 - 8) }
  /// Pixels that were scored, and predicted pixels without a usable σ.
  public let pixels: Int, unusable: Int
  /// Whether they are of confidences.
  package var isOfConfidence: Bool { transform.isEmpty }
  /// One per ``DeviationScore``; nil where no pixel has a usable σ, a slope is not determined, or a confidence has no such score.
  public let values: [Double?]
  package let transform: [Int]  // Pixels by Φ((g−d)/σ), in equal bins from 0 to 1; empty for confidences.
  /// Pixels by |z|, see ``multiples``; empty for confidences.
  package let counts: [Int]
  /// Root-mean-square σ and error of each group of pixels by σ, metres; empty for fewer pixels than groups.
  package let groups: [Double]
  /// nil where no pixel has a usable σ.
  package let retention: RetentionCurve?

  /// - Parameter errors: d − g, metres.
  /// - Parameter deviations: σ of each, metres, above 0.
  /// - Parameter unusable: Predicted pixels without a usable σ.
  /// - Returns: nil where the map predicts no pixel.
  init?(errors: [Double], deviations: [Double], unusable: Int) {
    (pixels, self.unusable) = (errors.count, unusable)
    guard pixels + unusable > 0 else { return nil }
    let count = Double(pixels)
    let z = zip(errors, deviations).map { $0 / $1 }
    var (transform, counts) = (
      [Int](repeating: 0, count: Self.transformBins), [Int](repeating: 0, count: Self.multiples.count + 1)
    )
    var (logScore, crps) = (0.0, 0.0)
    for (z, deviation) in zip(z, deviations) {
      // The truth's place in the Gaussian of the prediction.
      let place = NormalDistribution.cumulative(-z)
      transform[min(Self.transformBins - 1, Int(place * Double(Self.transformBins)))] += 1
      counts[Self.bin(abs(z))] += 1
      logScore += log(deviation) + z * z / 2
      crps +=
        deviation * (z * (1 - 2 * place) + 2 * NormalDistribution.density(z) - 1 / Double.pi.squareRoot())
    }
    (self.transform, self.counts) = (transform, counts)
    let order = RadixOrder.positions(deviations)
    groups = Self.groups(errors, deviations, order)
    let magnitudes = errors.map(abs)
    let curves = Sparsification(errors: magnitudes, order: order, doubts: deviations)
    retention = RetentionCurve(errors: magnitudes, order: order, doubts: deviations)
    let mean = z.reduce(0, +) / count
    let variance = z.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
    func quantile(_ z0: Double) -> Double {
      OrderStatistics.quantile(NormalDistribution.cumulative(z0), of: z) ?? .nan
    }
    let (slope, isEmpty) = (Self.slope(groups), errors.isEmpty)
    values = DeviationScore.allCases.map { score in
      if score == .unusable { return Double(unusable) / (count + Double(unusable)) }
      guard !isEmpty else { return nil }
      let value: Double? =
        switch score {
        case .coverage50, .coverage80, .coverage95:
          Self.coverage(z, NormalDistribution.quantile((1 + (score.probability ?? 0)) / 2))
        case .meanZ: mean
        case .deviationZ: variance.squareRoot()
        case .halfWidthZ: (quantile(1) - quantile(-1)) / 2
        case .logScore: logScore / count + log(2 * Double.pi) / 2
        case .crps: crps / count
        case .sharpness: deviations.reduce(0, +) / count
        case .slope: slope
        case .ause: curves?.area
        case .aurg: curves?.gainOverRandom
        case .explained: curves?.explained
        case .unusable: nil
        }
      return value.flatMap { $0.isFinite ? $0 : nil }
    }
  }

  /// - Parameter errors: d − g, metres.
  /// - Parameter doubts: The negative confidence of each.
  /// - Parameter unusable: Predicted pixels without a usable confidence.
  /// - Returns: nil where the map predicts no pixel.
  init?(errors: [Double], doubts: [Double], unusable: Int) {
    (pixels, self.unusable, transform, counts, groups) = (errors.count, unusable, [], [], [])
    guard pixels + unusable > 0 else { return nil }
    let magnitudes = errors.map(abs), order = RadixOrder.positions(doubts)
    let curves = Sparsification(errors: magnitudes, order: order, doubts: doubts)
    retention = RetentionCurve(errors: magnitudes, order: order, doubts: doubts)
    let found: [DeviationScore: Double?] = [
      .ause: curves?.area, .aurg: curves?.gainOverRandom, .explained: curves?.explained,
      .unusable: Double(unusable) / Double(errors.count + unusable),
    ]
    values = DeviationScore.allCases.map { found[$0] ?? nil }
  }

  private static func coverage(_ z: [Double], _ limit: Double) -> Double {
    Double(z.count { abs($0) <= limit }) / Double(z.count)
  }

  /// The bin of ``multiples`` that a value lies in: below its upper end.
  private static func bin(_ value: Double) -> Int {
    guard value >= multiples[0] else { return 0 }
    guard value < multiples[multiples.count - 1] else { return multiples.count }
    return Int((log2(value) + 8) * 16) + 1
  }

  private static func groups(_ errors: [Double], _ deviations: [Double], _ order: [Int]) -> [Double] {
    guard order.count >= groupCount else { return [] }
    return [deviations, errors].flatMap { values in
      (0..<groupCount).map { group in
        let members = order[group * order.count / groupCount..<(group + 1) * order.count / groupCount]
        return (members.reduce(0) { $0 + values[$1] * values[$1] } / Double(members.count)).squareRoot()
      }
    }
  }

  /// Of the line by least squares; nil where all groups have one σ, up to rounding.
  private static func slope(_ groups: [Double]) -> Double? {
    guard !groups.isEmpty else { return nil }
    let (x, y) = (groups[..<groupCount], groups[groupCount...])
    let meanX = x.reduce(0, +) / Double(groupCount), meanY = y.reduce(0, +) / Double(groupCount)
    let squares = x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
    guard squares.squareRoot() > 1e-6 * meanX else { return nil }
    return zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) } / squares
  }
}

// MARK: - On a disk

extension DeviationScores {
  /// Room in memory, bytes.
  static let footprint =
    8 * (transformBins + multiples.count + 2 * groupCount + 3 * RetentionCurve.mostPoints)
    + 16 * DeviationScore.allCases.count

  func write(to writer: inout RowWriter) {
    writer.put(pixels)
    writer.put(unusable)
    writer.put(values)
    writer.put(isOfConfidence)
    for count in transform + counts { writer.put(count) }
    writer.put(groups)
    writer.put(retention) { $1.write(to: &$0) }
  }

  init(from reader: inout RowReader) {
    (pixels, unusable, values) = (reader.int(), reader.int(), reader.optionalDoubles())
    let isOfConfidence = reader.bool()
    transform = (0..<(isOfConfidence ? 0 : Self.transformBins)).map { _ in reader.int() }
    counts = (0..<(isOfConfidence ? 0 : Self.multiples.count + 1)).map { _ in reader.int() }
    groups = reader.doubles()
    retention = reader.optional { RetentionCurve(from: &$0) }
  }

  var isPlausible: Bool {
    let all = 0...(1 << 40)
    return ([pixels, unusable] + transform + counts).allSatisfy(all.contains)
      && values.count == DeviationScore.allCases.count && [0, 2 * Self.groupCount].contains(groups.count)
      && (retention?.isPlausible ?? true)
  }
}
