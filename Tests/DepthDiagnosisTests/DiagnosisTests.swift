import DepthCore
import Testing

@testable import DepthDiagnosis

/// Findings by id; the slow test of the geometry only where it is asked for.
private func findings(_ room: BrokenRoom, geometry: Bool = true) -> [String: Finding] {
  var (sample, found) = (room.sample, [Finding]())
  for test in Conventions.all where geometry || !(test is GeometryConvention) {
    let new = test.findings(in: sample, after: found, seed: 0)
    for finding in new { finding.correction?.apply(to: &sample) }
    found += new
  }
  return Dictionary(uniqueKeysWithValues: found.map { ($0.test, $0) })
}

private func finding(_ room: BrokenRoom, _ test: String) throws -> Finding {
  let isGeometry = ["pose-convention", "pose-unit", "depth-kind", "intrinsics"].contains(test)
  return try #require(findings(room, geometry: isGeometry)[test])
}

@Suite("Conventions that the data confirm or contradict")
struct DiagnosisTests {
  @Test("a correct scene is called fine by every test")
  func correct() throws {
    let found = findings(BrokenRoom())
    for finding in found.values {
      #expect(
        finding.verdict != .contradicted && finding.correction == nil, "\(finding.test): \(finding.summary)")
    }
    let decided = [
      "intrinsics-layout", "pose-layout", "time-order", "depth-unit", "relative-orientation", "relative-kind",
      "relative-quantisation", "pose-convention", "pose-unit", "depth-kind", "intrinsics",
    ]
    for test in decided {
      let finding = try #require(found[test])
      #expect(
        finding.verdict == .confirmed && finding.supported == finding.declared, "\(test): \(finding.summary)")
    }
  }

  @Test("two faults at once are both named")
  func twoFaults() throws {
    let k = BrokenRoom.intrinsics
    let half = CameraIntrinsics(
      fx: k.fx / 2, fy: k.fy / 2, cx: k.cx / 2, cy: k.cy / 2, imageSize: k.imageSize)
    var room = BrokenRoom().changed {
      $0.intrinsics = half
      $0.worldFromCamera = $0.worldFromCamera?.inverse
      $0.relative = $0.relative?.rearranged { (47 - $0, $1) }
    }
    room.header.intrinsics = half
    let found = findings(room)
    #expect(found["intrinsics"]?.supported == "half")
    #expect(found["pose-convention"]?.supported == "opencv-inverted")
    #expect(found["relative-orientation"]?.supported == "mirrored-vertically")
    #expect(found["relative-kind"]?.verdict == .confirmed)
    #expect(found.values.filter { $0.verdict == .contradicted }.count == 3)
  }

  @Test("truth, poses and predictions in another unit")
  func units() throws {
    var room = BrokenRoom().changed { frame in
      frame.truth = frame.lidar
      for i in frame.lidar.values.indices { frame.truth?.values[i] *= 1000 }
      let stored = StoredPrediction(name: "net", kind: .metric, size: BrokenRoom.size)
      frame.predictions = [(stored, frame.lidar)]
      for i in frame.lidar.values.indices { frame.predictions[0].map.values[i] *= 100 }
      frame.worldFromCamera?.translation *= 1000
    }
    room.header.truthSize = BrokenRoom.size
    room.header.predictions = room.frames[0].predictions.map(\.header)
    let found = findings(room)
    #expect(found["truth-unit"]?.supported == "thousand-times-too-large")
    #expect(found["truth-unit"]?.fix == "set units of truth/depth to 'mm'")
    #expect(found["prediction-unit:net"]?.supported == "hundred-times-too-large")
    #expect(found["pose-unit"]?.supported == "millimetres")
    #expect(found["truth-orientation"]?.verdict == .confirmed)
  }

  @Test("confidence on another scale, and upside down")
  func confidence() throws {
    // Returns at random depths are the low ones.
    var generator = SplitMix64(seed: 3)
    func room(_ levels: [UInt8]) -> BrokenRoom {
      BrokenRoom(noise: 0.001).changed { frame in
        var confidence = Raster(width: 64, height: 48, filledWith: levels[2])
        for i in confidence.values.indices where i % 3 == 0 {
          confidence.values[i] = levels[i % 6 == 0 ? 0 : 1]
          if i % 6 == 0 { frame.lidar.values[i] *= 1 + Float(generator.next() % 100) / 1000 }
        }
        frame.confidence = confidence
      }
    }
    let scaled = findings(room([0, 127, 255]), geometry: false)
    #expect(scaled["confidence-scale"]?.verdict == .contradicted)
    #expect(scaled["confidence-scale"]?.correction == .confidence(stored: [0, 127, 255], levels: [0, 1, 2]))
    #expect(scaled["confidence-order"]?.verdict == .confirmed)
    let reversed = findings(room([2, 1, 0]), geometry: false)
    #expect(reversed["confidence-scale"]?.verdict == .confirmed)
    #expect(reversed["confidence-order"]?.supported == "0-is-high")
    #expect(findings(room([0, 1, 2]), geometry: false).values.allSatisfy { $0.verdict != .contradicted })
  }

  @Test("returns of low confidence that are wrong but smooth, as behind glass, do not reverse the confidence")
  func smoothLowConfidence() {
    var generator = SplitMix64(seed: 5)
    let room = BrokenRoom(noise: 0).changed { frame in
      var confidence = Raster<UInt8>(width: 64, height: 48, filledWith: 0)
      for i in confidence.values.indices where i % 8 > 2 {
        let isMedium = i % 3 == 0
        confidence.values[i] = isMedium ? 1 : 2
        frame.lidar.values[i] *= 1 + (isMedium ? 0.04 : 0.01) * Float(generator.next() % 100) / 100
      }
      frame.confidence = confidence
    }
    #expect(findings(room, geometry: false)["confidence-order"]?.verdict == .undecidable)
  }

  @Test("relative maps that went through an 8-bit image")
  func quantisation() throws {
    func room(_ levels: Float) -> BrokenRoom {
      BrokenRoom(noise: 0.001).changed { frame in
        guard let map = frame.relative, let high = map.values.max() else { return }
        frame.relative?.values = map.values.map { ($0 / high * levels).rounded() / levels }
      }
    }
    let coarse = try finding(room(255), "relative-quantisation")
    #expect(coarse.verdict == .contradicted && coarse.supported == "8-bit" && coarse.correction == nil)
    #expect(coarse.summary.contains("mm at 2 m"))
    #expect(try finding(room(60000), "relative-quantisation").verdict == .confirmed)
  }

  @Test("poses that mirror, and poses with a scale, are not poses")
  func rigidity() throws {
    let mirrored = BrokenRoom().changed { $0.worldFromCamera?.yAxis *= -1 }
    #expect(try finding(mirrored, "pose-layout").supported == "left-handed")
    let scaled = BrokenRoom().changed { $0.worldFromCamera?.xAxis *= 1.01 }
    #expect(try finding(scaled, "pose-layout").supported == "not-rigid")
  }

  @Test("the floor tells the axes of a camera that stands still")
  func floor() throws {
    var room = BrokenRoom(moves: false, pitch: 0.6)
    #expect(try finding(room, "pose-axes-by-floor").verdict == .confirmed)
    room.header.cameraConvention = .arkit
    let found = try finding(room, "pose-axes-by-floor")
    #expect(found.verdict == .contradicted && found.supported == "opencv", "\(found.summary)")
    #expect(findings(BrokenRoom())["pose-axes-by-floor"]?.verdict == .notTestable)
  }

  @Test("corrections in memory make the next diagnosis fine")
  func corrections() {
    var room = BrokenRoom().changed { frame in
      frame.relative = frame.relative?.rearranged { (47 - $0, 63 - $1) }
      for i in frame.lidar.values.indices { frame.lidar.values[i] *= 1000 }
    }
    room.header.cameraConvention = .arkit
    room.header.timestampsSeconds?.swapAt(1, 2)
    var sample = room.sample
    for finding in SceneDiagnosis(sample, seed: 0).findings { finding.correction?.apply(to: &sample) }
    for finding in SceneDiagnosis(sample, seed: 0).findings {
      #expect(finding.verdict != .contradicted, "\(finding.test): \(finding.summary)")
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
      // What no camera sees is named without poses.
      let found = try finding(room, "intrinsics")
      #expect(found.verdict == .contradicted && found.supported == id, "\(id): \(found.summary)")
    }
    // A principal point in the middle is the same from both sides.
    var middle = k
    middle.cy = 240
    #expect(!IntrinsicsReading.distinct(for: middle).contains(.cyFromBelow))
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
    let found = findings(room)
    #expect(found.values.filter { $0.verdict == .contradicted }.map(\.test) == ["intrinsics"])
    let large = BrokenRoom().changed { frame in
      for i in frame.lidar.values.indices { frame.lidar.values[i] *= 1000 }
    }
    let millimetres = findings(large)
    #expect(millimetres.values.filter { $0.verdict == .contradicted }.map(\.test) == ["depth-unit"])
  }

  @Test("time stamps out of order")
  func times() throws {
    var room = BrokenRoom()
    room.header.timestampsSeconds?.swapAt(2, 3)
    let found = try finding(room, "time-order")
    #expect(found.verdict == .contradicted && found.summary.contains("first at frame 3"))
  }

  @Test("what is missing is not testable, and says why")
  func missing() throws {
    var header = SceneHeader(name: "bare", frameCount: 1)
    header.lidarSize = BrokenRoom.size
    let lidar = BrokenRoom(frames: 1).frames[0].lidar
    let diagnosis = SceneDiagnosis(
      SceneSample(header: header, frames: [DepthFrame(index: 0, lidar: lidar)]), seed: 0)
    let known: Set = ["depth-unit", "depth-wrap", "depth-steps"]
    for finding in diagnosis.findings where !known.contains(finding.test) {
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
    #expect(clear.best == 0 && clear.consistent == [0] && clear.shareOfResamples == 1)
    let noisy = try #require(evidence((0..<20).map { [1, $0 % 2 == 0 ? 0 : 2.1] }))
    #expect(noisy.best == 0 && noisy.consistent == [0, 1] && noisy.shareOfResamples < 0.9)
    let small = try #require(evidence((0..<20).map { _ in [1, 1.005] }))
    #expect(small.consistent == [0, 1])
  }

  @Test("the same seed gives the same confidence; too few units give nothing")
  func determinism() throws {
    let costs = (0..<9).map { [Double($0 % 3), Double($0 % 4)] }
    let first = try #require(evidence(costs, seed: 5))
    #expect(evidence(costs, seed: 5)?.shareOfResamples == first.shareOfResamples)
    #expect(evidence([[1, 2]]) == nil)
    #expect(evidence([[1, 2], [.nan, 1]]) == nil)
  }

  @Test("units of one view count once, however many")
  func views() throws {
    // Two views that disagree, each a hundred times.
    let costs = (0..<800).map { unit in [1.0, unit % 8 < 5 ? 1.6 : 0.7] }
    let every = try #require(evidence(costs))
    let views = try #require(
      Evidence(two, costs: costs, leastExcess: 0.01, views: (0..<800).map { $0 % 8 }, seed: 0))
    #expect(every.consistent == [0] && views.consistent == [0, 1])
    #expect(views.views == 8 && views.shareOfResamples < 1)
  }
}
