import DepthFusion

/// What one test says about one scene.
public struct Finding: Sendable, Codable {
  /// How declaration and data stand to each other.
  public enum Verdict: String, Sendable, Codable {
    /// The data support what is declared, and nothing else.
    case confirmed
    /// The data reject what is declared.
    case contradicted
    /// The data allow what is declared, and something else, too.
    case undecidable
    /// Nothing is declared; the data support one reading.
    case found
    /// The test cannot be made on this scene.
    case notTestable = "not-testable"
  }

  /// A hypothesis with what the data say about it.
  public struct Reading: Sendable, Codable {
    public var hypothesis: Hypothesis
    public var cost: Double
    /// Mean excess over the best and its standard error, in the cost's unit.
    public var excess: Double, standardError: Double
    /// Whether the data allow it.
    public var isConsistent: Bool
  }

  public var scene: String
  public var test: String
  public var title: String
  public var verdict: Verdict
  /// Ids of hypotheses.
  public var declared: String?, supported: String?
  /// Standard errors between the supported reading and the next one; nil where nothing was measured.
  public var margin: Double?
  /// Share of resamples in which the supported reading stays the best.
  public var confidence: Double?
  /// Frames, pairs or image blocks behind it.
  public var units: Int?
  public var costUnit: String
  public var readings: [Reading]
  /// In words.
  public var summary: String
  /// What to change; nil where nothing is to be changed.
  public var fix: String?

  /// Cost of the best reading.
  var leastCost: Double { readings.map(\.cost).min() ?? .infinity }

  /// The finding while another fault is not mended: nothing can be said.
  func waiting(for cause: Finding) -> Finding {
    var copy = self
    (copy.verdict, copy.supported, copy.fix) = (.undecidable, nil, nil)
    copy.summary = "not judged before '\(cause.title)' is mended"
    return copy
  }

  /// Makes the test on some frames of a scene.
  init(
    _ test: any ConventionTest, _ frames: [DepthFrame], of scene: SceneHeader, named name: String,
    seed: UInt64
  ) {
    (self.scene, self.test, title, costUnit) = (name, test.id, test.title, test.costUnit)
    let hypotheses = test.hypotheses(for: scene)
    let declaredID = test.declared(in: scene)
    declared = declaredID
    readings = []
    let objection = scene.lidarSize == nil ? "the scene has no LiDAR depth" : test.objection(to: scene)
    guard objection == nil,
      let evidence = Evidence(
        hypotheses, costs: test.costs(frames, of: scene), leastExcess: test.leastExcess, seed: seed)
    else {
      verdict = .notTestable
      declared = nil
      summary = objection ?? "too little data"
      return
    }
    readings = hypotheses.indices.map { h in
      Reading(
        hypothesis: hypotheses[h], cost: evidence.meanCosts[h], excess: evidence.excesses[h].mean,
        standardError: evidence.excesses[h].standardError, isConsistent: evidence.consistent.contains(h))
    }
    units = evidence.units
    confidence = evidence.confidence
    margin = hypotheses.indices.filter { $0 != evidence.best }
      .map { evidence.excesses[$0].mean / max(evidence.excesses[$0].standardError, 1e-300) }.min()
    let best = hypotheses[evidence.best]
    let others = evidence.consistent.filter { $0 != evidence.best }.map { hypotheses[$0] }
    let allowsDeclared = evidence.consistent.contains { hypotheses[$0].id == declaredID }
    if others.isEmpty {
      supported = best.id
      verdict = declared == nil ? .found : allowsDeclared ? .confirmed : .contradicted
    } else {
      verdict = declared != nil && !allowsDeclared ? .contradicted : .undecidable
    }
    switch verdict {
    case .confirmed: summary = "\(best.statement), as declared"
    case .found:
      summary = "not declared; \(best.statement)"
      fix = best.fix
    case .contradicted:
      let list = ([best] + others).map(\.statement).joined(separator: ", or ")
      summary = "declared '\(declared ?? "")', but \(list)"
      if !best.symptom.isEmpty { summary += ". What it looks like: \(best.symptom)" }
      fix = others.isEmpty ? best.fix : nil
    default:
      let list = evidence.consistent.map { hypotheses[$0].id }.joined(separator: ", ")
      summary = "these frames cannot tell \(list) apart"
    }
  }
}
