import DepthCore
import Foundation
import Testing

@testable import DepthCertification

@Suite("Width of edges")
struct EdgeWidthTests {
  private static let size = RasterSize(width: 96, height: 72)

  /// A wall at 1.5 m up to a straight edge, turned in the picture, and something at another depth beyond a linear ramp.
  private static func width(ramp: Double, degrees: Double, beyond: Double = 2.3, noise: Double = 0)
    throws -> EdgeWidth?
  {
    var sensor = SimulatedSensor()
    (sensor.size, sensor.focal, sensor.centre, sensor.noise) = (size, 84, SIMD2(48, 36), (noise, 0))
    sensor.pattern = [Double](repeating: 0, count: size.count)
    let angle = degrees * .pi / 180
    var draw = Draw("edge")
    let maps = sensor.frames(
      8,
      of: { ray in
        // Pixels across the edge, from the middle of the picture's right third.
        let across = (84 * ray.x - 14.5) * cos(angle) + 84 * ray.y * sin(angle)
        let share = ramp > 0 ? min(1, max(0, across / ramp + 0.5)) : across > 0 ? 1 : 0
        return 1.5 + share * (beyond - 1.5)
      }, &draw)
    var mean = MeanDepth(size)
    for map in maps { mean.add(map) }
    let camera = CameraIntrinsics(fx: 84, fy: 84, cx: 48, cy: 36, imageSize: size)
    let wall = try #require(Wall(mean, camera, name: "edge"))
    return EdgeWidth(WallPlacement("edge", wall).edges)
  }

  @Test("a ramp has four fifths of its width, turned or not, and a sharp step 0.8 pixels")
  func ramps() throws {
    let sharp = try #require(try Self.width(ramp: 0, degrees: 0))
    #expect(abs(sharp.width - 0.8) < 1e-3 && sharp.profiles > 50)
    for degrees in [0.0, 20, 70, 90] {
      let edge = try #require(try Self.width(ramp: 5, degrees: degrees))
      #expect(abs(edge.width - 4) < 0.15, "\(degrees)")
      #expect(edge.low <= edge.width && edge.width <= edge.high)
    }
    // Something nearer, with noise.
    let near = try #require(try Self.width(ramp: 4, degrees: 10, beyond: 1.1, noise: 0.003))
    #expect(abs(near.width - 3.2) < 0.2)
  }

  @Test("without a border, or with a step that is too small, nothing is said")
  func none() throws {
    #expect(try Self.width(ramp: 0, degrees: 0, beyond: 1.5) == nil)
    #expect(try Self.width(ramp: 0, degrees: 0, beyond: 1.53) == nil)
  }
}
