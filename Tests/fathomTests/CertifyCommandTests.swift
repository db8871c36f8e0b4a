import ArgumentParser
import DepthCertification
import DepthCore
import DepthDataset
import DepthFusion
import FathomRuns
import FathomStudies
import FathomStatistics
import FathomStorage
import FathomTestSupport
import Foundation
import Testing

@testable import FathomCommandLine

/// Two placements of a sensor before a wall, small: 4 mm too far at 1 m, 8 mm at 2 m.
struct WallRecording {
  var distances = [1.0, 2.0]
  var frames = 12
  /// Of the right half of the picture from the wall, metres.
  var separation = 0.0

  func write(to path: String) throws {
    var writer = try DatasetWriter(creating: path, attributes: DatasetAttributes())
    let size = RasterSize(width: 32, height: 24)
    let camera = CameraIntrinsics(fx: 28, fy: 28, cx: 16, cy: 12, imageSize: size)
    var generator = SplitMix64(seed: 3)
    for distance in distances {
      var header = SceneHeader(name: "wall-\(Int(1000 * distance))", frameCount: frames)
      (header.lidarSize, header.intrinsics, header.device) = (size, camera, "made sensor")
      try writer.addScene(header)
      for index in 0..<frames {
        let values = (0..<size.count).map { pixel in
          let depth = distance - (pixel % size.width < 18 ? 0 : separation)
          return Float(1.004 * depth + Double.random(in: -0.004...0.004, using: &generator))
        }
        let map = DepthMap(width: size.width, height: size.height, values: values)
        try writer.write(DepthFrame(index: index, lidar: map, intrinsics: camera), to: header.name)
      }
    }
    try writer.commit()
  }
}

@Suite("fathom certify")
struct CertifyCommandTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try WallRecording().write(to: folder.path("walls.h5"))
  }

  private func certify(_ options: String...) async -> Failure? {
    await run(["certify", folder.path("walls.h5"), "--quiet"] + options)
  }

  private func certificate(_ output: String) throws -> Certificate {
    let data = try Data(contentsOf: URL(fileURLWithPath: folder.path(output + "/certificate.json")))
    return try JSONDecoder().decode(Certificate.self, from: data)
  }

  @Test("a difference of 4 mm and a scale of 0.4 %, the same bytes twice, pages and pictures")
  func whole() async throws {
    for output in ["one", "two"] {
      let failure = await certify(
        "--distances", "1000mm,2.000m", "--distance-deviation", "1mm", "--limit", "20mm", "--scale-limit",
        "0.3%",
        "--output", folder.path(output))
      #expect(failure == nil)
    }
    let found = try certificate("one")
    let range = try #require(found.rangeErrors.first)
    #expect(range.from == "wall-1000" && range.to == "wall-2000" && abs(range.error.value - 0.004) < 0.0005)
    #expect(abs((found.scaleError?.value ?? 0) - 0.004) < 0.0005)
    // U is that of two tapes of 1 mm, and a little more.
    #expect((0.00277...0.0032).contains(range.error.expandedUncertainty))
    #expect(range.error.decision?.outcome == .conforms && found.scaleError?.decision?.outcome == .undecided)
    for figure in [range.error, found.scaleError, found.offset].compactMap(\.self) {
      let check = try #require(figure.monteCarlo)
      #expect(check.agrees && abs(check.high - figure.value - figure.expandedUncertainty) < 0.03 * check.high)
    }
    #expect(found.outcome == .undecided && found.findings.isEmpty && found.devices == ["made sensor"])
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path("one")).sorted()
    for name in ["gallery/wall-1.png", "gallery/wall-2.png", "report.html", "report.md"] {
      #expect(names.contains(name))
    }
    for name in names where name.contains(".") {
      #expect(
        FileManager.default.contents(atPath: folder.path("one/" + name))
          == FileManager.default.contents(atPath: folder.path("two/" + name)), "\(name)")
    }
    let law = try #require(found.noiseLaw)
    let calibration = try CalibrationFile.calibration(at: folder.path("one/calibration.yaml"))
    #expect(calibration.noise.count == 3 && calibration.noise[1] == RangeLaw(a: law.a, b: law.b))
    #expect(calibration.correction == .identity && calibration.confidenceWeights.isEmpty)
    // 4 mm to either side with equal probability, at both distances.
    #expect(abs(law.a - 0.004 / 3.squareRoot()) < 0.0003 && law.b < 0.001)
    let page = try String(contentsOfFile: folder.path("one/report.md"), encoding: .utf8)
    #expect(page.contains("in the manner of JCGM 101: 200000 trials"))
    let (limits, result) = (page.range(of: "does not cover"), page.range(of: "## Result"))
    #expect(try #require(limits).lowerBound < (try #require(result)).lowerBound)
  }

  @Test("two faces: the error of their separation, in the file, on the page and in the picture")
  func faces() async throws {
    try WallRecording(separation: 0.5).write(to: folder.path("faces.h5"))
    func certify(_ options: String...) async -> Failure? {
      await run(["certify", folder.path("faces.h5"), "--test", "two-walls", "--quiet"] + options)
    }
    let failure = await certify(
      "--distances", "50cm,500mm", "--distance-deviation", "1mm", "--limit", "10mm", "--output",
      folder.path("faces"))
    #expect(failure == nil)
    let found = try certificate("faces")
    #expect(found.test == .twoWalls && found.findings.isEmpty && found.scaleError == nil)
    // Both placements have the same separation, and one error.
    #expect(found.outcome == .conforms && found.rangeErrors.count == 1 && found.placements.count == 2)
    for (error, placement) in zip(found.rangeErrors, found.placements) {
      let face = try #require(placement.face)
      // 0.4 % of 0.5 m.
      #expect(error.from == nil && abs(error.error.value - 0.002) < 0.001)
      #expect(abs(face.separation - 0.502) < 0.001 && face.angle < 0.5 && placement.taped == 0.5)
      #expect(error.error.budget.map(\.name).contains("parallelism"))
    }
    let page = try String(contentsOfFile: folder.path("faces/report.md"), encoding: .utf8)
    #expect(page.contains("separation error, wall-1000") && page.contains("Orange: for the smaller one"))
    #expect(await certify("--check")?.message.contains("No separation is given") == true)
    #expect(await certify("--distances", "0.5m,0.5m", "--tape", "axis")?.code == Failure.usage)
    let plane = await run([
      "certify", folder.path("walls.h5"), "--test", "two-walls", "--check", "--quiet",
    ])
    #expect(plane?.message.contains("one plane only") == true)
  }

  /// A board that faces the camera at 0.8 to 1.2 m: depth is 1 cm too far and 0.5 % too long.
  private func writeBoard(frames: Int = 12) throws {
    var writer = try DatasetWriter(creating: folder.path("board.h5"), attributes: DatasetAttributes())
    let size = RasterSize(width: 64, height: 48)
    let camera = CameraIntrinsics(
      fx: 560, fy: 560, cx: 320, cy: 240, imageSize: RasterSize(width: 640, height: 480))
    var header = SceneHeader(name: "board", frameCount: frames)
    (header.lidarSize, header.intrinsics, header.device) = (size, camera, "made sensor")
    try writer.addScene(header)
    var views: [CharucoBoard.View] = []
    for index in 0..<frames {
      let distance = 0.8 + 0.4 * Double(index) / Double(frames)
      let depth = DepthMap(width: 64, height: 48, filledWith: Float(0.01 + 1.005 * distance))
      try writer.write(DepthFrame(index: index, lidar: depth, intrinsics: camera), to: "board")
      views.append(
        .init(
          scene: "board", frame: index,
          corners: (0..<20).map { id in
            let (x, y) = (0.1 * Double(id % 5) - 0.2, 0.1 * Double(id / 5) - 0.15)
            return .init(id: id, x: 560 * x / distance + 319.5, y: 560 * y / distance + 239.5)
          }))
    }
    try writer.commit()
    try JSONEncoder().encode(views).write(to: URL(fileURLWithPath: folder.path("corners.json")))
  }

  @Test(
    "a board: absolute errors, limits from a file, poses on the page; what is missing is said on the spot")
  func board() async throws {
    try writeBoard()
    let printed = "charuco:6x5,square=0.1m,marker=70mm,dictionary=6x6"
    func certify(_ options: String..., board: String = printed, corners: Bool = true) async -> Failure? {
      await run(
        ["certify", folder.path("board.h5"), "--test", "board", "--board", board, "--quiet"]
          + (corners ? ["--corners", folder.path("corners.json")] : []) + options)
    }
    let limits = folder.path("limits.yaml")
    try "range_error: 5mm\nscale_error: 0.1\n".write(toFile: limits, atomically: true, encoding: .utf8)
    #expect(await certify("--limits", limits, "--output", folder.path("board")) == nil)
    let found = try certificate("board")
    let range = try #require(found.rangeErrors.first?.error)
    let mean = try #require(found.board?.meanDepth)
    #expect(found.test == .board && found.placements.isEmpty && found.findings.isEmpty)
    #expect(abs(range.value - 0.01 - 0.005 * mean) < 1e-5 && range.decision?.outcome == .doesNotConform)
    #expect(abs((found.offset?.value ?? 0) - 0.01) < 1e-4)
    #expect(abs((found.scaleError?.value ?? 0) - 0.005) < 1e-4)
    #expect(found.scaleError?.decision?.outcome == .conforms && found.board?.poses.count == 12)
    let page = try String(contentsOfFile: folder.path("board/report.md"), encoding: .utf8)
    #expect(page.contains("in the manner of ASTM E2919") && page.contains("tilts other than 0°,"))
    let kept = try Data(contentsOf: URL(fileURLWithPath: folder.path("board/corners.json")))
    #expect(try JSONDecoder().decode([CharucoBoard.View].self, from: kept).count == 12)

    #expect(await certify("--check") == nil)
    #expect(await certify("--check", "--frames", "0:2")?.message.contains("Only 2 pictures") == true)
    let wrong = await certify("--check", board: "charuco:5x6,square=0.1m,marker=70mm,dictionary=6x6")
    #expect(wrong?.message.contains("none of 12 pictures shows 12 corners") == true)
    #expect(
      await certify("--python", "nosuch-python", "--check", corners: false)?.message.contains("PATH") == true)
    #expect(await certify("--distances", "1m", "--check")?.code == Failure.usage)
    #expect(
      await certify("--check", board: "charuco:6x5,square=1")?.message.contains("as in charuco:") == true)
    try "range_eror: 5mm\n".write(toFile: limits, atomically: true, encoding: .utf8)
    #expect(
      await certify("--limits", limits, "--output", folder.path("x"))?.message.contains("range_error") == true
    )
    #expect(
      await run(["certify", folder.path("board.h5"), "--board", printed, "--check"])?.code == Failure.usage)
  }

  @Test("what is missing is said on the spot")
  func check() async throws {
    #expect(await certify("--check", "--distances", "1m,2m") == nil)
    let untaped = await certify("--check")
    #expect(untaped?.code == .failure && untaped?.message.contains("tape the distance") == true)
    let slip = await certify("--check", "--distances", "1000m,2000m")
    #expect(slip?.message.contains("millimetres are given as metres") == true)
    #expect(
      await certify("--check", "--distances", "1m,2m", "--frames", "0:2")?.message.contains("too few") == true
    )
  }

  @Test("a length needs its unit, and every scene a distance")
  func usage() async {
    #expect(await certify("--distances", "1000,2000")?.code == Failure.usage)
    #expect(await certify("--distances", "1000,2000")?.message.contains("with their unit") == true)
    #expect(await certify()?.code == Failure.usage)
    #expect(await certify("--distances", "1m")?.message.contains("1 distance for 2 scenes") == true)
    #expect(
      await certify("--distances", "1m,2m", "--scale-limit", "3")?.message.contains("percentage") == true)
    #expect(await certify("--distances", "1m,2m", "--check", "--output", "x")?.code == Failure.usage)
  }
}
