import DepthRendering
import FathomRuns
import DepthCore
import DepthDataset
import DepthGraphics
import Foundation
import FathomStorage
import FathomTestSupport
import Testing

@testable import FathomCommandLine

@Suite("fathom render, pictures")
struct PictureCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Small, because the tests draw many.
  private func render(_ data: String = sample, to name: String, _ options: String...) async -> Failure? {
    await run(["render", data, "--output", folder.path(name), "--quiet", "--size", "240x180"] + options)
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path(name))))
  }

  /// Width and height of a PNG file.
  private func pngSize(_ name: String) throws -> RasterSize {
    let file = try bytes(name)
    #expect(Array(file.prefix(8)) == [137, 80, 78, 71, 13, 10, 26, 10])
    func number(_ start: Int) -> Int { file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    return RasterSize(width: number(16), height: number(20))
  }

  @Test("errors are drawn against a reference from neighbouring frames where that is asked for")
  func multiviewTruth() async throws {
    let path = folder.path("walk.h5")
    #expect(
      await run("synthesize", path, "--preset", "sample", "--scenes", "1", "--frames", "9", "--quiet") == nil)
    let words = ["--frame", "4", "--layer", "error"]
    #expect(await run(["render", path, "--output", folder.path("a.png"), "--quiet"] + words) == nil)
    let multiview = words + ["--truth", "multiview"]
    #expect(await run(["render", path, "--output", folder.path("b.png"), "--quiet"] + multiview) == nil)
    #expect(try bytes("a.png") != bytes("b.png"))
    // The truth that is stored is not looked at.
    let bare = folder.path("bare.h5")
    let reader = try DatasetReader(readingFrom: path)
    var writer = try DatasetWriter(creating: bare, attributes: reader.attributes)
    var header = reader.scenes[0]
    (header.truthSize, header.truthIndependence) = (nil, .unknown)
    try writer.addScene(header)
    for index in 0..<header.frameCount {
      var frame = try reader.frame(index, of: reader.scenes[0], including: .all)
      frame.truth = nil
      try writer.write(frame, to: header.name)
    }
    try writer.commit()
    #expect(await run(["render", bare, "--output", folder.path("c.png"), "--quiet"] + multiview) == nil)
    #expect(try bytes("b.png") == bytes("c.png"))
    #expect(
      await run(["render", bare, "--output", folder.path("d.png"), "--quiet"] + words)?.code
        == Failure.badData)
    // Two frames cannot replace a truth.
    let failure = await render(to: "e.png", "--layer", "error", "--truth", "multiview")
    #expect(failure?.code == Failure.badData)
    #expect(failure?.message.contains("it has 2 frames, at least 7 are needed") == true)
  }

  @Test(
    "every layer is drawn, the same bytes again, and unlike every other", arguments: [["lidar"], ["ols"]])
  func layers(_ source: [String]) async throws {
    var files: [String: [UInt8]] = [:]
    for layer in LayerName.allCases
    where source != ["lidar"] || layer != .residual && !layer.needsDeviation {
      let options = ["--layer", layer.rawValue] + (layer.showsSource ? ["--source"] + source : [])
      for name in ["a.png", "b.png"] {
        let failure = await run(
          ["render", sample, "--output", folder.path(name), "--quiet", "--overwrite", "--size", "240x180"]
            + options)
        #expect(failure == nil, "\(layer): \(failure?.message ?? "")")
      }
      #expect(try bytes("a.png") == bytes("b.png"), "\(layer)")
      files[layer.rawValue] = try bytes("a.png")
    }
    #expect(Set(files.values).count == files.count)
  }

  @Test("pixels are the layers' own: image, then ramp at the app's opacity")
  func pixels() async throws {
    let reader = try DatasetReader(readingFrom: sample)
    let frame = try reader.frame(0, of: reader.scenes[0], including: .all)
    let image = try #require(frame.image)
    let size = RasterSize(width: 240, height: 180)
    let expected = Raster<RGBA>([try CameraImage(image, size: size), DepthRamp(frame.lidar)], size: size)
    #expect(await render(to: "a.png", "--layer", "image,ramp", "--no-color-bar") == nil)
    #expect(try bytes("a.png") == FramePicture([.init(expected)], isAnnotated: false).png())
    #expect(await render(to: "b.png", "--layer", "image", "--layer", "ramp", "--no-color-bar") == nil)
    #expect(try bytes("a.png") == bytes("b.png"))
    #expect(
      await render(to: "c.jpg", "--layer", "image,ramp", "--no-color-bar", "--quality", "70") == nil)
    let opaque = try FramePicture([.init(expected)], isAnnotated: false).pixels()
    #expect(try bytes("c.jpg") == JPEG.encode(opaque, quality: 70))
  }

  @Test("options reach the layers")
  func options() async throws {
    var files: [[UInt8]] = []
    for options in [
      ["image,ramp"], ["image,ramp", "--near", "1"], ["image,ramp", "--far", "3"],
      ["image,ramp", "--opacity", "0.7"],
      ["image,ramp", "--min-confidence", "2"], ["image,ramp", "--depth-range", "1:3"],
      ["image,ramp", "--source", "truth"],
      ["fog"], ["fog", "--fog-color", "ff8800"], ["fog", "--fog-max", "2.5"], ["fog", "--fog-sigma", "0"],
      ["error"], ["error", "--error-limit", "0.02"], ["error", "--source", "auto"],
      ["turbo", "--near", "1", "--far", "2"], ["turbo"], ["wireframe"],
      ["wireframe", "--boxes", "closeness"],
      ["detections"], ["detections", "--portrait"], ["detections", "--frame", "1"],
      ["turbo", "--scene", "room-02"],
    ] {
      let failure = await run(
        [
          "render", sample, "--output", folder.path("a.png"), "--overwrite", "--quiet", "--size", "240x240",
          "--layer",
        ]
          + options)
      #expect(failure == nil, "\(options): \(failure?.message ?? "")")
      files.append(try bytes("a.png"))
    }
    #expect(Set(files).count == files.count)
  }

  @Test("sizes: the sides' ratio is kept, portrait is upright, panels stand side by side")
  func sizes() async throws {
    #expect(await render(to: "a.png", "--layer", "turbo", "--no-color-bar") == nil)
    #expect(try pngSize("a.png") == RasterSize(width: 240, height: 180))
    #expect(await render(to: "b.png", "--layer", "turbo", "--no-color-bar", "--portrait") == nil)
    #expect(try pngSize("b.png") == RasterSize(width: 135, height: 180))
    #expect(
      await render(to: "c.png", "--panel", "turbo", "--panel", "image,viridis", "--no-color-bar") == nil)
    #expect(try pngSize("c.png") == RasterSize(width: 480, height: 180))
    #expect(await render(to: "d.png") == nil)
    let size = try pngSize("d.png")
    #expect(size.width > 260 && size.height > 195)
  }

  @Test("turned upright, every pixel is where the app shows it")
  func portrait() async throws {
    #expect(await render(to: "a.jpg", "--layer", "image", "--no-color-bar", "--quality", "100") == nil)
    let reader = try DatasetReader(readingFrom: sample)
    let image = try #require(try reader.frame(0, of: reader.scenes[0], including: .all).image)
    let turned = folder.path("turned.png")
    #expect(
      await run([
        "render", sample, "--output", turned, "--quiet", "--size", "180x240", "--layer", "image",
        "--no-color-bar",
        "--portrait",
      ]) == nil)
    // The image has 240×180 pixels, so that nothing is resized: row r of the upright one is column r, from the bottom.
    var upright = Raster(width: 180, height: 240, filledWith: RGBA.clear)
    for row in 0..<240 { for column in 0..<180 { upright[row, column] = RGBA(image[179 - column, row]) } }
    #expect(try bytes("turned.png") == FramePicture([.init(upright)], isAnnotated: false).png())
  }

  @Test("all frames: numbered pictures with a list, or one that moves")
  func allFrames() async throws {
    #expect(await render(to: "all", "--all-frames", "--format", "jpg", "--layer", "image,confidence") == nil)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("all")).sorted() == [
        "render.json", "room-01-0000.jpg", "room-01-0001.jpg",
      ])
    let list = try String(contentsOfFile: folder.path("all/render.json"), encoding: .utf8)
    #expect(list.contains("\"image\"") && list.contains("\"confidence\"") && list.contains("sha256"))
    guard case .list(let pictures)? = try JSONValue(text: list)["files"] else {
      Issue.record("render.json lists no pictures")
      return
    }
    #expect(
      pictures.map { $0["file"] } == [.text("room-01-0000.jpg"), .text("room-01-0001.jpg")])
    #expect(await render(to: "one.jpg", "--frame", "1", "--layer", "image,confidence") == nil)
    #expect(try bytes("all/room-01-0001.jpg") == bytes("one.jpg"))
    #expect(await render(to: "all", "--all-frames")?.code == Failure.cannotCreate)
    #expect(await render(to: "all", "--all-frames", "--overwrite") == nil)
    #expect(folder.exists("all/room-01-0000.png") && !folder.exists("all/room-01-0000.jpg"))
    #expect(await render(to: "film.webp", "--all-frames", "--frame-rate", "2") == nil)
    #expect(await render(to: "again.webp", "--all-frames", "--frame-rate", "2") == nil)
    #expect(try Array(bytes("film.webp")[8..<12]) == Array("WEBP".utf8))
    #expect(try bytes("film.webp") == bytes("again.webp"))
  }

  @Test("SVG is the same whatever was drawn before")
  func svg() async throws {
    #expect(await render(to: "a.svg", "--layer", "detections,wireframe") == nil)
    #expect(await render(to: "c.png", "--layer", "error") == nil)
    #expect(await render(to: "b.svg", "--layer", "detections,wireframe") == nil)
    #expect(try bytes("a.svg") == bytes("b.svg"))
  }

  @Test(
    "options that do not fit are wrong usage",
    arguments: [
      (["--layer", "image,rainbow"], "there is no 'rainbow'"), (["--layer", "turbo,turbo"], "twice"),
      (["--layer", "turbo", "--panel", "error"], "exclude"), (["--layer", ""], "there is no ''"),
      (["--format", "ply", "--layer", "turbo"], "ply is not a picture format"),
      (["--format", "usda", "--portrait"], "--portrait"), (["--layer", "image", "--near", "1"], "--near"),
      (["--layer", "bands", "--far", "4"], "--far"),
      (["--layer", "image,confidence", "--opacity", "1"], "--opacity"),
      (["--fog-max", "3"], "fog"),
      (["--layer", "turbo", "--error-limit", "1"], "error, residual or deviation"),
      (["--layer", "error", "--source", "truth"], "no error against itself"),
      (["--layer", "residual"], "lidar is not fitted"),
      (["--layer", "deviation"], "lidar states no standard deviations"),
      (["--layer", "residual", "--source", "lidar-bilinear"], "lidar-bilinear is not fitted"),
      (["--layer", "residual", "--source", "oracle"], "oracle is not fitted"),
      (["--near", "3", "--far", "2"], "not nearer"), (["--far", "inf"], "at most 1000000 m"),
      (["--opacity", "1.5"], "0 to 1"),
      (["--layer", "fog", "--fog-color", "red"], "red"),
      (["--layer", "fog", "--fog-sigma", "-1"], "fog-sigma"),
      (["--quality", "90"], "only jpg"), (["--format", "jpg", "--quality", "0"], "1 to 100"),
      (["--frame-rate", "5"], "only webp"), (["--format", "webp", "--frame-rate", "5"], "--all-frames"),
      (["--size", "10x10"], "each 16 to 8192 pixels"), (["--size", "0x0"], "each 16 to 8192 pixels"),
      (["--size", "100000x100000"], "each 16 to 8192 pixels"), (["--size", "640"], "as in 1920x1440"),
      (["--layer", "ramp,image"], "image hides 'ramp'"),
      (["--boxes", "auto"], "wireframe"), (["--layer", "wireframe", "--boxes", "none"], "wireframe"),
      (["--all-frames", "--merge", "--format", "png"], "not joined"),
    ])
  func usage(_ options: [String], _ hint: String) async throws {
    let failure = try #require(
      await run(["render", sample, "--output", folder.path("out"), "--quiet"] + options))
    #expect(failure.code == Failure.usage && failure.message.contains(hint), "\(failure.message)")
    #expect(!failure.message.contains("\n") && folder.names.isEmpty)
  }

  @Test(
    "what nothing uses is wrong usage: depth that no layer shows, a seed where nothing is drawn at random",
    arguments: [
      ["--layer", "image"], ["--layer", "confidence"], ["--panel", "image", "--panel", "image,confidence"],
      ["--layer", "wireframe", "--boxes", "truth"], ["--format", "obj", "--boxes", "truth"],
    ])
  func unused(_ layers: [String]) async throws {
    for option in [
      ["--min-confidence", "2"], ["--depth-range", "1:2"], ["--seed", "3"],
    ] {
      let failure = try #require(
        await run(["render", sample, "--output", folder.path("out"), "--quiet"] + layers + option))
      #expect(failure.code == Failure.usage && failure.message.contains(option[0]), "\(failure.message)")
      #expect(!failure.message.contains("\n") && folder.names.isEmpty)
    }
  }

  @Test("a source that a layer does not show changes nothing: the same picture, and the LiDAR is named")
  func idleSource() async throws {
    for layer in ["confidence", "image"] {
      #expect(await render(to: "\(layer).png", "--layer", layer) == nil)
      #expect(await render(to: "\(layer)-auto.png", "--layer", layer, "--source", "auto") == nil)
      #expect(try bytes("\(layer)-auto.png") == bytes("\(layer).png"))
    }
  }

  @Test("a seed is refused where no fusion method and no random box is drawn")
  func seeds() async throws {
    for options in [
      ["--layer", "turbo"], ["--layer", "turbo", "--source", "truth"], ["--layer", "wireframe"],
      ["--format", "ply"], ["--format", "usda", "--boxes", "auto"],
    ] {
      let failure = await run(
        ["render", sample, "--output", folder.path("out"), "--quiet", "--seed", "3"] + options)
      #expect(failure?.code == Failure.usage && failure?.message.contains("--seed") == true, "\(options)")
    }
    #expect(folder.names.isEmpty)
    #expect(await render(to: "a.png", "--layer", "turbo", "--source", "ransac", "--seed", "3") == nil)
    #expect(await render(to: "b.png", "--layer", "wireframe", "--boxes", "robust-pca", "--seed", "3") == nil)
  }

  @Test("every option changes the picture of every layer that takes it")
  func effects() async throws {
    let values = [
      "--source": "truth", "--min-confidence": "1", "--depth-range": "1:2", "--near": "1.3", "--far": "2.1",
      "--opacity": "0.25", "--fog-color": "ff0000", "--fog-max": "2", "--fog-sigma": "1",
      "--error-limit": "0.03", "--boxes": "closeness",
    ]
    for layer in LayerName.allCases {
      let needsFit = layer == .residual || layer.needsDeviation
      let own = ["--layer", layer.rawValue] + (needsFit ? ["--source", "ols"] : [])
      let plain = ["render", sample, "--output", folder.path("a.png"), "--overwrite", "--quiet"]
      #expect(await run(plain + ["--size", "240x180", "--no-color-bar"] + own) == nil)
      let without = try bytes("a.png")
      for (option, value) in values where option != "--source" || !needsFit && layer != .error {
        let failure = await run(
          plain + ["--size", "240x180", "--no-color-bar"] + own + [option, value])
        let isChanged = try bytes("a.png") != without
        // A source that a layer does not show is not a mistake.
        let isIdle = option == "--source" && !layer.showsSource
        #expect(
          failure == nil ? isChanged != isIdle : failure?.code == Failure.usage && !isChanged,
          "\(layer) \(option): \(failure?.message ?? "no effect")")
        if failure == nil {
          #expect(await run(plain + ["--size", "240x180", "--no-color-bar"] + own) == nil)
        }
      }
    }
  }

  @Test(
    "the file holds the formulas of ramp and bands at every pixel, with channels that opacity leaves alone")
  func exactFile() async throws {
    let reader = try DatasetReader(readingFrom: sample)
    let lidar = try reader.frame(0, of: reader.scenes[0], including: [.lidar]).lidar
    // Drawn pixel for pixel, so that no depth is interpolated.
    let size = "\(lidar.width)x\(lidar.height)"
    for layer in ["ramp", "bands"] {
      let options = ["--size", size, "--no-color-bar", "--quiet", "--layer", layer]
      #expect(await run(["render", sample, "--output", folder.path("\(layer).png")] + options) == nil)
      let picture = try PNGFile(bytes("\(layer).png"))
      #expect(picture.size == lidar.size)
      var colours = Set<[UInt8]>()
      for (index, depth) in lidar.values.enumerated() {
        let found = picture.pixel(index)
        guard depth > 0, depth.isFinite else {
          #expect(found == [0, 0, 0, 0])
          continue
        }
        let expected = layer == "ramp" ? Self.ramp(Double(depth)) : Self.bands(Double(depth))
        #expect(found[3] == 102)
        for (channel, value) in zip(found, expected) {
          // A tie may hang on the last bit of a Float32.
          #expect(abs(Double(channel) - value) <= 0.5001, "\(layer) of \(depth) m: \(found), \(expected)")
        }
        colours.insert(found)
      }
      #expect(colours.count > (layer == "ramp" ? 90 : 20))
    }
  }

  private static func ramp(_ depth: Double) -> [Double] {
    let t = min(max((depth - 0.5) / 4.5, 0), 1)
    return [255 * (1 - t), 0, 255 * t]
  }

  private static func bands(_ depth: Double) -> [Double] {
    switch depth {
    case ..<1: [255, 0, 0]
    case ..<2.5: [255 * (1 - (depth - 1) / 1.5), 255, 0]
    case ..<5: [0, 255, 255]
    default: [0, 0, 255]
    }
  }

  @Test("data that lack what a layer shows are refused by the array's name, and nothing is written")
  func missing() async throws {
    let path = folder.path("bare.h5")
    try sampleCopy(to: path) {
      $0.hasConfidence = false
      $0.truthSize = nil
    } frame: {
      $0.confidence = nil
      $0.truth = nil
    }
    for (layer, array) in [
      ("image,turbo", "image/rgb"), ("confidence", "lidar/confidence"), ("error", "truth/depth"),
      ("turbo,detections", "objects"), ("turbo,wireframe", "objects"),
    ] {
      let failure = try #require(await render(path, to: "out.png", "--layer", layer))
      #expect(failure.code == Failure.badData && failure.message.contains(array), "\(failure.message)")
      #expect(failure.message.contains("layers") || failure.message.contains("--layer"))
    }
    #expect(await render(path, to: "out", "--all-frames", "--layer", "error")?.code == Failure.badData)
    #expect(folder.names == ["bare.h5"])
    // Without an image the default is depth alone.
    #expect(await render(path, to: "depth.png") == nil)
    #expect(await render(path, to: "turbo.png", "--layer", "turbo") == nil)
    #expect(try bytes("depth.png") == bytes("turbo.png"))
  }
}
