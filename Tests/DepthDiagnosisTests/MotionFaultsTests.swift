import DepthCore
import Foundation
import Testing

@testable import DepthDiagnosis

@Suite("Breaks of poses, units of single frames, laws of depth")
struct MotionFaultsTests {
  /// Twelve frames, so that readings with a number in them are tried.
  private func room(_ change: (inout DepthFrame) -> Void = { _ in }) -> BrokenRoom {
    BrokenRoom(frames: 12, isSteady: false, noise: 0.002).changed(change)
  }

  private func findings(_ room: BrokenRoom) -> [String: Finding] {
    let found = SceneDiagnosis(room.sample, seed: 0).findings
    return Dictionary(found.map { ($0.test, $0) }) { first, _ in first }
  }

  @Test("a right recording has no break, one unit, and nothing that is called wrong")
  func right() {
    let found = findings(room())
    #expect(found.values.filter { $0.verdict.isWrong }.map(\.summary) == [])
    #expect(found["depth-per-frame"]?.verdict == .confirmed)
    #expect(found["pose-pieces"].map { [.confirmed, .undecidable].contains($0.verdict) } == true)
  }

  @Test(
    "frames in another unit are named, and nothing else is judged by their depths", arguments: [1000, 100])
  func units(_ factor: Float) {
    let found = findings(
      room { frame in
        if frame.index >= 7 { frame.lidar.values = frame.lidar.values.map { $0 * factor } }
      })
    let unit = found["depth-per-frame"]
    #expect(unit?.verdict == .contradicted, "\(unit?.summary ?? "")")
    #expect(unit?.summary.contains("frames 7 to 11") == true, "\(unit?.summary ?? "")")
    #expect(unit?.correction == nil)
    #expect(found["depth-unit"]?.verdict == .notTestable && found["frame-agreement"]?.verdict == .notTestable)
  }

  @Test("a new origin midway is found at its frame")
  func newOrigin() {
    let found = findings(
      room { frame in
        if frame.index >= 6 { frame.worldFromCamera?.translation += SIMD3(0.6, 0, -0.5) }
      })
    let pieces = found["pose-pieces"]
    #expect(pieces?.verdict == .contradicted, "\(pieces?.summary ?? "")")
    #expect(pieces?.supported == "new-origin-at-6", "\(pieces?.summary ?? "")")
    #expect(pieces?.correction == nil)
  }

  @Test("poses that stop while depths change are found")
  func stop() {
    var stopped = room()
    for index in 5..<9 { stopped.frames[index].worldFromCamera = stopped.frames[4].worldFromCamera }
    let pieces = findings(stopped)["pose-pieces"]
    #expect(pieces?.supported == "stop-at-4", "\(pieces?.summary ?? "")")
  }

  @Test("what is added to depths, and one focal length alone, are named and never confirmed")
  func numbers() throws {
    let offset = findings(room { $0.lidar.values = $0.lidar.values.map { $0 + 0.3 } })
    let agreement = try #require(offset["frame-agreement"])
    #expect(
      agreement.verdict != .confirmed
        || agreement.summary.firstRange(of: "it would not show").map {
          agreement.summary[$0.upperBound...].contains("10 cm added to depth")
        } == true, "\(agreement.summary)")
    #expect(offset["depth-offset"]?.verdict != .confirmed)
    let k = BrokenRoom.intrinsics
    let wide = CameraIntrinsics(fx: k.fx * 1.4, fy: k.fy, cx: k.cx, cy: k.cy, imageSize: k.imageSize)
    var wrong = room { $0.intrinsics = wide }
    wrong.header.intrinsics = wide
    let stretched = findings(wrong)
    #expect(stretched["focal-ratio"]?.verdict != .confirmed)
    #expect(
      stretched.values.contains { $0.verdict.isWrong }, "\(stretched["frame-agreement"]?.summary ?? "")")
  }

  @Test("one focal length alone is named, for pixels are square as a rule", arguments: [0.75, 1.33])
  func square(_ factor: Double) {
    let k = BrokenRoom.intrinsics
    for isWidth in [true, false] {
      let wrongK = CameraIntrinsics(
        fx: k.fx * (isWidth ? factor : 1), fy: k.fy * (isWidth ? 1 : factor), cx: k.cx, cy: k.cy,
        imageSize: k.imageSize)
      var wrong = room { $0.intrinsics = wrongK }
      wrong.header.intrinsics = wrongK
      let found = findings(wrong)["frame-agreement"]
      #expect(found?.verdict == .contradicted, "\(found?.summary ?? "")")
      #expect(found?.supported?.hasPrefix("f") == true, "\(found?.summary ?? "")")
    }
  }

  @Test("poses that drift, and poses with errors of their own in every frame, are named apart")
  func spreadErrors() {
    func turned(_ pose: RigidTransform?, _ radians: Double, _ shift: SIMD3<Double>) -> RigidTransform? {
      pose.map { PosePieces.Motion(turn: [0, radians, 0], shift: shift)($0) }
    }
    let drift = findings(
      room { $0.worldFromCamera = turned($0.worldFromCamera, 0.03 * Double($0.index), .zero) })
    #expect(drift["pose-pieces"]?.supported == "drift", "\(drift["pose-pieces"]?.summary ?? "")")
    // Independent from frame to frame.
    let draws = [0.7, -0.9, 0.3, -0.5, 1, -0.2, -1, 0.6, 0.9, -0.7, 0.1]
    let noise = findings(
      room { frame in
        let (a, b) = (draws[frame.index % 11], draws[(5 * frame.index + 3) % 11])
        frame.worldFromCamera = turned(frame.worldFromCamera, 0.035 * a, [0.035 * b, 0.03 * a, 0])
      })
    #expect(noise["pose-pieces"]?.supported == "noise", "\(noise["pose-pieces"]?.summary ?? "")")
  }

  @Test("depths that count down from 65.535 m are not called ray lengths")
  func countdown() {
    let found = findings(room { $0.lidar.values = $0.lidar.values.map { 65.535 - $0 } })
    #expect(found["depth-kind"]?.verdict != .contradicted, "\(found["depth-kind"]?.summary ?? "")")
    #expect(
      found["frame-agreement"]?.supported == "depth-inverted", "\(found["frame-agreement"]?.summary ?? "")")
  }

  @Test("depth of 8 bits is told from whole millimetres, coarse counts and steps that grow with depth")
  func levels() throws {
    let maps = room().frames.map(\.lidar)
    func eightBits(_ change: (Float) -> Float) -> (levels: Int, step: Double)? {
      DepthStepsConvention.eightBits(
        maps.map { map in
          DepthMap(width: map.width, height: map.height, values: map.values.map(change))
        })
    }
    let found = try #require(eightBits { 0.3 + ($0 / 4.7 * 255).rounded() / 255 * 4.7 })
    #expect(abs(found.step - 4.7 / 255.0) < 1e-4 && found.levels <= 256)
    #expect(eightBits { $0 } == nil)
    #expect(eightBits { ($0 * 1000).rounded() / 1000 } == nil)
    #expect(eightBits { ($0 * 100).rounded() / 100 } == nil)
    #expect(eightBits { ($0 * 64).rounded() / 64 } == nil)
    #expect(eightBits { 60 / (60 / $0).rounded() } == nil)
    let wrong = findings(
      room { $0.lidar.values = $0.lidar.values.map { ($0 / 6 * 255).rounded() / 255 * 6 } })
    #expect(wrong["depth-steps"]?.verdict == .contradicted && wrong["depth-steps"]?.correction == nil)
  }

  @Test("an offset is no better for making depths larger")
  func offsetsAreFair() throws {
    let room = room()
    let test = MotionConvention(room.sample, frames: 12, columns: 48, rough: (6, 24))
    let base = GeometryReading(
      convention: .opencv, isInverted: false, poseUnit: 1, declaredKind: .planar, kind: .planar,
      intrinsics: .declared)
    let agreement = try #require(test.agreement(.scale(1), base: base))
    for metres in [-0.3, -0.2] {
      let larger = try #require(test.agreement(.offset(metres), base: base))
      #expect(larger.residual > agreement.residual, "\(metres)")
    }
  }

  @Test("every second frame in another unit is named, though the camera's motion adds to each jump")
  func alternatingUnits() {
    let unit = findings(
      room { frame in
        if frame.index % 2 == 1 { frame.lidar.values = frame.lidar.values.map { $0 * 5 } }
      })["depth-per-frame"]
    #expect(unit?.verdict == .contradicted, "\(unit?.summary ?? "")")
    #expect(unit?.summary.contains("frames 1, 3, 5, 7, 9, 11 are") == true, "\(unit?.summary ?? "")")
  }

  @Test("depths to a power are named by the poses, and by a truth")
  func power() {
    let wrong = room { $0.lidar.values = $0.lidar.values.map { Foundation.pow($0, 1.25) } }
    let motion = findings(wrong)["frame-agreement"]
    #expect(motion?.supported == "depth-power", "\(motion?.summary ?? "")")
    var beside = wrong
    for (index, frame) in room().frames.enumerated() { beside.frames[index].truth = frame.lidar }
    beside.header.truthSize = BrokenRoom.size
    #expect(findings(beside)["truth-scale"]?.supported == "power-1.25")
  }

  @Test("a world of the other hand is told from LiDAR maps that are upside down by the relative maps")
  func hands() {
    let s = SIMD3(1.0, -1, 1)
    let leftHanded = findings(
      room { frame in
        frame.worldFromCamera = frame.worldFromCamera.map {
          RigidTransform(
            xAxis: s * $0.xAxis, yAxis: s * $0.yAxis * -1, zAxis: s * $0.zAxis,
            translation: s * $0.translation)
        }
      })
    #expect(
      leftHanded["frame-agreement"]?.supported == "left-handed",
      "\(leftHanded["frame-agreement"]?.summary ?? "")")
    let turned = findings(room { $0.lidar = Symmetry.mirroredVertically.upright($0.lidar) })
    #expect(
      turned["frame-agreement"]?.supported == "lidar-mirrored-vertically",
      "\(turned["frame-agreement"]?.summary ?? "")")
    #expect(turned["lidar-orientation"]?.verdict == .contradicted)
    #expect(turned["relative-orientation"]?.verdict == .undecidable)
  }

  @Test("translations that were lost are named, and a camera that hardly moves is judged by frames far apart")
  func littleMotion() {
    let lost = findings(room { $0.worldFromCamera?.translation = .zero })["pose-pieces"]
    #expect(lost?.supported == "no-translations", "\(lost?.summary ?? "")")
    func reach(_ room: BrokenRoom) -> WarpAgreement.Reach {
      MotionConvention(room.sample, frames: 12, columns: 48, rough: (6, 24)).reach
    }
    #expect(reach(room()) == .near)
    #expect(reach(BrokenRoom(frames: 12, moves: false, noise: 0.002)) == .far)
  }

  @Test("centimetres are named where poses ask for them, and a field of view that no camera has")
  func sizes() {
    let found = findings(room { $0.lidar.values = $0.lidar.values.map { $0 * 100 } })
    #expect(
      found["depth-unit"]?.supported == "hundred-times-too-large", "\(found["depth-unit"]?.summary ?? "")")
    #expect(found["frame-agreement"]?.verdict.isWrong == false)
    let k = BrokenRoom.intrinsics
    let narrow = CameraIntrinsics(
      fx: 10 * k.fx, fy: 10 * k.fy, cx: k.cx, cy: k.cy, imageSize: k.imageSize)
    var wrong = room { $0.intrinsics = narrow }
    wrong.header.intrinsics = narrow
    #expect(findings(wrong)["intrinsics-size"]?.verdict == .noReadingFits)
  }
}
