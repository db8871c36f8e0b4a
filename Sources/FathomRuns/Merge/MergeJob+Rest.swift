import DepthCalibration
import DepthEvaluation
import DepthTuning
import FathomStorage

extension MergeJob {
  /// Does the rest of a search whose scenes were scored in shards. It reads the data again, where they were.
  /// - Throws: `FathomError` where a shard is missing, given twice, damaged or of another search, or where the data have changed.
  public func runSearch(_ observe: JobObserver = { _ in }) async throws -> TuneResult {
    try await openSearch(observe).run(observe)
  }

  /// Does the rest of a calibration whose scenes were measured in shards. It reads the data again, where they were.
  /// - Throws: `FathomError` as ``runSearch(_:)``.
  public func runCalibration(_ observe: JobObserver = { _ in }) async throws -> CalibrateResult {
    try await openCalibration(observe).run(observe)
  }

  /// Opens the data of a search and checks the shards against them.
  package func openSearch(_ observe: JobObserver) throws -> OpenSearch {
    let shards = try Shard<TuneTask>.complete(folders)
    let (folder, manifest) = (shards[0].folder, shards[0].manifest)
    let selection = manifest.selection(manifest.task.data)
    var job: TuneJob
    do throws(GridError) { job = try manifest.task.job(selection) } catch {
      throw folder.damaged(folder.kind.marker, "\(error)")
    }
    if let problem = job.plan.rules.firstProblem { throw folder.damaged(folder.kind.marker, "\(problem)") }
    job.jobs = jobs
    return try OpenSearch(job, merging: shards, observe)
  }

  /// Opens the data of a calibration and checks the shards against them.
  package func openCalibration(_ observe: JobObserver) throws -> OpenCalibration {
    let shards = try Shard<CalibrateTask>.complete(folders)
    let (folder, manifest) = (shards[0].folder, shards[0].manifest)
    var job = manifest.task.job(manifest.selection(manifest.task.data))
    if let problem = job.plan.rules.firstProblem { throw folder.damaged(folder.kind.marker, "\(problem)") }
    job.jobs = jobs
    return try OpenCalibration(job, merging: shards, observe)
  }
}
