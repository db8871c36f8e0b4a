public import DepthVerdicts
import FathomTables
import FathomStatistics
import FathomStorage

/// `compare.json`: what was compared, what came of it, and the verdict of the gate.
public struct RunComparisonManifest: Codable, Sendable {
  /// Its name in a folder of a comparison.
  public static let fileName = "compare.json"

  public struct Run: Codable, Sendable {
    public var name: String, role: String, version: String, inputs: [RunManifest.Input]
    /// SHA-256 of its `frames.csv`, hex.
    public var framesSHA256: String
    /// Common with the reference.
    public var scenes: Int?, frames: Int?
    public var leftOut: [String]?, warnings: [String]?
    public var missingMethods: [String]?, newMethods: [String]?
  }

  /// A method in the metric that was asked about.
  public struct Difference: Codable, Sendable {
    public var run: String, method: String, candidateMethod: String, form: String
    public var scenes: Int, frames: Int
    public var referenceValue: Double?, value: Double?, difference: Double?
    public var low: Double?, high: Double?, p: Double?, pAdjusted: Double?
    public var solvedReference: Int?, solved: Int?
  }

  /// A rule applied to a method of a run.
  public struct Gate: Codable, Sendable {
    public var rule: String, metric: String, run: String, method: String, candidateMethod: String
    public var form: String, outcome: WorseningGate.Outcome, scenes: Int
    /// Positive is worse.
    public var worsening: Double?, low: Double?, high: Double?
    /// Of that interval.
    public var level: Double
    /// Share of swaps of the runs in which any comparison looks as bad.
    public var chance: Double?
    public var tolerance: Double?
  }

  public var tool = "fathom compare", version = Version.current
  public var metric: String, protocolStatement: String, runs: [Run]
  public var differences: [Difference], gates: [Gate]
  /// "worse", "unknown" or "passed"; nil where no rule was given.
  public var verdict: String?

  /// - Parameter digests: SHA-256 of every run's `frames.csv`, the reference's first.
  public init(_ comparison: RunComparison, digests: [String]) {
    metric = comparison.request.metric.id
    protocolStatement = comparison.reference.manifest.protocolStatement
    runs =
      [Self.run(comparison.reference, comparison.label, "reference", digests[0])]
      + zip(comparison.candidates, digests.dropFirst()).map { candidate, digest in
        var run = Self.run(candidate.run, candidate.label, "candidate", digest)
        (run.scenes, run.frames) = (candidate.scenes, candidate.frames)
        (run.leftOut, run.warnings) = (candidate.leftOut, candidate.warnings)
        (run.missingMethods, run.newMethods) = (candidate.missingMethods, candidate.newMethods)
        return run
      }
    differences = zip(comparison.candidates, comparison.differences).flatMap { candidate, found in
      candidate.pairs.compactMap { pair in
        found.headline(pair, comparison.request.metric.id).map {
          Difference(candidate.label, $0, found.solved[pair])
        }
      }
    }
    gates = (comparison.gate?.verdicts ?? []).map { Gate($0, run: comparison.candidates[$0.run].label) }
    verdict = comparison.gate.map { $0.isWorse ? "worse" : comparison.isUnknown ? "unknown" : "passed" }
  }

  private static func run(_ run: StoredRun, _ label: String, _ role: String, _ digest: String) -> Run {
    Run(
      name: label, role: role, version: run.manifest.version, inputs: run.manifest.inputs.map(\.withoutPath),
      framesSHA256: digest)
  }

  /// Pretty-printed with sorted keys.
  public var json: String { get throws { try CanonicalJSON.text(self) + "\n" } }
}

extension RunComparisonManifest.Difference {
  init(_ label: String, _ row: RunDifference, _ solved: RunDifferences.SolvedFrames?) {
    (run, method, candidateMethod) = (label, row.pair.reference, row.pair.candidate)
    form = row.form.rawValue
    let found = row.comparison
    (scenes, frames) = (found?.scenes ?? 0, found?.frames ?? 0)
    (referenceValue, value, difference) = (found?.referenceValue, found?.value, found?.difference)
    (low, high) = (found?.interval?.low, found?.interval?.high)
    (p, pAdjusted) = (found?.test?.pValue, found?.adjustedP)
    (solvedReference, self.solved) = (solved?.reference, solved?.candidate)
  }
}

extension RunComparisonManifest.Gate {
  init(_ verdict: WorseningGate.Verdict, run: String) {
    (rule, metric, self.run) = (verdict.rule.description, verdict.rule.column.id, run)
    (method, candidateMethod) = (verdict.pair.reference, verdict.pair.candidate)
    (form, outcome, scenes) = (verdict.form.rawValue, verdict.outcome, verdict.scenes)
    (worsening, low, high) = (verdict.worsening, verdict.interval?.lowerBound, verdict.interval?.upperBound)
    (level, chance, tolerance) = (1 - 2 * ConfidenceInterval.tail, verdict.chance, verdict.tolerance)
  }
}
