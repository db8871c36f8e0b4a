import DepthCore
import DepthFusion

/// The pixels of a frame that are scored, one by one: for what cannot go through them block by block.
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
    var rows = TruthRows(frame, truth: truth, protocol: rules)
    var states = [UInt8](repeating: TruthRows.State.none, count: size.width)
    var (measured, filled) = ([Int32](), [Int32]())
    measured.reserveCapacity(truth.values.count)
    for row in 0..<size.height {
      rows.read(row, to: &states)
      for (column, state) in states.enumerated() where state != TruthRows.State.none {
        let index = Int32(row * size.width + column)
        if state == TruthRows.State.measured { measured.append(index) } else { filled.append(index) }
      }
    }
    measuredCount = measured.count
    indices = measured + filled
    reference = indices.map { Double(truth.values[Int($0)]) }
  }

  /// A prediction read at every pixel centre of a raster that covers the same field of view.
  static func values(of prediction: Prediction, at size: RasterSize) -> [Double] {
    var sampler = RowSampler(.map(prediction), at: size)
    return [Double](unsafeUninitializedCapacity: size.count) { out, initialized in
      guard let first = out.baseAddress else { return }
      for row in 0..<size.height { sampler.read(row, to: first + row * size.width) }
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
