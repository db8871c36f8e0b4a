public import DepthCore

/// How far a box is from the true one.
///
/// A box has four equal descriptions: its yaw plus k·90°, length and width swapped for odd k. Sizes and yaw are
/// compared in that of the predicted box whose yaw is nearest to the true one.
public struct BoxErrors: Sendable, Hashable, BitwiseCopyable {
  /// Predicted minus true centre along the ray from the camera to the true centre, metres: positive is too far.
  public let centerAlongRay: Double
  /// Distance of the centres across that ray, metres.
  public let centerAcrossRay: Double
  /// Predicted minus true (length, height, width), metres.
  public let size: SIMD3<Double>
  /// 0…45, degrees.
  public let yawDegrees: Double
  /// Intersection over union, 0…1.
  public let iou: Double
  /// Rezatofighi et al. 2019, −1…1.
  public let generalizedIoU: Double
  /// nuScenes' ATE: distance of the centres on the ground plane, metres.
  public let translation: Double
  /// nuScenes' ASE: 1 − IoU after centre and yaw were made equal; 0…1. Sizes in the nearest description, because
  /// the boxes have no front that would tell length from width.
  public let scale: Double
  /// nuScenes' AOE with period 180°, as for its classes without a front: smallest difference of the yaws as they
  /// are given, 0…π/2 radians. Unlike ``yawDegrees`` it counts a quarter turn.
  public let orientation: Double

  /// - Parameter fit: The predicted box; overlaps are those of its `posed` box.
  /// - Parameter truth: The true box.
  /// - Parameter camera: Where the camera stands, world, metres.
  /// - SeeAlso: Caesar et al. 2020, nuScenes, section 3.1.
  public init(of fit: BoxFit, truth: OrientedBox, camera: SIMD3<Double>) {
    self.init(of: fit.box, posed: fit.posed, truth: truth, camera: camera)
  }

  /// - Parameter posed: What overlaps are computed with; the predicted box itself where absent.
  public init(of box: OrientedBox, posed: PosedBox? = nil, truth: OrientedBox, camera: SIMD3<Double>) {
    let step = box.center - truth.center, sight = truth.center - camera
    // From within the true centre there is no ray: all of the error is across.
    let ray = sight.length > 0 ? sight / sight.length : .zero
    centerAlongRay = step.dot(ray)
    centerAcrossRay = (step - ray * centerAlongRay).length
    translation = (step.x * step.x + step.z * step.z).squareRoot()

    let nearest = box.description(nearestTo: truth.yaw)
    size = nearest.size - truth.size
    yawDegrees = abs(remainder(of: nearest.yaw - truth.yaw, period: 2 * .pi)) * 180 / .pi
    orientation = abs(remainder(of: box.yaw - truth.yaw, period: .pi))
    let common = pointwiseMin(nearest.size, truth.size), shared = common.x * common.y * common.z
    let union = PosedBox(nearest).volume + PosedBox(truth).volume - shared
    scale = union > 0 ? 1 - shared / union : 0

    let overlap = BoxOverlap(posed ?? PosedBox(box), PosedBox(truth))
    (iou, generalizedIoU) = (overlap.iou, overlap.generalizedIoU)
  }
}

extension OrientedBox {
  /// Of the four equal descriptions of the box the one whose yaw differs least, at most by 45°.
  func description(nearestTo yaw: Double) -> OrientedBox {
    let quarters = ((yaw - self.yaw) / (.pi / 2)).rounded()
    var box = self
    box.yaw += quarters * .pi / 2
    if quarters.truncatingRemainder(dividingBy: 2) != 0 { box.size = [size.z, size.y, size.x] }
    return box
  }
}
