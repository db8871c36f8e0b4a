import DepthDiagnosis
import DepthFusion

/// Whether the data of a place can show a fault, decided from exact geometry and not from the diagnosis.
///
/// The rule: on exact maps, with only this fault, every other reading of the convention costs more than the true one;
/// the case is decidable if the least of these expected effects is at least three standard errors (of the same
/// differences on the noisy maps, by Student's t for their number) and above the test's resolution.
struct Decidability {
  let isDecidable: Bool
  /// Expected effect over its standard error, as a normal deviate; nil where numbers show the fault without statistics.
  let sigmas: Double?

  init(of fault: Fault, at place: Place) {
    guard let test = fault.statistics else {
      (isDecidable, sigmas) = (true, nil)
      return
    }
    // What confidence says is about noise: there is nothing to see without.
    var (exact, noisy) = (fault.test == "confidence-order" ? place.noisy : place.exact, place.noisy)
    fault.apply(&exact)
    fault.apply(&noisy)
    let truth = Self.hypothesis(of: fault, at: place)
    guard let expected = test.profiles(of: exact).first(where: { $0.axis.id == fault.test }),
      let measured = test.profiles(of: noisy).first(where: { $0.axis.id == fault.test }),
      let position = expected.axis.hypotheses.firstIndex(where: { $0.id == truth })
    else {
      (isDecidable, sigmas) = (false, nil)
      return
    }
    let effects = Self.excesses(expected.rows, over: position)
    let errors = Self.excesses(measured.rows, over: position)
    let margins = expected.axis.hypotheses.indices.filter { $0 != position }.map { h -> Double in
      guard let effect = effects?[h], let error = errors?[h], effect.mean >= expected.axis.leastExcess else {
        return 0
      }
      return Evidence.margin((effect.mean, error.standardError), units: error.units)
    }
    sigmas = margins.min() ?? 0
    isDecidable = (sigmas ?? 0) >= Evidence.rejection
  }

  /// The id of the reading that a fault makes true: "other" is the kind that the place has and does not declare.
  static func hypothesis(of fault: Fault, at place: Place) -> String {
    fault.truth == "other" ? place.noisy.header.relativeKind.rawValue : fault.truth
  }

  private static func excesses(
    _ rows: [[Double]], over position: Int
  ) -> [(mean: Double, standardError: Double, units: Int)]? {
    let usable = rows.filter { $0.allSatisfy(\.isFinite) }
    guard usable.count >= 2, let width = usable.first?.count else { return nil }
    let n = Double(usable.count)
    return (0..<width).map { h in
      let differences = usable.map { $0[h] - $0[position] }
      let mean = differences.reduce(0, +) / n
      let variance = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (n - 1)
      return (mean, (variance / n).squareRoot(), usable.count)
    }
  }
}
