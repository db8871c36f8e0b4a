import DepthEvaluation
import FathomJobReports
import DepthReport
import DepthCalibration
import DepthFusion
import DepthTuning
import DepthVerdicts
import FathomRunFolders
import FathomRuns
import FathomStorage
import FathomTables
import FathomTestSupport
import Foundation
import Testing

/// What the jobs give a program: unfinished work that can be resumed, and shards.
@Suite("Jobs that are resumed and divided")
struct ResumableJobTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var evaluation: EvaluateJob {
    var job = EvaluateJob(DataSelection([sample]))
    job.plan.methods = [.ols]
    job.diagnoses = false
    return job
  }

  private var search: TuneJob {
    get throws {
      let grid = try SearchGrid(
        ["min-confidence": ["1", "2"], "max-depth": ["3", "4"]], base: FusionOptions())
      let objective = try TuningObjective(TuningObjective.standard)
      var job = TuneJob(DataSelection([sample]), plan: TuningPlan(grid: grid, objective: objective, seed: 3))
      job.fixed = [("clamp-max", "20")]
      return job
    }
  }

  private var calibration: CalibrateJob { CalibrateJob(DataSelection([sample])) }

  private func text(_ result: EvaluateResult) throws -> String {
    let frames = try #require(result.tables.files.first { $0.name == "frames.csv" })
    return try result.verdict.json + frames.table.csv
  }

  private func text(_ result: TuneResult) throws -> String {
    try CanonicalJSON.text(result.run.conclusions) + result.tuned
  }

  private func text(_ result: CalibrateResult) throws -> String { try CanonicalJSON.text(result.verdict) }

  private func file(_ path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.systemFileNumber] as? Int
  }

  /// Does a job twice, the second time with one scene kept and another one lost.
  private func resumed<Outcome>(_ run: (String) async throws -> Outcome) async throws -> Outcome {
    let partial = folder.path("work.partial")
    _ = try await run(folder.path("work"))
    let kept = try FileManager.default.contentsOfDirectory(atPath: partial)
      .filter { $0.hasPrefix("scene-") }.sorted()
    let (first, last) = (
      partial + "/" + (try #require(kept.first)), partial + "/" + (try #require(kept.last))
    )
    #expect(first != last)
    let before = file(first)
    try FileManager.default.removeItem(atPath: last)
    let outcome = try await run(folder.path("work"))
    #expect(before != nil && file(first) == before, "it was found, not made again")
    #expect(file(last) != nil)
    #expect(!folder.exists("work"))
    return outcome
  }

  /// Both shards of a job.
  private func shards(_ write: (ScenePart, String) async throws -> Bool) async throws -> [String] {
    var paths: [String] = []
    for number in [2, 1] {
      let part = try #require(ScenePart(number, of: 2))
      let path = folder.path("shard-\(number)")
      let (isNew, isNewAgain) = (try await write(part, path), try await write(part, path))
      #expect(isNew && !isNewAgain)
      paths.append(path)
    }
    return paths
  }

  @Test("an evaluation goes on where it stopped, and the output that is written takes the work away")
  func resumedEvaluation() async throws {
    let job = evaluation
    let whole = try await job.run()
    let result = try await resumed { try await job.run(resumingIn: $0) }
    #expect(try text(result) == text(whole))
    var other = job
    other.plan.seed = 7
    await #expect(throws: FathomError.self) { try await other.run(resumingIn: folder.path("work")) }
    let output = try AtomicFolder(folder.path("work"), kind: .run, overwrite: false)
    try output.commit(manifest: result.manifest.json)
    #expect(folder.exists("work/run.json") && !folder.exists("work.partial"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("work")) == ["run.json"])
  }

  @Test("a search goes on where it stopped")
  func resumedSearch() async throws {
    let job = try search
    let whole = try await job.run()
    #expect(try await text(resumed { try await job.run(resumingIn: $0) }) == text(whole))
    var other = job
    other.plan.seed = 7
    await #expect(throws: FathomError.self) { try await other.run(resumingIn: folder.path("work")) }
  }

  @Test("a calibration goes on where it stopped")
  func resumedCalibration() async throws {
    let job = calibration
    let whole = try await job.run()
    #expect(try await text(resumed { try await job.run(resumingIn: $0) }) == text(whole))
    var other = job
    other.plan.seed = 7
    await #expect(throws: FathomError.self) { try await other.run(resumingIn: folder.path("work")) }
  }

  @Test("the shards of an evaluation are merged to what one job finds")
  func dividedEvaluation() async throws {
    let job = evaluation
    let merge = MergeJob(try await shards { try await job.writeShard($0, to: $1) })
    #expect(try await text(merge.run()) == text(job.run()))
    // Of another kind.
    await #expect(throws: FathomError.self) { try await merge.runSearch() }
  }

  @Test("the shards of a search are merged to what one job finds")
  func dividedSearch() async throws {
    let job = try search
    let paths = try await shards { try await job.writeShard($0, to: $1) }
    let merged = try await MergeJob(paths).runSearch()
    #expect(try await text(merged) == text(job.run()))
    let tuned = try merged.tuned
    #expect(tuned.contains("clamp-max: 20") && tuned.contains("seed: 3"))
    await #expect(throws: FathomError.self) { try await MergeJob([paths[0]]).runSearch() }
    var other = job
    other.plan.seed = 7
    let part = try #require(ScenePart(2, of: 2))
    await #expect(throws: FathomError.self) { try await other.writeShard(part, to: paths[0]) }
    #expect(try await other.writeShard(part, to: paths[0], resume: false, overwrite: true))
    await #expect(throws: FathomError.self) { try await MergeJob(paths).runSearch() }
  }

  @Test("the shards of a calibration are merged to what one job finds")
  func dividedCalibration() async throws {
    let job = calibration
    let paths = try await shards { try await job.writeShard($0, to: $1) }
    #expect(try await text(MergeJob(paths).runCalibration()) == text(job.run()))
    await #expect(throws: FathomError.self) { try await MergeJob(paths).run() }
  }
}
