import FathomRunFolders
import ArgumentParser
import DepthFusion
import DepthEvaluation
import DepthReport
import DepthVerdicts
import Foundation
import FathomTestSupport
import Testing

@testable import FathomCommandLine
@testable import FathomRunCommands

@Suite("A value that cannot be")
struct ImpossibleRunTests {
  /// The first fitted row with a mean error above its root mean square.
  private func spoiled(_ run: EvaluationRun) -> EvaluationRun {
    var records = Array(run.records)
    if let index = records.firstIndex(where: { $0.method.hasPrefix("ols") && $0.isSolved }) {
      records[index].values[MetricColumn.mae.position] = 1e3
    }
    return EvaluationRun(
      plan: run.plan, scenes: run.scenes, records: records, baseline: run.baseline,
      unreadable: run.unreadable,
      objects: run.objects)
  }

  @Test(
    "the run is kept, the row says why it has no values, means are without it, and the command ends with 70")
  func kept() async throws {
    let folder = try TemporaryFolder()
    let output = folder.path("run")
    let command = try Evaluate.parse([
      sample, "--output", output, "--methods", "ols", "--no-figures", "--no-gallery", "--no-diagnosis",
      "--quiet",
    ])
    var failure: Failure?
    do {
      try await command.evaluate { CheckedRun(spoiled($0)) }
    } catch {
      failure = Failure(error)
    }
    #expect(failure?.code.rawValue == 70)
    #expect(
      failure?.message.contains("one row held values that are impossible, which is a bug in fathom") == true)

    let stored = try StoredRun(readingFrom: output)
    let rejected = stored.frames.records.filter { $0.fusion.status == .impossible }
    #expect(rejected.count == 1 && rejected[0].values.isEmpty)
    #expect(rejected[0].fusion.reason?.contains("MAE > RMSE") == true)
    #expect(stored.manifest.impossible?.count == 1)
    #expect(stored.manifest.impossible?.first?.table == "frames.csv")
    let others = stored.frames.records.filter { $0.method == rejected[0].method && $0.fusion.status == .ok }
    #expect(!others.isEmpty && others.allSatisfy { ($0.value(.mae) ?? 0) < 100 })
    let summary = try #require(try stored.table("summary.csv"))
    let metric = try #require(summary.header.firstIndex(of: "metric"))
    let value = try #require(summary.header.firstIndex(of: "value"))
    let errors = summary.rows.filter { $0[metric] == "mae_m" }
    #expect(!errors.isEmpty && errors.allSatisfy { (Double($0[value]) ?? 0) < 100 })
    let report = try String(contentsOfFile: output + "/report.md", encoding: .utf8)
    #expect(report.contains("**A bug in fathom**: One row had impossible values"))
  }

  @Test("a table that lints says no with 1, a run whose rows are possible ends with 0")
  func others() async throws {
    let folder = try TemporaryFolder()
    let output = folder.path("run")
    let failure = await run(
      "evaluate", sample, "--output", output, "--methods", "ols", "--no-figures", "--no-gallery",
      "--no-diagnosis",
      "--quiet")
    #expect(failure == nil)
    #expect(try StoredRun(readingFrom: output).manifest.impossible == nil)
    let path = folder.path("table.csv")
    try Data("mae,rmse\n0.3,0.2\n".utf8).write(to: URL(fileURLWithPath: path))
    #expect(await run("evaluate", "--lint", path, "--quiet")?.code.rawValue == 1)
  }
}
