public import DepthCalibration
import DepthCore
import DepthDataset
import DepthEvaluation
public import DepthFusion
import FathomPlainText
public import FathomRunFolders
import FathomStorage
import FathomTables

/// Learns a correction of the standard deviations that a method states: what `fathom calibrate --deviation-of` does.
///
/// Of a single scene its frames are the units, and the guarantee is for other frames of it.
public struct CalibrateDeviationJob: Sendable {
  /// Data sets and scenes.
  public var data: DataSelection
  /// A prediction's name, or a method that states standard deviations.
  public var method: String
  /// Which truth counts, and the seed.
  public var plan: CalibrationPlan
  /// Of the LiDAR, under which the method is used; the new one keeps it.
  public var calibration: Calibration?
  /// Frames that are worked on at once.
  public var jobs = MachineLimits.current.cores

  public init(_ data: DataSelection, of method: String, plan: CalibrationPlan = CalibrationPlan()) {
    (self.data, self.method, self.plan) = (data, method, plan)
  }

  /// - Throws: `FathomError` where data cannot be read or give no correction, `OptionProblem` where the method states no standard deviations.
  public func run(_ observe: JobObserver = { _ in }) async throws -> CalibrateDeviationResult {
    let inputs = try RunInputs(data, rules: plan.rules, observe)
    let selection = try selection(inputs.allScenes.map(\.header))
    var evaluation = EvaluationPlan(methods: [selection], rules: plan.rules, seed: plan.seed)
    if let calibration { evaluation.options.apply(calibration) }
    evaluation.options.deviationScales = nil
    let (plan, arrays) = (evaluation, evaluation.arrays)
    let unit: DeviationCorrection.Unit = inputs.allScenes.count == 1 ? .frame : .scene
    observe(
      .began(.measuring, steps: inputs.allScenes.reduce(0) { $0 + data.range(of: $1.header).count }))
    var (tallies, unusable) = ([DeviationTally](), 0)
    for file in inputs.files {
      for scene in file.scenes {
        var context = scene
        try context.resolveKind { (index) throws(FathomError) in
          try file.source.frame(index, of: scene.header, including: [.lidar, .confidence, .relative])
        }
        let resolved = context
        var own = unit == .scene ? [DeviationTally(scene.name)] : []
        var history = FrameHistory(length: plan.historyLength)
        try await FrameStream(data.range(of: scene.header), jobs: jobs).run { (index) throws(FathomError) in
          try file.source.frame(index, of: scene.header, including: arrays, after: &history)
        } work: { frame, before in
          plan.statedErrors(frame, of: resolved, history: before)
        } take: { index, found in
          if unit == .frame { own.append(DeviationTally(resolved.header.frameID(index))) }
          if let found {
            own[own.count - 1].add(found)
            unusable += found.unusable
          }
          observe(.advanced)
        }
        tallies += own
        observe(.finished(scene: scene.name, frames: own.reduce(0) { $0 + $1.frames }))
      }
    }
    let without = tallies.filter { $0.frames == 0 }.map(\.scene)
    let correction: DeviationCorrection
    do throws(DeviationCorrection.Obstacle) {
      correction = try DeviationCorrection(tallies, each: unit, seed: plan.seed)
    } catch {
      throw fault(error, unit, inputs)
    }
    try inputs.requireUnchanged()
    var found = calibration ?? Calibration()
    found.deviationScales.removeAll { $0.method == selection.id }
    found.deviationScales += correction.scales(of: selection.id)
    return CalibrateDeviationResult(
      method: selection.storedName ?? selection.id, correction: correction, calibration: found,
      inputs: try await inputs.manifest(), without: without, unusable: unusable,
      dependentScenes: inputs.allScenes.count { !$0.header.truthIndependence.canShowGainOverSensor })
  }

  /// - Throws: `OptionProblem` where nothing of that name states standard deviations.
  private func selection(_ scenes: [SceneHeader]) throws(OptionProblem) -> MethodSelection {
    let stored = scenes.flatMap(\.predictions)
    let name = method.hasPrefix("stored:") ? String(method.dropFirst(7)) : method
    let isStored = stored.contains { $0.name == name }
    guard let found = try? MethodCatalogue.parse(isStored ? "stored:" + name : method), found.count == 1,
      found[0].method(for: .unknown).givesDeviation
        || stored.contains(where: { $0.name == found[0].storedName && $0.hasDeviation })
    else {
      if stored.contains(where: { $0.name == name && $0.certainty == .confidence }) {
        throw OptionProblem(
          "deviation-of",
          "'\(method)' states a confidence, which has no unit: no factor makes it a standard deviation")
      }
      let names = stored.filter(\.hasDeviation).map(\.name).firstAppearances
      throw OptionProblem(
        "deviation-of",
        "'\(method)' states no standard deviations here; auto, the LiDAR's own, the lines and the local methods do, and of the predictions \(names.isEmpty ? "none does" : names.joined(separator: ", "))"
      )
    }
    if found[0].role.needsLidar, !scenes.contains(where: \.hasLidar) {
      throw OptionProblem("deviation-of", "'\(method)' needs a LiDAR, and these data have none")
    }
    return found[0]
  }

  private func fault(
    _ obstacle: DeviationCorrection.Obstacle, _ unit: DeviationCorrection.Unit, _ inputs: RunInputs
  ) -> FathomError {
    let fewest = DeviationCorrection.coverages.last.map(DeviationCorrection.fewestScenes) ?? 0
    let (reason, advice): (String, Wording) =
      switch obstacle {
      case .tooFewScenes(let count):
        (
          "\(counted(count, unit.rawValue)) with truth, metric depth and a standard deviation above 0; at least \(fewest) are needed",
          "add \(unit.rawValue)s"
        )
      case .noFactor:
        (
          "no factor up to 4,096 makes the intervals hold enough pixels",
          "check the unit of the standard deviations"
        )
      }
    return FathomError(
      .badData, attempted: "calibrate the standard deviations of \(method)",
      file: inputs.files.map(\.path).joined(separator: ", "), object: "scenes", reason: "\(reason)",
      advice: advice)
  }
}

/// A correction of stated standard deviations.
public struct CalibrateDeviationResult: Sendable {
  /// As people know it.
  public let method: String
  public let correction: DeviationCorrection
  /// What `fathom evaluate --calibration` applies.
  public let calibration: Calibration
  public let inputs: [RunManifest.Input]
  /// Names of scenes without truth, metric depth or a usable standard deviation.
  public let without: [String]
  /// Predicted truth pixels without a usable standard deviation.
  public let unusable: Int
  /// Scenes whose truth is not independent of the LiDAR.
  public let dependentScenes: Int

  /// Writes the calibration file.
  /// - Throws: `FathomError`.
  public func write(to path: String, overwrite: Bool = false) throws {
    let file = try AtomicFile(path, overwrite: overwrite)
    let document = CalibrationDocument(
      calibration: calibration, inputs: inputs, unmeasured: [], of: correction)
    try file.write(Array(document.yaml.utf8))
    try file.commit()
  }
}
