import DepthCore
import DepthFusion

/// Whether confidence is 0, 1, 2, or the same three levels on another scale.
public struct ConfidenceScaleConvention: Convention {
  public let correctable = ["confidence-scale"]

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    let finding = SceneTest(
      "confidence-scale", "Scale of the confidence", in: sample.header, declares: "0-1-2")
    var isPresent = [Bool](repeating: false, count: 256)
    for frame in sample.frames {
      for value in frame.confidence?.values ?? [] { isPresent[Int(value)] = true }
    }
    let values = (0..<256).filter { isPresent[$0] }.map { UInt8($0) }
    guard let largest = values.last else { return finding(.notTestable, nil, "the scene has no confidence") }
    let list = values.map(String.init).joined(separator: ", ")
    guard largest > 1 else {
      return finding(
        .undecidable, nil,
        "values are \(list): levels whose highest value never occurs, or a mask whose 1 means that a return is "
          + "good, which 2 stands for here")
    }
    guard largest > 2 else { return finding(.confirmed, "0-1-2", "values are \(list)") }
    let correction = Self.levels(values), range = values.count <= 6 ? list : "up to \(largest)"
    return finding(
      .contradicted, correction == nil ? nil : values.count <= 3 ? "other-levels" : "continuous",
      "declared 0, 1, 2, but the values are \(range). What it looks like: every return counts as "
        + "high, also the doubtful ones",
      fix: correction == nil
        ? "store 0 low, 1 medium, 2 high; two values leave open which levels they mean"
        : "store 0 low, 1 medium, 2 high in lidar/confidence",
      correction: correction)
  }

  /// Three values are the three levels; more are cut into thirds of 0…largest; two leave it open, unless they begin at
  /// nothing and end at a full scale.
  private static func levels(_ values: [UInt8]) -> Correction? {
    switch values.count {
    case 1: nil
    case 2:
      values[0] == 0 && [100, 255].contains(values[1]) ? .confidence(stored: values, levels: [0, 2]) : nil
    case 3: .confidence(stored: values, levels: [0, 1, 2])
    default:
      .confidence(
        stored: [0, UInt8((Int(values.last ?? 0) + 3) / 3), UInt8((2 * Int(values.last ?? 0) + 3) / 3)],
        levels: [0, 1, 2])
    }
  }
}
