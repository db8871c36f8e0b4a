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
    /// The data reject every reading, so that something is wrong that the test has no name for.
    case noReadingFits = "no-reading-fits"
    /// The test cannot be made on this scene.
    case notTestable = "not-testable"

    /// Whether something is wrong.
    public var isWrong: Bool { self == .contradicted || self == .noReadingFits }
  }

  /// Something independent of a test's own costs that speaks for or against what these support.
  public struct Witness: Sendable, Codable {
    /// "edges of the camera image".
    public var name: String
    /// Standard errors by which it prefers the supported reading to the declared one; negative where it prefers that.
    public var margin: Double
    /// What it says, in words and numbers.
    public var statement: String
    /// Whether what it prefers fits it at all: edges that lie on nothing object to nothing.
    var fits = true

    private enum CodingKeys: CodingKey { case name, margin, statement }

    public init(name: String, margin: Double, statement: String) {
      (self.name, self.margin, self.statement) = (name, margin, statement)
    }

    /// From here on a witness speaks for a reading; from the negative on, against it.
    static let agreement = 2.0, objection = -1.0
    /// Whether it supports what the test supports.
    public var agrees: Bool { margin >= Self.agreement }
    /// Whether it supports what is declared.
    public var objects: Bool { margin <= Self.objection && fits }
  }

  /// A hypothesis with what the data say about it.
  public struct Reading: Sendable, Codable {
    public var hypothesis: Hypothesis, cost: Double
    /// Mean excess over the best and its standard error, in the cost's unit.
    public var excess: Double, standardError: Double
    /// Whether the data allow it.
    public var isConsistent: Bool
  }

  public var scene: String, test: String, title: String, verdict: Verdict
  /// Ids of hypotheses.
  public var declared: String?, supported: String?
  /// Standard errors between the supported reading and the next one; nil where nothing was measured.
  public var margin: Double?
  /// Share of resamples in which the supported reading stays the best: no probability that it is right.
  public var shareOfResamples: Double?
  /// Frames, pairs or image blocks behind it.
  public var units: Int?
  /// Views behind them: frames from one place are one.
  public var views: Int?
  /// What the declaration is that the finding is about: "kind of relative/values".
  public var property = ""
  /// Others that were asked.
  public var witnesses: [Witness] = []
  public var costUnit: String
  public var readings: [Reading] = []
  public var summary: String
  /// What to change; nil where nothing is to be changed.
  public var fix: String?
  /// The same for a program; nil where the file cannot be mended.
  public var correction: Correction?
  /// Measurements of the eight flips, where the finding is about them.
  public var flips: FlipEvidence?
  /// Whether something is wrong that cannot be mended here, so that what builds on it must wait.
  var isOpen: Bool { verdict.isWrong && correction == nil }

  /// Whether the correction may be made without being asked for by name: facts of the numbers, two witnesses that agree,
  /// or one that leaves no doubt.
  public var isCertain: Bool {
    guard verdict == .contradicted || verdict == .found, correction != nil else { return false }
    guard let margin else { return true }
    if witnesses.contains(where: \.agrees) { return true }
    return margin >= Evidence.certainty && !asksForWitness && !witnesses.contains(where: \.objects)
  }

  /// Whether nothing but what depths usually are speaks for a factor that others come near to.
  private var asksForWitness: Bool {
    guard case .unit(let object, let factor)? = correction, !object.hasPrefix("predictions/")
    else { return false }
    return abs(factor) < 500 && abs(factor) > 1 / 500.0
  }

  /// A finding without statistics: what was counted leaves no doubt.
  init(
    _ test: String, _ title: String, in scene: SceneHeader, verdict: Verdict, declared: String? = nil,
    supported: String? = nil, summary: String, fix: String? = nil, correction: Correction? = nil,
    property: String = ""
  ) {
    self.init(
      test, title, in: scene.name, verdict: verdict, declared: declared, supported: supported,
      summary: summary, fix: fix, correction: correction, property: property)
  }

  /// The same, of the scene with a name.
  init(
    _ test: String, _ title: String, in scene: String, verdict: Verdict, declared: String? = nil,
    supported: String? = nil, summary: String, fix: String? = nil, correction: Correction? = nil,
    property: String = ""
  ) {
    (self.scene, self.test, self.title, costUnit) = (scene, test, title, "")
    self.property = property
    (self.verdict, self.declared, self.supported) = (verdict, declared, supported)
    (self.summary, self.fix, self.correction) = (summary, fix, correction)
  }

  /// A test that cannot be made.
  init(notTestable axis: ConventionAxis, in scene: SceneHeader, _ reason: String) {
    self.init(axis.id, axis.title, in: scene, verdict: .notTestable, summary: reason)
    (costUnit, property) = (axis.costUnit, axis.property)
  }

  /// What the costs of an axis' hypotheses say.
  init(_ axis: ConventionAxis, _ evidence: Evidence, in scene: SceneHeader) {
    let hypotheses = axis.hypotheses, best = hypotheses[evidence.best]
    let others = evidence.consistent.filter { $0 != evidence.best }.map { hypotheses[$0] }
    let allowsDeclared = evidence.consistent.contains { hypotheses[$0].id == axis.declared }
    let fits = evidence.meanCosts[evidence.best] <= axis.fittingCost
    let verdict: Verdict =
      if !others.isEmpty {
        .undecidable
      } else if axis.declared == nil {
        fits ? .found : .undecidable
      } else if allowsDeclared {
        .confirmed
      } else {
        fits ? .contradicted : .undecidable
      }
    self.init(
      axis.id, axis.title, in: scene, verdict: verdict, declared: axis.declared,
      supported: verdict == .undecidable ? nil : best.id, summary: "", property: axis.property)
    costUnit = axis.costUnit
    readings = hypotheses.indices.map { h in
      Reading(
        hypothesis: hypotheses[h], cost: evidence.meanCosts[h], excess: evidence.excesses[h].mean,
        standardError: evidence.excesses[h].standardError, isConsistent: evidence.consistent.contains(h))
    }
    (units, views, shareOfResamples) = (evidence.units, evidence.views, evidence.shareOfResamples)
    margin = evidence.margin
    switch verdict {
    case .confirmed: summary = "\(best.statement), as declared"
    case .found:
      summary = "not declared; \(best.statement)"
      (fix, correction) = (best.fix, best.correction)
    case .contradicted:
      // Of K there is nothing more to say than that it is declared.
      summary =
        (axis.declared == "declared" ? "not as declared: " : "declared '\(axis.declared ?? "")', but ")
        + best.statement
      if !best.symptom.isEmpty { summary += ". What it looks like: \(best.symptom)" }
      (fix, correction) = (best.fix, best.correction)
    default: summary = Self.openWords(axis, evidence, fits: fits)
    }
  }

  /// The same, left open: what was found is not enough.
  func undecided(_ reason: String) -> Finding {
    var finding = self
    (finding.verdict, finding.supported, finding.fix, finding.correction) = (.undecidable, nil, nil, nil)
    finding.summary = reason
    return finding
  }

  /// Why nothing is decided.
  private static func openWords(_ axis: ConventionAxis, _ evidence: Evidence, fits: Bool) -> String {
    let hypotheses = axis.hypotheses, best = hypotheses[evidence.best]
    func cost(_ h: Int) -> String { "\(hypotheses[h].id) \(evidence.meanCosts[h].rounded3)" }
    let declared = hypotheses.firstIndex { $0.id == axis.declared }
    guard evidence.consistent.count > 1 else {
      let rival = declared.map { ", \(cost($0)) as declared" } ?? ""
      return "nothing fits well: \(cost(evidence.best))\(rival), where at most "
        + "\(axis.fittingCost.rounded3) is a good fit (\(axis.costUnit))"
    }
    let list = evidence.consistent.map { hypotheses[$0].statement }.firstAppearances
    if let declared, !evidence.consistent.contains(declared) {
      return "'\(hypotheses[declared].id)' is declared and fits less well (\(cost(declared))) than "
        + "\(best.id) (\(cost(evidence.best))), which these frames cannot tell from others"
    }
    let ids = evidence.consistent.map { hypotheses[$0].id }.joined(separator: ", ")
    return list.count == 1 ? "\(list[0]), or nearly so" : "these frames cannot tell \(ids) apart"
  }
}

extension Double {
  /// With three decimals, for costs.
  var rounded3: String { String((self * 1000).rounded() / 1000) }
}

extension [Finding] {
  /// Why a test that builds on the findings of others must wait; nil where it need not. On LiDAR pixels that stand elsewhere nothing builds.
  func reasonToWait(for tests: Set<String>) -> String? {
    first { (tests.contains($0.test) || $0.test == PixelOrderConvention.lidar) && $0.isOpen }.map {
      "not judged before '\($0.title)' is mended"
    }
  }
}
