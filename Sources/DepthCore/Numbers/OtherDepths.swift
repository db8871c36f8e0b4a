/// What the frames that hold one number hold beside it, and whether a wall would have kept that distance.
struct OtherDepths {
  /// Of the frames' medians; nil where the number is alone.
  let median: Float?
  /// Whether the camera turned or came nearer: no wall has one distance then. Known by poses only.
  let turns: Bool
  let moves: Bool  // The same, or where there are no poses whether the other depths changed.
  /// Of a frame's pixels with depth that must be the number; fewer others have no median.
  private static let (leastShare, fewest) = (0.002, 30)
  /// Frames; by what share of the median it changes or the camera comes nearer; cosine of 2°.
  private static let (fewestFrames, movement, turn) = (3, 0.02, 0.9994)

  init(_ frames: [[Float]], _ poses: [RigidTransform?], without value: Float) {
    var medians: [Float] = []
    var known: [RigidTransform] = []
    for (index, values) in frames.enumerated() {
      let others = values.filter { $0 != value }
      let count = values.count - others.count
      guard others.count >= Self.fewest, count > 0, Double(count) >= Self.leastShare * Double(values.count)
      else { continue }
      medians.append(others.sorted()[others.count / 2])
      if poses.indices.contains(index), let pose = poses[index] { known.append(pose) }
    }
    medians.sort()
    let middle = medians.isEmpty ? nil : medians[medians.count / 2]
    median = middle
    guard let middle, let first = known.first, known.count >= Self.fewestFrames else {
      turns = false
      moves =
        medians.count >= Self.fewestFrames
        && (middle.map { Double((medians[medians.count - 1] - medians[0]) / $0) >= Self.movement } ?? false)
      return
    }
    let ways = known.map { (($0.translation - first.translation) * first.zAxis).sum() }
    let approach = (ways.max() ?? 0) - (ways.min() ?? 0)
    turns =
      approach >= Self.movement * Double(middle)
      || known.contains { ($0.zAxis * first.zAxis).sum() < Self.turn }
    moves = turns
  }
}
