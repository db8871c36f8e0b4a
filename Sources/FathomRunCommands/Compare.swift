import FathomCommandLine
import FathomJobReports
import FathomDocuments
import FathomRunFolders
package import ArgumentParser
import DepthEvaluation
import DepthVerdicts
import Foundation
import Logging
import FathomRuns
import FathomPlainText
import FathomStorage

/// Compares stored runs with each other.
package struct Compare: ParsableCommand {
  package init() {}
  package static let configuration = CommandConfiguration(
    abstract: "Compare stored runs: paired differences, and a gate for CI.",
    discussion: """
      The first RUN is the reference. Methods are compared on the frames that both runs have, with intervals over scenes. \
      With --output writes a folder with compare.json, verdict.json, differences.csv, scenes.csv, options.csv, figures and report.md, report.html and \
      report.json; the same runs and options give the same bytes.

      --fail-if-worse ends with 1 only if the whole interval of the worsening lies beyond the tolerance, so noise does not \
      trip it. It judges every method that both runs have, except oracles and the raw LiDAR, or the methods of --methods.
      """)

  @Argument(help: "Folders that evaluate wrote; the first one is the reference.", completion: .directory)
  var runs: [String]
  @Option(
    help: "Methods, comma-separated: names, families (every form), or A=B to compare A with another run's B.")
  var methods: [String] = []
  @Option(
    help:
      "Metric of the table and figures: a column of frames.csv, or frames_solved (default: \(MetricColumn.maeMeasured.id); without a LiDAR \(MetricColumn.mae.id))."
  ) var metric: String?
  @Option(
    help: ArgumentHelp(
      "Exit with 1 if a method is shown to be worse by more than the tolerance: a number in the metric's unit (metres for mae_m), a length such as 2mm, or a percentage of the reference's value such as 5% (default: 0). Repeatable.",
      valueName: "metric[:tolerance]")) var failIfWorse: [String] = []
  @Option(
    help: "File with a rule of --fail-if-worse on each line: mae_m_measured: 1mm, coverage: 0.01.",
    completion: .file(extensions: ["yaml"])) var limits: String?
  @Flag(help: "Also exit with 1 if a rule cannot be decided: too few scenes, or a method is missing.")
  var failIfUnknown = false
  @Flag(help: "Compare scenes of the same name although their data differ; the report says so.")
  var allowDifferentData = false
  @Flag(help: "Compare runs of different protocols; the report says so.") var allowDifferentProtocol = false
  @Option(help: "Folder to write (default: none).", completion: .directory) var output: String?
  @Flag(help: "Replace an existing folder of a comparison.") var overwrite = false
  @Flag(inversion: .prefixedNo, help: "Draw charts.") var figures = true
  @Flag(help: "Print compare.json instead of a table.") var json = false
  @OptionGroup var console: Console

  package func validate() throws {
    guard runs.count >= 2 else {
      throw ValidationError("at least two runs are needed: the reference and one to compare with it")
    }
    if output?.isEmpty == true { throw ValidationError("--output: a folder's name is needed") }
    if failIfUnknown && failIfWorse.isEmpty && limits == nil {
      throw ValidationError("--fail-if-unknown goes with --fail-if-worse or --limits")
    }
    _ = try request
  }

  private var request: RunComparison.Request {
    get throws {
      let column = try metric.map { name in
        guard let column = ComparedColumn.named(name) else {
          let advice = EditDistance.advice(for: name, among: ComparedColumn.all.map(\.id))
          throw ValidationError("--metric: no metric is called '\(name)'; \(advice)")
        }
        return column
      }
      var request = RunComparison.Request(metric: column)
      let words = methods.flatMap { $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } }
      request.methods = methods.isEmpty ? nil : words
      if request.methods?.isEmpty == true { throw ValidationError("--methods: a method is needed") }
      for rule in failIfWorse {
        do throws(WorseningRule.Problem) { request.rules.append(try WorseningRule(rule)) } catch {
          throw ValidationError("--fail-if-worse: \(error.description)")
        }
      }
      request.allowsDifferentData = allowDifferentData
      request.allowsDifferentProtocol = allowDifferentProtocol
      return request
    }
  }

  package func run() throws {
    var request = try request
    if let limits { request.rules += try LimitsFile(limits, example: "mae_m_measured: 1%").rules }
    let result = try CompareJob(runs, request).run()
    let comparison = result.comparison
    for doubt in comparison.gate?.doubts ?? [] { console.log.warning("gate: \(doubt)") }
    for warning in comparison.candidates.flatMap(\.warnings) { console.log.warning("\(warning)") }
    if let output {
      let folder = try AtomicFolder(output, kind: .comparison, overwrite: overwrite)
      try result.write(to: folder, figures: figures)
      try folder.commit(manifest: result.manifest.json)
    }
    try present(comparison, result.manifest)
    if let failure = failure(comparison) { throw failure }
  }

  private func present(_ comparison: RunComparison, _ manifest: RunComparisonManifest) throws {
    if json {
      try console.show(json: String(try manifest.json.dropLast()), beside: output)
      return
    }
    let findings = RunComparisonFindings(comparison)
    if let caveat = findings.caveat { try console.show(caveat.withoutMarks, beside: output) }
    for sentence in findings.sentences {
      try console.show("- " + sentence.withoutMarks, beside: output)
    }
    try console.show(
      "\n" + RunComparisonDisplay(comparison).methods(comparison.request.metric).plain, beside: output)
    if let output { try console.show("Report: \(output)/report.html", beside: output) }
  }

  /// What the gate says, in one line; nil where it lets the runs pass.
  private func failure(_ comparison: RunComparison) -> Failure? {
    guard let gate = comparison.gate else { return nil }
    let rules = RunComparisonFindings(comparison).rules
    func failure(_ lines: [RunComparisonFindings.RuleLine]) -> Failure {
      Failure(message: lines.map(\.text.withoutMarks).joined(separator: " "), code: .failure)
    }
    if gate.isWorse { return failure(rules.filter(\.isWorse)) }
    return failIfUnknown && comparison.isUnknown ? failure(rules.filter(\.isUnknown)) : nil
  }
}
