import DepthCalibration
import DepthCore
import DepthDataset
import DepthEvaluation
import DepthFusion

/// Fuses scenes under the calibration of the others.
struct CalibrationGain {
  let gain: HeldOutGain

  /// - Throws: `DatasetError` where a frame cannot be read.
  init(
    _ found: CalibrationInputs, _ inputs: RunInputs, plan: CalibrationPlan, truth: CalibrationTruth,
    jobs: Int,
    console: Console
  ) async throws {
    let scenes = found.measured.filter(\.alignment.hasRelative)
    guard scenes.count >= 2 else {
      gain = HeldOutGain(
        objection: scenes.isEmpty
          ? "no scene has a relative map to fuse" : "there is one scene, and none that it has not seen")
      return
    }
    let folds = GainFolds(scenes: scenes.count)
    let calibrations = (0..<folds.count).compactMap { fold in
      let others = folds.training(for: fold).map { scenes[$0] }
      return Calibration(fitting: others.map(\.errors), others.map(\.alignment))
    }
    guard calibrations.count == folds.count else {
      gain = HeldOutGain(objection: "a part of the scenes alone gives no noise model")
      return
    }
    let trial = GainTrial(rules: plan.rules, seed: plan.seed)
    let frames = scenes.map { GainTrial.frames(of: $0.context.header.frameCount) }
    let progress = ProgressBar("fusing", total: frames.reduce(0) { $0 + $1.count }, console: console)
    var records: [FrameRecord] = []
    for (number, file) in inputs.files.enumerated() {
      let reader = try file.reader()
      for (index, scene) in scenes.enumerated() where scene.file == number {
        guard
          let original = file.scenes.first(where: { $0.name == scene.context.name })
        else { continue }
        var source = try CalibrationSource(original, truth, from: reader)
        records += try await Self.records(
          frames[index], &source, trial, calibrations[folds.fold(of: index)], reader, jobs, progress)
      }
    }
    gain = HeldOutGain(records, folds: folds, seed: plan.seed)
  }

  private static func records(
    _ frames: [Int], _ source: inout CalibrationSource, _ trial: GainTrial, _ calibration: Calibration,
    _ reader: borrowing DatasetReader, _ jobs: Int, _ progress: ProgressBar
  ) async throws -> [FrameRecord] {
    let context = source.context
    var records: [FrameRecord] = []
    for start in stride(from: 0, to: frames.count, by: jobs) {
      var batch: [CalibrationSource.Frame] = []
      for frame in frames[start..<min(start + jobs, frames.count)] {
        batch.append(try source.frame(frame, from: reader))
      }
      let found = await withTaskGroup(of: (Int, [FrameRecord]).self) { group in
        for (position, frame) in batch.enumerated() {
          group.addTask { (position, trial.records(of: frame.prepared(), in: context, under: calibration)) }
        }
        var found: [(Int, [FrameRecord])] = []
        for await result in group { found.append(result) }
        return found.sorted { $0.0 < $1.0 }
      }
      records += found.flatMap(\.1)
      for _ in batch { progress.advance() }
    }
    return records
  }
}
