import ArgumentParser
import DepthCore
import DepthDataset
import DepthObjects
import DepthSynthesis
import Foundation
import FathomStorage
import FathomTestSupport
import Testing

@testable import DepthEvaluation
@testable import FathomCommandLine

/// A room's first frame, its detections, and a raw head that holds each of them twice, upside down.
private struct Room: Sendable {
  let scene: SceneContext
  let frame: DepthFrame
  let stored: FrameDetections
  let raw: FrameDetections

  static let shared = Room()

  private init() {
    var options = SynthesisPreset.sample.options
    options.framesPerScene = 1
    options.truthSize = RasterSize(width: 128, height: 96)
    options.lidarSize = options.truthSize
    (options.relativeSize, options.colourSize) = (
      RasterSize(width: 40, height: 30), RasterSize(width: 4, height: 3)
    )
    let synthetic = SyntheticScene(options: options, index: 0)
    let found = synthetic.objects()
    var objects = found.objects
    objects[2].score = 0.76  // hardly sure
    scene = SceneContext(header: synthetic.header, name: "room")
    frame = synthetic.frame(0)
    // Masks that no letterbox of whole pixels fits.
    let odd = objects.map { object in
      var object = object
      object.mask = object.mask.map { mask in
        Raster(
          width: 155, height: 113,
          values: (0..<155 * 113).map { mask[$0 / 155 * 120 / 113, $0 % 155 * 160 / 155] })
      }
      return object
    }
    stored = FrameDetections(
      stored: odd.enumerated().map { ($0, $1) }, conventions: found.conventions)
    raw = FrameDetections(
      stored: odd.enumerated().map { ($0, $1) }, conventions: found.conventions, output: Self.output(objects),
      classNames: ["thing"])
  }

  /// Every object twice, the second one a little aside and less sure.
  private static func output(_ objects: [DetectedObject]) -> DetectorOutput {
    let (size, scale) = (RasterSize(width: 160, height: 120), Float(640) / 1920)
    var columns: [[Float]] = []
    for (index, object) in objects.enumerated() {
      for (shift, score) in [(Float(0), Float(0.9)), (object.box.width * 0.1 * scale, 0.8)] {
        let box = object.box
        columns.append(
          [
            (box.minX + box.maxX) / 2 * scale + shift, (box.minY + box.maxY) / 2 * scale + 2,
            box.width * scale, box.height * scale, score,
          ] + objects.indices.map { $0 == index ? 1 : 0 })
      }
    }
    let head = DetectorHead(
      classCount: 1, coefficientCount: objects.count, anchorCount: columns.count, prototypeSize: size,
      // The scaled image is 645 × 483.75 pixels.
      inputSize: RasterSize(width: 645, height: 484))
    return DetectorOutput(
      head: head, predictions: (0..<head.rowCount).flatMap { row in columns.map { $0[row] } },
      prototypes: objects.flatMap { ($0.mask?.values ?? []).map { $0 > 0.5 ? 20 : -20 } })
  }

  /// Everything found in the LiDAR under these flags.
  fileprivate func found(_ flags: [String], decodes: Bool) throws -> String {
    // A list that is given twice is one list.
    let methods = flags.first == "--box-methods" ? [] : ["--box-methods", "pca-xz,six-point,pca-xz-eroded"]
    var settings = EvaluationSettings([GivenOptions(try EvaluationFlags.parse(methods + flags))])
    _ = try settings.selections()
    settings.objects.depths = ["lidar"]
    var plan = EvaluationPlan(methods: [])
    plan.objects = settings.objects
    let found = plan.objects(in: frame, of: scene, decodes ? raw : stored, rows: [])
    return "\(found.records) \(found.detections)"
  }
}

@Suite("Options for objects")
struct ObjectOptionTests {
  @Test(
    "each changes what is found, as flag and as key, and its default does not",
    arguments: [
      ("detection-confidence", "0.8", "0.75"), ("match-overlap", "0.95", "0.5"),
      ("letterbox-rounding", "whole-pixels", "none"), ("object-confidence", "1", "2"),
      ("object-range", "0.1,3", "0.1,4"), ("mask-threshold", "0.9", "0.5"), ("masked-depths", "100", "3"),
      ("object-flips", "app", "conventions"), ("unprojection-offset", "0", "0.5"),
      ("box-points", "100", "10"), ("box-size-floor", "0.5", "0.02"),
      ("specified-depths", "0.2,0.8", "0.1,0.9"), ("eroded-depths", "0.2,0.8", "0.05,0.95"),
      ("erosion-share", "1", "0.05"), ("erosion-steps", "6,8", "1,3"), ("plane-confidence", "1", "2"),
      ("plane-range", "0.1,2", "0.1,5"), ("plane-step", "8", "3"), ("plane-jump", "0.02", "0.1"),
      ("plane-normal-tilt", "3", "15"), ("plane-tilt", "0.01", "5"), ("plane-bin", "0.2", "0.01"),
      ("plane-reach", "0.01", "0.03"), ("plane-points", "2000", "80"), ("plane-area", "3", "0.05"),
      ("plane-cell", "1", "0.1"), ("effect-widths", "0.5,0.6", "0.1,3"), ("effect-rise", "0", "0.02"),
      ("box-methods", "pca-xz", "pca-xz,six-point,pca-xz-eroded"),
    ])
  func stored(_ name: String, _ value: String, _ standard: String) throws {
    try check(name, value, standard, decodes: false)
  }

  @Test(
    "those of decoding, too",
    arguments: [
      ("detection-confidence", "0.95", "0.75"), ("detection-overlap", "0.95", "0.5"),
      ("most-detections", "2", "300"), ("detector-origin", "bottom-left", "top-left"),
      ("letterbox-rounding", "whole-pixels", "none"),
    ])
  func decoded(_ name: String, _ value: String, _ standard: String) throws {
    try check(name, value, standard, decodes: true)
  }

  private static let storedBase = try? Room.shared.found([], decodes: false)
  private static let decodedBase = try? Room.shared.found([], decodes: true)

  private func check(_ name: String, _ value: String, _ standard: String, decodes: Bool) throws {
    let changed = try Room.shared.found(["--\(name)", value], decodes: decodes)
    // Without the texts, which are long.
    let differs = changed != (decodes ? Self.decodedBase : Self.storedBase)
    #expect(differs)
    let plain = try PlannedEvaluation(EvaluationFlags.parse(["--\(name)", standard]), config: nil).plan
      .objects
    #expect(plain == ObjectPlan() || name == "box-methods")
    let folder = try TemporaryFolder()
    try Data("\(name): \(value)\n".utf8).write(to: URL(fileURLWithPath: folder.path("a.yaml")))
    let (flag, file) = (
      try PlannedEvaluation(EvaluationFlags.parse(["--\(name)", value]), config: nil),
      try PlannedEvaluation(EvaluationFlags.parse([]), config: folder.path("a.yaml"))
    )
    #expect(flag.plan.objects == file.plan.objects && file.namesObjects)
  }

  @Test("object-flips names any of the three")
  func flips() throws {
    for (text, flips) in [
      ("none", RowFlips(boxToDepth: false, depthToMask: false, depthToImage: false)),
      ("box,image", RowFlips(boxToDepth: true, depthToMask: false, depthToImage: true)), ("app", .app),
    ] {
      #expect(FlipChoice(argument: text)?.field == flips)
    }
    #expect(FlipChoice(argument: "conventions")?.field == .some(nil) && FlipChoice(argument: "rows") == nil)
  }

  @Test("objects can be switched off, as flag and as key")
  func off() throws {
    let folder = try TemporaryFolder()
    for (text, isOff) in [
      ("objects: false", true), ("no-objects: true", true), ("objects: true", false),
      ("no-objects: false", false),
    ] {
      try Data("\(text)\n".utf8).write(to: URL(fileURLWithPath: folder.path("a.yaml")))
      let settings = try PlannedEvaluation(EvaluationFlags.parse([]), config: folder.path("a.yaml"))
      #expect((settings.plan.objects == nil) == isOff, "\(text)")
    }
    try Data("objects: perhaps\n".utf8).write(to: URL(fileURLWithPath: folder.path("a.yaml")))
    #expect(throws: FathomError.self) {
      try PlannedEvaluation(EvaluationFlags.parse([]), config: folder.path("a.yaml"))
    }
    try Data("no-objects: true\n".utf8).write(to: URL(fileURLWithPath: folder.path("a.yaml")))
    let both = try PlannedEvaluation(EvaluationFlags.parse(["--objects"]), config: folder.path("a.yaml"))
    #expect(both.plan.objects != nil)
  }

  @Test(
    "senseless values are wrong usage, in one line that names the option",
    arguments: [
      ("box-methods", "sphere"), ("detection-confidence", "1.5"), ("detection-overlap", "-1"),
      ("most-detections", "0"), ("match-overlap", "0"), ("object-confidence", "3"), ("object-range", "0,4"),
      ("mask-threshold", "1"), ("masked-depths", "0"), ("unprojection-offset", "2"), ("box-points", "2"),
      ("box-size-floor", "-1"), ("specified-depths", "0.1,1.9"), ("eroded-depths", "0.1,2"),
      ("erosion-share", "2"), ("erosion-steps", "-1,3"), ("plane-confidence", "9"), ("plane-range", "0,1"),
      ("plane-step", "0"), ("plane-jump", "0"), ("plane-normal-tilt", "91"), ("plane-tilt", "0"),
      ("plane-bin", "0"), ("plane-reach", "0"), ("plane-points", "0"), ("plane-area", "-1"),
      ("plane-cell", "0"), ("effect-widths", "0,1"), ("effect-rise", "nan"), ("object-range", "4,1"),
      ("object-depths", "huber"), ("object-sampling", "pixels"),
    ])
  func usage(_ name: String, _ value: String) async throws {
    let folder = try TemporaryFolder()
    let failure = try #require(
      await run([
        "evaluate", sample, "--methods", "lidar-bilinear", "--frames", "0:1", "--\(name)=\(value)",
        "--output",
        folder.path("run"), "--quiet",
      ]))
    #expect(failure.code.rawValue == 64 && failure.message.contains(name) && !failure.message.contains("\n"))
    #expect(folder.names.isEmpty)
  }
}
