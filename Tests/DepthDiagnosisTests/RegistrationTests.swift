import DepthCore
import Foundation
import Testing

@testable import DepthDiagnosis

/// Walls that step forward and back, with soft edges at known places: columns in the upper half, shelves in the lower.
private struct SteppedWall {
  static let lidar = RasterSize(width: 96, height: 72), relative = RasterSize(width: 192, height: 144)

  /// LiDAR maps and relative maps in which LiDAR pixels lie where `mapping` says.
  static func sample(_ mapping: PositionMapping, kind: RelativeKind = .disparity) -> SceneSample {
    var header = SceneHeader(name: "wall", frameCount: 6)
    (header.lidarSize, header.relativeSize, header.relativeKind) = (lidar, relative, kind)
    let frames = (0..<6).map { frame in
      let phase = 0.37 * Double(frame)
      let near = Raster(lidar) { Float(depth($0, $1, phase)) }
      let map = Raster(relative) { x, y in
        let d = depth(
          place(x, lidar.width, relative.width, mapping), place(y, lidar.height, relative.height, mapping),
          phase)
        return Float(kind == .depth ? 3 * d + 1 : 0.4 / d + 0.05)
      }
      return DepthFrame(index: frame, lidar: near, relative: map)
    }
    return SceneSample(header: header, frames: frames)
  }

  /// The LiDAR position, in pixels, that a mapping gives a pixel of the relative map.
  private static func place(_ pixel: Double, _ source: Int, _ target: Int, _ mapping: PositionMapping)
    -> Double
  {
    let first = mapping.position(of: 0, source: source, target: target)
    let last = mapping.position(of: source - 1, source: source, target: target)
    return (pixel - first) / (last - first) * Double(source - 1)
  }

  /// Disparity is what is softened, so that its middle is the edge.
  private static func depth(_ x: Double, _ y: Double, _ phase: Double) -> Double {
    let place = y < Double(lidar.height) / 2 ? x / 19 : y / 17
    return 1 / (0.5 + 0.12 * tanh(5 * sin(2 * .pi * (place + phase))))
  }
}

extension Raster where Element == Float {
  fileprivate init(_ size: RasterSize, _ value: (_ x: Double, _ y: Double) -> Float) {
    self.init(
      width: size.width, height: size.height,
      values: (0..<size.count).map { value(Double($0 % size.width), Double($0 / size.width)) })
  }
}

@Suite("Pixels of relative map and LiDAR")
struct RegistrationTests {
  @Test(
    "the three mappings are told apart", arguments: PositionMapping.allCases,
    [RelativeKind.disparity, .depth])
  func mappings(mapping: PositionMapping, kind: RelativeKind) throws {
    let found = RegistrationConvention().findings(
      in: SteppedWall.sample(mapping, kind: kind), after: [], seed: 0)
    let finding = try #require(found.first)
    #expect(finding.verdict == (mapping == .centres ? .confirmed : .contradicted), "\(finding.summary)")
    #expect(finding.supported == mapping.rawValue, "\(finding.summary)")
  }

  @Test("edges lie where the mapping puts them")
  func shifts() throws {
    for (mapping, expected) in [(PositionMapping.centres, 0.0), (.scale, -0.25)] {
      let frame = SteppedWall.sample(mapping).frames[0]
      let edges = EdgeShifts(from: frame.lidar, to: try #require(frame.relative), .disparity).edges
      #expect(edges.count > 500)
      let median = try #require(OrderStatistics.median(of: edges.map(\.shift)))
      #expect(abs(median - expected) < 0.02, "\(mapping): \(median)")
    }
  }

  @Test("maps of one size leave nothing to tell")
  func sameSize() throws {
    var sample = SteppedWall.sample(.centres)
    sample.header.relativeSize = sample.header.lidarSize
    let finding = try #require(RegistrationConvention().findings(in: sample, after: [], seed: 0).first)
    #expect(finding.verdict == .notTestable && !finding.summary.isEmpty)
  }
}
