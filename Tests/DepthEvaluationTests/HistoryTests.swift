import DepthCore
import DepthEvaluation
import DepthFusion
import FathomTestSupport
import Testing

@Suite("Frames before a frame")
struct HistoryTests {
  /// A camera that stands still before a wall whose LiDAR reads 2 m plus one millimetre per frame.
  private func frame(_ index: Int) -> DepthFrame {
    let size = RasterSize(width: 8, height: 6)
    return DepthFrame(
      index: index, lidar: DepthMap(width: 8, height: 6, filledWith: 2 + 0.001 * Float(index)),
      truth: DepthMap(width: 8, height: 6, filledWith: 2),
      intrinsics: CameraIntrinsics(fx: 8, fy: 8, cx: 4, cy: 3, imageSize: size),
      worldFromCamera: .identity)
  }

  private func scene() -> SceneContext {
    var header = SceneHeader(name: "still", frameCount: 12)
    (header.hasPoses, header.cameraConvention) = (true, .opencv)
    return SceneContext(header: header, name: "still")
  }

  private func run(
    _ methods: String, frames: Range<Int>, jobs: Int, options: FusionOptions = FusionOptions(),
    read seen: (Int) -> Void = { _ in }
  ) async throws -> [FrameRecord] {
    var context = scene()
    let plan = EvaluationPlan(methods: try MethodCatalogue.parse(methods), options: options)
    return await plan.evaluate(&context, frames: frames, jobs: jobs) {
      seen($0)
      return frame($0)
    }
  }

  @Test(
    "a range that begins later still sees its true predecessors, for any number of jobs",
    arguments: [1, 2, 5])
  func predecessors(_ jobs: Int) async throws {
    var seen: [Int] = []
    let rows = try await run("smoothed", frames: 4..<9, jobs: jobs) { seen.append($0) }
    #expect(seen == [0, 1, 2, 3, 4, 5, 6, 7, 8])
    #expect(rows.map(\.frameIndex) == [4, 5, 6, 7, 8])
    #expect(
      rows.compactMap(\.fusion.reason)
        == [4, 5, 5, 5, 5].map { "averaged with \($0) earlier frames" })
    // Frame 7 and the five before it: (2 + … + 7)/6 = 4.5 mm. Float32 at 2 m: 2.4e-7.
    #expect(abs((rows[3].value(.bias) ?? 0) - 0.0045) < 1e-6)
  }

  @Test("frames are not compared across lost tracking")
  func lostTracking() async throws {
    let zero = SIMD3<Double>.zero
    let nowhere = RigidTransform(xAxis: zero, yAxis: zero, zAxis: zero, translation: zero)
    var context = scene()
    context.header.intrinsics = frame(0).intrinsics
    let plan = EvaluationPlan(methods: try MethodCatalogue.parse("lidar-bilinear"))
    let rows = await plan.evaluate(&context, frames: 0..<5, jobs: 1) {
      (index) throws(Never) in
      var frame = frame(index)
      if index == 2 { frame.worldFromCamera = nowhere }
      return frame
    }
    #expect(rows.map { $0.value(.temporalAbsRel) != nil } == [false, true, false, false, true])
  }

  @Test(
    "frames behind others have the rows that they have in one go, for any number of jobs", arguments: [1, 3])
  func behind(_ jobs: Int) async throws {
    let plan = EvaluationPlan(methods: try MethodCatalogue.parse("lidar-bilinear,smoothed"))
    func rows(after done: Int) async -> [FrameRecord] {
      var context = scene()
      context.header.intrinsics = frame(0).intrinsics
      var found: [FrameRecord] = []
      await plan.evaluateObjects(&context, frames: 2..<9, after: done, jobs: jobs) {
        (index) throws(Never) in
        frame(index)
      } detections: { (_) throws(Never) in
        nil
      } take: { (rows, _) throws(Never) in
        found += rows
      }
      return found
    }
    let whole = await rows(after: 0)
    #expect(
      whole.contains { $0.value(.flicker) != nil } && whole.contains { $0.value(.temporalAbsRel) != nil })
    for done in 1...6 {
      let rest = whole.filter { $0.frameIndex >= 2 + done }
      #expect(await rows(after: done).map(content) == rest.map(content), "after \(done)")
    }
  }

  /// What a row says, without its times; of dictionaries in the order of their keys.
  private func content(_ row: FrameRecord) -> String {
    let breakdowns = row.breakdowns.sorted { $0.key < $1.key }.map { id, bins in
      "\(id) " + bins.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: " ")
    }
    return "\(row.frame) \(row.method) \(row.fusion.reason ?? "") \(row.values) \(breakdowns)"
  }

  @Test("methods that do not look back cost no reading")
  func noHistory() async throws {
    var seen: [Int] = []
    _ = try await run("lidar-bilinear", frames: 4..<6, jobs: 2) { seen.append($0) }
    #expect(seen == [4, 5])
  }

  @Test(
    "smoothed LiDAR as input: auto sees it, the baseline does not, and nothing replaces missing poses")
  func asInput() async throws {
    var options = FusionOptions()
    options.temporal.lidar = .smoothed
    let rows = try await run("lidar-bilinear,auto", frames: 7..<8, jobs: 1, options: options)
    #expect(abs((rows[0].value(.bias) ?? 0) - 0.007) < 1e-6)
    #expect(abs((rows[1].value(.bias) ?? 0) - 0.0045) < 1e-6)
    var context = scene()
    context.header.cameraConvention = .unknown
    let plan = EvaluationPlan(methods: try MethodCatalogue.parse("lidar-bilinear,auto"), options: options)
    let refused = plan.evaluate(frame(3), of: context)
    #expect(refused.map(\.fusion.status) == [.ok, .degenerate])
    #expect(refused[1].fusion.reason?.contains("no smoothed LiDAR") == true)
  }
}
