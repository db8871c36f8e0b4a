import CFathomKernels
import DepthCore
import DepthFusion

/// The pixels of a frame that are scored, one by one: for what cannot go through them block by block.
struct TruthPixels: Sendable {
  let size: RasterSize  // Resolution of the truth.
  let indices: [Int32]  // Indices into the truth map: first those that the LiDAR measures, then the rest.
  let reference: [Double]  // True depth at `indices`, metres.
  let measuredCount: Int  // How many of `indices` the LiDAR measures.

  init(_ frame: DepthFrame, truth: DepthMap, protocol rules: EvaluationProtocol) {
    size = truth.size
    var rows = TruthRows(frame, truth: truth, protocol: rules)
    var states = [UInt8](repeating: TruthRows.State.none, count: size.width)
    var counts = (measured: 0, filled: 0)
    var filled = [Int32](repeating: 0, count: frame.hasLidar ? size.count : 0)
    indices = [Int32](unsafeUninitializedCapacity: size.count) { [size] list, count in
      filled.withUnsafeMutableBufferPointer { filled in
        // Without a LiDAR there is one list.
        guard let measured = list.baseAddress, let rest = frame.hasLidar ? filled.baseAddress : measured
        else { return }
        for row in 0..<size.height {
          rows.read(row, to: &states)
          let first = Int32(row * size.width)
          if frame.hasLidar {
            counts.measured += pixel_lists_of_state(
              states, size.width, TruthRows.State.measured, first, measured + counts.measured)
          }
          counts.filled += pixel_lists_of_state(
            states, size.width, TruthRows.State.filled, first, rest + counts.filled)
        }
        if frame.hasLidar { (measured + counts.measured).update(from: rest, count: counts.filled) }
      }
      count = counts.measured + counts.filled
    }
    measuredCount = counts.measured
    reference = [Double](unsafeUninitializedCapacity: indices.count) { [indices] reference, count in
      truth.values.withUnsafeBufferPointer { depths in
        indices.withUnsafeBufferPointer { indices in
          for place in indices.indices { reference[place] = Double(depths[Int(indices[place])]) }
        }
      }
      count = indices.count
    }
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
