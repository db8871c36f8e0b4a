import DepthCore

/// What one test says about one convention of a scene.
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
  public var readings: [Reading] = []
  /// In words.
  public var summary: String
  /// What to change; nil where nothing is to be changed.
  public var fix: String?
  /// The same for a program; nil where the file cannot be mended.
  public var correction: Correction?

  /// Measurements of the eight flips, where the finding is about them.
  public var flips: FlipEvidence?

  /// Whether it contradicts and cannot be mended here, so that what builds on it must wait.
  var isOpen: Bool { verdict == .contradicted && correction == nil }

  /// A finding without statistics: what was counted leaves no doubt.
  init(
    _ test: String, _ title: String, in scene: SceneHeader, verdict: Verdict, declared: String?,
    supported: String?, summary: String, fix: String? = nil, correction: Correction? = nil
  ) {
    (self.scene, self.test, self.title, costUnit) = (scene.name, test, title, "")
    (self.verdict, self.declared, self.supported) = (verdict, declared, supported)
    (self.summary, self.fix, self.correction) = (summary, fix, correction)
  }

  /// A test that cannot be made.
  init(notTestable axis: ConventionAxis, in scene: SceneHeader, _ reason: String) {
    self.init(
      axis.id, axis.title, in: scene, verdict: .notTestable, declared: nil, supported: nil, summary: reason)
    costUnit = axis.costUnit
  }

  /// What the costs of an axis' hypotheses say.
  init(_ axis: ConventionAxis, _ evidence: Evidence, in scene: SceneHeader) {
    let hypotheses = axis.hypotheses
    let best = hypotheses[evidence.best]
    let others = evidence.consistent.filter { $0 != evidence.best }.map { hypotheses[$0] }
    let allowsDeclared = evidence.consistent.contains { hypotheses[$0].id == axis.declared }
    let verdict: Verdict =
      others.isEmpty
      ? (axis.declared == nil ? .found : allowsDeclared ? .confirmed : .contradicted)
      : (axis.declared != nil && !allowsDeclared ? .contradicted : .undecidable)
    self.init(
      axis.id, axis.title, in: scene, verdict: verdict, declared: axis.declared,
      supported: others.isEmpty ? best.id : nil, summary: "")
    costUnit = axis.costUnit
    readings = hypotheses.indices.map { h in
      Reading(
        hypothesis: hypotheses[h], cost: evidence.meanCosts[h], excess: evidence.excesses[h].mean,
        standardError: evidence.excesses[h].standardError, isConsistent: evidence.consistent.contains(h))
    }
    (units, confidence) = (evidence.units, evidence.confidence)
    margin = evidence.margin
    switch verdict {
    case .confirmed: summary = "\(best.statement), as declared"
    case .found:
      summary = "not declared; \(best.statement)"
      (fix, correction) = (best.fix, best.correction)
    case .contradicted:
      let list = ([best] + others).map(\.statement).joined(separator: ", or ")
      // Of K there is nothing more to say than that it is declared.
      summary =
        (axis.declared == "declared" ? "not as declared: " : "declared '\(axis.declared ?? "")', but ") + list
      if !best.symptom.isEmpty { summary += ". What it looks like: \(best.symptom)" }
      if others.isEmpty { (fix, correction) = (best.fix, best.correction) }
    default:
      let list = evidence.consistent.map { hypotheses[$0].id }.joined(separator: ", ")
      summary = "these frames cannot tell \(list) apart"
    }
  }
}

extension [Finding] {
  /// Why a test that builds on the findings of others must wait; nil where it need not.
  func reasonToWait(for tests: Set<String>) -> String? {
    first { tests.contains($0.test) && $0.isOpen }.map { "not judged before '\($0.title)' is mended" }
  }
}
