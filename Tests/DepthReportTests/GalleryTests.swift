import DepthCharts
import DepthCore
import DepthEvaluation
import DepthExport
import DepthFusion
import DepthGraphics
import DepthObjects
import DepthVerdicts
import Foundation
import FathomTestSupport
import Testing

@testable import DepthReport
@testable import FathomDocuments

/// One disparity scene whose frame number n has a LiDAR that is wrong by n %, up and down in turn.
///
/// - Parameters:
///   - predictions: Metric maps of networks, by their name, each its factor times the truth.
///   - hidesTruth: Whether frame number n has no truth in its first n rows.
private func run(
  frames count: Int, truth: Bool = true, methods: String = "lidar-bilinear,ols,oracle",
  predictions: KeyValuePairs<String, Float> = [:], contrast: Contrast? = nil, hidesTruth: Bool = false
) throws -> (run: EvaluationRun, frames: [DepthFrame]) {
  var header = SceneHeader(name: "desk", frameCount: count)
  header.lidarSize = RasterSize(width: 32, height: 24)
  header.relativeSize = header.lidarSize
  header.relativeKind = .disparity
  header.truthSize = truth ? header.lidarSize : nil
  header.truthIndependence = .render
  let stored = predictions.map {
    StoredPrediction(name: $0.key, kind: .metric, size: RasterSize(width: 32, height: 24))
  }
  header.predictions = stored
  let scene = SceneContext(header: header, name: "desk")
  var plan = EvaluationPlan(methods: try MethodCatalogue.parse(methods))
  plan.contrast = contrast
  let frames = (0..<count).map { index in
    var frame = LineScene.frame(kind: .disparity, scale: 0.5, shift: 0.1)
    frame.index = index
    frame.image = Raster(width: 64, height: 48, filledWith: RGB(red: 10, green: 200, blue: 30))
    for i in frame.lidar.values.indices { frame.lidar.values[i] *= 1 + 0.01 * Float(index) }
    frame.predictions = zip(stored, predictions).map { header, prediction in
      var map = LineScene.frame(kind: .disparity, scale: 0.5, shift: 0.1).lidar
      for i in map.values.indices { map.values[i] *= prediction.value }
      return (header, map)
    }
    if !truth { frame.truth = nil }
    if hidesTruth { for i in 0..<index * 32 { frame.truth?.values[i] = .nan } }
    return frame
  }
  let records = frames.flatMap { plan.evaluate($0, of: scene) }
  return (EvaluationRun(plan: plan, scenes: [scene], records: records, baseline: "lidar-bilinear"), frames)
}

private func shownFrames(_ run: EvaluationRun) -> GallerySelection? {
  GallerySelection(run, RunVerdict(run))
}

@Suite("Frames to look at")
struct GalleryTests {
  @Test("two each of the worst, the median and the best of the fitted method")
  func picks() throws {
    let selection = try #require(shownFrames(try run(frames: 9).run))
    #expect(selection.method.description == "ols")
    #expect(selection.picks.map(\.record.frameIndex) == [8, 6, 5, 4, 2, 0])
    #expect(selection.picks.map(\.rank) == ["worst", "worst", "median", "median", "best", "best"])
  }

  @Test("frames are of different scenes, each rank on its side, where there are some")
  func scenes() {
    // The six worst frames are neighbours of one scene, and so are the six best.
    let ordered =
      Array(repeating: "a", count: 6) + ["b", "c", "d", "e", "b", "c", "d", "e"]
      + Array(repeating: "f", count: 6)
    let picks = GallerySelection.picks(ordered, count: 2)
    #expect(picks.map(\.rank) == ["worst", "worst", "median", "median", "best", "best"])
    #expect(Set(picks.map { ordered[$0.place] }).count == 6)
    #expect(picks.first?.place == 0 && picks.last?.place == ordered.count - 1)
    #expect(picks[1].place < ordered.count / 2 && picks[4].place >= ordered.count / 2)
    for count in 0...3 {
      let places = GallerySelection.picks(ordered, count: count).map(\.place)
      #expect(places.count == 3 * count && Set(places).count == places.count && places == places.sorted())
    }
  }

  @Test("two frames of one rank are not adjacent as long as there are others")
  func adjacent() {
    // One scene whose error falls from frame to frame.
    let picks = GallerySelection.picks(
      Array(repeating: "a", count: 12), indices: Array(0..<12), count: 2)
    for rank in ["worst", "median", "best"] {
      let places = picks.filter { $0.rank == rank }.map(\.place)
      #expect(places.count == 2 && abs(places[0] - places[1]) > 1, "\(rank): \(places)")
    }
  }

  @Test("few frames are shown once each", arguments: 1...5)
  func few(count: Int) throws {
    let selection = try #require(shownFrames(try run(frames: count).run))
    #expect(selection.picks.map(\.record.frameIndex) == Array((0..<count).reversed()))
    #expect(selection.picks.first?.rank == (count == 1 ? "only frame" : "worst"))
  }

  @Test("without a fitted method the LiDAR is shown; without truth nothing")
  func others() throws {
    let raw = try run(frames: 2, methods: "lidar-nearest,lidar-bilinear").run
    let shown = try #require(shownFrames(raw))
    #expect(shown.method.role == .sensor && shown.method.description == RunVerdict(raw).ranking.best)
    #expect(shownFrames(try run(frames: 2, truth: false).run) == nil)
  }

  @Test("pictures of one size and scale, the same bytes twice")
  func pictures() async throws {
    let (run, frames) = try run(frames: 3)
    let selection = try #require(shownFrames(run))
    let views = try selection.picks.map { pick in
      let frame = frames[pick.record.frameIndex]
      return try #require(GalleryPainter.Views(pick, frame, shown: frame.lidar, as: .fused))
    }
    let painter = GalleryPainter(views, method: "ols", units: .millimetres)
    try expect(await painter.paint(jobs: 2), again: await painter.paint(jobs: 1))
  }

  @Test("the worst frame is a cloud of points too, before the camera, in the colours of error and image")
  func cloud() async throws {
    let (run, frames) = try run(frames: 3)
    let selection = try #require(shownFrames(run))
    let views = try selection.picks.map { pick in
      var frame = frames[pick.record.frameIndex]
      frame.intrinsics = CameraIntrinsics(
        fx: 16, fy: 16, cx: 16, cy: 12, imageSize: RasterSize(width: 32, height: 24))
      return try #require(GalleryPainter.Views(pick, frame, shown: frame.lidar, as: .fused))
    }
    let painted = try await GalleryPainter(views, method: "ols", units: .millimetres).paint(jobs: 1)
    let clouds = painted.block.frames.map(\.cloud)
    let cloud = try #require(clouds[0])
    #expect(clouds[1] == nil && clouds[2] == nil)
    #expect(cloud.count == 32 * 24 && cloud.colours == ["error", "source", "image"])
    let bytes = try #require(painted.files.first { $0.name == cloud.file }?.bytes)
    #expect(bytes.count == CloudFile.length(points: cloud.count, colours: 3))
    // Of the first pixel, (0.5 - 16) / 16 of its depth to the left, (12 - 0.5) / 16 up, and backward along z.
    let depth = frames[selection.picks[0].record.frameIndex].lidar[0, 0]
    let numbers = (0..<4).map { number in
      Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[4 * number + $1]) << (8 * $1) })
    }
    let place = (0..<3).map { axis in
      numbers[axis] + numbers[3] * Float(UInt16(bytes[16 + 2 * axis]) | UInt16(bytes[17 + 2 * axis]) << 8)
    }
    for (found, expected) in zip(place, [-15.5 / 16 * depth, 11.5 / 16 * depth, -depth]) {
      #expect(abs(found - expected) <= numbers[3])
    }
    #expect(Array(bytes.suffix(3)) == [10, 200, 30])
    // The map is the LiDAR's own.
    let sources = bytes.dropFirst(16 + (6 + 3) * cloud.count).prefix(3 * cloud.count)
    #expect(Array(sources) == (0..<cloud.count).flatMap { _ in [0, 114, 178] as [UInt8] })
  }

  @Test("the source of a depth is the LiDAR between its returns, else the method, else nothing of the LiDAR")
  func origins() {
    let lidar = DepthMap(width: 2, height: 2, values: [1, 2, 1, .nan])
    let size = RasterSize(width: 4, height: 4)
    func origin(_ depth: Float, _ row: Int, _ column: Int) -> DepthOrigin {
      DepthOrigin(depth, row, column, of: size, lidar: lidar)
    }
    #expect(origin(1.009, 0, 0) == .returns && origin(1.02, 0, 0) == .method, "one return")
    #expect(origin(1.5, 0, 1) == .returns && origin(2.5, 0, 1) == .method, "between 1 and 2 m")
    #expect(origin(1.5, 3, 3) == .filled && origin(2, 2, 3) == .returns, "the corner has none")
  }

  @Test("frames with poses are one cloud of their scene, seen at first as the worst frame sees it")
  func mergedScene() async throws {
    let (run, frames) = try run(frames: 3)
    let selection = try #require(shownFrames(run))
    #expect(selection.scene.map(\.record.frameIndex) == [0, 1, 2])
    let size = RasterSize(width: 32, height: 24)
    let intrinsics = CameraIntrinsics(fx: 16, fy: 16, cx: 16, cy: 12, imageSize: size)
    // Each a metre farther to the right, looking along x: ARKit's camera looks along its −z.
    func views(_ picks: [GallerySelection.Pick], posed: Bool) throws -> [GalleryPainter.Views] {
      try picks.map { pick in
        let index = pick.record.frameIndex
        var frame = frames[index]
        frame.intrinsics = intrinsics
        let wall = DepthMap(width: 32, height: 24, values: Array(repeating: 2, count: size.count))
        frame.truth = wall
        let pose = RigidTransform(
          xAxis: [0, 0, 1], yAxis: [0, 1, 0], zAxis: [-1, 0, 0], translation: [Double(index), 0, 0])
        return try #require(
          GalleryPainter.Views(
            pick, frame, shown: wall, as: .fused,
            seenBy: posed ? PosedCamera(intrinsics, pose, .arkit) : nil))
      }
    }
    func painted(posed: Bool) async throws -> GalleryPainter.Pictures {
      try await GalleryPainter(
        views(selection.picks, posed: posed), scene: views(selection.scene, posed: posed), method: "ols",
        units: .millimetres
      ).paint(jobs: 1)
    }
    #expect(try await painted(posed: false).block.scene == nil)
    let (block, files) = try await painted(posed: true)
    let scene = try #require(block.scene)
    #expect(
      scene.count == 3 * size.count && scene.colours == ["error", "frame", "source", "image"]
        && scene.yaw == 90)
    let bytes = try #require(files.first { $0.name == scene.file }?.bytes)
    #expect(bytes.count == CloudFile.length(points: scene.count, colours: 4))
    func number(_ place: Int) -> Float {
      Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[4 * place + $1]) << (8 * $1) })
    }
    // The walls stand 2 m before the cameras, at x of 2, 3 and 4 m.
    let walls = Set(
      (0..<scene.count).map { point in
        let steps = UInt16(bytes[16 + 6 * point]) | UInt16(bytes[17 + 6 * point]) << 8
        return (1000 * (number(0) + number(3) * Float(steps))).rounded()
      })
    #expect(walls == [2000, 3000, 4000])
  }

  @Test("a wide map becomes at most 11,000 points; a file of another length is not a cloud")
  func thinned() throws {
    var frame = LineScene.frame(kind: .disparity, scale: 0.5, shift: 0.1)
    let size = RasterSize(width: 640, height: 480)
    frame.truth = DepthMap(width: 640, height: 480, values: Array(repeating: 2, count: size.count))
    let scale = GalleryScale(errors: [map(-0.2, 0.2)])
    #expect(FramePictures(frame, shown: frame.truth, as: .fused).clouds(scale) == nil, "without intrinsics")
    frame.intrinsics = CameraIntrinsics(fx: 500, fy: 500, cx: 320, cy: 240, imageSize: size)
    let clouds = try #require(FramePictures(frame, shown: frame.truth, as: .fused).clouds(scale))
    // Every sixth pixel of every sixth row.
    #expect(
      clouds.map(\.points.count) == [107 * 80, 107 * 80] && clouds.map(\.colour) == ["error", "source"])
    #expect(throws: PageError.self) {
      try GalleryPage(section: "s", index: 0, level: 3) { _ in [1, 2] }
        .cloud(.init(file: "c", count: 2, colours: ["error"], alt: ""))
    }
    #expect(CloudFile.bytes([], colours: [[]]) == nil && CloudFile.length(points: 0, colours: 1) == nil)
  }

  @Test("the share of truth is a shade below the frames, where it is not everywhere")
  func share() throws {
    func strip(hidesTruth: Bool) throws -> (strip: FrameStrip, chart: Chart) {
      let run = try run(frames: 3, hidesTruth: hidesTruth).run
      let verdict = RunVerdict(run)
      let strip = try #require(FrameStrip(run, verdict))
      return (strip, try #require(FrameStripFigure.figure(FigureMethods(run, verdict.ranking), strip)))
    }
    let whole = try strip(hidesTruth: false)
    #expect(whole.strip.scenes[0].map(\.truth) == [1, 1, 1] && whole.chart.shade == nil)
    let part = try strip(hidesTruth: true)
    let shares: [Double?] = [1, 23.0 / 24, 22.0 / 24]
    #expect(part.strip.scenes[0].map(\.truth) == shares)
    #expect(part.chart.shade?.shares == shares + [nil])
    #expect(part.chart.caption?.hasSuffix("is the share of pixels with truth: 92 % to 100 %.") == true)
  }

  @Test("the pictures are those of the method that the run asks about")
  func asked() throws {
    let network = try #require(MethodCatalogue.parse("stored:mynet").first)
    let methods = "lidar-bilinear,ols,stored:mynet"
    // The network has a larger error than the fit, which is shown unless the network is asked about.
    let question = Contrast(network, against: .lidarBilinear)
    let asking = try run(frames: 3, methods: methods, predictions: ["mynet": 1.2], contrast: question).run
    let verdict = RunVerdict(asking)
    #expect(verdict.ranking.bestFitted == "ols")
    let selection = try #require(GallerySelection(asking, verdict))
    #expect(selection.method == network && selection.picks.allSatisfy { $0.record.method == "stored:mynet" })
    #expect(FrameStrip(asking, verdict).map { $0.lines[$0.subject].method } == "stored:mynet")
    // The first that was named is asked about; that is not a network here, and it was not declared.
    let other = try run(frames: 3, methods: methods, predictions: ["mynet": 1.2]).run
    #expect(RunVerdict(other).contrast?.comparison.method == "ols")
    #expect(shownFrames(other)?.method == .ols)
  }

  @Test("without a LiDAR there are image, prediction, truth, error")
  func maps() async throws {
    let networks = [MapScene.Network("mynet", factor: 1.05), MapScene.Network("half", factor: 1.02)]
    let plan = EvaluationPlan(methods: try MethodCatalogue.parse("stored:mynet,stored:half"))
    let contexts = (0..<3).map { SceneContext(header: MapScene.header("s\($0)", networks), name: "s\($0)") }
    var frame = MapScene.frame(networks)
    frame.image = Raster(width: 64, height: 48, filledWith: RGB(red: 10, green: 200, blue: 30))
    let run = EvaluationRun(
      plan: plan, scenes: contexts, records: contexts.flatMap { plan.evaluate(frame, of: $0) },
      baseline: "stored:mynet")
    let selection = try #require(GallerySelection(run, RunVerdict(run)))
    #expect(selection.method.storedName == "half" && selection.picks.count == 3)
    let made = try #require(frame.predictions.last?.map)
    let views = try selection.picks.map {
      try #require(GalleryPainter.Views($0, frame, shown: made, as: .init(of: selection.method)))
    }
    let painted = try await GalleryPainter(views, method: "half", units: .millimetres).paint(jobs: 1)
    for frame in painted.block.frames {
      #expect(frame.pictures.map(\.role) == ["image", "prediction", "truth", "error"])
      #expect(frame.caption.hasPrefix("half: AbsRel 2"))
      #expect(frame.pictures.map(\.alt).joined().firstMatch(of: /lidar|fused/.ignoresCase()) == nil)
    }
    #expect(painted.block.scales.map(\.roles) == [["prediction", "truth"], ["error"]])
    #expect(painted.block.scales[1].title.hasPrefix("prediction − truth"))
  }

  private func expect(_ painted: GalleryPainter.Pictures, again: GalleryPainter.Pictures) throws {
    #expect(painted.block.frames.map(\.title) == ["desk/2", "desk/1", "desk/0"])
    #expect(painted.block.frames[0].pictures.map(\.role) == ["image", "LiDAR", "fused", "truth", "error"])
    #expect(painted.block.frames[0].caption.contains("AbsRel 2"))
    #expect(painted.files.count == 3 * 5 + 2 * 2)
    #expect(
      painted.files.allSatisfy { $0.bytes.starts(with: $0.name.hasSuffix("jpg") ? [0xFF, 0xD8] : [0x89]) })
    // Frame 2 has an error of 2 % of up to some metres: a round limit above nearly all errors.
    #expect(painted.block.scales.map(\.roles) == [["LiDAR", "fused", "truth"], ["error"]])
    #expect(
      painted.block.scales.allSatisfy { $0.title.contains("beyond") && $0.title.hasSuffix("grey: no value") })
    #expect(again.files.map(\.bytes) == painted.files.map(\.bytes))
  }

  /// A map from one depth to another, metres.
  private func map(_ low: Float, _ high: Float, width: Int = 40) -> DepthMap {
    let count = width * 30
    return DepthMap(
      width: width, height: 30, values: (0..<count).map { low + (high - low) * Float($0) / Float(count - 1) })
  }

  @Test("a large room keeps its depths beside many small ones, and no map has over 2 % beyond an end")
  func depthScale() {
    let maps = Array(repeating: map(0.6, 2), count: 9) + [map(2, 9.6)]
    let scale = GalleryScale(depths: maps + [map(0, 0)])
    #expect(scale.scale.range == 0.6...9.5)
    for map in maps {
      let tally = scale.picture(of: map, map.size).tally
      #expect(Double(tally.below) <= 0.021 * Double(tally.known))
      #expect(Double(tally.above) <= 0.021 * Double(tally.known))
    }
    #expect(GalleryScale(depths: []).scale.range == 0...1)
  }

  @Test("errors of every frame, nine tenths of them, have their own colours")
  func errorScale() {
    let scale = GalleryScale(errors: [map(-0.01, 0.01), map(-0.2, 0.2), map(.nan, .nan)])
    #expect(scale.scale.range == -0.2...0.2)
    #expect(scale.title([]) == "fused − truth, ±200 mm; no pixel is beyond the ends; grey: no value")
    let metres = GalleryScale(errors: [map(-0.2, 0.2)], units: .metres)
    #expect(metres.title([]).hasPrefix("fused − truth, ±0.2 m;") && metres.scale.range == -0.2...0.2)
    #expect(GalleryScale(errors: []).scale.range == -0.1...0.1)
    #expect(GalleryScale(errors: [map(-0.27, 0.27)]).scale.range == -0.3...0.3)
    let predicted = GalleryScale(errors: [map(-0.2, 0.2)], of: .prediction)
    #expect(predicted.title([]).hasPrefix("prediction − truth, ±200 mm;"))
  }

  @Test(
    "the title says how many pixels have an end's colour for a value beyond it, and the bar is pointed there")
  func beyond() throws {
    let scale = GalleryScale(depths: [map(1, 2)])
    let size = RasterSize(width: 40, height: 30)
    let within = scale.picture(of: map(1.2, 1.8), size).tally
    #expect(within.known == 1200 && within.shareBeyond == 0)
    #expect(scale.title([within]) == "depth, 1.0 to 2.0 m; no pixel is beyond the ends; grey: no value")
    let half = scale.picture(of: map(1, 3), size).tally
    #expect(abs(half.shareBeyond - 0.5) < 0.01 && half.below == 0)
    #expect(
      scale.title([within, half])
        == "depth, 1.0 to 2.0 m; 25.0 % of the pixels are beyond the ends, at most 50.0 % of one picture; grey: no value"
    )
    #expect(try scale.bar([within]) != scale.bar([within, half]))
    #expect(try scale.bar([within]) != scale.bar([within], on: .darkPage))
    #expect(scale.picture(of: map(0, 0), size).tally.known == 0)
  }
}

extension GalleryScale {
  fileprivate init(depths maps: [DepthMap]) { self.init(depthSpans: maps.compactMap(Self.depthSpan)) }

  fileprivate init(
    errors maps: [DepthMap], of map: FramePictures.Map = .fused, units: LengthUnit = .millimetres
  ) {
    self.init(errorLimits: maps.compactMap(Self.errorLimit), of: map, units: units)
  }
}
