/// One convention with what it may be.
public struct ConventionAxis: Sendable {
  /// Stable name: "relative-orientation".
  public var id: String
  /// For people.
  public var title: String
  /// What could be; the first of equals wins.
  public var hypotheses: [Hypothesis]
  /// Id of what the file declares; nil where it declares nothing.
  public var declared: String?
  /// An excess cost below this is none: the test's own resolution.
  public var leastExcess: Double
  /// What ``leastExcess`` and the costs are: "1 − ρ² of ranks".
  public var costUnit: String

  public init(
    id: String, title: String, hypotheses: [Hypothesis], declared: String?, leastExcess: Double,
    costUnit: String
  ) {
    (self.id, self.title, self.hypotheses) = (id, title, hypotheses)
    (self.declared, self.leastExcess, self.costUnit) = (declared, leastExcess, costUnit)
  }
}

/// The costs of one reading of all conventions of a test.
public struct ReadingCosts: Sendable {
  /// Position of a hypothesis, axis by axis.
  public var reading: [Int]
  /// One per unit (frame, pair of frames, object, image block); not finite where the unit says nothing.
  public var costs: [Double]

  public init(_ reading: [Int], _ costs: [Double]) { (self.reading, self.costs) = (reading, costs) }
}

/// A test by competing costs: conventions that disturb each other are judged together.
///
/// Of each hypothesis of an axis the best reading of the other axes stands for it (a profile), so that two faults at
/// once are both named.
public protocol CompetingConvention: Convention {
  /// The conventions that are judged together.
  func axes(for sample: SceneSample) -> [ConventionAxis]
  /// Why the scene cannot be tested; nil where it can.
  func objection(to sample: SceneSample) -> String?
  /// Costs of all readings, or of those that matter; every hypothesis of every axis is in one of them.
  func costs(_ sample: SceneSample, _ axes: [ConventionAxis]) -> [ReadingCosts]
}

extension CompetingConvention {
  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    findings(in: sample, seed: seed)
  }

  /// Whatever was found before.
  func findings(in sample: SceneSample, seed: UInt64) -> [Finding] {
    if let objection = objection(to: sample) {
      return axes(for: sample).map { Finding(notTestable: $0, in: sample.header, objection) }
    }
    return profiles(of: sample).map { profile in
      guard
        let evidence = Evidence(
          profile.axis.hypotheses, costs: profile.rows, leastExcess: profile.axis.leastExcess, seed: seed)
      else { return Finding(notTestable: profile.axis, in: sample.header, "too little data") }
      return Finding(profile.axis, evidence, in: sample.header)
    }
  }

  /// The costs of every axis' hypotheses, each in the reading of the other axes in which it does best.
  ///
  /// - Returns: Axis by axis one row per unit, one cost per hypothesis; no rows where nothing was measured.
  public func profiles(of sample: SceneSample) -> [(axis: ConventionAxis, rows: [[Double]])] {
    let axes = axes(for: sample)
    guard objection(to: sample) == nil else { return axes.map { ($0, []) } }
    let readings = costs(sample, axes)
    return axes.indices.map { axis in
      let columns = axes[axis].hypotheses.indices.map { h in
        readings.filter { $0.reading[axis] == h }.min { Self.mean($0.costs) < Self.mean($1.costs) }
      }
      let units = readings.first?.costs.indices ?? 0..<0
      return (axes[axis], units.map { unit in columns.map { $0?.costs[unit] ?? .nan } })
    }
  }

  /// Of the finite ones; infinite where there are none.
  private static func mean(_ costs: [Double]) -> Double {
    let finite = costs.filter(\.isFinite)
    return finite.isEmpty ? .infinity : finite.reduce(0, +) / Double(finite.count)
  }
}
