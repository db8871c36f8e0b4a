import DepthCore
import DepthDiagnosis
import DepthFusion

/// Whether the data of a place can show a fault, decided from other recordings of it and not from the diagnosis.
///
/// The rule: three other recordings of the same place and path, with only this fault, give the expected effect: by how
/// much the nearest other reading of the convention costs more than the true one. The case is decidable if that is at
/// least three standard errors (of the same difference in the recording that is diagnosed, by Student's t for the number
/// of its units) and above the test's resolution.
struct Decidability {
  let isDecidable: Bool
  /// Expected effect over its standard error, as a normal deviate; nil where numbers show the fault without statistics.
  let sigmas: Double?

  init(of fault: Fault, at place: Place) {
    guard let statistics = fault.statistics else {
      (isDecidable, sigmas) = (true, nil)
      return
    }
    let truth = Self.hypothesis(of: fault, at: place)
    func profile(_ sample: SceneSample) -> (axis: ConventionAxis, rows: [[Double]])? {
      var broken = sample
      fault.apply(&broken)
      return statistics(broken).first { $0.axis.id == fault.test }
    }
    let others = place.others.compactMap(profile)
    guard let measured = profile(place.recording), others.count == place.others.count,
      let position = measured.axis.hypotheses.firstIndex(where: { $0.id == truth })
    else {
      (isDecidable, sigmas) = (false, nil)
      return
    }
    let effects = others.map { Self.excesses($0.rows, over: position) }
    let errors = Self.excesses(measured.rows, over: position)
    let margins = measured.axis.hypotheses.indices.filter { $0 != position }.map { h -> Double in
      let means = effects.compactMap { $0?[h].mean }
      let effect = means.reduce(0, +) / Double(max(means.count, 1))
      guard means.count == effects.count, let error = errors?[h], effect >= measured.axis.leastExcess else {
        return 0
      }
      return Evidence.margin((effect, error.standardError), units: error.units)
    }
    sigmas = margins.min() ?? 0
    isDecidable = (sigmas ?? 0) >= Evidence.rejection
  }

  /// The id of the reading that a fault makes true: "other" is the kind that the place has and does not declare.
  static func hypothesis(of fault: Fault, at place: Place) -> String {
    fault.truth == "other" ? place.recording.header.relativeKind.rawValue : fault.truth
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
