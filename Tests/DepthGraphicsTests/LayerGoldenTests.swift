import DepthCore
import DepthGraphics
import Foundation
import FathomTestSupport
import Testing

/// Pictures from the documents' formulas, written by Tests/Reference/make_layer_golden.py.
private struct GoldenLayers: Decodable {
  let width: Int, height: Int, mapWidth: Int, mapHeight: Int
  let depth: [Float?], flat: [Float?], confidence: [UInt8], mask: [Float], image: [UInt8]
  let ramp: [UInt8], rampAlone: [UInt8], rampNarrow: [UInt8], flatRamp: [UInt8]
  let bands: [UInt8], flatBands: [UInt8]
  let confidenceTint: [UInt8], confidenceAlone: [UInt8]
  let fog: [UInt8], detections: [UInt8]
  let blurSigma: Double, blurWidth: Int, blurDepth: [Float?], blurred: [Double?]

  static func read() throws -> GoldenLayers {
    let file = PackageFiles.root.appendingPathComponent("Tests/Reference/golden/layers.json")
    return try JSONDecoder().decode(GoldenLayers.self, from: Data(contentsOf: file))
  }

  /// JSON has neither NaN nor infinity; zero and a negative depth are among the numbers.
  var map: DepthMap { Raster(width: mapWidth, height: mapHeight, values: depth.map { $0 ?? .nan }) }
  var flatMap: DepthMap { Raster(width: flat.count, height: 1, values: flat.map { $0 ?? .nan }) }
  var levels: Raster<UInt8> { Raster(width: mapWidth, height: mapHeight, values: confidence) }
  var picture: Raster<RGBA> {
    Raster(
      width: width, height: height,
      values: (0..<width * height).map {
        RGBA(red: image[3 * $0], green: image[3 * $0 + 1], blue: image[3 * $0 + 2])
      })
  }

  func over(_ layer: some PictureLayer) -> [UInt8] {
    var picture = picture
    layer.draw(on: &picture)
    #expect(picture.isOpaque)
    return picture.values.flatMap { [$0.red, $0.green, $0.blue] }
  }

  func alone(_ layer: some PictureLayer, _ size: RasterSize) -> [UInt8] {
    Raster<RGBA>([layer], size: size).values.flatMap { [$0.red, $0.green, $0.blue, $0.alpha] }
  }
}

@Suite("Layers equal the documents' formulas to the last 8-bit step")
struct LayerGoldenTests {
  private let golden: GoldenLayers
  private var size: RasterSize { RasterSize(width: golden.width, height: golden.height) }

  init() throws { golden = try GoldenLayers.read() }

  @Test("the ramp, over a picture and alone, at its ends and where depth is missing")
  func ramp() {
    let map = golden.map
    #expect(golden.over(DepthRamp(map)) == golden.ramp)
    #expect(golden.over(DepthRamp(map, near: 1.2, far: 3.1, opacity: 0.75)) == golden.rampNarrow)
    #expect(golden.alone(DepthRamp(map), size) == golden.rampAlone)
    let flat = golden.alone(DepthRamp(golden.flatMap, opacity: 1), golden.flatMap.size)
    #expect(flat == golden.flatRamp)
    #expect(golden.rampAlone.contains(0) && golden.rampAlone.contains(102))
  }

  @Test("the bands, with their borders in the farther band")
  func bands() {
    #expect(golden.over(BandedRamp(golden.map)) == golden.bands)
    #expect(
      golden.alone(BandedRamp(golden.flatMap, opacity: 1), golden.flatMap.size) == golden.flatBands)
  }

  @Test("the confidence's tint")
  func confidence() {
    #expect(golden.over(ConfidenceTint(golden.levels)) == golden.confidenceTint)
    #expect(golden.alone(ConfidenceTint(golden.levels), size) == golden.confidenceAlone)
  }

  @Test("fog, from depth that was blurred without what is missing")
  func fog() {
    #expect(golden.over(Fog(golden.map, sigma: 0.8)) == golden.fog)
  }

  @Test("detections: 30 % in linear light, objects as they are")
  func detections() {
    let mask = Raster(width: golden.width, height: golden.height, values: golden.mask)
    #expect(golden.over(DetectionScene(mask: mask)) == golden.detections)
    let zeros = Raster(width: 1, height: 1, filledWith: Float(0))
    var white = Raster(width: 1, height: 1, filledWith: RGBA(red: 255, green: 255, blue: 255))
    DetectionScene(mask: zeros).draw(on: &white)
    // 2^−1.74 = 0.2994 of the light is 148.8 of 255 in sRGB.
    #expect(white.values == [RGBA(red: 149, green: 149, blue: 149)])
  }

  @Test("the blur is scipy's, normalised by what is known; what nothing reaches stays missing")
  func blur() {
    let width = golden.blurWidth
    let map = DepthMap(
      width: width, height: golden.blurDepth.count / width, values: golden.blurDepth.map { $0 ?? .nan })
    let blurred = map.depthBlurred(sigma: golden.blurSigma)
    var missing = 0
    for (ours, scipys) in zip(blurred.values, golden.blurred) {
      if let scipys { #expect(abs(Double(ours) - scipys) <= 1e-6 * scipys) } else { #expect(ours.isNaN) }
      missing += scipys == nil ? 1 : 0
    }
    #expect(missing > 0 && missing < map.values.count(where: \.isNaN))
    #expect(map.depthBlurred(sigma: 0).values.map(\.bitPattern) == map.values.map(\.bitPattern))
  }
}
