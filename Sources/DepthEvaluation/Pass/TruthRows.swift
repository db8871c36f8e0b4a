import CFathomKernels
import DepthCore
import DepthFusion

/// Which pixels of a truth map count under a protocol, row by row.
struct TruthRows {
  /// What a truth pixel is, in the numbers of `error_terms_states`.
  enum State {
    static let none: UInt8 = 0  // It does not count.
    static let measured: UInt8 = 1  // The bilinear LiDAR map has a value there.
    static let filled: UInt8 = 2  // It has none, or there is no LiDAR.
  }

  let truth: DepthMap
  private let range: ClosedRange<Float>, window: (rows: Range<Int>, columns: Range<Int>)
  private let excluded: [UInt8]?
  private var lidar: RowSampler?
  private var samples: [Double]

  init(_ frame: DepthFrame, truth: DepthMap, protocol rules: EvaluationProtocol) {
    self.truth = truth
    let grid = frame.stepGrid(of: truth.size)
    excluded =
      rules.edgeMargin > 0
      ? DepthEdges.mask(
        truth, ratio: rules.edgeRatio, marginX: rules.edgeMargin * Double(truth.width) / grid.columns,
        marginY: rules.edgeMargin * Double(truth.height) / grid.rows) : nil
    if frame.hasLidar {
      var generator = SplitMix64(seed: 0)
      let raw = RawLiDAR(.bilinear).fuse(frame, in: FusionContext(), using: &generator).prediction
      lidar = raw.map { RowSampler(.map($0), at: truth.size) }
    }
    samples = [Double](repeating: .nan, count: truth.width)
    range = rules.truthRange
    window = rules.crop.window(in: truth.size)
  }

  /// Puts the states of a row's pixels to `states`.
  mutating func read(_ row: Int, to states: inout [UInt8]) {
    states.withUnsafeMutableBufferPointer { $0.update(repeating: State.none) }
    guard window.rows.contains(row) else { return }
    samples.withUnsafeMutableBufferPointer { samples in
      if let first = samples.baseAddress { lidar?.read(row, to: first) }
    }
    let (start, columns) = (row * truth.width, window.columns)
    states.withUnsafeMutableBufferPointer { states in
      truth.values.withUnsafeBufferPointer { truth in
        samples.withUnsafeBufferPointer { samples in
          guard let depths = truth.baseAddress, let lidar = samples.baseAddress,
            let states = states.baseAddress
          else { return }
          error_terms_states(
            depths + start + columns.lowerBound, lidar + columns.lowerBound, columns.count, range.lowerBound,
            range.upperBound, states + columns.lowerBound)
          excluded?.withUnsafeBufferPointer { excluded in
            for column in columns where excluded[start + column] != 0 { states[column] = State.none }
          }
        }
      }
    }
  }
}
