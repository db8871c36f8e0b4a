internal import DepthCore

/// A closed room: every ray from inside meets something.
struct Room: Sendable {
  /// The hollow box of walls, floor and ceiling, seen from inside.
  var shell: OrientedBox
  var walls: Material, floor: Material, ceiling: Material
  /// Everything that stands in it.
  var furniture: [PlacedFurniture]
  /// Where the hand-held camera is, on average, and where it looks: radians to the left of −z, and upwards.
  var viewpoint: SIMD3<Double>
  var heading: Double, pitch: Double
  /// How much the hand moves: 1 is a person looking round.
  var sway: Double
  /// The bodies, furniture by furniture; a body's index in this array identifies it in a rendering.
  var solids: [Solid] { furniture.flatMap(\.solids) }

  /// For every body, the piece of furniture that it belongs to.
  var furnitureOfSolid: [Int] {
    furniture.indices.flatMap { index in furniture[index].solids.map { _ in index } }
  }

  /// Unit normal of the shell, into the room, at a point of it.
  func shellNormal(at point: SIMD3<Double>) -> SIMD3<Double> {
    -shell.unrotated(shell.faceNormal(at: shell.rotated(point - shell.center)))
  }

  /// What the shell is made of where its normal is `normal`.
  func shellMaterial(normal: SIMD3<Double>) -> Material {
    normal.y > 0.5 ? floor : normal.y < -0.5 ? ceiling : walls
  }
}
