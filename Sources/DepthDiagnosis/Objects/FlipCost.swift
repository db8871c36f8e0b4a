import DepthCore

/// From measurements to costs, once all objects of a scene are known.
enum FlipCost {
  /// Frames that meet no better than this (``OtherFrames``) under either reading do not meet: a mean difference of 3 %
  /// of the depth. With right poses simulated rooms reach 1 %, with wrong ones not 3 %.
  static let largestDisagreement = 0.15

  /// Whether objects meet other frames under one of the readings of the image's rows; nil where none was carried.
  static func framesMeet(_ objects: [FlippedObject]) -> Bool? {
    let best = objects.compactMap { $0.measurements.compactMap(\.otherFramesDisagreement).min() }
    return OrderStatistics.median(of: best).map { $0 <= largestDisagreement }
  }

  /// Sets the costs: the sum of the aspects that every combination of an object has, so that none is judged by fewer
  /// than another. A mean would let aspects that are blind to one flip drown the one that sees it.
  static func set(in objects: inout [FlippedObject]) {
    // Frames that meet in neither way say that something else is wrong, and nothing about rows.
    let usesFrames = framesMeet(objects) ?? false
    for object in objects.indices {
      let measurements = objects[object].measurements
      let hasPoints = measurements.contains { $0.pointsInTrueBox != nil }
      let aspects: [(FlipMeasurement) -> Double?] = [
        { $0.maskInBox.map { 1 - $0 } }, { $0.outlineOnEdges.map { 1 - $0 } },
        { $0.boxNearness.map { 1 - $0 } }, { $0.boxInTrueImage.map { 1 - $0 } },
        // Where there is no depth, no point is in the box.
        { hasPoints ? 1 - ($0.pointsInTrueBox ?? 0) : nil },
        { usesFrames ? $0.otherFramesDisagreement : nil },
      ]
      let usable = aspects.filter { aspect in measurements.allSatisfy { aspect($0) != nil } }
      guard !usable.isEmpty else { continue }
      for index in measurements.indices {
        objects[object].measurements[index].cost = usable.reduce(0) { $0 + ($1(measurements[index]) ?? 0) }
      }
    }
  }
}
