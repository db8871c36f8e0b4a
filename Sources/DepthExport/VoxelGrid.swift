internal import DepthCore

/// Points of many frames, one for each occupied cube of a grid: where frames overlap, a surface is stored once.
///
/// A cube's point is the mean of the points in it, in place and in colour (of the sRGB channels, as Open3D's
/// `voxel_down_sample` has it), with the highest of their confidences. Cubes keep the order in which they were first met, so that
/// the same frames give the same points.
public struct VoxelGrid: Sendable {
  /// Of a cube, metres.
  public let edge: Double

  private struct Cube {
    var position = SIMD3<Double>.zero, colour = SIMD3<Double>.zero, count = 0.0
    var confidence: UInt8 = 0
  }

  private var places: [SIMD3<Int32>: Int] = [:], cubes: [Cube] = []

  /// - Precondition: `edge` is positive.
  public init(edge: Double) {
    precondition(edge > 0, "a cube has an edge")
    self.edge = edge
  }

  /// Adds the points of a frame.
  public mutating func add(_ points: PointCloud) {
    for index in 0..<points.count {
      let position = SIMD3<Double>(points.positions[index])
      let place = (position / edge).rounded(.down).clamped(
        lowerBound: SIMD3(repeating: -0x1p30), upperBound: SIMD3(repeating: 0x1p30))
      let key = SIMD3<Int32>(place)
      let cube = places[key] ?? cubes.count
      if cube == cubes.count {
        places[key] = cube
        cubes.append(Cube())
      }
      let colour = points.colours[index]
      cubes[cube].position += position
      cubes[cube].colour += [Double(colour.red), Double(colour.green), Double(colour.blue)]
      cubes[cube].count += 1
      cubes[cube].confidence = max(cubes[cube].confidence, points.confidences[index])
    }
  }

  /// The points of all cubes.
  public var points: PointCloud {
    var points = PointCloud()
    for cube in cubes {
      let colour = SIMD3<UInt8>((cube.colour / cube.count).rounded(.toNearestOrAwayFromZero))
      points.append(
        cube.position / cube.count, RGB(red: colour.x, green: colour.y, blue: colour.z),
        confidence: cube.confidence)
    }
    return points
  }
}
