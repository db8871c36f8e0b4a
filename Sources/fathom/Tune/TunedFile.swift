import DepthEvaluation
import DepthFusion
import DepthTuning
import Yams

/// `tuned.yaml`: what is recommended, as `evaluate --config` reads it.
enum TunedFile {
  /// - Parameters:
  ///   - fixed: What `--config` held; it is handed on.
  ///   - seed: Handed on, because methods that draw samples depend on it.
  static func text(
    _ run: TuningRun, fixed: [(name: String, value: String)], headline: String
  ) throws -> String {
    let grid = run.plan.grid
    let recommended = run.verdict.recommended
    let configuration = grid.configurations[recommended]
    var entries = [("methods", configuration.method.description)]
    for (axis, label) in zip(grid.axes, grid.labels(of: recommended))
    where !["methods", "space"].contains(axis.dimension.id) && label != "own" && label != "none"
      && (axis.dimension.id != "inlier-threshold" || axis.dimension.looksAt(configuration))
    {
      entries.append((axis.dimension.id, label))
    }
    let given = Set(fixed.map(\.name))
    entries += fixed.map { ($0.name, $0.value) }
    if !given.contains("protocol") { entries.append(("protocol", run.plan.rules.name)) }
    if !given.contains("seed") { entries.append(("seed", "\(run.plan.seed)")) }
    let mapping = Node.Mapping(entries.map { (Node($0.0), Node($0.1, .implicit)) })
    let lines = headline.replacing("**", with: "").split(separator: "\n").map { "# \($0)\n" }.joined()
    return lines + (try Yams.serialize(node: .mapping(mapping), width: -1))
  }
}
