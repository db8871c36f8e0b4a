import DepthEvaluation
import FathomPlainText
import FathomStatistics

/// What brackets in every report are, and how far they can be trusted.
enum IntervalNotes {
  /// - Parameter scenes: Units behind the intervals.
  /// - Parameter units: What they are called, with their number.
  static func sentences(_ scenes: Int, units: String) -> [String] {
    guard scenes >= ConfidenceInterval.fewestScenes else {
      return [
        "No intervals: \(units) are too few. Intervals begin at \(ConfidenceInterval.fewestScenes), because those of fewer are little more than "
          + "the smallest and the largest value."
      ]
    }
    return ["Brackets are 95 % intervals over \(units): \(method).", coverage(scenes)]
  }

  /// How every interval is made.
  static var method: String {
    func text(_ share: Double, _ decimals: Int = 1) -> String { Quantity(share, .percent(decimals)).text }
    let (tail, long) = (ConfidenceInterval.tail, ConfidenceInterval.longTail)
    return
      "Student's t, with \(text(tail)) beyond each end; of errors whose standard deviation over scenes is \(text(ConfidenceInterval.fullSpread, 0)) of their mean or more, "
      + "\(text(2 * tail - long)) below and \(text(long)) above, because scenes that were not seen may be much harder; of differences and biases, "
      + "\(text(long)) on the side to which scenes are skewed"
  }

  /// Of a caption: ", with 95 % intervals over scenes" where there are any.
  static func suffix(_ scenes: Int) -> String {
    scenes >= ConfidenceInterval.fewestScenes ? ", with 95 % intervals over scenes" : ""
  }

  /// Of a chart's words, what its values are with it: "means over 6 scenes with 95 % intervals over scenes".
  static func chart(_ means: String, scenes: Int) -> String {
    if scenes >= ConfidenceInterval.fewestScenes { return "\(means) with 95 % intervals over scenes" }
    return scenes == 1 ? "one scene, so no intervals" : "\(means), too few for intervals"
  }

  /// How often such intervals hold the true mean.
  private static func coverage(_ scenes: Int) -> String {
    let found = IntervalCoverage.simulated(scenes: scenes)
    func text(_ share: Double) -> String { Quantity(share, .percent(0)).text }
    return
      "In simulations with \(found.scenes) scenes such intervals, of errors and of differences, hold the true mean in at least \(text(found.normal)) of cases where scenes are normal, "
      + "\(text(found.heavyTailed)) where they have heavy tails, \(text(found.skewed)) where they are skewed, and \(text(found.mixed)) where one scene in five is much harder than the others."
  }
}
