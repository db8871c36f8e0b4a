import DepthCore
import DepthDataset
import Foundation

/// Whether LiDAR, camera image and K are of one shape: portrait maps beside landscape pictures would be stretched over each
/// other, and so would maps of the whole sensor under a K of a part of it. Relative maps and truth are turned by tests of their own,
/// and networks squeeze pictures to what they expect.
public struct AspectRatioConvention: Convention {
  private static let (id, title) = ("aspect-ratio", "Portrait or landscape")

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    let scene = sample.header
    let wrong = AspectDisagreement.all(in: scene).filter {
      ["image/rgb", "lidar/depth", "camera/intrinsics"].contains($0.object)
        && ["image/rgb", "lidar/depth", "camera/intrinsics"].contains($0.reference)
    }
    let shapes = AspectDisagreement.shapes(of: scene)
    guard shapes.count > 1
    else { return SceneTest(Self.id, Self.title, in: scene)(.notTestable, nil, "the scene has but one map") }
    let finding = SceneTest(
      Self.id, Self.title, in: scene, declares: "one-shape", property: "one field of view")
    guard let first = wrong.first else {
      let ratio = CameraRatio(scene), (alike, others) = (ratio.alike(shapes), ratio.others(shapes))
      if ratio.isOdd(among: shapes) {
        return finding(
          .contradicted, "other-ratio",
          ratio.problem(others, of: shapes)
            + ". What it looks like: points lie too far apart along one side of the image",
          fix: ratio.advice)
      }
      if others.contains(where: { $0.object != "relative/values" }) {
        return finding(
          .undecidable, nil,
          ratio.problem(others, of: shapes) + ": they were squeezed, or show another part of the view")
      }
      guard shapes.count(where: { AspectDisagreement.isTurnable($0.size) }) > 1 else {
        return finding(
          .undecidable, nil,
          "all maps, or all but one, are about square: a turn would not show in their shapes")
      }
      return finding(
        .confirmed, "one-shape", "\(alike.map(\.object).joined(separator: ", ")) are of one shape")
    }
    let turn = Self.turn(of: first, in: sample)
    return finding(
      .contradicted, turn?.rawValue ?? "turned",
      first.problem + ". What it looks like: one is stretched over the other",
      fix: turn.map { "turn \(first.object) \($0 == .rotated90 ? "anticlockwise" : "clockwise") by 90°" }
        ?? first.advice)
  }

  /// How what disagrees lies, by its edges; nil where they do not tell.
  private static func turn(of wrong: AspectDisagreement, in sample: SceneSample) -> Symmetry? {
    guard wrong.object == "image/rgb" else { return nil }
    let edges = EdgeEvidence(
      sample, [.rotated90, .rotated270], of: { $0.image.map(EdgeMap.init(image:)) },
      on: { EdgeMap(depth: $0.lidar) })
    guard let witness = edges.witness("edges of the camera image", for: .rotated90, against: .rotated270)
    else { return nil }
    return witness.agrees ? .rotated90 : witness.margin <= -2 ? .rotated270 : nil
  }
}

/// The ratio of the sides of the camera's image, beside those of maps that should show what it shows.
private struct CameraRatio {
  private static let camera = "camera/intrinsics"
  private let intrinsics: CameraIntrinsics?

  init(_ scene: SceneHeader) { intrinsics = scene.intrinsics }

  /// Ratios differ by less where sides were rounded to multiples of so many pixels; shares that are always, and never, rounding.
  private static let (multiple, least, most) = (14.0, 0.05, 0.15)

  private func differs(_ size: RasterSize) -> Bool {
    guard let k = intrinsics else { return false }
    let (width, height) = (Double(size.width), Double(size.height))
    let rounding = Self.multiple / 2 * (1 / width + 1 / height)
    let limit = Foundation.log1p(min(max(rounding, Self.least), Self.most))
    let squeeze =
      Foundation.log(width / height) - Foundation.log(Double(k.imageSize.width) / Double(k.imageSize.height))
    // Where the map's pixels are square by K, it is the picture that was squeezed, and K says so.
    return abs(squeeze) > limit && abs(squeeze + Foundation.log(k.fx / k.fy)) > limit
  }

  typealias Shape = (object: String, size: RasterSize)
  func alike(_ shapes: [Shape]) -> [Shape] { shapes.filter { $0.object == Self.camera || !differs($0.size) } }
  func others(_ shapes: [Shape]) -> [Shape] { shapes.filter { $0.object != Self.camera && differs($0.size) } }

  /// Whether several maps have another ratio, and none has the camera's: a single one, or beside maps that have it, may have been
  /// squeezed to the shape that a program expects.
  func isOdd(among shapes: [Shape]) -> Bool {
    let maps = shapes.filter { $0.object != Self.camera && AspectDisagreement.isTurnable($0.size) }
    return maps.count > 1 && maps.allSatisfy { differs($0.size) }
  }

  func problem(_ others: [Shape], of shapes: [Shape]) -> String {
    func words(_ shape: Shape) -> String {
      let ratio = Double(shape.size.width) / Double(shape.size.height)
      return "\(shape.object) \(shape.size) (\(ratio.rounded2))"
    }
    let camera = shapes.filter { $0.object == Self.camera }.map(words).joined()
    return
      "\(others.map(words).joined(separator: ", ")): not the ratio of width and height of \(camera), and fx and fy are no "
      + "reason for it"
  }

  var advice: String {
    "give \(Self.camera) and image_size of the picture that the maps show, or cut the maps to that of K"
  }
}
