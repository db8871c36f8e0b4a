import DepthDataset
import FathomTables
import DepthCalibration
import FathomStorage

/// Everything that determines what a calibration finds, but for the bytes of the data.
struct CalibrateTask: JobTask {
  static let shard = FolderKind.calibrationShard
  /// The build: ``Version/name``.
  let version: String
  let data: TaskData, plan: CalibrationPlan
  let truth: TruthOrigin  // What the LiDAR is compared with.

  /// - Throws: `FathomError` where the mapping cannot be read.
  init(_ job: CalibrateJob, _ inputs: RunInputs) throws(FathomError) {
    (version, data) = (Version.name, try TaskData(inputs))
    (plan, truth) = (job.plan, job.truth)
  }

  /// The calibration, with every scene.
  func job(_ selection: DataSelection) -> CalibrateJob {
    var job = CalibrateJob(selection, plan: plan)
    job.truth = truth
    return job
  }
}
