/// How the loss moves with one threshold while the others stay.
public struct Sensitivity: Sendable {
  /// One value of the axis.
  public struct Point: Sendable {
    /// As it is written.
    public let label: String
    /// Loss, as the objective counts it.
    public let loss: Double?
    /// Loss minus that of the app's values, over scenes.
    public let difference: PairedGain?
  }

  /// What is varied.
  public let axis: SearchGrid.Axis
  /// Position in the grid of what stays.
  public let around: Int
  /// In the order of the axis.
  public let points: [Point]

  init(_ axis: Int, around: Int, _ grid: SearchGrid, _ slices: GridSlices, _ table: LossTable) {
    self.axis = grid.axes[axis]
    self.around = around
    let reference = table.losses(of: SearchGrid.reference)
    points = grid.axes[axis].values.enumerated().map { position, label in
      var wanted = grid.positions[around]
      wanted[axis] = position
      guard let configuration = slices.configuration(at: wanted) else {
        return Point(label: label, loss: nil, difference: nil)
      }
      let losses = table.losses(of: configuration)
      let loss = table.statistic(losses)
      return Point(
        label: label, loss: loss.isFinite ? loss : nil,
        difference: losses.allSatisfy(\.isFinite) ? PairedGain(losses, minus: reference, in: table) : nil)
    }
  }
}

/// The loss over two thresholds while the others stay.
public struct LossSurface: Sendable {
  public let rows: SearchGrid.Axis, columns: SearchGrid.Axis
  /// Loss minus that of the app's values; nil where a combination makes no sense.
  public let differences: [[Double?]]
  /// Cell of the app's values and of what the surface is around; nil where the app's lie elsewhere.
  public let reference: (row: Int, column: Int)?, around: (row: Int, column: Int)

  init(rows: Int, columns: Int, around: Int, _ grid: SearchGrid, _ slices: GridSlices, _ table: LossTable) {
    (self.rows, self.columns) = (grid.axes[rows], grid.axes[columns])
    let base = table.loss(of: SearchGrid.reference)
    let start = grid.positions[around]
    differences = grid.axes[rows].values.indices.map { row in
      grid.axes[columns].values.indices.map { column in
        var wanted = start
        (wanted[rows], wanted[columns]) = (row, column)
        let difference = slices.configuration(at: wanted).map { table.loss(of: $0) - base }
        return difference?.isFinite == true ? difference : nil
      }
    }
    let origin = grid.positions[SearchGrid.reference]
    let isElsewhere = start.indices.contains { $0 != rows && $0 != columns && start[$0] != origin[$0] }
    reference = isElsewhere ? nil : (origin[rows], origin[columns])
    self.around = (start[rows], start[columns])
  }
}

/// Finds configurations by the positions of their values.
struct GridSlices {
  private let known: [[Int]: Int]

  init(_ grid: SearchGrid) {
    known = Dictionary(grid.positions.enumerated().map { ($1, $0) }) { first, _ in first }
  }

  func configuration(at positions: [Int]) -> Int? { known[positions] }
}
