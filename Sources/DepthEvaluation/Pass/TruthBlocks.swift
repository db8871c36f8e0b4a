import CFathomKernels
import DepthCore

/// What a truth pixel counts for: pixels of one cell are summed together, and every support and bin is a sum of cells.
struct PixelCell: Sendable, Hashable {
  let isMeasured: Bool  // Whether the LiDAR measures it.
  /// Its bin in each of ``Breakdown/all``; −1 for none.
  let bins: [Int]

  /// With bins for positions among those of the frame.
  /// - Parameter own: See `Breakdown.FrameBinning`.
  fileprivate func naming(_ own: [[Int]?]) -> PixelCell {
    PixelCell(
      isMeasured: isMeasured, bins: zip(bins, own).map { bin, own in bin < 0 ? bin : own?[bin] ?? bin })
  }
}

/// A frame's truth pixels in blocks of rows that stay in the processor's cache, sorted by cell within a block: prepared once
/// for all methods.
struct TruthBlocks: Sendable {
  struct Block: Sendable {
    let rows: Range<Int>
    /// Its runs, among ``TruthBlocks/runs``.
    let runs: Range<Int>
    /// Its stretches, among ``TruthBlocks/stretches``.
    let stretches: Range<Int>
  }
  struct Group: Sendable { let breakdown: Int, bin: Int, cells: [Int] }
  /// The pixels of a block that are of one cell.
  struct Run: Sendable {
    let cell: Int
    let count: Int, stretches: Int  // Its pixels, and the stretches of a row that they are.
  }

  /// Pixels of a block, about: depth, truth and 1/truth of so many fit into a core's cache of the second level.
  private static let blockSize = 8192
  let truth: DepthMap
  let cells: [PixelCell]  // In order of first appearance.
  let truthCounts: [Int]  // Truth pixels by cell.
  let groups: [Group]  // Bins that have pixels, by breakdown, then bin.
  let groupsOfCell: [[Int64]]  // Positions among them, by cell; numbers of 64 bits for the kernels.
  let divides: [Bool]  // Breakdowns that the frame allows.
  let dividesByLidar: Bool  // Whether there is a LiDAR, which measures some of the pixels.
  let blocks: [Block], runs: [Run]
  /// Neighbouring pixels of a row that are of one cell, run after run; counted from the beginning of their block.
  let stretches: [error_stretch]
  var size: RasterSize { truth.size }
  var count: Int { truthCounts.reduce(0, +) }  // Pixels that count.
  /// Most pixels of a block, those that do not count included.
  var largestBlock: Int { blocks.reduce(0) { max($0, $1.rows.count) } * size.width }

  /// Places in the raster of about so many of the pixels that count.
  func sample(_ most: Int) -> [Int] {
    let step = max(1, count / most)
    var (places, ahead) = ([Int](), 0)
    for block in blocks {
      let begin = block.rows.lowerBound * size.width
      for stretch in stretches[block.stretches] {
        while ahead < stretch.count {
          places.append(begin + Int(stretch.start) + ahead)
          ahead += step
        }
        ahead -= Int(stretch.count)
      }
    }
    return places
  }

  init(_ frame: DepthFrame, truth: DepthMap, protocol rules: EvaluationProtocol) {
    self.truth = truth
    let size = truth.size
    let binnings = Breakdown.all.map { $0.binning(frame, size) }
    (divides, dividesByLidar) = (binnings.map { $0 != nil }, frame.hasLidar)
    var rows = TruthRows(frame, truth: truth, protocol: rules)
    var states = [UInt8](repeating: TruthRows.State.none, count: size.width)
    var bins = [[Int32]](repeating: [Int32](repeating: -1, count: size.width), count: binnings.count)
    var cells = CellTable(
      zip(binnings, Breakdown.all).map { own, all in own.map { $0.bins?.count ?? all.binCount } ?? 0 })
    var (blocks, runs, stretches) = ([Block](), [Run](), [error_stretch]())
    let height = max(1, Self.blockSize / max(1, size.width))
    var found: [Stretch] = []
    for first in stride(from: 0, to: size.height, by: height) {
      let block = first..<min(first + height, size.height)
      for row in block {
        rows.read(row, to: &states)
        truth.values.withUnsafeBufferPointer { depths in
          let depths = UnsafeBufferPointer(rebasing: depths[row * size.width..<(row + 1) * size.width])
          for (index, binning) in binnings.enumerated() {
            bins[index].withUnsafeMutableBufferPointer { binning?.read(row, depths, $0) }
          }
        }
        cells.number(states, bins, to: &found, from: (row - first) * size.width)
      }
      let begin = (runs: runs.count, stretches: stretches.count)
      Self.sort(found, cells: cells.cells.count, &runs, &stretches)
      found.removeAll(keepingCapacity: true)
      blocks.append(
        Block(rows: block, runs: begin.runs..<runs.count, stretches: begin.stretches..<stretches.count))
    }
    var counts = [Int](repeating: 0, count: cells.cells.count)
    for run in runs { counts[run.cell] += run.count }
    let own = cells.cells.map { $0.naming(binnings.map { $0?.bins }) }
    (self.cells, truthCounts) = (own, counts)
    groups = Breakdown.all.indices.flatMap { breakdown in
      Dictionary(grouping: own.indices) { own[$0].bins[breakdown] }
        .filter { $0.key >= 0 }.sorted { $0.key < $1.key }
        .map { Group(breakdown: breakdown, bin: $0.key, cells: $0.value) }
    }
    var groupsOfCell = [[Int64]](repeating: [], count: counts.count)
    for (position, group) in groups.enumerated() {
      for cell in group.cells { groupsOfCell[cell].append(Int64(position)) }
    }
    self.groupsOfCell = groupsOfCell
    (self.blocks, self.runs, self.stretches) = (blocks, runs, stretches)
  }

  /// Appends a block's stretches by cell, in the order of the rows within one.
  private static func sort(
    _ found: [Stretch], cells: Int, _ runs: inout [Run], _ stretches: inout [error_stretch]
  ) {
    var (pixels, next) = ([Int](repeating: 0, count: cells), [Int](repeating: 0, count: cells + 1))
    for stretch in found {
      pixels[Int(stretch.cell)] += Int(stretch.pixels.count)
      next[Int(stretch.cell) + 1] += 1
    }
    for cell in 0..<cells {
      if pixels[cell] > 0 { runs.append(Run(cell: cell, count: pixels[cell], stretches: next[cell + 1])) }
      next[cell + 1] += next[cell]
    }
    let begin = stretches.count
    stretches.append(contentsOf: repeatElement(error_stretch(), count: found.count))
    for stretch in found {
      stretches[begin + next[Int(stretch.cell)]] = stretch.pixels
      next[Int(stretch.cell)] += 1
    }
  }
}

/// Neighbouring pixels of a row that are of one cell.
private struct Stretch { let cell: Int32, pixels: error_stretch }

/// Numbers cells as they appear.
private struct CellTable {
  private(set) var cells: [PixelCell] = []
  private let counts: [Int]  // Bins that there can be, by breakdown.
  /// By state and bins, see ``number(_:_:to:from:)``; −1 where none has appeared.
  private var numbers: [Int32]
  private var keys: [Int32] = [], ends: [UInt32] = []  // Of a row's pixels, and where its stretches end.

  init(_ counts: [Int]) {
    self.counts = counts
    numbers = Array(repeating: -1, count: counts.reduce(2) { $0 * ($1 + 1) })
  }

  /// Appends the stretches of a row's pixels; pixels that do not count are in none.
  /// - Parameter start: The row's first pixel.
  mutating func number(_ states: [UInt8], _ bins: [[Int32]], to stretches: inout [Stretch], from start: Int) {
    if keys.count != states.count {
      (keys, ends) = (Array(repeating: 0, count: states.count), Array(repeating: 0, count: states.count))
    }
    keys.withUnsafeMutableBufferPointer { keys in
      states.withUnsafeBufferPointer { states in
        for column in keys.indices { keys[column] = Int32(states[column]) - Int32(TruthRows.State.measured) }
      }
    }
    // A breakdown that the frame does not allow has no bins, and would change no key.
    for (count, bins) in zip(counts, bins) where count > 0 {
      error_terms_keys(bins, bins.count, Int32(count), &keys)
    }
    keys.withUnsafeMutableBufferPointer { keys in
      states.withUnsafeBufferPointer { states in
        // All bits of those that do not count.
        for column in keys.indices { keys[column] |= states[column] == TruthRows.State.none ? -1 : 0 }
      }
    }
    let count = error_terms_stretches(keys, keys.count, &ends)
    var first = 0
    for stretch in 0..<count {
      let (key, end) = (keys[first], Int(ends[stretch]))
      if key >= 0 {
        if numbers[Int(key)] < 0 {
          numbers[Int(key)] = Int32(cells.count)
          cells.append(
            PixelCell(
              isMeasured: states[first] == TruthRows.State.measured, bins: bins.map { Int($0[first]) }))
        }
        let pixels = error_stretch(start: UInt32(start + first), count: UInt32(end - first))
        stretches.append(Stretch(cell: numbers[Int(key)], pixels: pixels))
      }
      first = end
    }
  }
}
