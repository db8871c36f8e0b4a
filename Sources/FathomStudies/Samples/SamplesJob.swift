import FathomRuns
import DepthCore
import DepthEvaluation
import DepthFusion
public import DepthVerdicts
import FathomPlainText
import FathomRunFolders
import FathomStatistics
import FathomStorage

/// Says from a stored run how many scenes and frames show a difference: what `fathom samples` does.
public struct SamplesJob: Sendable {
  /// Folder of the run.
  public var folder: String
  /// Column of `frames.csv`; nil for the one that the run orders methods by.
  public var metric: String?
  /// Whose error is looked at, and what it is compared with; both nil for the run's one question, the reference alone for the error itself.
  public var method: String?, reference: String?
  /// What is to be shown: in the metric's unit, or as a share of the reference's mean, or of the method's own without one; nil for nothing.
  public var difference: WorseningRule.Tolerance?
  public init(_ folder: String) { self.folder = folder }

  /// - Throws: `FathomError` where the folder is not a run, or fewer than two of its scenes have values; `OptionProblem` for a metric or a
  ///   method that it does not have.
  public func run() throws -> SamplePlan {
    let run = try StoredRun(readingFrom: folder)
    let verdict =
      run.folder.has(RunVerdict.fileName)
      ? try? JSONValue(text: try run.folder.text(of: RunVerdict.fileName)) : nil
    let name =
      metric ?? verdict?["ranking"]?["column"]?.string ?? (run.hasLidar ? MetricColumn.maeMeasured : .mae).id
    guard let column = MetricColumn(id: name) else {
      throw OptionProblem(
        "metric",
        "no metric is called '\(name)'; \(EditDistance.advice(for: name, among: MetricColumn.all.map(\.id)))")
    }
    let asked = verdict?["contrast"]?["comparison"]
    guard let wanted = method ?? asked?["method"]?.string ?? (run.methods.count == 1 ? run.methods[0] : nil)
    else {
      throw OptionProblem(
        "method", "the run has no question of its own; name one of \(run.methods.joined(separator: ", "))")
    }
    let (id, forms) = try Self.method(wanted, in: run, "method")
    let against = method == nil ? reference ?? asked?["reference"]?.string : reference
    let other = try against.map { try Self.method($0, in: run, "against") }
    let referenceID = other?.name
    guard id != referenceID else {
      throw OptionProblem("against", "'\(id)' is the method itself; name another one")
    }
    let series = Self.series(of: run, [forms] + [other?.forms].compactMap(\.self), column)
    guard
      let components = VarianceComponents(series.map { $0.map { $0.count == 2 ? $0[0] - $0[1] : $0[0] } }),
      let base = VarianceComponents(series.map { $0.map { $0[$0.count - 1] } })?.mean
    else {
      throw FathomError(
        .badData, attempted: "estimate the scatter of scenes from", place: folder,
        reason: "\(series.count) of its scenes \(series.count == 1 ? "has" : "have") \(column.id) of \(id)"
          + (referenceID.map { " and \($0) in the same frame" } ?? "") + ", and two are needed",
        advice: "take a run with more scenes, or give the standard deviations by hand")
    }
    let difference = difference.map { difference in
      switch difference {
      case .absolute(let value): value
      case .relative(let share): share * abs(base)
      }
    }
    var plan = SamplePlan(components, isEstimate: true, detecting: difference)
    (plan.run, plan.metric, plan.method, plan.reference) = (folder, column.id, id, referenceID)
    return plan
  }

  /// The method of this name: its id, a network's name, or a family, whose forms do not share a frame: of the scenes' kinds.
  private static func method(
    _ name: String, in run: StoredRun, _ option: OptionName
  ) throws(OptionProblem) -> (name: String, forms: [String]) {
    for id in [name, "stored:" + name] where run.methods.contains(id) { return (id, [id]) }
    let forms = run.methods.filter { MethodCatalogue.familyName(ofID: $0) == name }
    if forms.count == 1 { return (forms[0], forms) }
    let frames = run.frames.records.filter { forms.contains($0.method) }.map {
      [$0.scene, "\($0.frameIndex)"]
    }
    if !forms.isEmpty, Set(frames).count == frames.count { return (name, forms) }
    throw OptionProblem(
      option,
      forms.isEmpty
        ? "the run has no method '\(name)'; \(EditDistance.advice(for: name, among: run.methods))"
        : "'\(name)' is \(forms.joined(separator: " and ")) in this run; name the form")
  }

  /// By scene and frame, in their order, the values of all methods where all have one.
  /// - Parameter methods: The forms of each.
  private static func series(
    of run: StoredRun, _ methods: [[String]], _ column: MetricColumn
  ) -> [[[Double]]] {
    let records = run.frames.records.filter { record in methods.contains { $0.contains(record.method) } }
    let scenes = Dictionary(grouping: records, by: \.scene)
    return records.map(\.scene).firstAppearances.compactMap { scene in
      let frames = Dictionary(grouping: scenes[scene] ?? [], by: \.frameIndex)
      let values = frames.sorted { $0.key < $1.key }.compactMap { _, rows in
        let found = methods.compactMap { forms in rows.first { forms.contains($0.method) }?.value(column) }
        return found.count == methods.count && found.allSatisfy(\.isFinite) ? found : nil
      }
      return values.isEmpty ? nil : values
    }
  }
}
