public import DepthCore

/// What is enough of a frame for somebody who looks at it without scoring it: truth and other networks' maps thinned to about the
/// LiDAR's resolution without standard deviations, and a small image.
public struct FrameReduction: Sendable {
  /// Most columns and rows of an image.
  static let imageLimit = 160
  /// Most columns and rows of a map that is thinned.
  let mapLimit: Int
  /// - Parameter lidarSize: Of the scene; nil without LiDAR.
  public init(lidarSize: RasterSize?) { mapLimit = max(lidarSize?.width ?? 0, 256) }

  /// The frame reduced; one that is so already stays as it is.
  public func callAsFunction(_ frame: DepthFrame) -> DepthFrame {
    var frame = frame
    frame.image = frame.image?.averaged(to: Self.imageLimit)
    frame.truth = frame.truth?.thinned(to: mapLimit)
    frame.predictions = frame.predictions.map { ($0.header, $0.map.thinned(to: mapLimit)) }
    (frame.truthDeviation, frame.certainties) = (nil, [:])
    return frame
  }
}

extension Raster<RGB> {
  /// Means of k×k pixels, so that no side is longer than `limit`.
  fileprivate func averaged(to limit: Int) -> Raster<RGB> {
    let (step, small) = (size.step(to: limit), size.reduced(to: limit))
    guard step > 1 else { return self }
    var averaged: [RGB] = []
    averaged.reserveCapacity(small.count)
    for row in 0..<small.height {
      for column in 0..<small.width {
        var sum = SIMD3<Int>()
        for y in row * step..<(row + 1) * step {
          for x in column * step..<(column + 1) * step {
            let pixel = self[y, x]
            sum = sum &+ SIMD3(Int(pixel.red), Int(pixel.green), Int(pixel.blue))
          }
        }
        let mean = sum / (step * step)
        averaged.append(RGB(red: UInt8(mean.x), green: UInt8(mean.y), blue: UInt8(mean.z)))
      }
    }
    return Raster(width: small.width, height: small.height, values: averaged)
  }
}

extension Raster {
  /// Every k-th pixel, so that no side is longer than `limit`; the middle one of k.
  fileprivate func thinned(to limit: Int) -> Raster {
    let (step, small) = (size.step(to: limit), size.reduced(to: limit))
    guard step > 1 else { return self }
    var thinned: [Element] = []
    thinned.reserveCapacity(small.count)
    for row in 0..<small.height {
      for column in 0..<small.width { thinned.append(self[row * step + step / 2, column * step + step / 2]) }
    }
    return Raster(width: small.width, height: small.height, values: thinned)
  }
}
