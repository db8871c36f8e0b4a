import DepthCore
import DepthObjects

extension FlipMeasurement {
  /// What an object's depths say, whatever the third flip is.
  mutating func addDepths(
    _ depths: ObjectDepths, mapHeight: Int, _ intrinsics: CameraIntrinsics, _ truth: TrueBox?
  ) {
    if let deviation = OrderStatistics.medianAbsoluteDeviation(depths.sorted), depths.median > 0 {
      depthSpread = OrderStatistics.normalConsistency * deviation / depths.median
    }
    let scale = Double(intrinsics.imageSize.height) / Double(mapHeight)
    // From v to 2cy − v, at each point's depth.
    let shifts = depths.samples.map { sample in
      200 * abs((Double(sample.row) + 0.5) * scale - intrinsics.cy) / intrinsics.fy * sample.depth
    }
    thirdFlipShiftCentimetres = OrderStatistics.median(of: shifts)
    guard let truth else { return }
    let own = depths.samples.count { truth.depths.contains($0.depth) }
    depthAgreement = Double(own) / Double(depths.samples.count)
  }

  /// What its points say.
  mutating func addPoints(_ object: ObjectPoints, _ truth: TrueBox, seed: UInt64) {
    guard !object.points.isEmpty else { return }
    pointsInTrueBox = Double(object.points.count { truth.holds($0) }) / Double(object.points.count)
    // Fewer points than the method needs leave these columns empty.
    guard let fit = try? BoxMethod.pcaXZ.box(of: object, seed: seed) else { return }
    let errors = BoxErrors(of: fit, truth: truth.box, camera: truth.camera.position)
    (lateralCentimetres, alongRayCentimetres) = (100 * errors.centerAcrossRay, 100 * errors.centerAlongRay)
    iou = errors.iou
  }
}
