internal import DepthCore
internal import Foundation

/// Colours of a room: Lambert's law, one lamp, one window, procedural textures.
struct Shading: Sendable {
  private let room: Room, solids: [Solid], lamp: SIMD3<Double>

  init(_ room: Room, solids: [Solid]) {
    (self.room, self.solids) = (room, solids)
    lamp = room.shell.center + SIMD3(0, room.shell.size.y / 2 - 0.3, 0.1 * room.shell.size.z)
  }

  /// Material and outward normal where a ray ended.
  func surface(_ hit: RayCaster.Hit, at point: SIMD3<Double>) -> (Material, SIMD3<Double>) {
    guard hit.solid != RayCaster.shell else {
      let normal = room.shellNormal(at: point)
      return (room.shellMaterial(normal: normal), normal)
    }
    return (solids[hit.solid].material, solids[hit.solid].normal(at: point))
  }

  /// The 8-bit colour that the camera records, without shadows.
  func colour(_ hit: RayCaster.Hit, at point: SIMD3<Double>) -> RGB {
    let (material, normal) = surface(hit, at: point)
    let local = hit.solid == RayCaster.shell ? point : solids[hit.solid].local(point)
    let toLamp = lamp - point, distance = (toLamp * toLamp).sum().squareRoot()
    let lamplight = max(0, (toLamp * normal).sum() / distance) * 1.5 / (1 + 0.25 * distance * distance)
    let daylight = max(0, (SIMD3(0.75, 0.35, 0.56) * normal).sum()) * 0.5
    let light = SIMD3(1, 0.93, 0.82) * lamplight + SIMD3(0.85, 0.95, 1.1) * (daylight + 0.3)
    let linear = material.colour * light * Self.texture(material, local, normal)
    return RGB(red: Self.encoded(linear.x), green: Self.encoded(linear.y), blue: Self.encoded(linear.z))
  }

  /// Factor on the colour, about 1.
  private static func texture(_ material: Material, _ p: SIMD3<Double>, _ normal: SIMD3<Double>) -> Double {
    let q = p / material.period
    switch material.pattern {
    case .plain: return 1
    case .mottled: return 0.82 + 0.36 * valueNoise(q)
    case .stripes:
      let plank = (q.x + 0.3 * q.y).rounded(.down)
      let grain = valueNoise([q.x * 6, q.y * 3, q.z * 0.4])
      return 0.7 + 0.35 * lattice([plank, 0, 0]) + 0.25 * grain
    case .tiles:
      let along = abs(normal.y) > 0.5 ? SIMD2(q.x, q.z) : SIMD2(q.x + q.z, q.y)
      let inTile = along - along.rounded(.down)
      if inTile.min() < 0.03 { return 0.55 }
      return 0.9 + 0.2 * lattice([along.x.rounded(.down), along.y.rounded(.down), 1])
    }
  }

  /// Smooth noise, 0…1, with one random value per unit cube corner.
  private static func valueNoise(_ p: SIMD3<Double>) -> Double {
    let cell = p.rounded(.down), f = p - cell, s = f * f * (3 - 2 * f)
    var sum = 0.0
    for i in 0..<8 {
      let corner = SIMD3(Double(i & 1), Double(i >> 1 & 1), Double(i >> 2))
      let weight = 1 - corner - s + 2 * corner * s  // s at the far corner, 1 − s at the near one
      sum += weight.x * weight.y * weight.z * lattice(cell + corner)
    }
    return sum
  }

  /// A hash of whole coordinates, 0..<1.
  private static func lattice(_ p: SIMD3<Double>) -> Double {
    let (x, y, z) = (Int64(p.x), Int64(p.y), Int64(p.z))
    var hash = UInt64(bitPattern: x &* 73_856_093 ^ y &* 19_349_663 ^ z &* 83_492_791)
    hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
    return Double((hash ^ hash >> 33) >> 11) * 0x1p-53
  }

  /// sRGB's curve, about.
  private static func encoded(_ linear: Double) -> UInt8 { UInt8(255 * min(1, max(0, linear)).squareRoot()) }
}
