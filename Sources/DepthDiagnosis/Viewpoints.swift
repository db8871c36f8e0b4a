import DepthCore

/// Which frames of a sample show the same view. However many frames are taken from one place, they are one piece of
/// evidence: what fools a test in the first fools it in the next.
enum Viewpoints {
  /// Frames are of one view where most of their depths agree to this share…
  private static let sameDepth = 0.05
  /// …or where the camera hardly moved and turned, metres and cosine; 15°.
  private static let (samePlace, sameDirection) = (0.25, 0.966)
  /// Columns of the raster on which depths are compared.
  private static let columns = 16

  /// Number of the view of every frame, from 0 in order of appearance.
  static func groups(of frames: [DepthFrame]) -> [Int] {
    var leaders: [(depths: [Double], pose: RigidTransform?)] = []
    return frames.map { frame in
      let depths = DepthGrid(frame, limit: columns, leastConfidence: 0).disparity
      let pose = frame.worldFromCamera
      let known = leaders.firstIndex { leader in
        isOneView(leader.depths, depths) || isOnePlace(leader.pose, pose)
      }
      guard known == nil else { return known ?? 0 }
      leaders.append((depths, pose))
      return leaders.count - 1
    }
  }

  private static func isOneView(_ a: [Double], _ b: [Double]) -> Bool {
    guard a.count == b.count else { return false }
    let differences = zip(a, b).map { abs($0 / $1 - 1) }.filter(\.isFinite)
    guard 2 * differences.count >= a.count, let median = OrderStatistics.median(of: differences)
    else { return false }
    return median <= sameDepth
  }

  private static func isOnePlace(_ a: RigidTransform?, _ b: RigidTransform?) -> Bool {
    guard let a, let b else { return false }
    let step = a.translation - b.translation
    return (step * step).sum() <= samePlace * samePlace && (a.zAxis * b.zAxis).sum() >= sameDirection
      && (a.xAxis * b.xAxis).sum() >= sameDirection
  }
}

extension SceneSample {
  /// Costs of units; several frames of one view have as much weight as one.
  /// - Parameter rows: One row per unit.
  /// - Parameter frames: Position of each unit's frame in ``frames``; units of a frame are its parts, in a fixed order.
  /// - Returns: One row per view and part, and the view of each.
  func pooled(_ rows: [[Double]], of frames: [Int]) -> (rows: [[Double]], views: [Int]) {
    struct Place: Hashable {
      var view: Int, part: Int
    }
    var sums: [Place: (row: [Double], count: Double)] = [:], order: [Place] = []
    var parts: [Int: Int] = [:]
    for (row, frame) in zip(rows, frames) {
      let place = Place(view: viewpoints[frame], part: parts[frame, default: 0])
      parts[frame, default: 0] += 1
      guard row.allSatisfy(\.isFinite) else { continue }
      if let sum = sums[place] {
        sums[place] = (zip(sum.row, row).map { $0 + $1 }, sum.count + 1)
      } else {
        sums[place] = (row, 1)
        order.append(place)
      }
    }
    return (
      order.map { place in sums[place].map { sum in sum.row.map { $0 / sum.count } } ?? [] },
      order.map(\.view)
    )
  }
}
