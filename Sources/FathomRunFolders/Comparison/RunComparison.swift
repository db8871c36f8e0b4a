import DepthEvaluation
import FathomPlainText
import DepthCore
import DepthFusion
public import DepthVerdicts
import FathomStorage

/// Stored runs compared with the first of them.
public struct RunComparison: Sendable {
  /// What is asked for.
  public struct Request: Sendable {
    /// Methods, "auto", "ols" (in every form) or "huber=auto" for another one in the other runs; nil for all that both have.
    public var methods: [String]?
    /// The column that tables, figures and sentences are about.
    public var metric: ComparedColumn
    /// Whether the metric was not named: it is then the MAE of all truth where no run has a LiDAR.
    public let isStandardMetric: Bool
    public var rules: [WorseningRule] = [], allowsDifferentData = false
    public var allowsDifferentProtocol = false

    /// - Parameter metric: nil for the MAE on measured pixels, or of all truth where no run has a LiDAR.
    public init(metric: ComparedColumn? = nil) {
      self.metric = metric ?? ComparedColumn(.maeMeasured)
      isStandardMetric = metric == nil
    }
  }

  /// A run and what was found of it.
  public struct Candidate: Sendable {
    public let run: StoredRun
    /// Its name among the runs.
    public let label: String
    public let scenes: Int, frames: Int
    /// Sentences on what could not be compared.
    public let leftOut: [String]
    /// What differs although it should not, in words: data, protocol. Only where that is allowed.
    public let warnings: [String]
    /// Methods that only the reference has, and only this run.
    public let missingMethods: [String], newMethods: [String]
    public let pairs: [MethodPair]
    /// Of ``pairs``: methods without depth of their own in any shared frame of either run. The raw LiDAR replaces them there, so
    /// that there is nothing to show of them.
    public let withoutDepth: [MethodPair]
    /// Of ``pairs``: what tables, charts and sentences are about.
    public var shown: [MethodPair] { pairs.filter { !withoutDepth.contains($0) } }
    /// Options and versions that differ.
    public let options: [OptionChange]
  }

  /// With the metric that was taken.
  public let request: Request
  package let basis: ComparisonBasis  // On what the runs compare methods.
  public let reference: StoredRun
  /// The reference's name among the runs.
  public let label: String
  public let candidates: [Candidate]
  /// One per candidate, adjusted together.
  public let differences: [RunDifferences]
  /// nil where no rule was given.
  public let gate: WorseningGate?
  /// Ids of methods that look at the truth.
  public let oracles: Set<String>
  /// Ids of the raw sensor's maps.
  public static let sensors = Set(MethodSelection.rawLidar.map(\.id))

  /// - Parameter runs: The reference first.
  /// - Throws: `ComparisonRefusal` where data or protocol differ and the request does not allow it, where nothing is shared,
  ///   or where a method that was asked for is missing.
  /// - Precondition: two runs or more.
  public init(_ runs: [StoredRun], _ request: Request) throws(ComparisonRefusal) {
    precondition(runs.count >= 2, "a reference and something to compare with it")
    let (reference, labels) = (runs[0], Self.labels(runs))
    let basis: ComparisonBasis = runs.contains(where: \.hasLidar) ? .lidar : .maps
    var request = request
    if request.isStandardMetric { request.metric = ComparedColumn(basis.mae) }
    let mode = reference.manifest.protocol.aggregation
    var (candidates, differences) = ([Candidate](), [RunDifferences]())
    for (run, label) in zip(runs, labels).dropFirst() {
      let warnings = try Self.protocolWarnings(
        reference, run, (labels[0], label), allows: request.allowsDifferentProtocol)
      let shared = try SharedFrames(
        reference, run, labels: (labels[0], label), allowsDifferentData: request.allowsDifferentData)
      let pairs = try MethodPairing.pairs(request.methods, reference, run, (labels[0], label))
      let paired = request.methods == nil ? pairs : []
      let mine = Set(reference.methods + paired.map(\.candidate))
      let theirs = Set(run.methods + paired.map(\.reference))
      let found = RunDifferences(
        shared.reference, shared.candidate, pairs: pairs, mode: mode == .pooled ? .scene : mode,
        seed: reference.manifest.seed)
      candidates.append(
        Candidate(
          run: run, label: label, scenes: shared.scenes, frames: shared.frames, leftOut: shared.leftOut,
          warnings: warnings + shared.differentData,
          missingMethods: reference.methods.filter { !theirs.contains($0) },
          newMethods: run.methods.filter { !mine.contains($0) }, pairs: pairs,
          withoutDepth: pairs.filter { pair in
            found.solved[pair].map { max($0.reference, $0.candidate) == 0 } ?? false
          },
          options: OptionChange.list(reference, run)))
      differences.append(found)
    }
    differences.adjust()
    (self.request, self.basis, self.reference, label) = (request, basis, reference, labels[0])
    (self.candidates, self.differences) = (candidates, differences)
    let oracles = Set(runs.flatMap(\.frames.records).filter(\.isOracle).map(\.method))
    self.oracles = oracles
    gate =
      request.rules.isEmpty
      ? nil
      : WorseningGate(
        request.rules, differences,
        pairs: candidates.flatMap { request.methods == nil ? $0.shown : $0.pairs }.firstAppearances.filter {
          request.methods != nil || !(oracles.contains($0.reference) || Self.sensors.contains($0.reference))
        }, seed: reference.manifest.seed)
  }

  /// Whether pixels were pooled, which stored rows cannot repeat.
  public var isPooled: Bool { reference.manifest.protocol.aggregation == .pooled }

  /// Whether anything that was to be judged could not be: a method that is gone proves nothing.
  public var isUnknown: Bool {
    guard let gate else { return false }
    let judged = { (method: String) in !oracles.contains(method) && !Self.sensors.contains(method) }
    return gate.isUnknown
      || request.methods == nil && candidates.contains { $0.missingMethods.contains(where: judged) }
  }

  /// Names that tell the runs apart: the folders' own, or the paths where those are alike.
  private static func labels(_ runs: [StoredRun]) -> [String] {
    let names = runs.map(\.name)
    let paths = runs.map(\.path)
    var seen: [String: Int] = [:]
    return runs.indices.map { index in
      let label = names.count { $0 == names[index] } == 1 ? names[index] : paths[index]
      seen[label, default: 0] += 1
      return seen[label] == 1 ? label : "\(label) (\(seen[label] ?? 0))"
    }
  }

  private static func protocolWarnings(
    _ reference: StoredRun, _ run: StoredRun, _ labels: (String, String), allows: Bool
  ) throws(ComparisonRefusal) -> [String] {
    let changes = OptionChange.list(reference, run) { $0.hasPrefix("protocol.") }
    guard !changes.isEmpty else { return [] }
    let words = changes.map { "\($0.option) \($0.reference ?? "not set") and \($0.value ?? "not set")" }
      .joined(separator: ", ")
    let text = "\(labels.1) was scored by another protocol than \(labels.0): \(words)"
    guard allows else {
      throw ComparisonRefusal(
        .badData, "\(text); evaluate by the same one, or add \(option: "allow-different-protocol")")
    }
    return [text]
  }
}
