internal import DepthCore
internal import Foundation

/// A detector with segmentation masks, in the app's conventions: rows of boxes and masks count from the bottom.
struct DetectorModel: Sendable {
  static let maskSize = RasterSize(width: 160, height: 120)
  /// The network sees 640×480, so a mask pixel is 4 network pixels; 4:3 images need no letterbox.
  static let conventions = DetectionConventions(
    boxOrigin: .bottomLeft, maskOrigin: .bottomLeft, maskStride: 4)
  /// Samples per side of a mask pixel.
  private static let oversampling = 3
  /// What covers less than this many mask pixels is not detected.
  private static let smallestArea = 12.0
  /// Resolution at which visible bodies are found.
  static var viewSize: RasterSize {
    RasterSize(width: maskSize.width * oversampling, height: maskSize.height * oversampling)
  }

  let furniture: [PlacedFurniture], furnitureOfSolid: [Int], imageSize: RasterSize, hasMasks: Bool

  init(_ room: Room, imageSize: RasterSize, hasMasks: Bool = true) {
    (furniture, furnitureOfSolid, self.imageSize) = (room.furniture, room.furnitureOfSolid, imageSize)
    self.hasMasks = hasMasks
  }

  /// Resolution at which bodies are looked for.
  var searchSize: RasterSize {
    let size = Self.viewSize
    return hasMasks ? size : RasterSize(width: size.width / 2, height: size.height / 2)
  }

  /// The detections of one frame.
  /// - Parameter caster: Of an image of ``searchSize``.
  func detections(_ caster: RayCaster, frame: Int, using generator: inout SplitMix64) -> [DetectedObject] {
    let visible = caster.render { hit, _, _ in
      hit.solid == RayCaster.shell ? -1 : furnitureOfSolid[hit.solid]
    }
    var counts = [Int](repeating: 0, count: furniture.count)
    for index in visible.values where index >= 0 { counts[index] += 1 }
    let samples = Double(visible.width * visible.height) / Double(Self.maskSize.count)
    return furniture.indices.compactMap { index in
      let area = Double(counts[index]) / samples
      guard area >= Self.smallestArea else { return nil }
      return object(index, area: area, visible, frame: frame, using: &generator)
    }
  }

  private func object(
    _ index: Int, area: Double, _ visible: Raster<Int>, frame: Int, using generator: inout SplitMix64
  ) -> DetectedObject {
    let box = boundingBox(of: index, visible, using: &generator)
    let certainty = 0.97 - 0.9 / area.squareRoot() - 0.02 * abs(generator.normal())
    return DetectedObject(
      frame: frame, label: furniture[index].label, score: Float(max(0.3, certainty)), box: box,
      mask: hasMasks ? mask(of: index, visible, within: box) : nil, truth: furniture[index].box)
  }

  /// Bounds of what is visible, off by about half a per cent of the box, counted from the bottom.
  private func boundingBox(
    of index: Int, _ visible: Raster<Int>, using generator: inout SplitMix64
  ) -> PixelRectangle {
    var (left, right, top, bottom) = (visible.width, 0, visible.height, 0)
    for row in 0..<visible.height {
      for column in 0..<visible.width where visible[row, column] == index {
        (left, right) = (min(left, column), max(right, column + 1))
        (top, bottom) = (min(top, row), max(bottom, row + 1))
      }
    }
    let (width, height) = (Double(imageSize.width), Double(imageSize.height))
    let scale = SIMD2(width / Double(visible.width), height / Double(visible.height))
    let error = 0.005 * SIMD2(Double(right - left), Double(bottom - top)) * scale
    func edge(_ cell: Int, _ scale: Double, _ error: Double, _ limit: Double) -> Double {
      min(max(Double(cell) * scale + error * generator.normal(), 0), limit)
    }
    let (minX, maxX) = (edge(left, scale.x, error.x, width), edge(right, scale.x, error.x, width))
    let (minY, maxY) = (edge(top, scale.y, error.y, height), edge(bottom, scale.y, error.y, height))
    return PixelRectangle(
      minX: Float(minX), minY: Float(height - maxY), maxX: Float(maxX), maxY: Float(height - minY))
  }

  /// Coverage of every mask pixel, smoothed to a sigmoid, 0 outside the box; row 0 at the bottom.
  private func mask(of index: Int, _ visible: Raster<Int>, within box: PixelRectangle) -> Raster<Float> {
    let size = Self.maskSize
    var mask = Raster(width: size.width, height: size.height, filledWith: Float(0))
    let scale = SIMD2(
      Float(size.width) / Float(imageSize.width), Float(size.height) / Float(imageSize.height))
    for row in 0..<size.height {
      let y = Float(row) + 0.5
      guard y > box.minY * scale.y, y < box.maxY * scale.y else { continue }
      for column in 0..<size.width {
        let x = Float(column) + 0.5
        guard x > box.minX * scale.x, x < box.maxX * scale.x else { continue }
        let coverage = Self.coverage(of: index, visible, size.height - 1 - row, column)
        mask[row, column] = 1 / (1 + exp(-8 * (coverage - 0.5)))
      }
    }
    return mask
  }

  /// Share of a mask pixel, and of the ring around it, that shows the object; rows from the top.
  private static func coverage(of index: Int, _ visible: Raster<Int>, _ row: Int, _ column: Int) -> Float {
    var (covered, seen) = (0, 0)
    for r in max(0, row * oversampling - 1)...min(visible.height - 1, row * oversampling + oversampling) {
      for c in max(
        0, column * oversampling - 1)...min(
          visible.width - 1, column * oversampling + oversampling)
      {
        seen += 1
        if visible[r, c] == index { covered += 1 }
      }
    }
    return Float(covered) / Float(seen)
  }
}
