internal import DepthCore
internal import FathomDrawingScales
internal import Foundation

/// Paints what lies under a panel's points.
struct BackgroundPainter {
  let background: EvidencePicture.Background, scale: ColourScale
  private static let bandCount = 8  // Bands of a relative map.
  /// The LiDAR is averaged over this many pixels to either side before contours are drawn, or its noise would fray them.
  private static let contourRadius = 2

  func paint(in frame: Rectangle, on canvas: borrowing Canvas) throws(GraphicsError) {
    switch background {
    case .image(let image): try canvas.image(Self.softened(image), in: frame)
    case .depth(let map): try canvas.image(Self.grey(map), in: frame, interpolation: .nearest)
    case .relative(let map, let contours):
      try canvas.image(bands(of: map), in: frame, interpolation: .nearest)
      if let contours { draw(contours, in: frame, on: canvas) }
    }
  }

  /// Grey between ¼ and 0.9, so that dark and light dots both stand out.
  static func softened(_ image: Raster<RGB>) -> Raster<RGB> {
    Raster(
      width: image.width, height: image.height,
      values: image.values.map { pixel in
        let level = UInt8((64 + 0.65 * Double(pixel.greyLevel)).rounded())
        return RGB(red: level, green: level, blue: level)
      })
  }

  /// Logarithmic from the nearest 2 % (light) to the farthest 2 % (dark).
  static func grey(_ map: DepthMap) -> Raster<RGB> {
    let logarithms = map.values.map { $0 > 0 && $0.isFinite ? log(Double($0)) : .nan }
    let range = ColourScale(spanning: logarithms, label: "").range
    let extent = max(range.upperBound - range.lowerBound, 1e-9)
    return Raster(
      width: map.width, height: map.height,
      values: logarithms.map { value in
        guard value.isFinite else { return RGB(red: 255, green: 255, blue: 255) }
        let share = min(max((value - range.lowerBound) / extent, 0), 1)
        let level = UInt8(saturating: (230 - 130 * share).rounded())
        return RGB(red: level, green: level, blue: level)
      })
  }

  /// Missing values are white.
  func bands(of map: DepthMap) -> Raster<RGB> {
    let sorted = map.values.filter(\.isFinite).sorted()
    let edges = Self.quantiles(sorted, (1..<Self.bandCount).map { Double($0) / Double(Self.bandCount) })
    let white = RGB(red: 255, green: 255, blue: 255)
    let colours = (0..<Self.bandCount).map { band in
      scale.map.colour(at: (Double(band) + 0.5) / Double(Self.bandCount)) ?? white
    }
    return Raster(
      width: map.width, height: map.height,
      values: map.values.map { value in
        guard value.isFinite else { return white }
        return colours[edges.count { value > $0 }]
      })
  }

  private func draw(_ lidar: DepthMap, in frame: Rectangle, on canvas: borrowing Canvas) {
    let smooth = lidar.boxAveraged(radius: Self.contourRadius)
    let levels = Self.quantiles(
      smooth.values.filter(\.isFinite).sorted(),
      (1..<Self.bandCount).map { Double($0) / Double(Self.bandCount) })
    let (sx, sy) = (frame.width / Double(lidar.width), frame.height / Double(lidar.height))
    var paths: [[SIMD2<Double>]] = []
    for level in Set(levels).sorted() {
      for (a, b) in IsoLines(of: smooth, at: level).segments {
        paths.append([[frame.x + a.x * sx, frame.y + a.y * sy], [frame.x + b.x * sx, frame.y + b.y * sy]])
      }
    }
    // White on a dark rim is seen on every colour.
    canvas.clipped(to: frame) {
      canvas.stroke(paths, Colour(grey: 0, alpha: 0.8), width: 3.2)
      canvas.stroke(paths, .white, width: 1.5)
    }
  }

  private static func quantiles(_ sorted: [Float], _ shares: [Double]) -> [Float] {
    guard let last = sorted.indices.last else { return [] }
    return shares.map { sorted[Int(($0 * Double(last)).rounded())] }
  }
}
