import DepthCore
import Foundation
import Testing

@testable import DepthFusion

/// A box before a wall, seen by a camera and by a LiDAR that draws its steps soft.
private struct PictureScene {
  /// Standard deviation of the LiDAR's filter, its pixels.
  var softness = 1.0
  /// Whether the box has another colour than the wall.
  var isSeen = true
  /// A grid of lines is printed on the wall.
  var hasTexture = false
  var hasBox = true
  /// Where the LiDAR sees everything, beside its place, its pixels.
  var shift = 0.0
  let lidarSize = RasterSize(width: 96, height: 72)
  let size = RasterSize(width: 384, height: 288)

  private static func isBox(_ u: Double, _ v: Double) -> Bool {
    (0.3..<0.625).contains(u) && (0.25..<0.75).contains(v)
  }

  private func depth(_ u: Double, _ v: Double) -> Double { hasBox && Self.isBox(u, v) ? 1.5 : 2.5 }

  var truth: DepthMap {
    map(size) { depth($0, $1) }
  }

  var frame: DepthFrame {
    // The share of the box under a Gaussian: a product of error functions.
    func share(_ x: Double, _ low: Double, _ high: Double, _ pixels: Int) -> Double {
      let deviation = max(softness, 1e-3) / Double(pixels)
      return (erf((high - x) / deviation / 2.0.squareRoot()) - erf((low - x) / deviation / 2.0.squareRoot()))
        / 2
    }
    let lidar = map(lidarSize) { u, v in
      let x = u + shift / Double(lidarSize.width)
      let box = share(x, 0.3, 0.625, lidarSize.width) * share(v, 0.25, 0.75, lidarSize.height)
      return hasBox ? 2.5 - box : 2.5
    }
    var pixels: [RGB] = []
    for row in 0..<size.height {
      for column in 0..<size.width {
        let (u, v) = ((Double(column) + 0.5) / Double(size.width), (Double(row) + 0.5) / Double(size.height))
        let isLine = hasTexture && (row / 12 + column / 12) % 2 == 0
        pixels.append(
          isSeen && Self.isBox(u, v)
            ? RGB(red: 150, green: 60, blue: 40)
            : isLine ? RGB(red: 30, green: 30, blue: 30) : RGB(red: 190, green: 190, blue: 180))
      }
    }
    var frame = LocalScene().frame()
    frame.lidar = lidar
    frame.confidence = Raster(width: lidarSize.width, height: lidarSize.height, filledWith: 2)
    frame.relative = map(size) { 1 / depth($0, $1) }
    frame.truth = truth
    frame.image = Raster(width: size.width, height: size.height, values: pixels)
    return frame
  }

  private func map(_ size: RasterSize, _ value: (Double, Double) -> Double) -> DepthMap {
    var values: [Float] = []
    for row in 0..<size.height {
      for column in 0..<size.width {
        values.append(
          Float(value((Double(column) + 0.5) / Double(size.width), (Double(row) + 0.5) / Double(size.height)))
        )
      }
    }
    return DepthMap(width: size.width, height: size.height, values: values)
  }
}

@Suite("image as a guide")
struct ImageGuideTests {
  private func error(_ result: FusionResult, _ scene: PictureScene) throws -> Double {
    LocalScene.error(try #require(result.prediction?.depth), scene.truth)
  }

  @Test("colours in L*a*b* are those of the standard")
  func lab() {
    func lab(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> SIMD3<Float> {
      let image = Raster(width: 1, height: 1, filledWith: RGB(red: red, green: green, blue: blue))
      return LabImage(image, at: image.size).colour(row: 0, column: 0)
    }
    // Published values, D65.
    for (found, known) in [
      (lab(255, 255, 255), SIMD3<Float>(100, 0, 0)), (lab(0, 0, 0), SIMD3(0, 0, 0)),
      (lab(255, 0, 0), SIMD3(53.24, 80.09, 67.20)), (lab(0, 0, 255), SIMD3(32.30, 79.19, -107.86)),
      (lab(119, 119, 119), SIMD3(50.03, 0, 0)),
    ] {
      #expect(((found - known) * (found - known)).sum().squareRoot() < 0.1, "\(found), not \(known)")
    }
  }

  @Test("light is averaged over a pixel, and interpolated between the image's pixels")
  func labRaster() {
    let (black, white) = (RGB(red: 0, green: 0, blue: 0), RGB(red: 255, green: 255, blue: 255))
    let image = Raster(width: 4, height: 2, values: [black, black, white, white, black, black, white, white])
    let grey = LabImage.lab(SIMD3(repeating: 0.5)).x
    let half = LabImage(image, at: RasterSize(width: 2, height: 1))
    #expect(half.colour(row: 0, column: 0).x == 0 && abs(half.colour(row: 0, column: 1).x - 100) < 0.01)
    #expect(
      abs(LabImage(image, at: RasterSize(width: 1, height: 1)).colour(row: 0, column: 0).x - grey) < 0.01)
    let shifted = LabImage(image, at: RasterSize(width: 2, height: 1), offset: PixelOffset(x: 0.5, y: 0))
    #expect(abs(shifted.colour(row: 0, column: 0).x - grey) < 0.01)
    // Half a pixel beside the border between the second and the third.
    let fine = LabImage(image, at: RasterSize(width: 8, height: 4))
    #expect(abs(fine.colour(row: 1, column: 3).x - LabImage.lab(SIMD3(repeating: 0.25)).x) < 0.01)
  }

  @Test(
    "the width of depth steps is that of the filter",
    arguments: [(0.0, 0.7...0.9), (0.5, 1.3...1.9), (1, 2.3...3), (1.5, 3.4...4.4)])
  func stepWidth(_ softness: Double, _ expected: ClosedRange<Double>) throws {
    var scene = PictureScene()
    scene.softness = softness
    let steps = StepWidth(of: scene.frame.lidar)
    let narrowest = try #require(steps.narrowest)
    #expect(expected.contains(narrowest), "\(narrowest) of \(steps.count)")
    #expect(steps.isWide == (softness >= 1))
  }

  @Test("a map without steps, or too small for them, has no width")
  func noSteps() {
    var scene = PictureScene()
    scene.hasBox = false
    #expect(StepWidth(of: scene.frame.lidar).narrowest == nil)
    #expect(!StepWidth(of: DepthMap(width: 3, height: 2, filledWith: 1)).isWide)
    #expect(StepWidth(of: DepthMap(width: 0, height: 0, values: [])).count == 0)
  }

  @Test("soft depth steps become those of the image, over a printed pattern, too", arguments: [false, true])
  func sharpens(_ hasTexture: Bool) throws {
    var scene = PictureScene()
    scene.hasTexture = hasTexture
    let raw = try error(LocalScene.fuse(RawLiDAR(.bilinear), scene.frame), scene)
    let guided = LocalScene.fuse(ImageGuidedFusion(), scene.frame)
    #expect(guided.prediction?.depth.size == scene.size)
    #expect(try error(guided, scene) < 0.6 * raw)
    #expect(guided.reason?.contains("LiDAR pixels wide") == true)
  }

  @Test("a LiDAR that lies beside the image is put where the registration says")
  func registration() throws {
    var scene = PictureScene()
    let straight = try error(LocalScene.fuse(ImageGuidedFusion(), scene.frame), scene)
    scene.shift = 3
    let shifted = LocalScene.fuse(ImageGuidedFusion(), scene.frame) {
      $0.options.registration = PixelOffset(x: 3, y: 0)
    }
    let map = try #require(shifted.prediction?.depth)
    // What the LiDAR does not see is missing.
    var truth = scene.truth
    for i in truth.values.indices where !map.values[i].isFinite { truth.values[i] = .nan }
    #expect(abs(LocalScene.error(map, truth) - straight) < 0.1 * straight)
    #expect(map.values.count { !$0.isFinite } < map.values.count / 20)
  }

  @Test("a printed pattern on a flat wall moves nothing")
  func pattern() throws {
    var scene = PictureScene()
    (scene.hasBox, scene.isSeen, scene.hasTexture) = (false, false, true)
    let map = try #require(LocalScene.fuse(ImageGuidedFusion(), scene.frame).prediction?.depth)
    #expect(map.values.allSatisfy { $0 == 2.5 })
  }

  @Test("what the LiDAR does not measure stays missing, and a map without returns is missing")
  func missing() throws {
    let scene = PictureScene()
    var frame = scene.frame
    for row in 0..<10 { for column in 0..<96 { frame.lidar[row, column] = 0 } }
    let map = try #require(LocalScene.fuse(ImageGuidedFusion(), frame).prediction?.depth)
    #expect((0..<scene.size.width).allSatisfy { !map[20, $0].isFinite && map[60, $0].isFinite })
    frame.lidar = DepthMap(width: 96, height: 72, filledWith: .nan)
    let empty = try #require(LocalScene.fuse(ImageGuidedFusion(), frame).prediction?.depth)
    #expect(empty.values.allSatisfy { !$0.isFinite })
    frame.image = nil
    let refused = LocalScene.fuse(ImageGuidedFusion(), frame)
    #expect(refused.prediction == nil && refused.reason == "the frame has no camera image")
  }

  // The network's map is as bad as it needs to be for the LiDAR to stay.
  private func auto(_ frame: DepthFrame) -> FusionResult {
    var (frame, generator) = (frame, SplitMix64(seed: 5))
    frame.relative = frame.relative.map { map in
      DepthMap(
        width: map.width, height: map.height,
        values: map.values.map { $0 * Float(exp(0.12 * generator.nextNormal())) })
    }
    return LocalScene.fuse(AutoFusion(), frame)
  }

  @Test("auto takes the image where the LiDAR draws its steps wide, and says so")
  func autoWide() throws {
    let scene = PictureScene()
    var frame = scene.frame
    let guided = auto(frame)
    #expect(guided.reason?.contains("the image places") == true, "\(guided.reason ?? "")")
    frame.image = nil
    let blind = auto(frame)
    #expect(blind.reason?.contains("image") == false)
    #expect(try error(guided, scene) < 0.6 * error(blind, scene))
  }

  @Test(
    "auto places sharp steps by an image that shows them, also without a network", arguments: [true, false])
  func autoSharp(_ hasNetwork: Bool) throws {
    var scene = PictureScene()
    // As wide as a pixel, which is what a returned colour is the mean of.
    scene.softness = 0.3
    var frame = scene.frame
    if !hasNetwork { frame.relative = nil }
    let guided = auto(frame)
    #expect(guided.reason?.contains("the image places") == true, "\(guided.reason ?? "")")
    let raw = try error(LocalScene.fuse(RawLiDAR(.bilinear), scene.frame), scene)
    #expect(try error(guided, scene) < 0.7 * raw)
  }

  @Test(
    "auto leaves the LiDAR to the last bit where the image does not show its sharp steps",
    arguments: [false, true])
  func autoSharpUnseen(_ hasTexture: Bool) {
    var scene = PictureScene()
    (scene.softness, scene.isSeen, scene.hasTexture) = (0, false, hasTexture)
    var frame = scene.frame
    let guided = auto(frame)
    #expect(guided.reason?.contains("the image is not used") == true, "\(guided.reason ?? "")")
    frame.image = nil
    #expect(guided.prediction?.depth == auto(frame).prediction?.depth)
  }

  @Test("between four returns the colour moves the weights")
  func corners() throws {
    let map = DepthMap(width: 2, height: 2, values: [1, 2, 1, 2])
    let right = SIMD3<Float>(ImageGuide.colourSpread, ImageGuide.colourSpread, 0)
    let corners = try #require(StepCorners(map, at: 0, step: 1) { $0 % 2 == 0 ? .zero : right })
    #expect(corners.mean(across: 0.5, down: 0.3) == 1.5)
    // The right ones count e⁻¹ as much as the left ones.
    #expect(abs(corners.mean(across: 0.5, down: 0.3, colour: .zero) - 1.268_941) < 1e-6)
    // Of a colour that none of them has, they count by their distance.
    #expect(abs(corners.mean(across: 0.25, down: 0.3, colour: SIMD3(900, 0, 0)) - 1.25) < 1e-6)
    #expect(
      StepCorners(DepthMap(width: 2, height: 2, values: [1, 1.05, 1, 1]), at: 0, step: 1) { _ in .zero }
        == nil)
    #expect(
      StepCorners(DepthMap(width: 2, height: 2, values: [1, 2, .nan, 1]), at: 0, step: 1) { _ in .zero }
        == nil)
  }

  @Test("auto does not believe an image that does not show the step")
  func autoUnseen() throws {
    var scene = PictureScene()
    scene.isSeen = false
    var frame = scene.frame
    let guided = auto(frame)
    #expect(guided.reason?.contains("the image places 0.0 %") == true, "\(guided.reason ?? "")")
    frame.image = nil
    let blind = try #require(auto(frame).prediction?.depth)
    let map = try #require(guided.prediction?.depth)
    var different = 0
    BilinearSampler(source: map.size, target: blind.size).forEachSample(of: blind) { index, depth in
      if map.values[index] != Float(depth) { different += 1 }
    }
    #expect(different == 0)
  }

  @Test("the same frame twice gives the same bits")
  func deterministic() {
    let frame = PictureScene().frame
    #expect(
      LocalScene.fuse(ImageGuidedFusion(), frame).prediction?.depth
        == LocalScene.fuse(ImageGuidedFusion(), frame).prediction?.depth)
  }
}
