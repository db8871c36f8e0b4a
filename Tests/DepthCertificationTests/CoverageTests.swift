import DepthCore
import FathomStatistics
import Foundation
import Testing

@testable import DepthCertification

@Suite("Coverage of certified uncertainties")
struct CoverageTests {
  /// A sensor with bias, noise and pattern of its own, taped and tilted at random, with intrinsics that are not quite as declared.
  static func outcome(_ number: Int) throws -> CertifiedOutcome {
    var draw = Draw("sensor \(number)")
    var sensor = SimulatedSensor()
    sensor.vary(&draw, mostShared: 0.002, mostBlur: 2.99)
    var declaration = WallTest.Declaration()
    declaration.tapeDeviation = draw.uniform(0.0005...0.003)
    let distances = (0..<Int(draw.uniform(2...4.99))).map { 1 + Double($0) * 0.7 + draw.uniform(0...0.3) }
    let frames = Int(draw.uniform(15...40))
    let placements = try distances.map { distance in
      let taped = distance + draw.normal(declaration.tapeDeviation)
      let surface = SimulatedSensor.wall(taped, yaw: draw.normal(0.07), pitch: draw.normal(0.07))
      return try placement("\(distance)", sensor.frames(frames, of: surface, &draw))
    }
    let test = WallTest(placements, distances: distances, declaration)
    let range = try #require(test.rangeErrors.last)
    return CertifiedOutcome(
      scale: try #require(test.scaleError), range: range.error, trueScale: sensor.scale,
      trueRange: sensor.scale * (distances[distances.count - 1] - distances[0]))
  }

  static func placement(
    _ name: String, _ maps: [DepthMap], tape: TapeReading = .perpendicular, start: Double? = nil
  ) throws -> WallPlacement {
    var mean = MeanDepth(maps[0].size)
    for map in maps { mean.add(map) }
    let wall = try #require(Wall(mean, SimulatedSensor.declared(maps[0].size), name: name))
    var placement = WallPlacement(name, wall, tape: tape, start: start)
    for map in maps { placement.add(map) }
    return placement
  }

  @Test("an uncertainty of 95 % covers the truth that often")
  func coverage() throws {
    let shares = try CoverageShares(300, of: "sensors", outcome: Self.outcome)
    #expect((0.92...0.98).contains(shares.scale))
    #expect((0.92...0.98).contains(shares.range))
    #expect(shares.wrong < 0.045)
  }

  /// A sensor whose error differs between placements and between days, at two or three distances with as many placements each.
  static func nestedOutcome(_ number: Int) throws -> CertifiedOutcome {
    var draw = Draw("days \(number)")
    var sensor = SimulatedSensor()
    sensor.vary(&draw, mostShared: 0.002, mostBlur: 1.99)
    let offset = sensor.offset
    let (ofPlacements, ofDays) = (draw.uniform(0...0.008), draw.uniform(0...0.008))
    var declaration = WallTest.Declaration()
    declaration.tapeDeviation = draw.uniform(0.0005...0.003)
    let nominal = (0..<Int(draw.uniform(2...3.99))).map { 1 + Double($0) * 0.7 + draw.uniform(0...0.3) }
    let (days, each) = (Int(draw.uniform(2...4.99)), Int(draw.uniform(1...3.99)))
    var (placements, distances): ([WallPlacement], [Double]) = ([], [])
    for distance in nominal {
      for day in 0..<days {
        let ofDay = draw.normal(ofDays)
        for placement in 0..<each {
          sensor.offset = offset + ofDay + draw.normal(ofPlacements)
          let taped = distance + draw.normal(declaration.tapeDeviation)
          let surface = SimulatedSensor.wall(taped, yaw: draw.normal(0.05), pitch: draw.normal(0.05))
          placements.append(
            try Self.placement(
              "\(distance) \(day) \(placement)", sensor.frames(10, of: surface, &draw),
              start: 1.7e9 + 86_400 * Double(day) + 600 * Double(placement)))
          distances.append(distance)
        }
      }
    }
    let test = WallTest(placements, distances: distances, declaration)
    let range = try #require(test.rangeErrors.last)
    return CertifiedOutcome(
      scale: try #require(test.scaleError), range: range.error, trueScale: sensor.scale,
      trueRange: sensor.scale * (nominal[nominal.count - 1] - nominal[0]))
  }

  @Test("repeated placements on several days: nested components keep the coverage")
  func nestedCoverage() throws {
    let shares = try CoverageShares(60, of: "sensors with days", outcome: Self.nestedOutcome)
    #expect(shares.scale > 0.87 && shares.range > 0.87 && shares.wrong < 0.08)
  }
}
