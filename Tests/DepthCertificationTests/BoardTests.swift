import DepthCore
import FathomStatistics
import Foundation
import Testing

@testable import DepthCertification

@Suite("A printed board")
struct BoardTests {
  private static let board = CharucoBoard(
    columns: 11, rows: 8, square: 0.022, marker: 0.017, dictionary: 6, isLegacy: false)
  private static let size = RasterSize(width: 96, height: 72), picture = RasterSize(width: 960, height: 720)
  private static let camera = CameraIntrinsics(fx: 840, fy: 840, cx: 480, cy: 360, imageSize: picture)

  private static func sensor() -> SimulatedSensor {
    var sensor = SimulatedSensor()
    (sensor.size, sensor.focal, sensor.centre, sensor.noise) = (size, 84, SIMD2(48, 36), (0, 0))
    sensor.pattern = [Double](repeating: 0, count: size.count)
    return sensor
  }

  /// The board's middle on the optical axis, turned about two axes.
  private static func pose(_ depth: Double, yaw: Double, pitch: Double) -> RigidTransform {
    let x = SIMD3(cos(yaw), 0, -sin(yaw))
    let y = SIMD3(sin(yaw) * sin(pitch), cos(pitch), cos(yaw) * sin(pitch))
    let z = SIMD3(sin(yaw) * cos(pitch), -sin(pitch), cos(yaw) * cos(pitch))
    var pose = RigidTransform(xAxis: x, yAxis: y, zAxis: z, translation: .zero)
    pose.translation = SIMD3(0.02, -0.01, depth) - pose.direction(SIMD3(0.121, 0.088, 0))
    return pose
  }

  /// As a sensor sees it: its camera may differ from the declared one, and its board from the print that is declared.
  private static func boardPose(
    _ frame: Int, _ pose: RigidTransform, _ sensor: SimulatedSensor, _ draw: inout Draw, print: Double = 1,
    corners: Double = 0, scene: String = "board"
  ) -> BoardPose? {
    let plane = DepthPlane(of: pose)
    let map = sensor.frames(1, of: { plane.depth(SIMD3($0.x, $0.y, 1)) }, &draw)[0]
    let seen = (0..<70).map { id -> CharucoBoard.View.Corner in
      let place = pose(SIMD3(0.022 * print * Double(id % 10 + 1), 0.022 * print * Double(id / 10 + 1), 0))
      let pixel = 10 * (sensor.focal * SIMD2(place.x, place.y) / place.z + sensor.centre) - 0.5
      return .init(id: id, x: pixel.x + draw.normal(corners), y: pixel.y + draw.normal(corners))
    }
    // Confidence 2 in the left half of the map, 1 in the right one.
    let levels = (0..<size.count).map { UInt8($0 % size.width < 48 ? 2 : 1) }
    return BoardPose(
      map, .init(scene: scene, frame: frame, corners: seen), board, camera,
      confidence: Raster(width: size.width, height: size.height, values: levels))
  }

  private static func test(
    _ sensor: SimulatedSensor, depths: [Double] = [0.4, 0.5, 0.6, 0.7], count: Int = 12, print: Double = 1,
    corners: Double = 0
  ) throws -> BoardTest {
    var draw = Draw("board")
    let poses = try (0..<count).map { index in
      try #require(
        boardPose(
          index, pose(depths[index % depths.count], yaw: 0.3 * sin(Double(index)), pitch: 0.2), sensor, &draw,
          print: print, corners: corners))
    }
    return BoardTest(poses, board, WallTest.Declaration())
  }

  @Test("a pose comes back from its corners, and offset and scale from the depth on it")
  func exact() throws {
    var sensor = Self.sensor()
    (sensor.offset, sensor.scale) = (0.01, 0.02)
    let test = try Self.test(sensor)
    #expect(abs(test.scaleError.value - 0.02) < 1e-5 && abs(test.offset.value - 0.01) < 1e-5)
    #expect(abs(test.rangeError.value - 0.01 - 0.02 * test.meanDepth) < 1e-6)
    #expect(test.noise.value < 1e-4 && test.findings.isEmpty)
    var draw = Draw("pose")
    let truth = Self.pose(0.5, yaw: 0.4, pitch: -0.3)
    let found = try #require(Self.boardPose(0, truth, sensor, &draw))
    #expect(abs(found.plane.distance - DepthPlane(of: truth).distance) < 1e-9 && found.reprojection < 1e-6)
    #expect(found.plane.angle(to: DepthPlane(of: truth)) < 1e-8)
    // What changes a focal length changes depth by the same share.
    let budget = test.rangeError.budget
    let focal = try #require(budget.components.first { $0.name == "focal length" })
    #expect(abs(focal.sensitivity / test.meanDepth - 1) < 0.05)
    let print = try #require(budget.components.first { $0.name == "print scale" })
    #expect(print.standardUncertainty == 0.001 && abs(print.sensitivity - test.meanDepth) < 1e-9)
  }

  @Test("trials that draw the inputs confirm U, and do not where an input has one degree of freedom")
  func monteCarlo() throws {
    var sensor = Self.sensor()
    (sensor.noise, sensor.scale) = ((0.004, 0.002), 0.02)
    let test = try Self.test(sensor, count: 24)
    let quantities = [test.rangeError, test.scaleError, test.offset, test.noise]
    let checks = test.monteCarlo(trials: 40_000)
    #expect(checks.count == 4)
    for (quantity, check) in zip(quantities, checks) {
      let reach = quantity.budget.expanded
      #expect(abs(check.low - quantity.value + reach) < 0.06 * reach)
      #expect(abs(check.high - quantity.value - reach) < 0.06 * reach)
    }
    let few = try Self.test(sensor, count: 3)
    #expect(few.monteCarlo(trials: 40_000)[0].agrees == false)
  }

  @Test("a board printed at 98 % makes the sensor look 2 % too short")
  func printScale() throws {
    // What is declared is larger than what is there.
    let scale = try Self.test(Self.sensor(), print: 0.98).scaleError
    #expect(abs(scale.value + 0.02) < 1e-4)
  }

  @Test("slips are named: few poses, one distance, corners that do not fit, a wrong unit")
  func slips() throws {
    let sensor = Self.sensor()
    #expect(try Self.test(sensor, count: 2).findings.first?.kind == .fewFrames)
    #expect(try Self.test(sensor, depths: [0.5]).findings.map(\.kind) == [.oneDistance])
    let misfit = try Self.test(sensor, corners: 3).findings
    #expect(misfit.first?.kind == .misfit && misfit.first?.prevents == true)
    #expect(try Self.test(sensor, print: 1.5).findings.first?.kind == .distanceFactor)
    var draw = Draw("far")
    #expect(Self.boardPose(0, Self.pose(4, yaw: 0, pitch: 0), sensor, &draw) == nil)
  }

  @Test("noise by range, angle and confidence")
  func bands() throws {
    var sensor = Self.sensor()
    sensor.noise = (0, 0.01)
    let bands = try Self.test(sensor).noiseBands
    #expect(bands.compactMap(\.range) == [0.25, 0.5] && bands.compactMap(\.confidence) == [1, 2])
    #expect(bands.contains { $0.incidence == 10 } && bands.allSatisfy { $0.scene == nil })
    // One per cent of depths in each band.
    for (band, noise) in zip(bands, [0.003...0.005, 0.005...0.0075]) {
      #expect(noise.contains(band.noise) && band.low < band.noise && band.noise < band.high)
    }
  }

  /// Recordings of four distances each, on days of their own by twos.
  private static func repeated(
    _ sensor: SimulatedSensor, ofRecordings: Double, ofDays: Double, days: Int, each: Int, _ draw: inout Draw
  ) -> BoardTest {
    var (poses, starts, changed): ([BoardPose], [String: Double], SimulatedSensor) = ([], [:], sensor)
    for day in 0..<days {
      let ofDay = draw.normal(ofDays)
      for number in 0..<each {
        let scene = "\(day) \(number)"
        starts[scene] = 1.7e9 + 86_400 * Double(day) + 600 * Double(number)
        changed.offset = sensor.offset + ofDay + draw.normal(ofRecordings)
        for index in 0..<8 {
          let place = pose(
            0.4 + 0.05 * Double(index) + draw.uniform(0...0.05), yaw: draw.normal(0.2),
            pitch: draw.normal(0.2))
          boardPose(index, place, changed, &draw, corners: 0.3, scene: scene).map { poses.append($0) }
        }
      }
    }
    return BoardTest(poses, board, WallTest.Declaration(), starts: starts)
  }

  @Test("recordings and days that differ are components of their own")
  func components() throws {
    var draw = Draw("recordings")
    let test = Self.repeated(Self.sensor(), ofRecordings: 0.004, ofDays: 0.01, days: 6, each: 3, &draw)
    let (recordings, days) = (
      try #require(test.components.placements), try #require(test.components.days)
    )
    #expect(recordings.freedom == 12 && days.freedom == 5)
    #expect((0.002...0.007).contains(recordings.deviation) && (0.004...0.02).contains(days.deviation))
    #expect((test.components.frames?.deviation ?? 1) < 0.002)
    let frames = try #require(test.rangeError.budget.components.first { $0.name == "frames" })
    #expect(frames.freedom == test.components.frames?.freedom)
    let part = try #require(test.rangeError.budget.components.last)
    #expect(part.name == "recordings and days")
    // The mean of 6 days, of 3 recordings each.
    let (day, recording) = (days.deviation * days.deviation, recordings.deviation * recordings.deviation)
    #expect(abs(part.contribution / (day / 6 + recording / 18).squareRoot() - 1) < 0.02)
    #expect(abs((part.freedom ?? 0) - 5) < 0.2)
    #expect(test.monteCarlo(trials: 20_000).count == 4)
    // Recordings at distances of their own say nothing about it.
    let poses = try (0..<12).map { index in
      try #require(
        Self.boardPose(
          index, Self.pose(index < 6 ? 0.4 : 0.7, yaw: 0.2, pitch: 0.1), Self.sensor(), &draw,
          scene: index < 6 ? "near" : "far"))
    }
    #expect(BoardTest(poses, Self.board, WallTest.Declaration()).components.placements == nil)
  }

  @Test("recordings on several days: nested components keep the coverage")
  func nestedCoverage() {
    let shares = CoverageShares(40, of: "boards with days") { number in
      var draw = Draw("board days \(number)")
      var sensor = Self.sensor()
      sensor.vary(&draw, mostShared: 0.002, mostBlur: 1.99)
      let (ofRecordings, ofDays) = (draw.uniform(0...0.006), draw.uniform(0...0.006))
      let (days, each) = (Int(draw.uniform(3...5.99)), Int(draw.uniform(1...3.99)))
      let test = Self.repeated(
        sensor, ofRecordings: ofRecordings, ofDays: ofDays, days: days, each: each, &draw)
      return Self.outcome(test, sensor)
    }
    #expect(shares.range > 0.85 && shares.scale > 0.85 && shares.wrong < 0.1)
  }

  @Test("an uncertainty of 95 % covers the truth that often")
  func coverage() {
    let shares = CoverageShares(100, of: "boards") { number in
      var draw = Draw("board \(number)")
      var sensor = Self.sensor()
      sensor.vary(&draw, mostShared: 0.002, mostBlur: 1.99)
      let (print, corners) = (1 + draw.normal(0.001), draw.uniform(0.1...0.6))
      let poses = (0..<Int(draw.uniform(10...24))).compactMap { index in
        Self.boardPose(
          index, Self.pose(draw.uniform(0.4...0.8), yaw: draw.normal(0.25), pitch: draw.normal(0.25)), sensor,
          &draw, print: print, corners: corners)
      }
      let test = BoardTest(poses, Self.board, WallTest.Declaration())
      return Self.outcome(test, sensor)
    }
    #expect(shares.range > 0.89 && shares.scale > 0.89 && shares.wrong < 0.06)
  }

  private static func outcome(_ test: BoardTest, _ sensor: SimulatedSensor) -> CertifiedOutcome {
    CertifiedOutcome(
      scale: test.scaleError, range: test.rangeError, trueScale: sensor.scale,
      trueRange: sensor.offset + sensor.scale * test.meanDepth)
  }
}
