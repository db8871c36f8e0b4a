import CFathomKernels

/// What the errors of some pixels add up to; sums of parts of an image add up to those of the whole.
public struct ErrorSums: Sendable, Equatable {
  /// Pixels with truth.
  public internal(set) var truthCount = 0
  /// Those of them with a prediction.
  public internal(set) var count = 0
  /// By ``ErrorTerm``.
  private var terms = SIMD16<Double>()
  /// By ``RatioLimit``: pixels whose ratio is below it.
  private var below = SIMD8<Int64>()
  /// What ``ErrorTerm/logDeviation`` is compared with; the same in sums that are added.
  private let logShift: Double
  init(logShift: Double = 0) { self.logShift = logShift }

  /// Adds predicted pixels; ``truthCount`` is for the caller to know.
  /// - Parameter pixels: All finite and positive.
  /// - Parameter bins: Where their errors are counted, too.
  @inline(__always)
  mutating func add(_ pixels: PixelRun, logarithms: Bool, bins: UnsafePointer<error_bins>?) {
    withUnsafeMutablePointer(to: &terms) { terms in
      withUnsafeMutablePointer(to: &below) { below in
        error_terms_add(
          pixels.predicted, pixels.reference, pixels.inverse, pixels.count, logarithms ? 1 : 0, logShift,
          UnsafeMutableRawPointer(terms).assumingMemoryBound(to: Double.self),
          UnsafeMutableRawPointer(below).assumingMemoryBound(to: Int64.self), bins)
      }
    }
    count += pixels.count
  }

  static func += (sums: inout ErrorSums, other: ErrorSums) {
    sums.truthCount += other.truthCount
    sums.count += other.count
    sums.terms += other.terms
    sums.below &+= other.below
  }

  func sum(_ term: ErrorTerm) -> Double { terms[term.rawValue] }
  /// Mean over the predicted pixels; nil where there is none.
  func mean(_ term: ErrorTerm) -> Double? { count > 0 ? sum(term) / Double(count) : nil }

  /// Share of all truth pixels, predicted or not, whose ratio max(d/g, g/d) is below a limit; nil where no pixel is predicted.
  func share(below limit: RatioLimit) -> Double? {
    count > 0 ? Double(below[limit.rawValue]) / Double(truthCount) : nil
  }

  var meanLog: Double? { mean(.logDeviation).map { logShift + $0 } }  // mean(e) of e = ln d − ln g.

  /// √(mean(e²) − mean(e)²)
  var logSpread: Double? {
    guard let deviation = mean(.logDeviation), let square = mean(.logSquaredDeviation) else { return nil }
    return max(0, square - deviation * deviation).squareRoot()
  }
}

/// Neighbouring numbers of as many predicted pixels.
struct PixelRun {
  /// Depth d, and truth g, metres; all finite and positive.
  let predicted: UnsafePointer<Double>, reference: UnsafePointer<Double>
  let inverse: UnsafePointer<Double>  // 1/g
  let count: Int
}
