import ArgumentParser
package import DepthEvaluation
package import DepthFusion
package import FathomRunFolders
import FathomPlainText
import FathomRuns
import FathomStorage
import DepthCore

/// An evaluation as it was asked for, with a checked plan: defaults, then the configuration file, then the flags.
package struct PlannedEvaluation {
  package let plan: EvaluationPlan
  /// nil where none was named.
  package let baseline: MethodSelection?
  /// The calibration file, by name and digest.
  package let calibration: RunManifest.Input?
  package let namesObjects: Bool  // Whether something was said about objects.
  package let doubts: [String]  // Values that were probably meant in another unit.

  /// - Parameter predictions: Networks that are evaluated, where they have no data set.
  package init(_ flags: EvaluationFlags, config: String?, predictions: [String] = []) throws {
    let given = GivenOptions(flags)
    let configuration = try config.map { path throws(FathomError) in try ConfigurationFile(path) }
    let filed = try configuration?.options(EvaluationFlags.self, of: "fathom evaluate")
    var settings = EvaluationSettings([filed, given].compactMap(\.self))
    try settings.readCalibration()
    let methods: [MethodSelection]
    let baseline: MethodSelection?
    do {
      (methods, baseline) = try settings.selections(predictions: predictions)
    } catch {
      // Where the flags alone make sense, the fault lies in the file.
      var alone = EvaluationSettings([given])
      try alone.readCalibration()
      guard let configuration, (try? alone.selections(predictions: predictions)) != nil else { throw error }
      let reason = (error as? OptionProblem)?.description ?? Console.message(for: error)
      throw configuration.file.unusable("\(reason)", "fix that entry")
    }
    var plan = EvaluationPlan(
      methods: methods, options: settings.options, rules: settings.rules, seed: settings.seed)
    plan.objects = settings.looksAtObjects ? settings.objects : nil
    plan.contrast = try settings.question(predictions: predictions)
    plan.truthDeviation = settings.truthDeviation
    plan.namesAlignment = settings.namesAlignment
    self.plan = plan
    calibration = try settings.calibration.map { try RunManifest.Input(ofFile: $0) }
    doubts = settings.doubts
    namesObjects = settings.looksAtObjects && settings.objects != ObjectPlan()
    self.baseline = baseline
  }
}
