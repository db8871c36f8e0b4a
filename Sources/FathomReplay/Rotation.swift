internal import DepthCore
internal import Foundation

/// A rotation as a unit quaternion (x, y, z, w).
struct Rotation: Sendable, Hashable {
  var vector: SIMD4<Double>

  /// Of a transform whose axes are orthonormal but for rounding (Shepperd, 1978).
  init(_ transform: RigidTransform) {
    let (x, y, z) = (transform.xAxis, transform.yAxis, transform.zAxis)
    // Four times the squares of w, x, y and z; the largest is divided by.
    let squares = [1 + x.x + y.y + z.z, 1 + x.x - y.y - z.z, 1 - x.x + y.y - z.z, 1 - x.x - y.y + z.z]
    switch squares.indices.max(by: { squares[$0] < squares[$1] }) {
    case 1: vector = [squares[1], y.x + x.y, z.x + x.z, y.z - z.y]
    case 2: vector = [y.x + x.y, squares[2], z.y + y.z, z.x - x.z]
    case 3: vector = [z.x + x.z, z.y + y.z, squares[3], x.y - y.x]
    default: vector = [y.z - z.y, z.x - x.z, x.y - y.x, squares[0]]
    }
    vector /= (vector * vector).sum().squareRoot()
  }

  private init(_ vector: SIMD4<Double>) { self.vector = vector / (vector * vector).sum().squareRoot() }

  /// At a share of the way to another one, at a steady turn on the shorter way (Shoemake, 1985).
  func slerp(to other: Rotation, _ share: Double) -> Rotation {
    let cosine = (vector * other.vector).sum()
    let target = cosine < 0 ? -other.vector : other.vector
    let angle = Self.angle(between: vector, target)
    // The sines vanish together; what lies this close is the same but for rounding.
    guard angle > 1e-9 else { return Rotation(vector + (target - vector) * share) }
    return Rotation((vector * sin((1 - share) * angle) + target * sin(share * angle)) / sin(angle))
  }

  /// How far another one is turned from it, degrees.
  func degrees(to other: Rotation) -> Double {
    let target = (vector * other.vector).sum() < 0 ? -other.vector : other.vector
    return 2 * Self.angle(between: vector, target) * 180 / .pi
  }

  /// Precise for small angles, too.
  private static func angle(between a: SIMD4<Double>, _ b: SIMD4<Double>) -> Double {
    let (difference, sum) = (a - b, a + b)
    return 2 * atan2((difference * difference).sum().squareRoot(), (sum * sum).sum().squareRoot())
  }
}
