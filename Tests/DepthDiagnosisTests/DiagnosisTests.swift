import DepthFusion
import Testing

@testable import DepthDiagnosis

private func findings(_ room: BrokenRoom) throws -> [String: Finding] {
  let diagnosis = SceneDiagnosis(room.header, named: "room", seed: 0) { room.frames[$0] }
  return Dictionary(uniqueKeysWithValues: diagnosis.findings.map { ($0.test, $0) })
}

private func finding(_ room: BrokenRoom, _ test: String) throws -> Finding {
  let test = try #require(ConventionTests.all.first { $0.id == test })
  return Finding(test, room.frames, of: room.header, named: "room", seed: 0)
}

@Suite("Conventions that the data confirm or contradict")
struct DiagnosisTests {
  @Test("a correct scene is called fine by every test")
  func correct() throws {
    for finding in try findings(BrokenRoom()).values {
      #expect(finding.verdict == .confirmed, "\(finding.test): \(finding.summary)")
      #expect(finding.supported == finding.declared && finding.fix == nil)
    }
  }

  @Test("mirrored and turned relative maps are named")
  func orientation() throws {
    let (w, h) = (64, 48)
    let cases: [(String, (Int, Int) -> (Int, Int))] = [
      ("mirrored-vertically", { (h - 1 - $0, $1) }), ("mirrored-horizontally", { ($0, w - 1 - $1) }),
      ("rotated-180", { (h - 1 - $0, w - 1 - $1) }),
    ]
    for (id, place) in cases {
      let room = BrokenRoom().changed { $0.relative = $0.relative?.rearranged(place) }
      let found = try finding(room, "relative-orientation")
      #expect(found.verdict == .contradicted && found.supported == id, "\(id): \(found.summary)")
      #expect(found.fix?.contains("rows from the top") == true)
      #expect(try #require(found.margin) > Evidence.rejection)
    }
  }

  @Test("depth that is called disparity, and an undeclared kind")
  func kind() throws {
    var room = BrokenRoom().changed { frame in
      for i in frame.lidar.values.indices { frame.relative?.values[i] = frame.lidar.values[i] + 1 }
    }
    let wrong = try finding(room, "relative-kind")
    #expect(wrong.verdict == .contradicted && wrong.supported == "depth")
    room.header.relativeKind = .unknown
    let found = try finding(room, "relative-kind")
    #expect(found.verdict == .found && found.supported == "depth" && found.fix?.contains("'depth'") == true)
  }

  @Test("axes and direction of the poses")
  func poses() throws {
    var room = BrokenRoom()
    room.header.cameraConvention = .arkit
    let axes = try finding(room, "pose-convention")
    #expect(axes.verdict == .contradicted && axes.supported == "opencv")
    let inverted = BrokenRoom().changed { $0.worldFromCamera = $0.worldFromCamera?.inverse }
    let direction = try finding(inverted, "pose-convention")
    #expect(direction.verdict == .contradicted && direction.supported == "opencv-inverted")
    #expect(direction.fix?.contains("inverse") == true)
  }

  @Test("a camera that stands still cannot tell its conventions")
  func undecidable() throws {
    for test in ["pose-convention", "depth-kind"] {
      let finding = try finding(BrokenRoom(moves: false), test)
      #expect(finding.verdict == .undecidable && finding.supported == nil, "\(test): \(finding.summary)")
    }
  }

  @Test("ray lengths that are called planar depth")
  func rays() throws {
    let camera = BrokenRoom.intrinsics.scaled(to: BrokenRoom.size)
    let room = BrokenRoom().changed { frame in
      for row in 0..<48 {
        for column in 0..<64 {
          let x = (Double(column) + 0.5 - camera.cx) / camera.fx
          let y = (Double(row) + 0.5 - camera.cy) / camera.fy
          frame.lidar[row, column] *= Float((1 + x * x + y * y).squareRoot())
        }
      }
    }
    let found = try finding(room, "depth-kind")
    #expect(found.verdict == .contradicted && found.fix?.contains("'distance'") == true)
  }

  @Test("intrinsics of another image, swapped, or with cy from below")
  func intrinsics() throws {
    let k = BrokenRoom.intrinsics
    let size = k.imageSize
    let cases = [
      ("half", CameraIntrinsics(fx: k.fx / 2, fy: k.fy / 2, cx: k.cx / 2, cy: k.cy / 2, imageSize: size)),
      ("double", CameraIntrinsics(fx: k.fx * 2, fy: k.fy * 2, cx: k.cx * 2, cy: k.cy * 2, imageSize: size)),
      ("swapped", CameraIntrinsics(fx: k.fy, fy: k.fx, cx: k.cy, cy: k.cx, imageSize: size)),
      ("cy-from-below", CameraIntrinsics(fx: k.fx, fy: k.fy, cx: k.cx, cy: 480 - k.cy, imageSize: size)),
    ]
    for (id, wrong) in cases {
      var room = BrokenRoom().changed { $0.intrinsics = wrong }
      room.header.intrinsics = wrong
      let found = try finding(room, "intrinsics")
      #expect(found.verdict == .contradicted && found.supported == id, "\(id): \(found.summary)")
    }
    // A principal point in the middle is the same from both sides.
    var header = BrokenRoom().header
    header.intrinsics?.cy = 240
    #expect(!IntrinsicsTest().hypotheses(for: header).contains { $0.id == "cy-from-below" })
  }

  @Test("millimetres that are called metres")
  func unit() throws {
    let room = BrokenRoom().changed { frame in
      for i in frame.lidar.values.indices { frame.lidar.values[i] *= 1000 }
    }
    let found = try finding(room, "depth-unit")
    #expect(found.verdict == .contradicted && found.summary.contains("the numbers are millimetres"))
  }

  @Test("one fault is one contradiction")
  func consequences() throws {
    let k = BrokenRoom.intrinsics
    let half = CameraIntrinsics(
      fx: k.fx / 2, fy: k.fy / 2, cx: k.cx / 2, cy: k.cy / 2, imageSize: k.imageSize)
    var room = BrokenRoom().changed { $0.intrinsics = half }
    room.header.intrinsics = half
    let found = try findings(room)
    #expect(found.values.filter { $0.verdict == .contradicted }.map(\.test) == ["intrinsics"])
    let large = BrokenRoom().changed { frame in
      for i in frame.lidar.values.indices { frame.lidar.values[i] *= 1000 }
    }
    let millimetres = try findings(large)
    #expect(millimetres.values.filter { $0.verdict == .contradicted }.map(\.test) == ["depth-unit"])
    #expect(millimetres["pose-convention"]?.summary.contains("Unit of the LiDAR depth") == true)
  }

  @Test("time stamps out of order")
  func times() {
    var room = BrokenRoom()
    room.header.timestampsSeconds?.swapAt(2, 3)
    let found = Finding(timesOf: room.header, named: "room")
    #expect(found.verdict == .contradicted && found.summary.contains("first at frame 3"))
  }

  @Test("what is missing is not testable, and says why")
  func missing() throws {
    var header = SceneHeader(name: "bare", frameCount: 1)
    header.lidarSize = BrokenRoom.size
    let lidar = BrokenRoom(frames: 1).frames[0].lidar
    let diagnosis = SceneDiagnosis(header, named: "bare", seed: 0) { DepthFrame(index: $0, lidar: lidar) }
    for finding in diagnosis.findings where finding.test != "depth-unit" {
      #expect(finding.verdict == .notTestable && !finding.summary.isEmpty)
    }
  }
}

@Suite("Evidence")
struct EvidenceTests {
  private let two = [Hypothesis("a", "a", fix: ""), Hypothesis("b", "b", fix: "")]

  private func evidence(_ costs: [[Double]], least: Double = 0.01, seed: UInt64 = 0) -> Evidence? {
    Evidence(two, costs: costs, leastExcess: least, seed: seed)
  }

  @Test("three standard errors reject, fewer do not")
  func rejection() throws {
    let clear = try #require(evidence((0..<20).map { [1, 2 + 0.1 * Double($0 % 2)] }))
    #expect(clear.best == 0 && clear.consistent == [0] && clear.confidence == 1)
    let noisy = try #require(evidence((0..<20).map { [1, $0 % 2 == 0 ? 0 : 2.1] }))
    #expect(noisy.best == 0 && noisy.consistent == [0, 1] && noisy.confidence < 0.9)
    let small = try #require(evidence((0..<20).map { _ in [1, 1.005] }))
    #expect(small.consistent == [0, 1])
  }

  @Test("the same seed gives the same confidence; too few units give nothing")
  func determinism() throws {
    let costs = (0..<9).map { [Double($0 % 3), Double($0 % 4)] }
    let first = try #require(evidence(costs, seed: 5))
    #expect(evidence(costs, seed: 5)?.confidence == first.confidence)
    #expect(evidence([[1, 2]]) == nil)
    #expect(evidence([[1, 2], [.nan, 1]]) == nil)
  }
}
