import FathomPlainText
public import DepthCalibration

extension CalibrationSection {
  /// What a reference from neighbouring frames is, and what it cannot show.
  public static func multiview(
    _ options: MultiviewReference.Options, _ found: CalibrationVerdict
  ) -> CalibrationSection {
    var section = CalibrationSection("Reference from neighbouring frames")
    let known = Quantity(found.multiviewShare, .percent()).text
    section.findings = [
      "The truth is made from neighbouring frames and known for \(known) of the LiDAR's pixels: it shows noise, "
        + "but not errors that all frames share, and mainly the easier pixels."
    ]
    section.sentences = [
      "Each frame is compared with the returns of confidence \(options.leastConfidence) of up to \(options.mostViews) frames among the "
        + "\(options.reach) before and after it, moved by the poses; the frame itself is not used. A pixel's reference is "
        + "the median of at least \(options.fewestViews) views whose median absolute deviation is below "
        + "\(Quantity(options.largestSpread, .percent(0)).text) of it. Known for \(known) of the pixels."
    ]
    section.notes = [
      "Shared systematic error: a wrong scale or offset of the sensor, or multipath that stays with a surface, is in every frame "
        + "and cannot be seen. So no correction is estimated from it.",
      "Selection: pixels on which the frames agree are the easier ones, so that errors come out too small rather than too "
        + "large, at low confidence most.",
      "Smoothness and time: a median over views is smoother than the scene, and views from nearly the same place share part of "
        + "their noise, which then seems to be none.", "Poses: their errors count as errors of the LiDAR.",
    ]
    return section
  }
}
