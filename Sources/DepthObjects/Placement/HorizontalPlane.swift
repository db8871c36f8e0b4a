internal import DepthCore
internal import Foundation

/// A level surface of limited extent that faces up: floor, table, seat.
public struct HorizontalPlane: Sendable, Hashable, CustomStringConvertible {
  /// A square of the floor plan.
  struct Cell: Sendable, Hashable {
    var x: Int, z: Int
    /// Whatever the data say, places can be added to each other.
    private static let farthest = 1e15
    init(_ x: Int, _ z: Int) { (self.x, self.z) = (x, z) }

    init(_ point: SIMD3<Double>, size: Double) {
      func place(_ coordinate: Double) -> Int {
        Int(saturating: min(max((coordinate / size).rounded(.down), -Self.farthest), Self.farthest))
      }
      (x, z) = (place(point.x), place(point.z))
    }

    /// Squares at most `reach` away along both axes, itself included, in a fixed order.
    func neighbours(reach: Int) -> [Cell] {
      (-reach...reach).flatMap { dx in (-reach...reach).map { dz in Cell(x + dx, z + dz) } }
    }
  }

  /// World y, metres.
  public let height: Double
  /// Angle between up and the normal of the unconstrained least-squares plane, radians: how level it was measured.
  public let tilt: Double
  public let pointCount: Int
  /// Side of a square, metres.
  let cellSize: Double
  let cells: Set<Cell>
  /// Square metres of the floor plan, in whole squares.
  public var area: Double { Double(cells.count) * cellSize * cellSize }

  /// "0.44 m² at 0.72 m".
  public var description: String {
    "\(DistanceLabel.text(area, decimals: 2)) m² at \(DistanceLabel.text(height, decimals: 2)) m"
  }

  /// Whether points of the plane were seen in the square of (x, z) or in one beside it.
  public func covers(x: Double, z: Double) -> Bool {
    guard x.isFinite, z.isFinite, max(abs(x), abs(z)) < 1e6 else { return false }
    return Cell([x, 0, z], size: cellSize).neighbours(reach: 1).contains { cells.contains($0) }
  }

  /// The level plane through points: least squares, so the mean of their heights.
  /// - Parameter cells: Those that the points lie in.
  /// - Precondition: At least one point.
  init(through points: [SIMD3<Double>], cells: Set<Cell>, cellSize: Double) {
    precondition(!points.isEmpty, "a plane has points")
    let mean = points.reduce(.zero, +) / Double(points.count)
    (height, pointCount) = (mean.y, points.count)
    (self.cells, self.cellSize) = (cells, cellSize)
    // Normal equations of y = h + a·x + b·z on centred columns.
    var (xx, zz, xz, xy, zy) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for point in points {
      let p = point - mean
      xx += p.x * p.x
      zz += p.z * p.z
      xz += p.x * p.z
      xy += p.x * p.y
      zy += p.z * p.y
    }
    let determinant = xx * zz - xz * xz
    // Points on a line leave the tilt across it open.
    let isSolved = determinant > 1e-9 * xx * zz
    let (a, b) = isSolved ? ((xy * zz - zy * xz) / determinant, (zy * xx - xy * xz) / determinant) : (0, 0)
    tilt = atan((a * a + b * b).squareRoot())
  }
}
