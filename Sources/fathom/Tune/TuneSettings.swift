import ArgumentParser
import DepthCore
import DepthEvaluation
import DepthFusion
import DepthTuning
import FathomRuns
import FathomStorage

/// A checked plan of a search: defaults, then the files, then the flags.
struct TuneSettings {
  let plan: TuningPlan
  /// What `--config` holds, to be handed on to the tuned configuration.
  let fixed: [(name: String, value: String)]
  /// Values that were probably meant in another unit.
  let doubts: [String]

  init(_ flags: TuneFlags, grid: String?, config: String?, seed: UInt64?, protocol rules: EvaluationProtocol?)
    throws
  {
    fixed =
      try config.map { path throws(FathomError) in try ConfigurationFile.entries(at: path) } ?? []
    let fixedNames = Set(fixed.map(\.name))
    var settings = EvaluationSettings()
    if let config { try ConfigurationFile.flags(at: config).apply(to: &settings) }
    if let seed { settings.seed = seed }
    if let rules { settings.rules = rules }
    try settings.readCalibration()
    _ = try settings.selections()
    let filed = try grid.map { path throws(FathomError) in try Self.flags(at: path) }
    var axes = (filed?.axes ?? [:]).merging(flags.axes) { $1 }
    if axes.isEmpty { axes = SearchGrid.standardValues.filter { !fixedNames.contains($0.key) } }
    if let config { try Self.checkContradictions(axes, fixed, settings.options, config, grid: grid) }
    do throws(GridError) {
      var search = SearchSettings()
      if let filed { GivenOptions(filed).apply(to: &search) }
      GivenOptions(flags).apply(to: &search)
      var plan = TuningPlan(
        grid: try SearchGrid(axes, base: settings.options), objective: try TuningObjective(search),
        rules: settings.rules,
        seed: settings.seed)
      (plan.searchPixels, plan.searchPairs) = (search.pixels.limit, search.pairs.limit)
      plan.folds = search.folds
      plan.objects = settings.objects
      self.plan = plan
      doubts =
        (settings.doubts + plan.grid.configurations.flatMap(\.options.doubts)).firstAppearances
    } catch {
      // Where the flags do not set what the message is about, the fault lies in the file.
      let subject = error.description.prefix { $0 != ":" && $0 != " " }
      let isOfFlags = GivenOptions(flags).values[String(subject)] != nil
      if isOfFlags { throw ValidationError("--\(error)") }
      guard let grid else { throw ValidationError("\(error)") }
      throw ConfigurationFile.file(grid).unusable("\(error)", "mend that entry")
    }
    if let objection = ScoringSample.objection(to: plan.rules) {
      throw ValidationError("--protocol: a search cannot use \(plan.rules.name): it \(objection)")
    }
  }

  private static func flags(at path: String) throws(FathomError) -> TuneFlags {
    let entries = try ConfigurationFile.entries(at: path)
    guard !entries.isEmpty else {
      throw ConfigurationFile.file(path).unusable(
        "the grid is empty",
        "write, say, 'max-depth: [3, 4, 5]'")
    }
    if let empty = entries.first(where: { $0.value.isEmpty }) {
      throw ConfigurationFile.file(path).unusable(
        "'\(empty.name)' has no value",
        "write, say, '\(empty.name): [1, 2]', or take it out")
    }
    return try ConfigurationFile.flags(TuneFlags.self, entries, at: path, of: "fathom tune")
  }

  /// What is fixed cannot be searched, and the search knows no other LiDAR than the sensor's.
  private static func checkContradictions(
    _ axes: [String: [String]], _ fixed: [(name: String, value: String)], _ options: FusionOptions,
    _ config: String, grid: String?
  ) throws(FathomError) {
    let place = grid.map { "in \($0)" } ?? "by the flags or by default"
    if let both = fixed.first(where: { axes[$0.name] != nil }) {
      throw ConfigurationFile.file(config).unusable(
        "'\(both.name)' is fixed here and varied \(place)",
        "take it out of one of them")
    }
    if let method = fixed.first(where: { $0.name == "methods" }) {
      throw ConfigurationFile.file(config).unusable(
        "methods are searched, not fixed",
        "use --methods \(method.value) instead")
    }
    if options.temporal.lidar == .smoothed {
      throw ConfigurationFile.file(config).unusable(
        "a search looks at single frames, not at the smoothed LiDAR",
        "take 'lidar: smoothed' out")
    }
  }
}
