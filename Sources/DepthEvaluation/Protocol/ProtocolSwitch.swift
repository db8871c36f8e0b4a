/// One thing in which protocols can differ. What is not in ``all`` does not exist: statements, and the steps from one
/// protocol to another, are made from it.
public struct ProtocolSwitch: Sendable, Identifiable {
  /// "crop"
  public let id: String
  /// What a protocol says about it, for people.
  public let statement: @Sendable (EvaluationProtocol) -> String
  /// Takes this one rule over from another protocol.
  let copy: @Sendable (_ from: EvaluationProtocol, _ to: inout EvaluationProtocol) -> Void

  /// In the order in which they act.
  public static let all: [ProtocolSwitch] = [
    ProtocolSwitch(id: "resampling") {
      $0.resampling.statement
    } copy: {
      $1.resampling = $0.resampling
    },
    ProtocolSwitch(id: "truth range") { rules in
      let sign = rules.includesMaxDepth ? "≤" : "<"
      return rules.maxDepth.map { "truth \(rules.minDepth) < g \(sign) \($0) m" }
        ?? "truth g > \(rules.minDepth) m"
    } copy: {
      ($1.minDepth, $1.maxDepth, $1.includesMaxDepth) = ($0.minDepth, $0.maxDepth, $0.includesMaxDepth)
    },
    ProtocolSwitch(id: "edges") { rules in
      rules.edgeMargin > 0
        ? "without pixels within \(rules.edgeMargin) LiDAR px of a step above \(((rules.edgeRatio - 1) * 100).rounded()) %"
        : "edges included"
    } copy: {
      ($1.edgeMargin, $1.edgeRatio) = ($0.edgeMargin, $0.edgeRatio)
    },
    ProtocolSwitch(id: "crop") {
      $0.crop.statement
    } copy: {
      $1.crop = $0.crop
    },
    ProtocolSwitch(id: "alignment") {
      $0.alignment.statement
    } copy: {
      $1.alignment = $0.alignment
    },
    ProtocolSwitch(id: "clipping") {
      $0.clip.statement
    } copy: {
      $1.clip = $0.clip
    },
    ProtocolSwitch(id: "aggregation") {
      $0.aggregation.summary
    } copy: {
      $1.aggregation = $0.aggregation
    },
  ]
}

extension EvaluationProtocol {
  /// A protocol on the way to another, and the switch that was turned last; nil at the start.
  public struct Step: Sendable, Hashable {
    public var rules: EvaluationProtocol
    public var turned: String?
    /// What the switch now says.
    public var statement: String
  }

  /// The way to another protocol, one switch at a time; the first step is this protocol, the last has all rules of the other.
  public func steps(to other: EvaluationProtocol) -> [Step] {
    var rules = self
    var steps = [Step(rules: self, turned: nil, statement: "as \(title)")]
    for item in ProtocolSwitch.all {
      var next = rules
      item.copy(other, &next)
      guard next != rules else { continue }
      rules = next
      steps.append(Step(rules: rules, turned: item.id, statement: item.statement(rules)))
    }
    return steps
  }
}
