import DepthCore
import Testing

@testable import DepthObjects

@Suite("Depths of an object")
struct ObjectDepthsTests {
  /// 8×6 depths 1.00, 1.01, … in the order of pixels, of an image of 80×60; a mask pixel is a depth pixel.
  private let depth = DepthMap(width: 8, height: 6, values: (0..<48).map { 1 + Float($0) / 100 })
  private let imageSize = RasterSize(width: 80, height: 60)
  private let conventions = DetectionConventions(maskStride: 10)

  private func object(
    _ box: (Float, Float, Float, Float), mask: [Float]? = nil
  ) -> DetectedObject {
    DetectedObject(
      frame: 0, label: "cup", score: 0.954,
      box: PixelRectangle(minX: box.0, minY: box.1, maxX: box.2, maxY: box.3),
      mask: mask.map { Raster(width: 8, height: 6, values: $0) })
  }

  private func depths(
    _ object: DetectedObject, _ map: DepthMap? = nil, confidence: Raster<UInt8>? = nil,
    conventions: DetectionConventions? = nil, options: ObjectOptions = ObjectOptions()
  ) throws -> ObjectDepths {
    try ObjectDepths(
      of: object, in: map ?? depth, confidence: confidence, imageSize: imageSize,
      conventions: conventions ?? self.conventions, options: options)
  }

  @Test("edges are truncated, the last row and column included, and clamped to the map")
  func boxPixels() throws {
    let inside = try depths(object((19.9, 10, 40, 29.9)))
    #expect(Set(inside.samples.map(\.column)) == [1, 2, 3, 4] && Set(inside.samples.map(\.row)) == [1, 2])
    #expect(inside.samples.first == ObjectDepths.Sample(row: 1, column: 1, depth: Double(Float(1) + 0.09)))
    let beyond = try depths(object((-30, -30, 1000, 1000)))
    #expect(beyond.samples.count == 48)
    var options = ObjectOptions()
    options.selection = .eroded
    let full = [Float](repeating: 1, count: 48)
    #expect(try depths(object((-3e38, -3e38, 3e38, 3e38), mask: full), options: options).samples.count == 48)
    #expect(throws: ObjectPointsError.noDepth) { try depths(object((90, 10, 95, 20))) }
    #expect(throws: ObjectPointsError.boxNotFinite) { try depths(object((.nan, 0, 10, 10))) }
  }

  @Test("boxes counted from the bottom are turned, and the flip can be switched off")
  func bottomBoxes() throws {
    let conventions = DetectionConventions(boxOrigin: .bottomLeft, maskStride: 10)
    let turned = try depths(object((1, 1, 9, 9)), conventions: conventions)
    #expect(turned.samples.map(\.row) == [5] && turned.samples.map(\.column) == [0])
    #expect(turned.imageBox == PixelRectangle(minX: 1, minY: 51, maxX: 9, maxY: 59))
    var options = ObjectOptions()
    options.flips = RowFlips(boxToDepth: false, depthToMask: false)
    let unturned = try depths(object((1, 1, 9, 9)), conventions: conventions, options: options)
    #expect(unturned.samples.map(\.row) == [0])
  }

  @Test("only confident returns in range count; no confidence map counts as high")
  func filters() throws {
    var map = depth
    (map.values[0], map.values[1], map.values[2], map.values[3]) = (.nan, 0.05, 4.01, .infinity)
    (map.values[4], map.values[5]) = (0.1, 4)
    let row = try depths(object((0, 0, 79, 9)), map)
    #expect(row.samples.map(\.column) == [4, 5, 6, 7])  // both limits count
    var confidence = Raster<UInt8>(width: 8, height: 6, filledWith: 2)
    (confidence.values[6], confidence.values[7]) = (1, 0)
    #expect(try depths(object((0, 0, 79, 9)), map, confidence: confidence).samples.map(\.column) == [4, 5])
    var options = ObjectOptions()
    options.minimumConfidence = 1
    let lower = try depths(object((0, 0, 79, 9)), map, confidence: confidence, options: options)
    #expect(lower.samples.map(\.column) == [4, 5, 6])
  }

  @Test("a mask value must be above ½; under three masked depths the whole box counts")
  func masks() throws {
    var mask = [Float](repeating: 0, count: 48)
    for column in 1...3 { mask[8 + column] = 0.9 }
    mask[8 + 4] = 0.5
    let box: (Float, Float, Float, Float) = (0, 0, 79, 59)
    let masked = try depths(object(box, mask: mask))
    #expect(masked.isMasked && masked.samples.map(\.column) == [1, 2, 3])
    mask[8 + 3] = 0
    let whole = try depths(object(box, mask: mask))
    #expect(!whole.isMasked && whole.samples.count == 48)
    let unmasked = try depths(object(box))
    #expect(!unmasked.isMasked && unmasked.samples.count == 48)
  }

  @Test("rows of a mask from the bottom, and the missing flip")
  func maskRows() throws {
    var mask = [Float](repeating: 0, count: 48)
    for column in 0..<8 { mask[column] = 1 }
    var conventions = conventions
    conventions.maskOrigin = .bottomLeft
    let box: (Float, Float, Float, Float) = (0, 0, 79, 59)
    #expect(Set(try depths(object(box, mask: mask), conventions: conventions).samples.map(\.row)) == [5])
    var options = ObjectOptions()
    options.flips = RowFlips(boxToDepth: false, depthToMask: false)
    let unturned = try depths(object(box, mask: mask), conventions: conventions, options: options)
    #expect(Set(unturned.samples.map(\.row)) == [0])
  }

  @Test("a letterboxed mask: the image is 80×60, the network's input square")
  func letterboxed() throws {
    // 8×8 mask pixels of 10 network pixels: one row of padding above and below.
    var square = Raster(width: 8, height: 8, filledWith: Float(0))
    for column in 0..<8 { square[1, column] = 1 }
    var seen = object((0, 0, 79, 59))
    seen.mask = square
    #expect(Set(try depths(seen).samples.map(\.row)) == [0])
  }

  @Test("erosion takes a cross's width a step and keeps edges that the image cuts off")
  func erosion() throws {
    let mask = Raster<Float>(
      width: 5, height: 4, values: [1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0])
    #expect(mask.eroded(steps: 0) == mask)
    #expect(
      mask.eroded(steps: 1).values == [1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    #expect(mask.eroded(steps: 2).values.filter { $0 > 0 }.count == 2)
    var options = ObjectOptions()
    options.selection = .eroded  // one step for a box of eight mask pixels
    var values = [Float](repeating: 0, count: 48)
    for row in 1...4 {
      for column in 2...5 { values[8 * row + column] = 1 }
    }
    let eroded = try depths(object((0, 0, 79, 59), mask: values), options: options)
    #expect(Set(eroded.samples.map(\.column)) == [3, 4] && Set(eroded.samples.map(\.row)) == [2, 3])
  }

  @Test("the median is the mean of the middle two; the label has two lines")
  func median() throws {
    let even = try depths(object((0, 0, 39, 9)))
    #expect(abs(even.median - 1.015) < 1e-6)
    let odd = try depths(object((0, 0, 29, 9)))
    #expect(odd.median == Double(Float(1) + 0.01))
    let label = DistanceLabel(object((0, 0, 1, 1)), depth: 2.2961)
    #expect(label.description == "cup 95%\n2.30 m")
  }

  @Test("any resolution: a map twice as fine gives four samples for one")
  func resolution() throws {
    let fine = DepthMap(width: 16, height: 12, filledWith: 1.5)
    var mask = [Float](repeating: 0, count: 48)
    for row in 2...3 {
      for column in 2...4 { mask[8 * row + column] = 1 }
    }
    let coarse = try depths(object((0, 0, 79, 59), mask: mask))
    let finer = try depths(object((0, 0, 79, 59), mask: mask), fine)
    #expect(coarse.samples.count == 6 && finer.samples.count == 24)
  }
}
