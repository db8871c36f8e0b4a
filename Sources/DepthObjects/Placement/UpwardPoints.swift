internal import DepthCore
internal import Foundation

/// The points of a depth map that lie on surfaces facing up.
struct UpwardPoints {
  let depth: DepthMap, confidence: Raster<UInt8>?, camera: PosedCamera, options: PlaneOptions
  /// Metres from the world's origin; farther than any recording goes.
  private static let largestCoordinate = 1e4

  /// World, metres, row by row.
  func points() -> [SIMD3<Double>] {
    let step = options.normalStep
    guard depth.width > 2 * step, depth.height > 2 * step else { return [] }
    let cloud = cloud(), leastCosine = cos(options.largestTilt)
    var found: [SIMD3<Double>] = []
    for row in step..<depth.height - step {
      for column in step..<depth.width - step {
        let index = row * depth.width + column
        let (across, down) = (step, step * depth.width)
        guard isSmooth(index, across), isSmooth(index, down),
          let point = cloud[index], let left = cloud[index - across], let right = cloud[index + across],
          let above = cloud[index - down], let below = cloud[index + down]
        else { continue }
        // (right − left) × (above − below) points to the camera in an unmirrored image.
        let normal = (right - left).cross(above - below)
        let length = normal.length
        if length > 0, normal.y >= leastCosine * length { found.append(point) }
      }
    }
    return found
  }

  /// Whether the returns before and behind a pixel are about as far away.
  private func isSmooth(_ index: Int, _ offset: Int) -> Bool {
    let own = depth.values[index], limit = Float(options.largestJump) * own
    return abs(depth.values[index - offset] - own) <= limit
      && abs(depth.values[index + offset] - own) <= limit
  }

  /// Every usable return in space, nil elsewhere.
  private func cloud() -> [SIMD3<Double>?] {
    let size = camera.intrinsics.imageSize
    let (sx, sy) = (Double(size.width) / Double(depth.width), Double(size.height) / Double(depth.height))
    return depth.values.indices.map { index in
      let value = depth.values[index]
      guard options.depthRange.contains(value) else { return nil }
      if let confidence, confidence.values[index] < options.minimumConfidence { return nil }
      let (row, column) = index.quotientAndRemainder(dividingBy: depth.width)
      let point = camera.point(
        u: (Double(column) + 0.5) * sx, v: (Double(row) + 0.5) * sy, depth: Double(value))
      // A pose of lost tracking may be anything; such points have no place in a floor plan.
      return max(abs(point.x), abs(point.y), abs(point.z)) < Self.largestCoordinate ? point : nil
    }
  }
}
