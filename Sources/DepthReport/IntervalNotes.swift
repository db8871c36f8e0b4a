import FathomPlainText
import FathomStatistics

/// What brackets in every report are, and how far they can be trusted.
package enum IntervalNotes {
  /// - Parameter scenes: Units behind the intervals.
  /// - Parameter units: What they are called, with their number.
  package static func sentences(_ scenes: Int, units: String) -> [String] {
    guard scenes >= ConfidenceInterval.fewestScenes else {
      return [
        "No intervals: \(units) are too few. Intervals begin at \(ConfidenceInterval.fewestScenes), because those of fewer are little more than "
          + "the smallest and the largest value."
      ]
    }
    return ["Brackets are 95 % intervals over \(units): \(method).", coverage(scenes)]
  }

  /// How every interval is made.
  package static var method: String {
    func text(_ share: Double, _ decimals: Int = 1) -> String { Quantity(share, .percent(decimals)).text }
    let (tail, long) = (ConfidenceInterval.tail, ConfidenceInterval.longTail)
    return
      "Student's t with unequal tails. Beyond the ends of an error lie \(text(tail)) each if scenes hardly differ, and \(text(2 * tail - long)) below and \(text(long)) above "
      + "if their standard deviation is \(text(ConfidenceInterval.fullSpread, 0)) of the mean or more, because scenes that were not seen may be much harder; "
      + "beyond those of a difference or bias \(text(tail)), but \(text(long)) on the side to which scenes are clearly skewed"
  }

  /// Of a caption: ", with 95 % intervals over scenes" where there are any.
  package static func suffix(_ scenes: Int) -> String {
    scenes >= ConfidenceInterval.fewestScenes ? ", with 95 % intervals over scenes" : ""
  }

  /// Of a chart's words, what its values are with it: "means over 6 scenes with 95 % intervals over scenes".
  package static func chart(_ means: String, scenes: Int) -> String {
    if scenes >= ConfidenceInterval.fewestScenes { return "\(means) with 95 % intervals over scenes" }
    return scenes == 1 ? "one scene, so no intervals" : "\(means), too few for intervals"
  }

  /// How often such intervals hold the true mean.
  private static func coverage(_ scenes: Int) -> String {
    let found = IntervalCoverage.simulated(scenes: scenes)
    func text(_ share: Double) -> String { Quantity(share, .percent(0)).text }
    return
      "In simulations with \(found.scenes) scenes such intervals hold the true mean in \(text(found.normal)) of cases where scenes are normal, "
      + "\(text(found.heavyTailed)) where they have heavy tails, \(text(found.skewed)) where they are skewed, and \(text(found.mixed)) where one scene in five is much harder than the others (of errors or of differences, whichever is less)."
  }
}
