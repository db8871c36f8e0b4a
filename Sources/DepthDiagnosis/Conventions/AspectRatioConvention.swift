import DepthCore
import DepthDataset

/// Whether LiDAR, camera image and K are of one shape: portrait maps beside landscape pictures would be stretched over each
/// other. Relative maps and truth are turned by tests of their own.
public struct AspectRatioConvention: Convention {
  public init() {}

  private static let (id, title) = ("aspect-ratio", "Portrait or landscape")
  private static let property = "one field of view"

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    let scene = sample.header
    let wrong = AspectDisagreement.all(in: scene).filter {
      ["image/rgb", "lidar/depth", "camera/intrinsics"].contains($0.object)
        && ["image/rgb", "lidar/depth", "camera/intrinsics"].contains($0.reference)
    }
    let shapes = AspectDisagreement.shapes(of: scene)
    guard shapes.count > 1 else {
      return [
        Finding(
          Self.id, Self.title, in: scene, verdict: .notTestable, declared: nil, supported: nil,
          summary: "the scene has but one map")
      ]
    }
    guard let first = wrong.first else {
      guard shapes.count(where: { AspectDisagreement.isTurnable($0.size) }) > 1 else {
        return [
          Finding(
            Self.id, Self.title, in: scene, verdict: .undecidable, declared: "one-shape", supported: nil,
            summary: "all maps, or all but one, are about square: a turn would not show in their shapes",
            property: Self.property)
        ]
      }
      return [
        Finding(
          Self.id, Self.title, in: scene, verdict: .confirmed, declared: "one-shape", supported: "one-shape",
          summary: "\(shapes.map(\.object).joined(separator: ", ")) are of one shape", property: Self.property
        )
      ]
    }
    let turn = Self.turn(of: first, in: sample)
    return [
      Finding(
        Self.id, Self.title, in: scene, verdict: .contradicted, declared: "one-shape",
        supported: turn?.rawValue ?? "turned",
        summary: first.problem + ". What it looks like: one is stretched over the other",
        fix: turn.map { "turn \(first.object) \($0 == .rotated90 ? "anticlockwise" : "clockwise") by 90°" }
          ?? first.advice,
        property: Self.property)
    ]
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
