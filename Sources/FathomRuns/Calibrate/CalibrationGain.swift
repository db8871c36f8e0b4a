import FathomStorage
import DepthCalibration
import DepthCore
import DepthDataset
import DepthEvaluation
import DepthFusion

/// Fuses scenes under the calibration of the others.
struct CalibrationGain {
  let gain: HeldOutGain

  /// - Throws: `FathomError` where a frame cannot be read.
  init(
    _ found: CalibrationInputs, plan: CalibrationPlan, truth: TruthOrigin, jobs: Int, _ observe: JobObserver
  ) async throws {
    let scenes = found.measured.filter(\.alignment.hasRelative)
    guard scenes.count >= 2 else {
      gain = HeldOutGain(objection: scenes.isEmpty ? .noRelativeMap : .oneScene)
      return
    }
    let folds = GainFolds(scenes: scenes.count)
    let calibrations = (0..<folds.count).compactMap { fold in
      let others = folds.training(for: fold).map { scenes[$0] }
      return Calibration(fitting: others.map(\.errors), others.map(\.alignment))
    }
    guard calibrations.count == folds.count else {
      gain = HeldOutGain(objection: .noNoiseModel)
      return
    }
    let trial = GainTrial(rules: plan.rules, seed: plan.seed)
    let frames = scenes.map { scene in
      GainTrial.frames(of: scene.range.count).map { scene.range.lowerBound + $0 }
    }
    observe(.began(.fusingHeldOut, steps: frames.reduce(0) { $0 + $1.count }))
    var records: [FrameRecord] = []
    for (index, scene) in scenes.enumerated() {
      var source = try CalibrationSource(
        scene.original, truth, historyLength: trial.historyLength, from: scene.file.source)
      records += try await Self.records(
        FrameStream(frames[index], jobs: jobs), &source, trial, calibrations[folds.fold(of: index)],
        scene.file.source, observe)
    }
    gain = HeldOutGain(records, folds: folds, seed: plan.seed)
  }

  private static func records(
    _ stream: FrameStream, _ frames: inout CalibrationSource, _ trial: GainTrial, _ calibration: Calibration,
    _ source: borrowing some FrameSource & ~Copyable, _ observe: JobObserver
  ) async throws(FathomError) -> [FrameRecord] {
    let context = frames.context
    var records: [FrameRecord] = []
    try await stream.run { (index) throws(FathomError) in
      try frames.frame(index, from: source)
    } work: { frame in
      trial.records(of: frame.prepared(), after: frame.before, in: context, under: calibration)
    } take: { _, found in
      records += found
      observe(.advanced)
    }
    return records
  }
}
