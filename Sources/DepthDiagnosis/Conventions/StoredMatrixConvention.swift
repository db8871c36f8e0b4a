import DepthCore

/// Whether matrices are stored row by row, and poses turn without mirroring: facts of the numbers, without statistics.
public struct StoredMatrixConvention: Convention {
  public let correctable = ["intrinsics-layout", "pose-layout"]

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    intrinsics(sample.header) + poses(sample)
  }

  private func intrinsics(_ scene: SceneHeader) -> [Finding] {
    let finding = SceneTest("intrinsics-layout", "Layout of K", in: scene, declares: "row-major")
    guard scene.intrinsics != nil else { return finding(.notTestable, nil, "the scene has no intrinsics") }
    guard scene.storesTransposed.contains(.intrinsics)
    else { return finding(.confirmed, "row-major", "cx and cy stand at K[0,2] and K[1,2]") }
    return finding(
      .contradicted, "transposed", "K is transposed: cx and cy stand at K[2,0] and K[2,1]",
      fix: "store camera/intrinsics row-major: numpy writes K.T",
      correction: .transposition(object: "camera/intrinsics"))
  }

  /// Largest deviation of a rotation's columns from unit length and right angles.
  private static let tolerance = 1e-3

  private func poses(_ sample: SceneSample) -> [Finding] {
    let finding = SceneTest("pose-layout", "Layout of poses", in: sample.header, declares: "row-major")
    let poses = sample.frames.compactMap(\.worldFromCamera)
    guard !poses.isEmpty else { return finding(.notTestable, nil, "the scene has no poses") }
    if sample.header.storesTransposed.contains(.poses) {
      return finding(
        .contradicted, "transposed", "the poses are transposed: translations stand in the last row",
        fix: "store camera/world_from_camera row-major: numpy writes matrix.T",
        correction: .transposition(object: "camera/world_from_camera"))
    }
    let mirrored = poses.filter { $0.determinant < 0 }.count
    if mirrored > 0 {
      return finding(
        .contradicted, "left-handed",
        "\(mirrored) of \(poses.count) poses mirror (determinant below 0): left-handed axes are no "
          + "reading of a pose, and no point computed with them lies where it was seen",
        fix: "change the sign of one axis of the camera or of the world when writing world_from_camera")
    }
    let bent = poses.filter { $0.deviationFromRotation > Self.tolerance }.count
    guard bent == 0 else {
      return finding(
        .contradicted, "not-rigid",
        "\(bent) of \(poses.count) poses are not a rotation and a translation: their axes are not "
          + "perpendicular unit vectors",
        fix: "store rotations without scale")
    }
    return finding(
      .confirmed, "row-major", "\(poses.count) right-handed rigid matrices, row by row")
  }
}

extension RigidTransform {
  /// Of the 3×3 part: 1 for a rotation, −1 where it mirrors.
  var determinant: Double {
    let cross = SIMD3(
      yAxis.y * zAxis.z - yAxis.z * zAxis.y, yAxis.z * zAxis.x - yAxis.x * zAxis.z,
      yAxis.x * zAxis.y - yAxis.y * zAxis.x)
    return (xAxis * cross).sum()
  }

  /// Largest entry of |RᵀR − 1|.
  var deviationFromRotation: Double {
    let axes = [xAxis, yAxis, zAxis]
    return (0..<3).flatMap { i in (i..<3).map { j in abs((axes[i] * axes[j]).sum() - (i == j ? 1 : 0)) } }
      .max() ?? 0
  }
}
