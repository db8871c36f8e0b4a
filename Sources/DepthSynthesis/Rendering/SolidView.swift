internal import DepthCore

/// A body as one camera sees it: rays of the image in the body's own axes.
///
/// The ray of image point (u, v) is `origin + z · (base + u · right + v · down)`, scaled so that z is
/// the planar depth.
struct SolidView: Sendable {
  private let origin: SIMD3<Double>, base: SIMD3<Double>, right: SIMD3<Double>, down: SIMD3<Double>
  private let half: SIMD3<Double>, isCylinder: Bool

  init(_ frame: OrientedBox, shape: Solid.Shape, from rays: PixelRays) {
    origin = frame.rotated(rays.origin - frame.center)
    base = frame.rotated(rays.base)
    right = frame.rotated(rays.right)
    down = frame.rotated(rays.down)
    (half, isCylinder) = (frame.size / 2, shape == .cylinder)
  }

  /// Planar depth where the ray enters the body; infinite if it misses.
  @inline(__always) func entry(u: Double, v: Double) -> Double {
    let direction = base + right * u + down * v
    return isCylinder ? cylinderEntry(direction) : boxEntry(direction)
  }

  /// Planar depth where the ray leaves the body, for a camera inside a box.
  @inline(__always) func exit(u: Double, v: Double) -> Double {
    let direction = base + right * u + down * v, inverse = 1 / direction
    return pointwiseMax((half - origin) * inverse, (-half - origin) * inverse).min()
  }

  @inline(__always) private func boxEntry(_ direction: SIMD3<Double>) -> Double {
    let inverse = 1 / direction
    let (a, b) = ((half - origin) * inverse, (-half - origin) * inverse)
    let enter = pointwiseMin(a, b).max()
    return enter > 0 && enter <= pointwiseMax(a, b).min() ? enter : .infinity
  }

  @inline(__always) private func cylinderEntry(_ d: SIMD3<Double>) -> Double {
    let a = d.x * d.x + d.z * d.z, b = origin.x * d.x + origin.z * d.z
    let c = origin.x * origin.x + origin.z * origin.z - half.x * half.x
    let discriminant = b * b - a * c
    guard discriminant >= 0 else { return .infinity }
    let root = discriminant.squareRoot()
    // The slab of the lid and the bottom cuts the interval between the two roots.
    let (lid, bottom) = ((half.y - origin.y) / d.y, (-half.y - origin.y) / d.y)
    let enter = max((-b - root) / a, min(lid, bottom))
    return enter > 0 && enter <= min((-b + root) / a, max(lid, bottom)) ? enter : .infinity
  }
}
