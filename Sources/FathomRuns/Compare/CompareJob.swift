public import FathomRunFolders
import DepthDataset
import FathomStorage

/// Compares stored runs with the first of them: what `fathom compare` does.
public struct CompareJob: Sendable {
  /// Folders of runs; the first is the reference.
  public var runs: [String]
  /// Metric, methods, gates, and what may differ.
  public var request: RunComparison.Request

  public init(_ runs: [String], _ request: RunComparison.Request) {
    (self.runs, self.request) = (runs, request)
  }

  /// Compares.
  /// - Throws: `FathomError` where a folder is not a run; `ComparisonRefusal` where runs cannot be compared with each other;
  ///   `FathomError` where one changes meanwhile.
  public func run() throws -> CompareResult {
    // What is absent, the reading of the run says in better words.
    let sources = runs.flatMap { run in
      [RunManifest.fileName, "frames.csv"].compactMap { try? SourceFiles(ofFile: "\(run)/\($0)") }
    }
    let stored = try runs.map { try StoredRun(readingFrom: $0) }
    let comparison = try RunComparison(stored, request)
    let digests = try stored.map { try Digest.sha256(ofFile: $0.path + "/frames.csv") }
    for source in sources { try source.requireUnchanged() }
    return CompareResult(
      comparison: comparison, manifest: RunComparisonManifest(comparison, digests: digests))
  }
}

/// What a comparison found.
public struct CompareResult {
  /// Differences with their intervals, and what the gates say.
  public let comparison: RunComparison
  /// `compare.json`.
  public let manifest: RunComparisonManifest
}
