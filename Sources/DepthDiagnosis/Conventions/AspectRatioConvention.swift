import DepthCore
import DepthDataset

/// Whether LiDAR, camera image and K are of one shape: portrait maps beside landscape pictures would be stretched over each
/// other. Relative maps and truth are turned by tests of their own.
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
      guard shapes.count(where: { AspectDisagreement.isTurnable($0.size) }) > 1 else {
        return finding(
          .undecidable, nil,
          "all maps, or all but one, are about square: a turn would not show in their shapes")
      }
      return finding(
        .confirmed, "one-shape", "\(shapes.map(\.object).joined(separator: ", ")) are of one shape")
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
