import DepthCore
import FathomStatistics
import Foundation
import Testing

@testable import DepthCertification

@Suite("Walls")
struct WallTests {
  private static func maps(
    _ surface: SimulatedSensor.Surface, frames: Int = 20, _ change: (inout SimulatedSensor) -> Void = { _ in }
  ) -> [DepthMap] {
    var sensor = SimulatedSensor()
    change(&sensor)
    var draw = Draw("wall")
    return sensor.frames(frames, of: surface, &draw)
  }

  private static func findings(
    _ surfaces: [SimulatedSensor.Surface], _ distances: [Double], frames: Int = 20
  ) throws -> [WallFinding] {
    let placements = try surfaces.enumerated().map {
      try CoverageTests.placement("\($0)", Self.maps($1, frames: frames))
    }
    return WallTest(placements, distances: distances, WallTest.Declaration()).findings
  }

  @Test("a tilted wall has its distance and tilt", arguments: [0.0, 5, 16, 30, 40])
  func tilted(degrees: Double) throws {
    let angle = degrees * .pi / 180
    let maps = Self.maps(SimulatedSensor.wall(1.5, yaw: angle))
    let placement = try CoverageTests.placement("tilted", maps)
    #expect(abs(placement.distance - 1.5) < 0.002)
    #expect(abs(placement.wall.plane.tilt - angle) < 0.005)
    #expect(placement.bow < 0.0075)
    let axis = try CoverageTests.placement("tilted", maps, tape: .axis)
    #expect(abs(axis.distance - 1.5 / cos(angle)) < 0.003)
  }

  @Test("a curved wall is named", arguments: [3.0, 12])
  func curved(radius: Double) throws {
    // A column: with 12 m its edges are 3 cm farther than a plane, with 3 m they are not taken for the wall.
    let surface: SimulatedSensor.Surface = { ray in
      let near = 1.5
      let a = 1 + ray.x * ray.x
      let b = -2 * (near + radius)
      let c = (near + radius) * (near + radius) - radius * radius
      return (-b - (b * b - 4 * a * c).squareRoot()) / (2 * a)
    }
    let findings = try Self.findings([surface, SimulatedSensor.wall(2)], [1.5, 2])
    let first = try #require(findings.first)
    #expect(first.kind == .notFlat && first.scene == "0" && first.prevents)
  }

  @Test("clutter before the wall is skipped, and said")
  func clutter() throws {
    let wall = SimulatedSensor.wall(2, yaw: 0.1)
    let findings = try Self.findings(
      [{ ray in ray.y > 0.15 && ray.x > -0.4 ? 1.3 + 0.4 * ray.x : wall(ray) }, SimulatedSensor.wall(1)],
      [2, 1])
    #expect(findings.isEmpty || findings.map(\.kind) == [.smallWall])
    let placement = try CoverageTests.placement(
      "clutter", Self.maps { ray in ray.y > 0.15 && ray.x > -0.4 ? 1.3 + 0.4 * ray.x : wall(ray) })
    #expect(abs(placement.distance - 2) < 0.002)
    #expect((0.6...0.85).contains(placement.wall.share))
  }

  @Test("a mirror in the wall shows a room behind it, which is excluded; one that fills the picture is named")
  func mirror() throws {
    // What is behind the camera, 1.6 m, appears beyond the mirror at 1.5 m.
    let (wall, room) = (SimulatedSensor.wall(1.5, yaw: 0.05), SimulatedSensor.wall(3.1, yaw: -0.05))
    let part: SimulatedSensor.Surface = { ray in abs(ray.x) < 0.25 && ray.y < 0.2 ? room(ray) : wall(ray) }
    let placement = try CoverageTests.placement("mirror", Self.maps(part))
    #expect(abs(placement.distance - 1.5) < 0.002 && (0.5...0.75).contains(placement.wall.share))
    let findings = try Self.findings([room, SimulatedSensor.wall(1)], [1.5, 1])
    #expect(findings.map(\.kind) == [.distanceFactor] && findings[0].prevents)
  }

  @Test("no plane is found where there is none")
  func noWall() {
    var mean = MeanDepth(RasterSize(width: 32, height: 24))
    for map in Self.maps({ ray in 1 + (ray.x * 37 - (ray.x * 37).rounded()) + abs(ray.y) }) { mean.add(map) }
    #expect(Wall(mean, SimulatedSensor.declared(mean.size), name: "none") == nil)
  }

  @Test("slips are named: few frames, millimetres, one distance, the wrong order")
  func slips() throws {
    let walls = [SimulatedSensor.wall(1), SimulatedSensor.wall(2)]
    #expect(try Self.findings(walls, [1, 2]).isEmpty)
    #expect(try Self.findings(walls, [1, 2], frames: 5).map(\.kind) == [.fewFrames, .fewFrames])
    #expect(try Self.findings(walls, [1, 2], frames: 2).allSatisfy(\.prevents))
    let factors = try Self.findings(walls, [1000, 2000])
    #expect(factors.map(\.kind) == [.distanceFactor, .distanceFactor])
    #expect(factors.allSatisfy { abs(($0.value ?? 0) - 0.001) < 1e-5 })
    let one = try Self.findings([walls[0]], [1])
    #expect(one.map(\.kind) == [.oneDistance] && one[0].prevents)
  }

  @Test("a frame that is a copy of another is skipped, and named")
  func copies() throws {
    let maps = Self.maps(SimulatedSensor.wall(1))
    var seen = DistinctMaps()
    #expect(maps.filter { seen.insert($0) }.count == maps.count)
    #expect(maps.filter { seen.insert($0) }.isEmpty)
    var mean = MeanDepth(maps[0].size)
    for map in maps { mean.add(map) }
    let wall = try #require(Wall(mean, SimulatedSensor.declared(mean.size), name: "wall"))
    var placement = WallPlacement("wall", wall, copies: 3)
    for map in maps { placement.add(map) }
    let findings = WallTest([placement], distances: [1], WallTest.Declaration()).findings
    #expect(findings.contains { $0.kind == .copies && $0.value == 3 && !$0.prevents })
  }

  @Test("a camera that moves is named")
  func moved() throws {
    let maps = Self.maps(SimulatedSensor.wall(1)) + Self.maps(SimulatedSensor.wall(1.01))
    let findings = WallTest([try CoverageTests.placement("0", maps)], distances: [1], .init()).findings
    #expect(findings.contains { $0.kind == .moved && abs(($0.value ?? 0) - 0.01) < 0.002 })
  }

  @Test("distances off a line are named, and on a line are not")
  func linearity() throws {
    func finding(_ bump: Double) throws -> WallFinding? {
      let placements = try [1.0, 1.5, 2, 2.5].map {
        try CoverageTests.placement("\($0)", Self.maps(SimulatedSensor.wall($0 + ($0 == 2 ? bump : 0))))
      }
      return WallTest(placements, distances: [1, 1.5, 2, 2.5], .init()).linearityFinding
    }
    #expect(try finding(0) == nil)
    #expect(try finding(0.05)?.kind == .notLinear)
  }

  @Test("the step of a file's values: millimetres, halves, none")
  func resolution() throws {
    func resolution(_ change: (Float) -> Float) throws -> Double {
      let maps = Self.maps(SimulatedSensor.wall(1.5)).map { map in
        DepthMap(width: map.width, height: map.height, values: map.values.map(change))
      }
      return try CoverageTests.placement("0", maps).resolution
    }
    #expect(try resolution { ($0 * 1000).rounded() / 1000 } == 0.001)
    #expect(try resolution { Float(Float16($0)) } == 1.0 / 1024)
    #expect(try resolution { $0 } == 0)
  }

  @Test("with a known zero every distance has an error, and the offset is one")
  func knownZero() throws {
    var declaration = WallTest.Declaration()
    declaration.isZeroKnown = true
    let placements = try [1.0, 2].map {
      try CoverageTests.placement("\($0)", Self.maps(SimulatedSensor.wall($0)) { $0.offset = 0.03 })
    }
    let test = WallTest(placements, distances: [1, 2], declaration)
    #expect(test.rangeErrors.map(\.from) == [nil, nil])
    #expect(test.rangeErrors.allSatisfy { abs($0.error.value - 0.03) < 0.002 })
    #expect(abs((test.offset?.value ?? 0) - 0.03) < 0.004)
  }

  @Test("placements that differ more than the tape says widen the budget; so do days")
  func reproducibility() throws {
    func test(_ errors: [Double], hours: [Double]) throws -> WallTest {
      let distances = [1.0, 1, 1, 2, 2, 2]
      let placements = try distances.indices.map { index in
        try CoverageTests.placement(
          "\(index)", Self.maps(SimulatedSensor.wall(distances[index] + errors[index])),
          start: 1.7e9 + 3600 * hours[index])
      }
      return WallTest(placements, distances: distances, .init())
    }
    func contribution(_ test: WallTest, _ name: String) -> Double? {
      let budget = test.rangeErrors.last?.error.budget
      return budget?.components.first { $0.name == name }?.contribution
    }
    // Squares of 2 · 0.01² at either distance, 4 degrees of freedom, and means of 3 placements. The tape of 2 mm explains a part: it is in them.
    let one = try test([-0.01, 0, 0.01, 0.01, -0.01, 0], hours: [0, 1, 2, 3, 4, 5])
    #expect(abs(try #require(contribution(one, "placements")) / (0.0002 / 3).squareRoot() - 1) < 0.05)
    #expect(contribution(one, "tape") == nil && contribution(one, "resolution") == nil)
    #expect(one.components.placements?.freedom == 4 && one.components.days == nil)
    let error = try #require(one.rangeErrors.first)
    #expect(one.rangeErrors.count == 1 && error.from == "0, 1, 2" && error.to == "3, 4, 5")
    #expect(abs(error.error.value) < 0.001)
    #expect(one.monteCarlo(trials: 20_000).count == one.rangeErrors.count + 2)
    // Another day 2 cm on: between placements of one day nothing is left.
    let two = try test([0, 0, 0.02, 0, 0, 0.02], hours: [0, 1, 20, 2, 3, 21])
    #expect(two.days == [0, 0, 1, 0, 0, 1] && two.components.days?.freedom == 2)
    #expect(abs((two.components.days?.deviation ?? 0) - 0.02 / 2.squareRoot()) < 0.001)
    let both = try #require(contribution(two, "placements and days"))
    #expect(abs(both / (0.0002 * 10 / 9).squareRoot() - 1) < 0.05)
    // Placements that differ less than the tape says leave it as declared.
    let same = try test([0, 0, 0, 0, 0, 0], hours: [0, 1, 2, 3, 4, 5])
    #expect(contribution(same, "placements") == 0)
    #expect(abs(try #require(contribution(same, "tape")) - 0.002 * (2.0 / 3).squareRoot()) < 1e-12)
    #expect(NestedComponents.days([5, 90_000]) == nil && NestedComponents.days([1.7e9, nil]) == nil)
  }

  @Test("degrees of freedom are those of the mean squares; by hand")
  func meanSquares() throws {
    func component(_ errors: [Double], _ c: [Double]) throws -> UncertaintyBudget.Component {
      let nested = NestedComponents(
        errors.indices.map { .init(distance: $0 < 4 ? 1 : 2, error: errors[$0], day: $0 / 2 % 2) })
      let parts = nested.reproducibility(c, cells: [[0, 1], [2, 3], [4, 5], [6, 7]])
      #expect(parts.count == 1)
      return try #require(parts.first)
    }
    // Mean squares 2 of placements with 4 degrees of freedom, 16 of days with 2: components 2 and 7.
    let errors: [Double] = [1, 3, 5, 7, 0, 2, 4, 6]
    // Two means of four placements: 2 · 16 / 4.
    let means = try component(errors, [0.25, 0.25, 0.25, 0.25, -0.25, -0.25, -0.25, -0.25])
    #expect(means.name == "placements and days")
    #expect(abs(means.contribution - 8.squareRoot()) < 1e-12 && abs((means.freedom ?? 0) - 2) < 1e-12)
    // Two placements: 2 · (2 + 7) = 16 + 2, and 18² / (16² / 2 + 2² / 4).
    let single = try component(errors, [1, 0, 0, 0, 0, 0, 0, -1])
    #expect(abs(single.contribution - 18.squareRoot()) < 1e-12)
    #expect(abs((single.freedom ?? 0) - 324.0 / 129) < 1e-12)
    // Days that are equal: all placements are of one group, with 8 / 6.
    let pooled = try component([1, 3, 1, 3, 0, 2, 0, 2], [1, 0, 0, 0, 0, 0, 0, -1])
    #expect(abs(pooled.contribution - (8.0 / 3).squareRoot()) < 1e-12 && pooled.freedom == 6)
  }

  @Test("noise by confidence")
  func confidence() throws {
    let size = SimulatedSensor().size
    // Level 2 at the left, and at the right level 0 with three times the noise.
    let (calm, loud) = (
      Self.maps(SimulatedSensor.wall(1.5)) { $0.noise = (0.002, 0) },
      Self.maps(SimulatedSensor.wall(1.5)) { $0.noise = (0.006, 0) }
    )
    let maps = zip(calm, loud).map { calm, loud in
      DepthMap(
        width: size.width, height: size.height,
        values: (0..<size.count).map { $0 % size.width < 16 ? calm.values[$0] : loud.values[$0] })
    }
    let levels = Raster(
      width: size.width, height: size.height,
      values: (0..<size.count).map { UInt8($0 % size.width < 16 ? 2 : 0) })
    var mean = MeanDepth(size)
    for map in maps { mean.add(map, confidence: levels) }
    let wall = try #require(Wall(mean, SimulatedSensor.declared(size), name: "confidence"))
    let bands = WallPlacement("confidence", wall).noiseBands.filter { $0.confidence != nil }
    #expect(bands.map(\.confidence) == [0, 2])
    for (band, noise) in zip(bands, [0.006, 0.002]) {
      #expect(abs(band.noise - noise) < 0.05 * noise && band.low < band.noise && band.noise < band.high)
    }
  }

  @Test("missing pixels are counted")
  func fill() throws {
    var draw = Draw("fill")
    let maps = Self.maps(SimulatedSensor.wall(1.5)).map { map in
      DepthMap(
        width: map.width, height: map.height, values: map.values.map { draw.uniform() < 0.2 ? 0 : $0 })
    }
    #expect(abs(try CoverageTests.placement("0", maps).wall.fill - 0.8) < 0.02)
  }
}
