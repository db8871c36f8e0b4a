import FathomPlainText
import ArgumentParser
import DepthCore
package import DepthEvaluation
import DepthFusion
package import DepthTuning
import FathomRuns
import FathomStorage

/// A checked plan of a search: defaults, then the files, then the flags.
package struct TuneSettings {
  package let plan: TuningPlan
  /// What `--config` holds, to be handed on to the tuned configuration.
  package let fixed: [(name: String, value: String)]
  package let doubts: [String]  // Values that were probably meant in another unit.

  package init(
    _ flags: TuneFlags, grid: String?, config: String?, seed: UInt64?, protocol rules: EvaluationProtocol?
  )
    throws
  {
    let file = try config.map { path throws(FathomError) in try ConfigurationFile(path) }
    fixed = file?.entries ?? []
    let fixedNames = Set(fixed.map(\.name))
    let given = GivenOptions(flags)
    var settings = EvaluationSettings(
      [try file?.options(EvaluationFlags.self, of: "fathom evaluate")].compactMap(\.self))
    if let seed { settings.seed = seed }
    if let rules { settings.rules = rules }
    try settings.readCalibration()
    _ = try settings.selections()
    let gridFile = try grid.map { path throws(FathomError) in try ConfigurationFile(path) }
    let filed = try gridFile.map(Self.options)
    var axes = (filed?.axes ?? [:]).merging(given.axes) { $1 }
    if axes.isEmpty { axes = SearchGrid.standardValues.filter { !fixedNames.contains($0.key) } }
    if let file { try Self.checkContradictions(axes, settings.options, file, grid: grid) }
    do throws(GridError) {
      var search = SearchSettings()
      filed?.apply(to: &search)
      given.apply(to: &search)
      var plan = TuningPlan(
        grid: try SearchGrid(axes, base: settings.options), objective: try TuningObjective(search),
        rules: settings.rules, seed: settings.seed)
      (plan.searchPixels, plan.searchPairs) = (search.pixels.limit, search.pairs.limit)
      plan.folds = search.folds
      plan.objects = settings.objects
      self.plan = plan
      doubts = (settings.doubts + plan.grid.configurations.flatMap(\.options.doubts)).firstAppearances
    } catch {
      // Where the flags do not set what the message is about, the fault lies in the file.
      if let option = error.option, given.values[option.description] != nil {
        throw ValidationError("--\(error.wording.onCommandLine)")
      }
      guard let gridFile else { throw ValidationError(error.wording.onCommandLine) }
      throw gridFile.file.unusable(error.wording, "fix that entry")
    }
    if let objection = ScoringSample.objection(to: plan.rules) {
      throw ValidationError("--protocol: a search cannot use \(plan.rules.name): it \(objection)")
    }
  }

  private static func options(of grid: ConfigurationFile) throws(FathomError) -> GivenOptions {
    guard !grid.entries.isEmpty else {
      throw grid.file.unusable("the grid is empty", "write, say, 'max-depth: [3, 4, 5]'")
    }
    if let empty = grid.entries.first(where: { $0.value.isEmpty }) {
      throw grid.file.unusable(
        "'\(empty.name)' has no value", "write, say, '\(empty.name): [1, 2]', or take it out")
    }
    return try grid.options(TuneFlags.self, of: "fathom tune")
  }

  /// What is fixed cannot be searched, and the search knows no other LiDAR than the sensor's.
  private static func checkContradictions(
    _ axes: [String: [String]], _ options: FusionOptions, _ config: ConfigurationFile, grid: String?
  ) throws(FathomError) {
    let place = grid.map { "in \($0)" } ?? "by the flags or by default"
    if let both = config.entries.first(where: { axes[$0.name] != nil }) {
      throw config.file.unusable(
        "'\(both.name)' is fixed here and varied \(place)", "take it out of one of them")
    }
    if let method = config.entries.first(where: { $0.name == "methods" }) {
      throw config.file.unusable("methods are searched, not fixed", "use --methods \(method.value) instead")
    }
    if options.temporal.lidar == .smoothed {
      throw config.file.unusable(
        "a search looks at single frames, not at the smoothed LiDAR", "take 'lidar: smoothed' out")
    }
  }
}
