/// "Keep 0.1–4 m, or change it?": the verdict over configurations that differ from the app's in some axes only.
public struct ThresholdQuestion: Sendable {
  /// Ids of the axes that may change.
  public let axes: [String]
  /// For people: "depth range".
  public let title: String
  public let verdict: TuningVerdict

  /// The axes of a grid, nearest and farthest depth together.
  static func groups(_ grid: SearchGrid) -> [(title: String, axes: [Int])] {
    let range = ["min-depth", "max-depth"].compactMap(grid.axis)
    var groups: [(title: String, axes: [Int])] = []
    for (index, axis) in grid.axes.enumerated() where axis.values.count > 1 {
      if range.count == 2, let first = range.first, range.contains(index) {
        if index == first { groups.append(("depth range", range)) }
      } else {
        groups.append((axis.dimension.title, [index]))
      }
    }
    return groups
  }

  /// Positions in the grid that differ from the reference in these axes only.
  static func candidates(_ grid: SearchGrid, _ axes: [Int]) -> [Int] {
    let reference = grid.positions[SearchGrid.reference]
    return grid.positions.indices.filter { index in
      reference.indices.allSatisfy { axes.contains($0) || grid.positions[index][$0] == reference[$0] }
    }
  }
}
