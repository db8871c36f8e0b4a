import DepthEvaluation
import DepthFusion
package import DepthTuning
import FathomPlainText
import Yams

/// `tuned.yaml`: what is recommended, as `evaluate --config` reads it.
package enum TunedFile {
  /// - Parameter recommended: Position in the grid.
  /// - Parameter fixed: What `--config` held; it is handed on.
  /// - Parameter headline: Plain text, for a comment.
  package static func text(
    _ plan: TuningPlan, recommended: Int, fixed: [(name: String, value: String)], headline: String
  ) throws -> String {
    let grid = plan.grid
    let configuration = grid.configurations[recommended]
    var entries = [("methods", configuration.method.description)]
    for (axis, label) in zip(grid.axes, grid.labels(of: recommended))
    where !["methods", "space"].contains(axis.dimension.id) && !axis.dimension.leavesOpen(label)
      && (axis.dimension.id != "inlier-threshold" || axis.dimension.looksAt(configuration))
    {
      entries.append((axis.dimension.id, label))
    }
    // The seed and the protocol may have been overridden on the command line.
    entries += fixed.filter { !["seed", "protocol"].contains($0.name) }.map { ($0.name, $0.value) }
    entries.append(("protocol", plan.rules.name))
    entries.append(("seed", "\(plan.seed)"))
    let mapping = Node.Mapping(entries.map { (Node($0.0), Node($0.1, .implicit)) })
    let lines = headline.visibleLines.split(separator: "\n").map { "# \($0)\n" }.joined()
    return lines + (try Yams.serialize(node: .mapping(mapping), width: -1))
  }
}
