import DepthCore
import FathomStatistics
import FathomTestSupport
import Foundation
import Testing

@testable import DepthCertification

@Suite("Two parallel faces")
struct TwoWallsTests {
  private static let size = RasterSize(width: 48, height: 36)
  private static let camera = CameraIntrinsics(fx: 42, fy: 42, cx: 24, cy: 18, imageSize: size)

  private static func sensor() -> SimulatedSensor {
    var sensor = SimulatedSensor()
    (sensor.size, sensor.focal, sensor.centre) = (size, 42, SIMD2(24, 18))
    sensor.pattern = [Double](repeating: 0, count: size.count)
    return sensor
  }

  /// A box before a wall: its front, parallel to the wall or turned by so much, takes a rectangle of the picture. Depth is mixed over two
  /// pixels at its edges.
  private static func scene(
    _ distance: Double, _ separation: Double, yaw: Double = 0, pitch: Double = 0, turned: Double = 0,
    centre: SIMD2<Double> = .zero, half: SIMD2<Double> = SIMD2(0.28, 0.28)
  ) -> SimulatedSensor.Surface {
    let back = SimulatedSensor.wall(distance, yaw: yaw, pitch: pitch)
    let front = SimulatedSensor.wall(distance - separation, yaw: yaw, pitch: pitch)
    // Turned about the middle of the front.
    let turn = SimulatedSensor.wall(1, yaw: yaw + turned, pitch: pitch)
    let middle = front(centre) / turn(centre)
    return { ray in
      let inside = min(half.x - abs(ray.x - centre.x), half.y - abs(ray.y - centre.y))
      let share = min(1, max(0, inside * 42 / 2 + 0.5))
      let face = turned == 0 ? front(ray) : middle * turn(ray)
      return share * face + (1 - share) * back(ray)
    }
  }

  private static func placement(
    _ surface: SimulatedSensor.Surface, frames: Int = 15, _ sensor: SimulatedSensor = sensor()
  ) throws -> WallPlacement {
    var draw = Draw("two walls")
    return try placement("scene", sensor.frames(frames, of: surface, &draw), camera)
  }

  private static func placement(
    _ name: String, _ maps: [DepthMap], _ camera: CameraIntrinsics
  ) throws -> WallPlacement {
    let faces = Wall.faces(mean(maps), camera, name: name)
    try #require(faces.count == 2)
    var placement = WallPlacement(name, faces[0], face: faces[1])
    for map in maps { placement.add(map) }
    return placement
  }

  private static func mean(_ maps: [DepthMap]) -> MeanDepth {
    var mean = MeanDepth(maps[0].size)
    for map in maps { mean.add(map) }
    return mean
  }

  private static func findings(_ placement: WallPlacement, _ separation: Double) -> [WallFinding] {
    WallTest([placement], distances: [separation], .init()).findings
  }

  /// A sensor and a scene that are drawn at random, measured with a calliper and with intrinsics that are not quite as declared.
  private static func isCovered(_ number: Int) throws -> Bool {
    var draw = Draw("faces \(number)")
    var sensor = sensor()
    sensor.vary(&draw, mostShared: 0.01, mostBlur: 1.99)
    var declaration = WallTest.Declaration()
    declaration.tapeDeviation = draw.uniform(0.0002...0.002)
    let separation = draw.uniform(0.2...0.6)
    let (tilt, way) = (draw.uniform(0...30) * .pi / 180, draw.uniform(0...2 * .pi))
    let surface = scene(
      draw.uniform(1.2...2.2), separation, yaw: tilt * cos(way), pitch: tilt * sin(way),
      centre: SIMD2(draw.uniform(-0.1...0.1), draw.uniform(-0.05...0.05)),
      half: SIMD2(draw.uniform(0.26...0.34), draw.uniform(0.26...0.34)))
    let maps = sensor.frames(Int(draw.uniform(12...24)), of: surface, &draw)
    let taped = separation + draw.normal(declaration.tapeDeviation)
    let test = WallTest([try placement("\(number)", maps, camera)], distances: [taped], declaration)
    let error = try #require(test.rangeErrors.first).error
    return abs(error.value - sensor.scale * separation) <= error.budget.expanded
  }

  @Test("an uncertainty of 95 % covers the true error of the separation that often, tilted by 0 to 30°")
  func coverage() throws {
    let count = ProcessInfo.processInfo.environment["FATHOM_SENSORS"].flatMap(Int.init) ?? 200
    let covered = try (0..<count).count { try Self.isCovered($0) }
    print("\(count) scenes with two faces: separation \(Double(covered) / Double(count))")
    #expect((0.9...0.995).contains(Double(covered) / Double(count)))
  }

  @Test("tilted faces have their separation, and nothing is missing", arguments: [0.0, 10, 20, 30])
  func tilted(degrees: Double) throws {
    let placement = try Self.placement(Self.scene(1.5, 0.4, yaw: degrees * .pi / 180))
    #expect(abs(placement.distance - 0.4) < 0.002)
    #expect(abs(placement.wall.plane.tilt - degrees * .pi / 180) < 0.01)
    #expect(Self.findings(placement, 0.4).isEmpty)
    // No pixel of either is one where depths are mixed.
    let face = try #require(placement.face)
    #expect(
      abs(face.plane.distance - 1.1) < 0.002 && Set(face.pixels).isDisjoint(with: placement.wall.pixels))
    #expect(placement.bow < 0.005)
  }

  @Test("what both faces share cancels")
  func shared() throws {
    var sensor = Self.sensor()
    (sensor.shared, sensor.offset) = (0.02, 0.05)
    let placement = try Self.placement(Self.scene(1.5, 0.4), sensor)
    #expect(abs(placement.distance - 0.4) < 0.002)
    #expect((placement.frameDeviation ?? 1) < 0.002)
  }

  @Test("one plane only has no second face, nor has a wall with a face turned by 25°")
  func onePlane() {
    for surface in [
      SimulatedSensor.wall(1.5, yaw: 0.2), Self.scene(1.5, 0.5, turned: 25 * .pi / 180),
    ] {
      var draw = Draw("one")
      let maps = Self.sensor().frames(12, of: surface, &draw)
      #expect(Wall.faces(Self.mean(maps), Self.camera, name: "one").count == 1)
    }
  }

  @Test("faces that are not parallel are named; a small angle widens the budget")
  func angles() throws {
    let turned = try Self.placement(Self.scene(1.5, 0.4, turned: 4 * .pi / 180))
    let finding = try #require(Self.findings(turned, 0.4).first)
    #expect(finding.kind == .notParallel && finding.prevents && abs((finding.value ?? 0) - 4) < 0.3)
    func skew(_ degrees: Double) throws -> Double {
      let placement = try Self.placement(Self.scene(1.5, 0.4, turned: degrees * .pi / 180))
      #expect(Self.findings(placement, 0.4).isEmpty)
      let budget = WallTest([placement], distances: [0.4], .init()).budget([1], taped: [1])
      return try #require(budget.components.first { $0.name == "parallelism" }).contribution
    }
    #expect(try skew(0) < 0.0005)
    // The face is 0.56 m wide at 1.1 m, less a margin: 0.14 m in one direction, root mean square.
    #expect(try abs(skew(1.5) - 0.0262 * 0.15) < 0.001)
  }

  @Test("a curved face and too few frames prevent a verdict; one separation does not")
  func slips() throws {
    let flat = Self.scene(1.5, 0.4)
    let curved = try Self.placement({ ray in
      let depth = flat(ray)
      return depth < 1.2 ? depth + 0.35 * ray.x * ray.x : depth
    })
    #expect(Self.findings(curved, 0.4).contains { $0.kind == .notFlat && $0.prevents })
    let short = try Self.placement(flat, frames: 2)
    #expect(Self.findings(short, 0.4).contains { $0.kind == .fewFrames && $0.prevents })
    #expect(Self.findings(try Self.placement(flat), 0.04).map(\.kind) == [.distanceFactor])
  }

  @Test("several separations give the scale error")
  func scale() throws {
    var sensor = Self.sensor()
    sensor.scale = 0.02
    let separations = [0.2, 0.4, 0.7]
    let placements = try separations.map { try Self.placement(Self.scene(1.5, $0), sensor) }
    let test = WallTest(placements, distances: separations, .init())
    let scale = try #require(test.scaleError)
    #expect(abs(scale.value - 0.02) <= scale.budget.expanded && test.rangeErrors.count == 3)
    #expect(test.rangeErrors.allSatisfy { $0.from == nil })
  }

  // MARK: Golden

  struct Golden: Decodable {
    let separation, angle, angleDeviation, deviation, effective, value, combined, factor, expanded: Double
    let contributions: [Double]
  }

  /// As Tests/CrossCheck/make_two_walls_golden.py makes them.
  private static func goldenFrames() -> [DepthMap] {
    let size = RasterSize(width: 32, height: 24)
    func uniforms(_ seed: UInt64, _ count: Int) -> [Double] {
      var generator = SplitMix64(seed: seed)
      return (0..<count).map { _ in Double(generator.next() >> 11) / 0x1p53 - 0.5 }
    }
    let back = SimulatedSensor.wall(1.8, yaw: 0.30, pitch: -0.05)
    let front = SimulatedSensor.wall(1.4, yaw: 0.33, pitch: -0.05)
    let (pattern, noise) = (uniforms(1, size.count), uniforms(12, 24 * (size.count + 1)))
    return (0..<24).map { frame in
      let start = frame * (size.count + 1)
      return DepthMap(
        width: size.width, height: size.height,
        values: (0..<size.count).map { pixel in
          let column = pixel % size.width
          let ray = SIMD2((Double(column) + 0.5 - 16) / 28, (Double(pixel / size.width) + 0.5 - 12) / 28)
          let z = column < 20 ? back(ray) : front(ray)
          let own = 0.02 * pattern[pixel] * z + 0.02 * z * noise[start + 1 + pixel]
          return Float(0.02 + 1.004 * z + own + 0.02 * noise[start])
        })
    }
  }

  @Test("separation, angle and budget against numpy and scipy")
  func golden() throws {
    let url = PackageFiles.root.appendingPathComponent("Tests/CrossCheck/golden/two_walls.json")
    let golden = try JSONDecoder().decode(Golden.self, from: Data(contentsOf: url))
    let placement = try Self.placement(
      "two", Self.goldenFrames(), SimulatedSensor.declared(RasterSize(width: 32, height: 24)))
    func isNear(_ value: Double, _ expected: Double, _ tolerance: Double) -> Bool {
      abs(value - expected) <= tolerance * abs(expected) + 1e-9
    }
    #expect(placement.wall.pixels.count == 18 * 24 && placement.face?.pixels.count == 10 * 24)
    #expect(isNear(placement.distance, golden.separation, 1e-7))
    let angle = try #require(placement.angle)
    #expect(isNear(angle.value * 180 / .pi, golden.angle, 1e-5))
    // The chord is taken for the arc here.
    #expect(isNear(angle.deviation * 180 / .pi, golden.angleDeviation, 1e-3))
    // Frames are fitted there, and taken to first order here.
    #expect(isNear(placement.frameDeviation ?? 0, golden.deviation, 0.01))
    #expect(isNear(placement.effectiveFrames, golden.effective, 0.01))
    var declaration = WallTest.Declaration()
    (declaration.tapeDeviation, declaration.focalDeviation, declaration.centreDeviation) = (
      0.0015, 0.004, 0.006
    )
    let error = try #require(WallTest([placement], distances: [0.401], declaration).rangeErrors.first).error
    #expect(isNear(error.value, golden.value, 1e-5) && error.budget.components.count == 7)
    for (component, contribution) in zip(error.budget.components, golden.contributions) {
      #expect(isNear(component.contribution, contribution, 0.01), "\(component.name)")
    }
    #expect(isNear(error.budget.combined, golden.combined, 1e-3))
    #expect(isNear(error.budget.coverageFactor, golden.factor, 1e-3))
    #expect(isNear(error.budget.expanded, golden.expanded, 1e-3))
  }
}
