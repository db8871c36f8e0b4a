import DepthCore
import DepthDiagnosis
import Foundation
import Testing

private func findings(_ room: BrokenRoom) -> [String: Finding] {
  let found = SceneDiagnosis(room.sample, seed: 0).findings
  return Dictionary(found.map { ($0.test, $0) }) { first, _ in first }
}

@Suite("Mistakes that people make")
struct CommonMistakesTests {
  private let room = BrokenRoom(frames: 10)

  @Test("the room itself is called fine")
  func correct() {
    for finding in findings(room).values {
      #expect(!finding.verdict.isWrong && finding.correction == nil, "\(finding.test): \(finding.summary)")
    }
    #expect(findings(room)["frame-agreement"]?.verdict == .confirmed)
  }

  @Test("K of the LiDAR's size is named before ray lengths, and scaled to the image's")
  func intrinsicsSize() throws {
    let k = BrokenRoom.intrinsics
    let small = CameraIntrinsics(
      fx: k.fx / 10, fy: k.fy / 10, cx: 32, cy: 24, imageSize: k.imageSize)
    var wrong = room.changed { $0.intrinsics = small }
    wrong.header.intrinsics = small
    let found = findings(wrong)
    let finding = try #require(found["intrinsics-size"])
    #expect(finding.verdict == .contradicted && finding.supported == "of-lidar-64x48")
    #expect(finding.correction == .intrinsicsSize(x: 10, y: 10) && finding.isCertain)
    #expect(found["depth-kind"]?.verdict != .contradicted)
  }

  @Test("portrait depth beside a landscape K is a contradiction, and K is not judged")
  func aspect() throws {
    var wrong = room.changed { frame in
      frame.lidar = frame.lidar.turned(.clockwise)
      frame.relative = nil
    }
    wrong.header.lidarSize = RasterSize(width: 48, height: 64)
    wrong.header.relativeSize = nil
    let found = findings(wrong)
    #expect(found["aspect-ratio"]?.verdict == .contradicted)
    #expect(found["pose-convention"]?.verdict == .notTestable)
  }

  @Test(
    "milliseconds and nanoseconds that are called seconds",
    arguments: [(1e3, "milliseconds"), (1e9, "nanoseconds")])
  func times(_ factor: Double, _ unit: String) throws {
    var wrong = room
    wrong.header.timestampsSeconds = room.header.timestampsSeconds?.map { $0 * factor }
    let finding = try #require(findings(wrong)["time-unit"])
    #expect(finding.verdict == .contradicted && finding.supported == unit)
    #expect(finding.correction == .timeUnit(factor: 1 / factor))
  }

  @Test("a frozen LiDAR is named, and neither K nor poses are blamed")
  func frozen() throws {
    let still = room.frames[0].lidar
    let found = findings(room.changed { $0.lidar = still })
    #expect(found["repeated-frames"]?.supported == "frozen")
    #expect(found.values.filter(\.verdict.isWrong).map(\.test) == ["repeated-frames"])
  }

  @Test("poses that come frames late are named with their number", arguments: [2, 3])
  func late(_ count: Int) throws {
    let room = BrokenRoom(frames: 12, isSteady: false)
    var wrong = room
    for index in room.frames.indices {
      wrong.frames[index].worldFromCamera = index >= count ? room.frames[index - count].worldFromCamera : nil
    }
    let finding = try #require(findings(wrong)["frame-agreement"])
    #expect(finding.supported == "poses-late-\(count)", "\(finding.summary)")
  }

  @Test("depth that is five times too large, and feet", arguments: [(5.0, "5000 counts"), (3.2808, "feet")])
  func scale(_ factor: Double, _ words: String) throws {
    let wrong = room.changed { frame in frame.lidar.values = frame.lidar.values.map { $0 * Float(factor) } }
    let finding = try #require(findings(wrong)["frame-agreement"])
    #expect(finding.verdict == .contradicted && finding.summary.contains(words), "\(finding.summary)")
    #expect(finding.correction == nil)
  }

  @Test("poses of another recording fit in no reading")
  func foreign() throws {
    var generator = SplitMix64(seed: 7)
    func uniform() -> Double { Double(generator.next() >> 11) * 0x1p-53 - 0.5 }
    let wrong = room.changed { frame in
      let angle = 2.5 * uniform()
      let (c, s) = (cos(angle), sin(angle))
      frame.worldFromCamera = RigidTransform(
        xAxis: [c, 0, -s], yAxis: [0, -1, 0], zAxis: [-s, 0, -c],
        translation: [2 * uniform(), uniform(), 2 * uniform()])
    }
    let found = findings(wrong)
    let finding = try #require(found["frame-agreement"])
    #expect(
      finding.verdict == .noReadingFits && finding.summary.contains("Best of each kind"), "\(finding.summary)"
    )
    #expect(found["pose-convention"]?.verdict == .notTestable)
  }

  @Test("nothing is corrected unasked below six standard errors without a second witness")
  func certainty() throws {
    var wrong = room
    wrong.header.cameraConvention = .arkit
    var finding = try #require(findings(wrong)["pose-convention"])
    #expect(finding.verdict == .contradicted)
    let names = try #require(CorrectionNames("poses"))
    finding.margin = 5
    #expect(!finding.isCertain && !CorrectionNames().allows(finding) && names.allows(finding))
    finding.margin = 6.5
    #expect(finding.isCertain && CorrectionNames().allows(finding))
    finding.margin = 3.5
    finding.witnesses = [Finding.Witness(name: "another", margin: 3, statement: "it agrees")]
    #expect(CorrectionNames().allows(finding))
    #expect(CorrectionNames("no-such-thing") == nil)
    // What may be named stands with the conventions.
    #expect(Conventions.all.flatMap(\.correctable).allSatisfy { CorrectionNames($0) != nil })
    #expect(Conventions.all.flatMap(\.correctable).contains(finding.test))
  }
}
