import DepthCore
import DepthDiagnosis

/// A place with no, one or two faults.
struct Case: Sendable {
  var place: Int
  var faults: [Fault]

  /// Correct files first, then every fault at some places, then pairs of faults of different conventions.
  static func all(places: [Place]) -> [Case] {
    var cases = (0..<ConventionMatrix.correctCount).map { Case(place: $0 % places.count, faults: []) }
    let single = Fault.all.indices.flatMap { fault in
      let fitting = places.indices.filter { Fault.all[fault].fits(places[$0]) }
      return (0..<6).map {
        Case(place: fitting[(5 * fault + 3 * $0) % fitting.count], faults: [Fault.all[fault]])
      }
    }
    cases += single
    var generator = SplitMix64(seed: 500)
    func draw(_ count: Int) -> Int { Int(generator.next() % UInt64(count)) }
    while cases.count < ConventionMatrix.caseCount {
      let drawn = [draw(Fault.all.count), draw(Fault.all.count)].sorted()
      let (first, second) = (Fault.all[drawn[0]], Fault.all[drawn[1]])
      // Two faults of one convention are one fault.
      guard first.test != second.test, !first.hides(second), !second.hides(first) else { continue }
      let place = draw(places.count)
      guard first.fits(places[place]), second.fits(places[place]) else { continue }
      cases.append(Case(place: place, faults: [first, second]))
    }
    return cases
  }
}

extension Fault {
  /// Mirrored matrices leave no pose to be right or wrong about.
  fileprivate func hides(_ other: Fault) -> Bool {
    test == "pose-layout" && truth == "left-handed" && (other.concernsGeometry || other.concernsObjects)
  }

  /// Whether a place has what the fault is about.
  fileprivate func fits(_ place: Place) -> Bool {
    place.recording.frames.count >= fewestFrames && !(concernsObjects && place.recording.objects.isEmpty)
  }
}

/// What the diagnosis said of a case.
struct CaseResult: Sendable {
  /// How a fault fared.
  enum Outcome: String, Sendable {
    /// The verdict names it.
    case named
    /// Something else is named for this convention.
    case misnamed
    /// The verdict leaves it open.
    case open
    /// The verdict is that all is well.
    case missed
  }

  let place: String
  let faults: [(id: String, decidability: Decidability, outcome: Outcome, margin: Double?)]
  /// Findings that contradict what is right: "intrinsics: half".
  let falseAlarms: [String]

  init(_ item: Case, at place: Place) {
    self.place = place.name
    var sample = place.recording
    for fault in item.faults { fault.apply(&sample) }
    let findings = SceneDiagnosis(sample, seed: 0).findings
    faults = item.faults.map { fault in
      let truth = Decidability.hypothesis(of: fault, at: place)
      let outcomes = ([fault.test] + fault.alsoNamedBy).map { test in
        Self.outcome(findings.first { $0.test == test }, truth: truth)
      }
      let outcome = outcomes.contains(.named) ? .named : outcomes.first ?? .open
      let margin = findings.first { $0.test == fault.test }?.margin
      return (fault.id, Decidability(of: fault, at: place), outcome, margin)
    }
    let broken = Set(item.faults.flatMap { [$0.test] + $0.alsoNamedBy })
    falseAlarms = findings.filter { $0.verdict == .contradicted && !broken.contains($0.test) }
      .map { "\($0.test): \($0.supported ?? "something else")" }
  }

  private static func outcome(_ finding: Finding?, truth: String) -> Outcome {
    switch finding?.verdict {
    case .contradicted: finding?.supported == truth ? .named : finding?.supported == nil ? .open : .misnamed
    case .confirmed: .missed
    default: .open
    }
  }
}
