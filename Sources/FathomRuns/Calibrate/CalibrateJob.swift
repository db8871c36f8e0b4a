public import FathomRunFolders
public import DepthCalibration
public import DepthDataset
public import DepthFusion
import FathomStorage

/// Measures what each confidence level and range of the LiDAR is worth: what `fathom calibrate` does.
public struct CalibrateJob: Sendable {
  /// Data sets, scenes and frames.
  public var data: DataSelection
  /// Which truth counts, and the seed.
  public var plan: CalibrationPlan
  /// What the LiDAR is compared with.
  public var truth = TruthOrigin.stored
  /// Frames that are worked on at once.
  public var jobs = MachineLimits.current.cores

  public init(_ data: DataSelection, plan: CalibrationPlan = CalibrationPlan()) {
    (self.data, self.plan) = (data, plan)
  }

  /// Measures.
  /// - Throws: `FathomError` where data cannot be read or no scene can be measured, `OptionProblem` where no scene matches.
  public func run(_ observe: JobObserver = { _ in }) async throws -> CalibrateResult {
    try await open(observe).run(observe)
  }

  /// Measures, and can be resumed: as ``EvaluateJob/run(resumingIn:_:)``.
  public func run(resumingIn path: String, _ observe: JobObserver = { _ in }) async throws -> CalibrateResult
  {
    let calibration = try open(observe)
    let task = try await calibration.fingerprint
    return try await AtomicFolder.resuming(path, kind: .calibration, task: task) { work, kept in
      try await calibration.run(in: work, kept: kept, observe)
    }
  }

  /// Measures the scenes of one part: as ``EvaluateJob/writeShard(_:to:resume:overwrite:_:)``.
  @discardableResult public func writeShard(
    _ part: ScenePart, to path: String, resume: Bool = true, overwrite: Bool = false,
    _ observe: JobObserver = { _ in }
  ) async throws -> Bool {
    let calibration = try OpenCalibration(self, part: part, observe)
    return try await calibration.task.writeShard(
      part, of: calibration.inputs, to: path, resume: resume, overwrite: overwrite
    ) { work, kept in try await calibration.fill(work, kept: kept, observe) }
  }

  package func open(_ observe: JobObserver) throws -> OpenCalibration { try OpenCalibration(self, observe) }

  func result(
    of measured: CalibrationInputs, _ inputs: RunInputs, _ observe: JobObserver
  ) async throws -> CalibrateResult {
    let run = await CalibrationRun(measured.scenes, plan: plan)
    let (correction, registration) = (CorrectionFit(run), RegistrationFit(measured.alignments))
    let gain = try await CalibrationGain(measured, plan: plan, truth: truth, jobs: jobs, observe).gain
    var calibration = run.calibration
    calibration?.correction = correction?.recommended ?? .identity
    calibration?.registration = registration.recommended
    if calibration == nil { observe(.noticed(.noNoiseModel)) }
    var manifest = CalibrationManifest(
      run, inputs: try await inputs.manifest(), scenePattern: data.scenes.description,
      leftOut: measured.leftOut)
    manifest.multiview = truth.manifestOptions
    try inputs.requireUnchanged()
    var data = inputs.data
    data.isMultiview = truth == .multiview
    let drift = measured.alignments.compactMap(\.drift)
    let verdict = CalibrationVerdict(
      run, correction: correction, registration: registration, drift: drift, gain: gain,
      isMultiview: manifest.multiview != nil)
    return CalibrateResult(
      name: inputs.name, run: run, calibration: calibration, verdict: verdict, manifest: manifest,
      correction: correction, registration: registration, drift: drift, gain: gain, data: data)
  }
}

/// What a calibration found.
public struct CalibrateResult: Sendable {
  /// Name of the calibration: the data sets' names.
  public let name: String
  /// Errors by confidence and range, noise models, coverage.
  public let run: CalibrationRun
  /// What `fathom evaluate --calibration` applies; nil where no level has a noise model.
  public let calibration: Calibration?
  /// What it shows, as values.
  public let verdict: CalibrationVerdict
  /// `calibration.json`.
  public let manifest: CalibrationManifest
  /// Of depth by range and level; nil where nothing could be fitted.
  public let correction: CorrectionFit?
  /// Of the LiDAR against the camera.
  public let registration: RegistrationFit
  /// Of the LiDAR against itself, by scene.
  public let drift: [ScaleDrift]
  /// What the calibration is worth in scenes that it has not seen.
  public let gain: HeldOutGain
  public let data: RunData
}
