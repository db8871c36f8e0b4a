import DepthCore

/// One convention with what it may be.
public struct ConventionAxis: Sendable {
  /// Stable name: "relative-orientation".
  public var id: String
  public var title: String
  /// What could be; the first of equals wins.
  public var hypotheses: [Hypothesis]
  /// Id of what the file declares; nil where it declares nothing.
  public var declared: String?
  /// An excess cost below this is none: the test's own resolution.
  public var leastExcess: Double
  /// What ``leastExcess`` and the costs are: "1 − ρ² of ranks".
  public var costUnit: String
  /// A reading fits well up to this mean cost; what fits worse contradicts nothing, however much worse the others fit.
  public var fittingCost: Double
  /// What the declaration is: "kind of relative/values".
  public var property: String

  public init(
    id: String, title: String, hypotheses: [Hypothesis], declared: String?, leastExcess: Double,
    costUnit: String, fittingCost: Double = .infinity, property: String = ""
  ) {
    (self.id, self.title, self.hypotheses) = (id, title, hypotheses)
    (self.declared, self.leastExcess, self.costUnit) = (declared, leastExcess, costUnit)
    (self.fittingCost, self.property) = (fittingCost, property)
  }
}

/// The costs of one reading of all conventions of a test.
public struct ReadingCosts: Sendable {
  /// Position of a hypothesis, axis by axis.
  public var reading: [Int]
  /// One per unit (frame, pair of frames, object, image block); not finite where the unit says nothing.
  public var costs: [Double]
  /// Of every unit the position of its frame in the sample; units of a frame are its parts, in a fixed order. nil where a
  /// unit is not part of a frame.
  public var frames: [Int]?

  public init(_ reading: [Int], _ costs: [Double], of frames: [Int]? = nil) {
    (self.reading, self.costs, self.frames) = (reading, costs, frames)
  }
}

extension SceneSample {
  /// What the parts of every frame say, one row per part, and the position of each row's frame; several frames at once.
  func parts<Row: Sendable>(_ rows: @Sendable (DepthFrame) -> [Row]) -> (rows: [Row], frames: [Int]) {
    let found = concurrentMap(frames.count, threads: threads) { rows(frames[$0]) }
    return (found.flatMap(\.self), found.indices.flatMap { [Int](repeating: $0, count: found[$0].count) })
  }

  /// Costs of readings of one axis, found part by part of every frame.
  /// - Parameter readings: How many.
  /// - Parameter rows: Of a frame one row per part, one cost per reading.
  func costs(of readings: Int, _ rows: @Sendable (DepthFrame) -> [[Double]]) -> [ReadingCosts] {
    let (rows, frames) = parts(rows)
    return (0..<readings).map { reading in ReadingCosts([reading], rows.map { $0[reading] }, of: frames) }
  }
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
    return evidence(in: sample, seed: seed).map { axis, evidence in
      evidence.map { Finding(axis, $0, in: sample.header) }
        ?? Finding(notTestable: axis, in: sample.header, "too little data")
    }
  }

  /// What the costs say, axis by axis; nil where there is too little data.
  func evidence(in sample: SceneSample, seed: UInt64) -> [(axis: ConventionAxis, evidence: Evidence?)] {
    Self.evidence(profiles(of: sample), seed: seed)
  }

  /// The same of costs that are there already.
  static func evidence(_ profiles: [Profile], seed: UInt64) -> [(axis: ConventionAxis, evidence: Evidence?)] {
    profiles.map { profile in
      (
        profile.axis,
        Evidence(
          profile.axis.hypotheses, costs: profile.rows, leastExcess: profile.axis.leastExcess,
          views: profile.views, seed: seed)
      )
    }
  }

  /// An axis, one row per unit, one cost per hypothesis, and the view of each unit.
  public typealias Profile = (axis: ConventionAxis, rows: [[Double]], views: [Int]?)

  /// The costs of every axis' hypotheses, each in the reading of the other axes in which it does best.
  /// - Returns: Axis by axis; no rows where nothing was measured. Frames of one view are one frame, on the average.
  public func profiles(of sample: SceneSample) -> [Profile] {
    let axes = axes(for: sample)
    guard objection(to: sample) == nil else { return axes.map { ($0, [], nil) } }
    return Self.profiles(axes, costs(sample, axes), in: sample)
  }

  static func profiles(
    _ axes: [ConventionAxis], _ readings: [ReadingCosts], in sample: SceneSample
  ) -> [Profile] {
    axes.indices.map { axis in
      let columns = axes[axis].hypotheses.indices.map { h in
        readings.filter { $0.reading[axis] == h }.min { Self.mean($0.costs) < Self.mean($1.costs) }
      }
      let units = readings.first?.costs.indices ?? 0..<0
      let rows = units.map { unit in columns.map { $0?.costs[unit] ?? .nan } }
      guard let frames = readings.first?.frames else { return (axes[axis], rows, nil) }
      let pooled = sample.pooled(rows, of: frames)
      return (axes[axis], pooled.rows, pooled.views)
    }
  }

  /// Of the finite ones; infinite where there are none.
  private static func mean(_ costs: [Double]) -> Double {
    let finite = costs.filter(\.isFinite)
    return finite.isEmpty ? .infinity : finite.reduce(0, +) / Double(finite.count)
  }
}
