public import DepthCore
import Foundation

/// Whether K belongs to the image size that is declared beside it, by what cameras see, and what other size it may be of.
public struct IntrinsicsSize: Sendable {
  /// Degrees.
  private static let fieldOfView = 20.0...120.0
  private static let possible = 5.0...150.0
  /// Of the wider side: the narrowest sensors of depth see 14°.
  private static let narrowest = 10.0
  private static let middleThird = 1.0 / 3...2.0 / 3
  /// From the image's middle, in shares of its sides: an explanation must be better than plausible, and than the next.
  private static let (nearMiddle, leastLead) = (0.08, 0.03)
  /// Of cameras, where no array shows the size.
  private static let commonSizes = [
    RasterSize(width: 1920, height: 1440), RasterSize(width: 1440, height: 1080),
    RasterSize(width: 1280, height: 960), RasterSize(width: 960, height: 720),
    RasterSize(width: 640, height: 480), RasterSize(width: 1920, height: 1080),
    RasterSize(width: 1280, height: 720), RasterSize(width: 4032, height: 3024),
  ]
  /// Arrays that have another shape than the image are cut, not resized.
  private static let sameShape = 0.03
  /// Stable name: "of-lidar-256x192", "half".
  public let id: String
  /// "that of an image of 256×192, the size of the lidar maps".
  public let words: String
  /// K of the declared image size is the stored one times this.
  public let factor: SIMD2<Double>
  /// How far the axis then is from the image's middle, in shares of its sides.
  let offset: Double

  /// The only size that makes the camera an ordinary one; nil where there is none, or several.
  public static func explanation(of k: CameraIntrinsics, _ scene: SceneHeader) -> IntrinsicsSize? {
    let found = candidates(k, scene)
    guard let best = found.first else { return nil }
    let rivals = found.dropFirst().filter { other in
      abs(Foundation.log(other.factor.x / best.factor.x)) > sameShape
        && other.offset < best.offset + leastLead
    }
    return rivals.isEmpty ? best : nil
  }

  /// "it sees 159° × 152°, its axis passes at 7 % and 7 % of width and height".
  public static func words(_ k: CameraIntrinsics) -> String {
    let (x, y) = (fieldOfView(k.imageSize.width, k.fx), fieldOfView(k.imageSize.height, k.fy))
    let (u, v) = (100 * k.cx / Double(k.imageSize.width), 100 * k.cy / Double(k.imageSize.height))
    return "it sees \(Int(saturating: x.rounded()))° × \(Int(saturating: y.rounded()))°, its axis passes at "
      + "\(Int(saturating: u.rounded())) % of the width and \(Int(saturating: v.rounded())) % of the height"
  }

  private static func fieldOfView(_ side: Int, _ focal: Double) -> Double {
    2 * Foundation.atan2(Double(side) / 2, focal) * 180 / .pi
  }

  /// Whether a camera may see so much, and its axis pass there.
  public static func isPlausible(_ k: CameraIntrinsics) -> Bool {
    let size = k.imageSize
    return fieldOfView.contains(
      fieldOfView(max(size.width, size.height), size.width >= size.height ? k.fx : k.fy))
      && middleThird.contains(k.cx / Double(size.width)) && middleThird.contains(k.cy / Double(size.height))
  }

  /// Whether no pinhole sees so much, or so little.
  public static func isImpossible(_ k: CameraIntrinsics) -> Bool {
    let sides = [fieldOfView(k.imageSize.width, k.fx), fieldOfView(k.imageSize.height, k.fy)]
    return sides.contains { !possible.contains($0) } || sides.allSatisfy { $0 < narrowest }
  }

  /// How far the axis is from the middle to both sides alike, as it is where K is of another size: 2 cx/width, if that is
  /// about 2 cy/height and not about 1; else nil.
  public static func apparentScale(_ k: CameraIntrinsics) -> Double? {
    let (x, y) = (2 * k.cx / Double(k.imageSize.width), 2 * k.cy / Double(k.imageSize.height))
    let scale = (x + y) / 2
    return abs(x - y) <= leastLead && abs(scale - 1) > nearMiddle ? scale : nil
  }

  /// Sizes that would make it an ordinary camera, the one with the axis nearest to the middle first.
  public static func candidates(_ k: CameraIntrinsics, _ scene: SceneHeader) -> [IntrinsicsSize] {
    let image = k.imageSize
    let arrays: [(String, RasterSize?)] = [
      ("lidar", scene.lidarSize), ("image", scene.colourSize), ("relative", scene.relativeSize),
      ("truth", scene.truthSize),
      ("half", RasterSize(width: image.width / 2, height: image.height / 2)),
      ("double", RasterSize(width: 2 * image.width, height: 2 * image.height)),
    ]
    let common = commonSizes.flatMap { [$0, RasterSize(width: $0.height, height: $0.width)] }
      .map { ("size", Optional($0)) }
    return (arrays + common).compactMap { name, size in
      guard let size, size != image, size.width > 0, size.height > 0 else { return nil }
      let factor = SIMD2(
        Double(image.width) / Double(size.width), Double(image.height) / Double(size.height))
      guard abs(Foundation.log(factor.x / factor.y)) < sameShape else { return nil }
      let right = CameraIntrinsics(
        fx: k.fx * factor.x, fy: k.fy * factor.y, cx: k.cx * factor.x, cy: k.cy * factor.y, imageSize: image)
      let offset = max(
        abs(right.cx / Double(image.width) - 0.5), abs(right.cy / Double(image.height) - 0.5))
      guard isPlausible(right), offset <= nearMiddle else { return nil }
      let id = ["half", "double"].contains(name) ? name : "of-\(name)-\(size.width)x\(size.height)"
      let words =
        name == "size"
        ? "that of an image of \(size)"
        : name == "half"
          ? "that of an image of half the size"
          : name == "double"
            ? "that of an image of twice the size"
            : "that of an image of \(size), the size of the \(name) maps"
      return IntrinsicsSize(id: id, words: words, factor: factor, offset: offset)
    }
    .sorted { $0.offset < $1.offset }
  }
}
