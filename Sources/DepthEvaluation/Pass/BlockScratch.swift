import CFathomKernels
import DepthCore

/// What all predictions need of the block of pixels that is being looked at, and room to work; reused block after block, so
/// that all of it stays in the cache.
struct BlockScratch: ~Copyable {
  /// A prediction at every pixel of the block, row by row; a row before it has room for the row above, missing at first.
  let values: UnsafeMutablePointer<Double>
  /// The truth at every pixel of the row before the block and of the block; NaN where it does not count.
  private let truth: UnsafeMutablePointer<Double>
  /// For the pixels of the block: what the truth has to the right, and to the row above; see `boundary_pairs_mark`.
  private let stepsRight: UnsafeMutablePointer<UInt8>, stepsUp: UnsafeMutablePointer<UInt8>
  /// Truth and 1/truth of the pixels that count, by cell.
  private let reference: UnsafeMutablePointer<Double>, inverse: UnsafeMutablePointer<Double>
  /// Room for a run of pixels, and for what is left of it without those that are not predicted.
  private let gathered: UnsafeMutablePointer<Double>
  private let usable:
    (d: UnsafeMutablePointer<Double>, g: UnsafeMutablePointer<Double>, inverse: UnsafeMutablePointer<Double>)
  private var linesBefore = 0  // Rows of the block before.
  let width: Int

  init(_ blocks: TruthBlocks) {
    width = blocks.size.width
    let count = max(1, blocks.largestBlock) + Int(ERROR_GATHER_MARGIN)
    func room(_ count: Int) -> UnsafeMutablePointer<Double> {
      let pointer = UnsafeMutablePointer<Double>.allocate(capacity: count)
      pointer.initialize(repeating: .nan, count: count)
      return pointer
    }
    (values, truth) = (room(count + width) + width, room(count + width))
    (reference, inverse, gathered) = (room(count), room(count), room(count))
    usable = (room(count), room(count), room(count))
    stepsRight = .allocate(capacity: count)
    stepsUp = .allocate(capacity: count)
    stepsRight.initialize(repeating: 0, count: count)
    stepsUp.initialize(repeating: 0, count: count)
  }

  deinit {
    for pointer in [values - width, truth, reference, inverse, gathered, usable.d, usable.g, usable.inverse] {
      pointer.deallocate()
    }
    stepsRight.deallocate()
    stepsUp.deallocate()
  }

  /// A row of the block, from 0, or the one above it, −1.
  private func truthRow(_ line: Int) -> UnsafePointer<Double> { UnsafePointer(truth + (line + 1) * width) }

  /// Adds the block's neighbours to a tally. ``values`` must hold the prediction, and the row above.
  func tally(_ block: TruthBlocks.Block, in boundaries: inout BoundaryTally) {
    for line in 0..<block.rows.count {
      let row = UnsafePointer(values + line * width)
      boundaries.add(
        row: row, above: row - width, truth: truthRow(line), truthAbove: truthRow(line - 1),
        steps: (UnsafePointer(stepsRight + line * width), UnsafePointer(stepsUp + line * width)))
    }
  }

  /// Goes to the next block.
  /// - Parameter findsSteps: Whether depth steps are looked for.
  mutating func enter(_ block: TruthBlocks.Block, of blocks: TruthBlocks, findsSteps: Bool) {
    let begin = block.rows.lowerBound * width
    blocks.stretches.withUnsafeBufferPointer { stretches in
      guard let first = stretches.baseAddress else { return }
      blocks.truth.values.withUnsafeBufferPointer { depths in
        guard let start = depths.baseAddress else { return }
        error_terms_prepare(
          start + begin, depths.count - begin, first + block.stretches.lowerBound, block.stretches.count,
          reference, inverse)
      }
    }
    guard findsSteps else { return }
    // The last row of the block before is the one above.
    truth.update(from: truth + linesBefore * width, count: width)
    linesBefore = block.rows.count
    (truth + width).update(repeating: .nan, count: block.rows.count * width)
    blocks.stretches.withUnsafeBufferPointer { stretches in
      guard let first = stretches.baseAddress else { return }
      error_terms_scatter(reference, first + block.stretches.lowerBound, block.stretches.count, truth + width)
    }
    for line in 0..<block.rows.count {
      BoundaryTally.mark(truthRow(line), truthRow(line) + 1, count: width - 1, to: stepsRight + line * width)
      BoundaryTally.mark(truthRow(line - 1), truthRow(line), count: width, to: stepsUp + line * width)
    }
  }

  /// Calls `body` with the predicted pixels of each run of a block, and their cell; not for runs without any.
  ///
  /// ``values`` must hold the prediction.
  func forEachRun(
    of block: TruthBlocks.Block, in blocks: TruthBlocks, _ body: (_ cell: Int, PixelRun) -> Void
  ) {
    blocks.stretches.withUnsafeBufferPointer { stretches in
      guard var stretch = stretches.baseAddress.map({ $0 + block.stretches.lowerBound }) else { return }
      var begin = 0
      for run in blocks.runs[block.runs] {
        let count = error_terms_gather(values, stretch, run.stretches, gathered)
        let (g, v) = (reference + begin, inverse + begin)
        if count == run.count {
          body(run.cell, PixelRun(predicted: gathered, reference: g, inverse: v, count: count))
        } else if count > 0 {
          var kept = 0
          for i in 0..<run.count where gathered[i] > 0 && gathered[i].isFinite {
            (usable.d[kept], usable.g[kept], usable.inverse[kept]) = (gathered[i], g[i], v[i])
            kept += 1
          }
          body(
            run.cell,
            PixelRun(predicted: usable.d, reference: usable.g, inverse: usable.inverse, count: kept))
        }
        begin += run.count
        stretch += run.stretches
      }
    }
  }
}
