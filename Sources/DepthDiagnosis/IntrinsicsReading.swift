public import DepthCore

/// What a stored K may be instead of what it should be.
public enum IntrinsicsReading: String, Sendable, Hashable, Codable, CaseIterable {
  case declared
  /// Of an image of half the size.
  case half
  /// Of an image of twice the size.
  case double
  /// fx and fy, cx and cy are swapped.
  case swapped
  /// cy counts from the bottom.
  case cyFromBelow = "cy-from-below"

  /// The right K of a stored one.
  public func corrected(_ k: CameraIntrinsics) -> CameraIntrinsics {
    var result = k
    switch self {
    case .declared: break
    case .half: (result.fx, result.fy, result.cx, result.cy) = (2 * k.fx, 2 * k.fy, 2 * k.cx, 2 * k.cy)
    case .double: (result.fx, result.fy, result.cx, result.cy) = (k.fx / 2, k.fy / 2, k.cx / 2, k.cy / 2)
    case .swapped: (result.fx, result.fy, result.cx, result.cy) = (k.fy, k.fx, k.cy, k.cx)
    case .cyFromBelow: result.cy = Double(k.imageSize.height) - k.cy
    }
    return result
  }

  /// Two cameras are one where no number differs by more than this share of the image's longer side.
  private static let sameShare = 0.005

  /// The readings that differ for a camera: where cy lies at half the height, it is the same from below.
  static func distinct(for declared: CameraIntrinsics) -> [IntrinsicsReading] {
    let image = declared.imageSize, tolerance = sameShare * Double(max(image.width, image.height))
    return allCases.filter { reading in
      let k = reading.corrected(declared)
      return reading == .declared
        || [k.fx - declared.fx, k.fy - declared.fy, k.cx - declared.cx, k.cy - declared.cy]
          .contains { abs($0) > tolerance }
    }
  }

  /// - Parameter depth: Typical depth of the scene, metres, for the size of an offset.
  func hypothesis(for k: CameraIntrinsics, depth: Double) -> Hypothesis {
    let correction = self == .declared ? nil : Correction.intrinsics(self)
    switch self {
    case .declared:
      let others = Self.distinct(for: k).filter { $0 != .declared }.map(\.rawValue)
      return Hypothesis(
        rawValue, "K belongs to image_size, and is not \(others.joined(separator: ", "))", fix: "nothing")
    case .half:
      return Hypothesis(
        rawValue, "K belongs to an image of half the size",
        symptom: "rooms are twice as wide and high as they are deep",
        fix: "set image_size of camera to half, or double K", correction: correction)
    case .double:
      return Hypothesis(
        rawValue, "K belongs to an image of twice the size",
        symptom: "rooms are half as wide and high as they are deep",
        fix: "set image_size of camera to twice, or halve K", correction: correction)
    case .swapped:
      return Hypothesis(
        rawValue, "fx and fy, cx and cy are swapped",
        symptom: "points are shifted and squeezed: K of the portrait image",
        fix: "store K of the landscape image: swap fx with fy and cx with cy", correction: correction)
    case .cyFromBelow:
      let offset = abs(Double(k.imageSize.height) - 2 * k.cy) / k.fy * depth
      return Hypothesis(
        rawValue, "cy counts from the bottom",
        symptom: "points are shifted up or down by (H − 2cy)/fy of their depth, "
          + "\((100 * offset).rounded1) cm at \(depth.rounded1) m",
        fix: "store cy from the top: H − cy", correction: correction)
    }
  }
}

extension Double {
  /// With one decimal, for words.
  var rounded1: String { String((self * 10).rounded() / 10) }
}
