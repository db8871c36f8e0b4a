import DepthCore

/// Where several maps lie alike and the LiDAR does not, it is the LiDAR that lies wrong: to turn all the others would be
/// to change what is right.
enum LidarOrientation {
  private static let (id, title) = ("lidar-orientation", "LiDAR against the other maps")
  /// Tests that compare another map with the LiDAR, and what people call it.
  private static let others = [
    ("relative-orientation", "the relative map"), ("truth-orientation", "the truth"),
    ("image-orientation", "the camera image"),
  ]
  /// What waits until it is mended.
  private static let waiting: Set = ["relative-orientation", "truth-orientation", "image-orientation"]

  /// How the LiDAR maps lie by the maps that are compared with them; nil where none tells, or they disagree.
  /// - Parameter earlier: Findings made before the truth was looked at.
  static func seen(by earlier: [Finding], in sample: SceneSample, seed: UInt64) -> Symmetry? {
    let findings = earlier + TruthConvention.orientation.findings(in: sample, after: earlier, seed: seed)
    let seen = findings.filter { finding in
      others.contains { $0.0 == finding.test } && [.confirmed, .contradicted].contains(finding.verdict)
    }.map(\.supported)
    guard let first = seen.first, seen.allSatisfy({ $0 == first }) else { return nil }
    return first.flatMap(Symmetry.init(rawValue:))
  }

  /// The findings, with one about the LiDAR in the place of several that blame others for the same turn.
  static func judged(_ findings: [Finding]) -> [Finding] {
    // LiDAR maps that agree with each other by way of the poses lie right.
    guard !findings.contains(where: { $0.test == "frame-agreement" && $0.verdict == .confirmed })
    else { return findings }
    var blamed = others.compactMap { test, words -> (words: String, supported: String)? in
      guard let finding = findings.first(where: { $0.test == test }), finding.verdict == .contradicted,
        let supported = finding.supported
      else { return nil }
      return (words, supported)
    }
    if let motion = findings.first(where: { $0.test == MotionConvention.id }),
      motion.verdict == .contradicted,
      let supported = motion.supported, supported.hasPrefix("lidar-")
    {
      blamed.append(("the poses", String(supported.dropFirst("lidar-".count))))
    }
    // Half turns and mirrors are their own inverse; quarter turns show in the shapes.
    guard blamed.count > 1, let first = blamed.first, blamed.allSatisfy({ $0.supported == first.supported }),
      let symmetry = Symmetry(rawValue: first.supported), !symmetry.swapsAxes,
      let scene = findings.first?.scene
    else { return findings }
    let list = blamed.map(\.words).joined(separator: " and ")
    let own = Finding(
      id, title, in: scene, verdict: .contradicted, declared: Symmetry.upright.rawValue,
      supported: symmetry.rawValue,
      summary:
        "\(list) lie alike, and the LiDAR maps are \(symmetry.name) with respect to them. What it looks like: near "
        + "and far change places",
      fix:
        "store lidar/depth and lidar/confidence with rows from the top and columns from the left of that view",
      property: "rows from the top, columns from the left")
    return findings.flatMap { finding -> [Finding] in
      guard waiting.contains(finding.test), finding.verdict == .contradicted else { return [finding] }
      let open = finding.undecided("not judged before '\(title)' is mended")
      return finding.test == findings.first { waiting.contains($0.test) && $0.verdict == .contradicted }?.test
        ? [own, open] : [open]
    }
  }
}
