import DepthCore
import Foundation

/// A sensor before walls that is drawn at random: apart from what estimates it.
struct SimulatedSensor {
  /// A surface before the camera: depth on a ray (x, y, 1), metres.
  typealias Surface = (SIMD2<Double>) -> Double

  var size = RasterSize(width: 32, height: 24)
  /// Of the true camera, pixels.
  var focal = 28.0, centre = SIMD2(16.0, 12.0)
  /// Metres, and a share.
  var offset = 0.0, scale = 0.0
  /// σ(z) = a + b·z of a pixel, and the standard deviation that a frame's pixels share, metres.
  var noise = (a: 0.002, b: 0.002), shared = 0.0
  /// Pixels that noise is averaged over: 0 for independent pixels.
  var blur = 0
  /// Correlation of successive frames.
  var memory = 0.0
  /// Of depth, by pixel: the same in all placements.
  var pattern: [Double]
  /// Of the file, metres; 0 for none.
  var step = 0.0

  init() { pattern = [Double](repeating: 0, count: size.count) }

  /// Draws bias, noise, a fixed pattern, and intrinsics that are not quite as declared.
  mutating func vary(_ draw: inout Draw, mostShared: Double, mostBlur: Double) {
    (offset, scale) = (draw.normal(0.01), draw.normal(0.01))
    noise = (draw.uniform(0.0005...0.004), draw.uniform(0...0.004))
    shared = draw.uniform(0...mostShared)
    memory = draw.uniform(0...0.5)
    blur = Int(draw.uniform(0...mostBlur))
    step = draw.uniform() < 0.5 ? 0.001 : 0
    let declared = focal
    focal *= 1 + draw.normal(0.005)
    centre += declared * SIMD2(draw.normal(0.005), draw.normal(0.005))
    let depth = draw.uniform(0...0.003)
    pattern = field(&draw).map { depth * $0 }
  }

  /// What the maker declares.
  static func declared(_ size: RasterSize) -> CameraIntrinsics {
    CameraIntrinsics(fx: 28, fy: 28, cx: 16, cy: 12, imageSize: size)
  }

  /// Flat, at a perpendicular distance, turned about the vertical and the horizontal axis, radians.
  static func wall(_ distance: Double, yaw: Double = 0, pitch: Double = 0) -> Surface {
    let normal = SIMD3(sin(yaw) * cos(pitch), sin(pitch), cos(yaw) * cos(pitch))
    return { ray in distance / (normal.x * ray.x + normal.y * ray.y + normal.z) }
  }

  /// Unit variance, averaged over a square of 2·blur + 1 pixels.
  func field(_ draw: inout Draw) -> [Double] {
    let white = (0..<size.count).map { _ in draw.normal() }
    guard blur > 0 else { return white }
    return (0..<size.count).map { pixel in
      let (row, column) = (pixel / size.width, pixel % size.width)
      let rows = max(0, row - blur)...min(size.height - 1, row + blur)
      let columns = max(0, column - blur)...min(size.width - 1, column + blur)
      var sum = 0.0
      for y in rows { for x in columns { sum += white[y * size.width + x] } }
      return sum / Double(rows.count * columns.count).squareRoot()
    }
  }

  func frames(_ count: Int, of surface: Surface, _ draw: inout Draw) -> [DepthMap] {
    let truth = (0..<size.count).map { pixel in
      surface(
        SIMD2(
          (Double(pixel % size.width) + 0.5 - centre.x) / focal,
          (Double(pixel / size.width) + 0.5 - centre.y) / focal))
    }
    var (map, frame): ([Double], Double) = (field(&draw), draw.normal())
    let fresh = (1 - memory * memory).squareRoot()
    return (0..<count).map { index in
      if index > 0 {
        map = zip(map, field(&draw)).map { memory * $0 + fresh * $1 }
        frame = memory * frame + fresh * draw.normal()
      }
      let values = truth.indices.map { pixel -> Float in
        let z = truth[pixel]
        let depth =
          offset + (1 + scale) * z + pattern[pixel] * z + (noise.a + noise.b * z) * map[pixel] + shared
          * frame
        return Float(step > 0 ? (depth / step).rounded() * step : depth)
      }
      return DepthMap(width: size.width, height: size.height, values: values)
    }
  }
}

/// Numbers at random from a stream of their own.
struct Draw {
  private var generator: SplitMix64

  init(_ name: String) { generator = SplitMix64(seed: 7, stream: name) }

  mutating func uniform(_ range: ClosedRange<Double> = 0...1) -> Double {
    .random(in: range, using: &generator)
  }

  /// Box and Muller.
  mutating func normal(_ deviation: Double = 1) -> Double {
    deviation * (-2 * log(1 - uniform(0...0.9999999999))).squareRoot() * cos(2 * .pi * uniform())
  }
}
