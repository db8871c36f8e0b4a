/// One or two methods' values per scene.
package struct SceneValues: Sendable, Hashable {
  package var scenes: [String]  // Names of the scenes that have a value.
  package var frames: Int  // Frames behind them.
  package var sides: [[WeightedSum]]  // Per method: a sum per scene.
  package var isRoot: Bool  // Whether the value is the root of the mean.
  /// Values that the statistic can have; ends of intervals stay within.
  package var possible: ClosedRange<Double>

  package init(
    scenes: [String], frames: Int, sides: [[WeightedSum]], isRoot: Bool,
    possible: ClosedRange<Double> = -.infinity ... .infinity
  ) {
    (self.scenes, self.frames, self.sides, self.isRoot) = (scenes, frames, sides, isRoot)
    self.possible = possible
  }

  /// The mean over all scenes of one side.
  package func value(_ side: Int) -> Double? {
    var total = WeightedSum()
    for part in sides[side] { total += part }
    return total.value(root: isRoot)
  }

  /// Every scene's own value of one side.
  package func perScene(_ side: Int) -> [Double] { sides[side].map { $0.value(root: isRoot) ?? .nan } }

  /// First minus second, scene by scene; the first alone where there is no second.
  package var differences: [Double] {
    sides.count == 2 ? zip(perScene(0), perScene(1)).map { $0 - $1 } : perScene(0)
  }

  /// What every scene adds to the difference of the two values, times the number of scenes: their mean is that difference. ``differences``
  /// where scenes count alike, and of roots, which do not add up.
  package var contributions: [Double] {
    guard sides.count == 2, !isRoot, !isPlainMean else { return differences }
    let totals = sides.map { $0.reduce(0) { $0 + $1.weight } }
    return scenes.indices.map { scene in
      Double(scenes.count) * (sides[0][scene].sum / totals[0] - sides[1][scene].sum / totals[1])
    }
  }

  /// Of the mean of ``differences`` over scenes: s/√n, and the jackknife's where scenes weigh differently, which is the
  /// same for equal weights. nil for fewer than two scenes.
  package var standardError: Double? {
    let count = Double(scenes.count)
    guard count >= 2 else { return nil }
    let points = isPlainMean ? differences : jackknife
    guard points.contains(where: { $0 != points[0] }) else { return points[0].isFinite ? 0 : nil }
    let centre = points.reduce(0, +) / count
    let squares = points.reduce(0) { $0 + ($1 - centre) * ($1 - centre) }
    return (isPlainMean ? squares / (count - 1) / count : squares * (count - 1) / count).squareRoot()
  }

  /// The statistic without each scene in turn.
  var jackknife: [Double] {
    let totals = sides.map { LeaveOneOut($0) }
    return scenes.indices.map { scene in
      let values = totals.map { $0.without(scene).value(root: isRoot) ?? .nan }
      return values.count == 2 ? values[0] - values[1] : values[0]
    }
  }

  /// The statistic of each distinct resample.
  func replicates(_ drawn: SceneResamples) -> [Double] {
    // A weight of 1 needs no sums: as many scenes as there are, whichever they are.
    let isConstant = sides.map { $0.allSatisfy { $0.weight == 1 } }
    var sums = drawn.sums(
      of: zip(sides, isConstant).flatMap { side, isConstant in
        [side.map(\.sum)] + (isConstant ? [] : [side.map(\.weight)])
      })[...]
    let values = isConstant.map { isConstant -> [Double] in
      let above = sums.removeFirst()
      let weights = isConstant ? above.map { _ in Double(scenes.count) } : sums.removeFirst()
      return zip(above, weights).map { isRoot ? max(0, $0 / $1).squareRoot() : $0 / $1 }
    }
    return values.count == 2 ? zip(values[0], values[1]).map { $0 - $1 } : values[0]
  }

  /// Relative difference of two scene values that Float32 maps alone can make.
  package static let rounding = 1e-6

  /// Two sides of a scene, made equal where nothing but rounding tells them apart: noise is neither tested nor ranked.
  package static func withoutRounding(_ sides: [WeightedSum], isRoot: Bool) -> [WeightedSum] {
    guard let a = sides[0].value(root: isRoot), let b = sides[1].value(root: isRoot), a != b,
      abs(a - b) <= rounding * max(abs(a), abs(b))
    else { return sides }
    return [sides[0], WeightedSum(sum: (isRoot ? a * a : a) * sides[1].weight, weight: sides[1].weight)]
  }

  /// Whether every scene weighs the same, so that the statistic is the mean of ``differences``.
  package var isPlainMean: Bool { !isRoot && sides.allSatisfy { $0.allSatisfy { $0.weight == 1 } } }
}
