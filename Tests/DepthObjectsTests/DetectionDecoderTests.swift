import DepthCore
import Testing

@testable import DepthObjects

@Suite("Decoding a segmentation head")
struct DetectionDecoderTests {
  /// ultralytics computes in single precision, in another order; masks are stored to 8e-6.
  private static let tolerance: Float = 1e-4

  @Test(
    "as ultralytics does: anchors, classes, scores, boxes and masks", arguments: DetectorGolden.shared.cases)
  func agreesWithUltralytics(_ c: DetectorGolden.Case) throws {
    var options = DecodingOptions()
    (options.confidenceThreshold, options.overlapThreshold) = (c.confidence, c.overlap)
    options.letterboxRounding = .wholePixels
    let decoder = DetectionDecoder(imageSize: c.imageSize, options: options)
    let kept = decoder.kept(decoder.candidates(in: c.output))
    #expect(kept.map(\.anchor) == c.kept)
    #expect(kept.map(\.label) == c.labels)
    #expect(kept.map(\.score) == DetectorGolden.Case.numbers(c.scores, of: Float.self))
    let boxes = worst(kept.map(\.box), DetectorGolden.Case.rectangles(c.boxes))
    #expect(boxes <= Self.tolerance)

    let found = decoder.detections(in: c.output, frame: 5)
    #expect(found.conventions == DetectionConventions(maskStride: c.stride))
    #expect(found.objects.allSatisfy { $0.frame == 5 })
    #expect(found.objects.map(\.label) == c.labels.map { "class \($0)" })
    let imageBoxes = worst(found.objects.map(\.box), DetectorGolden.Case.rectangles(c.image_boxes))
    #expect(imageBoxes <= Self.tolerance)

    let masks = try found.objects.map { try #require($0.mask) }
    #expect(masks.map { $0.values.count { $0 > 0.5 } } == c.mask_pixels)
    let values = worst(masks.flatMap(\.values), DetectorGolden.Case.shares(c.masks))
    #expect(values <= Self.tolerance)
    print("worst against ultralytics, \(c.name): boxes \(boxes) and \(imageBoxes) px, masks \(values)")
  }

  @Test(
    "masks at the image's size as scale_masks gives them", arguments: DetectorGolden.shared.cases.prefix(3))
  func upsampling(_ c: DetectorGolden.Case) throws {
    var options = DecodingOptions()
    (options.confidenceThreshold, options.overlapThreshold) = (c.confidence, c.overlap)
    let found = DetectionDecoder(imageSize: c.imageSize, options: options).detections(in: c.output, frame: 0)
    let mask = try #require(found.objects.first?.mask)
    let sampler = MaskSampler(mask, imageSize: c.imageSize, stride: c.stride, flipsRows: false)
    let upsampled = sampler.upsampled(to: c.imageSize)
    let difference = worst(upsampled.values, DetectorGolden.Case.shares(c.upsampled))
    #expect(difference <= Self.tolerance)
    print("worst against scale_masks, \(c.name): \(difference)")

    // The same mask upside down gives the same picture.
    let turned = MaskSampler(mask.upsideDown, imageSize: c.imageSize, stride: c.stride, flipsRows: true)
    #expect(worst(turned.upsampled(to: c.imageSize).values, upsampled.values) < 1e-5)
  }

  @Test("the threshold is strict, equal scores keep the first anchor, classes do not suppress each other")
  func suppression() {
    let decoder = DetectionDecoder(imageSize: RasterSize(width: 64, height: 48))
    // Columns: two equal boxes of one class and score, one of another class, one at the threshold, one not a number.
    let boxes: [[Float]] = [
      [20, 20, 10, 10], [20, 20, 10, 10], [20, 20, 10, 10], [40, 40, 4, 4], [.nan, 1, 1, 1],
    ]
    let scores: [[Float]] = [[0.8, 0], [0.8, 0], [0, 0.9], [0.75, 0], [0.99, 0]]
    let columns = zip(boxes, scores).map { $0 + $1 + [1] }
    let head = DetectorHead(
      classCount: 2, coefficientCount: 1, anchorCount: 5, prototypeSize: RasterSize(width: 16, height: 12),
      inputSize: RasterSize(width: 64, height: 48))
    let output = DetectorOutput(
      head: head, predictions: (0..<7).flatMap { row in columns.map { $0[row] } },
      prototypes: [Float](repeating: 0, count: 192))
    #expect(decoder.kept(decoder.candidates(in: output)).map(\.anchor) == [2, 0])
    let named = DetectionDecoder(imageSize: decoder.imageSize, classNames: ["cup"])
    #expect(named.detections(in: output, frame: 0).objects.map(\.label) == ["class 1", "cup"])
  }

  private func worst(_ a: [PixelRectangle], _ b: [PixelRectangle]) -> Float {
    worst(
      a.flatMap { [$0.minX, $0.minY, $0.maxX, $0.maxY] }, b.flatMap { [$0.minX, $0.minY, $0.maxX, $0.maxY] })
  }

  /// Largest difference over what `b` holds.
  private func worst(_ a: [Float], _ b: [Float]) -> Float {
    guard a.count >= b.count, !b.isEmpty else { return .infinity }
    return zip(a, b).map { abs($0 - $1) }.max() ?? .infinity
  }
}

extension Raster {
  var upsideDown: Raster {
    Raster(
      width: width, height: height,
      values: (0..<height).reversed().flatMap { values[$0 * width..<($0 + 1) * width] })
  }
}
