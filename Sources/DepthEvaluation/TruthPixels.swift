import DepthCore
import DepthFusion

/// The pixels of a frame that are scored, prepared once for all methods.
struct TruthPixels: Sendable {
  /// Resolution of the truth.
  let size: RasterSize
  /// Indices into the truth map: first those that the LiDAR measures, then the rest.
  let indices: [Int32]
  /// True depth at `indices`, metres.
  let reference: [Double]
  /// How many of `indices` the LiDAR measures.
  let measuredCount: Int

  init(_ frame: DepthFrame, truth: DepthMap, protocol rules: EvaluationProtocol) {
    size = truth.size
    var excluded: [Bool]?
    if rules.edgeMargin > 0 {
      excluded = DepthEdges.mask(
        truth, ratio: rules.edgeRatio,
        marginX: rules.edgeMargin * Double(truth.width) / Double(frame.lidar.width),
        marginY: rules.edgeMargin * Double(truth.height) / Double(frame.lidar.height))
    }
    var generator = SplitMix64(seed: 0)
    let lidar = RawLiDAR(.bilinear).fuse(frame, in: FusionContext(), using: &generator).prediction
    let sampled = lidar.map { Self.values(of: $0, at: truth.size) }
    var (measured, filled) = ([Int32](), [Int32]())
    measured.reserveCapacity(truth.values.count)
    let (range, window) = (rules.truthRange, rules.crop.window(in: truth.size))
    for row in window.rows {
      for column in window.columns {
        let index = row * truth.width + column
        guard range.contains(truth.values[index]), excluded?[index] != true else { continue }
        if let sampled, sampled[index].isFinite {
          measured.append(Int32(index))
        } else {
          filled.append(Int32(index))
        }
      }
    }
    measuredCount = measured.count
    indices = measured + filled
    reference = indices.map { Double(truth.values[Int($0)]) }
  }

  /// A prediction read at every pixel centre of a raster that covers the same field of view.
  static func values(of prediction: Prediction, at size: RasterSize) -> [Double] {
    let map = prediction.depth
    return [Double](unsafeUninitializedCapacity: size.count) { out, initialized in
      switch prediction.sampling {
      case .bilinear:
        BilinearSampler(source: size, target: map.size).forEachSample(of: map) { out[$0] = $1 }
      case .nearest:
        for row in 0..<size.height {
          let start = NearestPixel.index(row, of: size.height, in: map.height) * map.width
          for column in 0..<size.width {
            out[row * size.width + column] = Double(
              map.values[start + NearestPixel.index(column, of: size.width, in: map.width)])
          }
        }
      }
      initialized = size.count
    }
  }
}

/// The pixel of a map of another resolution that holds a pixel's centre.
public enum NearestPixel {
  /// ⌊(2·index + 1)·target/(2·source)⌋, exactly, in integers.
  @inlinable
  public static func index(_ index: Int, of source: Int, in target: Int) -> Int {
    (2 * index + 1) * target / (2 * source)
  }
}
