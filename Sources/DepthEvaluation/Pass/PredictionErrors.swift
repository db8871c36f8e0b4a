import CFathomKernels
import DepthCore
import DepthFusion
import FathomStatistics

/// What is gathered of one prediction while the blocks of a frame go by, and what follows from it.
///
/// Twice over the pixels: the first time everything is summed and every error counted in a bin of leading bits; then it is
/// known in which bins the wanted ranks fall, and the second time the members of those are collected. So medians, quantiles,
/// cumulative shares and sparsification are exact, and no error is sorted or kept but those.
final class PredictionErrors {
  private let blocks: TruthBlocks
  private var sampler: RowSampler
  private var sums: [ErrorSums]  // By cell.
  private var logShift: Double?
  private var bins: ErrorBins
  private var boundaries: BoundaryTally
  /// nil where pixels are not pooled.
  private var histogram: ErrorHistogram?
  private var lists: ErrorLists
  /// nil where what ``PixelScores/extended`` needs is not wanted, and for a map that is not in metres.
  private let medians: ExpectedMedians?
  private let isExtended: Bool

  // Once everything is counted.

  private var absolute = BinRanks(), relative = BinRanks()
  private var coarse: [BinRanks] = []  // By group of the blocks.
  private var seeksMedians = false  // Whether the medians must be looked for again.

  /// - Parameter countsPixels: Whether what pooling needs is wanted.
  /// - Parameter extended: Whether ``PixelScores/extended`` is wanted.
  init(_ source: RowSampler.Source, _ blocks: TruthBlocks, countsPixels: Bool, extended: Bool) {
    (self.blocks, isExtended) = (blocks, extended)
    sampler = RowSampler(source, at: blocks.size)
    sums = Array(repeating: ErrorSums(), count: blocks.cells.count)
    let hasLevels = blocks.divides[Breakdown.confidencePosition]
    bins = ErrorBins(cells: blocks.cells.count, relative: hasLevels)
    boundaries = BoundaryTally(width: blocks.size.width)
    histogram = countsPixels ? ErrorHistogram() : nil
    lists = ErrorLists(groups: blocks.groups.count, relative: hasLevels)
    if case .map(let prediction) = source, extended, prediction.unit == .metres {
      medians = ExpectedMedians(sampler, blocks)
    } else {
      medians = nil
    }
  }

  /// The first time.
  func add(_ block: TruthBlocks.Block, _ scratch: borrowing BlockScratch) {
    let above = block.rows.lowerBound - 1
    // Read once more: it was the last one, so that all that it is made of is at hand.
    if above >= 0 { sampler.read(above, to: scratch.values - scratch.width) }
    read(block, scratch)
    scratch.tally(block, in: &boundaries)
    scratch.forEachRun(of: block, in: blocks) { cell, pixels in
      if logShift == nil {
        let shift = ErrorLog.ratio(pixels.predicted[0], pixels.reference[0])
        logShift = shift
        sums = Array(repeating: ErrorSums(logShift: shift), count: sums.count)
      }
      var pointers = bins.pointers(cell: cell, pixels: pixels.count)
      sums[cell].add(pixels, logarithms: true, bins: &pointers)
      medians?.add(pixels)
      if histogram != nil {
        for i in 0..<pixels.count { histogram?.add(abs(pixels.predicted[i] - pixels.reference[i])) }
      }
    }
  }

  private func read(_ block: TruthBlocks.Block, _ scratch: borrowing BlockScratch) {
    for (line, row) in block.rows.enumerated() {
      sampler.read(row, to: scratch.values + line * scratch.width)
    }
  }

  /// Between the two: finds what the second time is needed for.
  func count() {
    bins.emptyWords()
    (absolute, relative) = (bins.absoluteRanks, bins.relativeRanks)
    coarse = blocks.groups.map { bins.coarseRanks(of: $0.cells) }
    for quantile in ErrorQuantile.ofImages { want(quantile, absolute, .absolute) }
    for limit in ErrorCounts.limits {
      let bin = ErrorBins.bin(of: limit)
      lists.want(bin, of: .absolute, count: absolute.count(bin))
    }
    if hasLevels {
      for kept in Sparsification.kept(of: relative.total) {
        let bin = relative.bin(of: kept - 1)
        // A bin that is taken whole is known by its sum.
        if relative.before(bin) + relative.count(bin) > kept {
          lists.want(bin, of: .relative, count: relative.count(bin))
        }
      }
    }
    for (group, ranks) in coarse.enumerated() {
      for quantile in ErrorQuantile.ofBins { want(quantile, ranks, .coarse(group)) }
    }
    for (cell, count) in blocks.truthCounts.enumerated() { sums[cell].truthCount = count }
    seeksMedians = medians?.beginAnew() ?? false
  }

  var needsSecondTime: Bool { !lists.isEmpty || seeksMedians }
  var memberCount: Int { lists.memberCount }  // Pixels that the second time will collect.
  func prepareToCollect() { lists.prepare() }
  /// Gives the room of what was collected back.
  func forgetMembers() { lists.forget() }

  private func want(_ quantile: ErrorQuantile, _ ranks: BinRanks, _ kind: ErrorLists.Bins) {
    guard ranks.total > 0 else { return }
    let place = quantile.place(of: ranks.total)
    for rank in [place.rank, place.next] {
      let bin = ranks.bin(of: rank)
      lists.want(bin, of: kind, count: ranks.count(bin))
    }
  }

  /// The second time.
  func collect(_ block: TruthBlocks.Block, _ scratch: borrowing BlockScratch) {
    guard needsSecondTime else { return }
    read(block, scratch)
    scratch.forEachRun(of: block, in: blocks) { cell, pixels in
      if seeksMedians { medians?.add(pixels) }
      lists.collect(pixels, groups: blocks.groupsOfCell[cell])
    }
  }

  private var hasLevels: Bool { blocks.divides[Breakdown.confidencePosition] }

  /// What it comes to on the pixels of a support, once all blocks have gone by twice.
  func summary(_ support: Support) -> ErrorSummary {
    switch support {
    case .all:
      ErrorSummary(
        sum { _ in true }, quantiles: quantiles(ErrorQuantile.ofImages, absolute, .absolute),
        image: ImageErrors(boundaryF1: boundaries.score, sparsification: sparsification))
    case .measured: ErrorSummary(sum { $0.isMeasured })
    case .filled: ErrorSummary(sum { !$0.isMeasured })
    }
  }

  /// Everything, once all blocks have gone by twice.
  var scores: PixelScores {
    let summaries = Dictionary(uniqueKeysWithValues: Support.allCases.map { ($0, summary($0)) })
    var scores = PixelScores()
    scores.values = MetricColumn.all.map { column in
      guard column.support == .all || blocks.dividesByLidar else { return nil }
      return summaries[column.support].flatMap { column.metric.value($0) }
    }
    for (position, group) in blocks.groups.enumerated() {
      let summary = ErrorSummary(
        group.cells.reduce(into: ErrorSums(logShift: logShift ?? 0)) { $0 += sums[$1] },
        quantiles: quantiles(ErrorQuantile.ofBins, coarse[position], .coarse(position)))
      scores.breakdowns[Breakdown.all[group.breakdown].id, default: [:]][group.bin] = BinScores(
        pixels: summary.sums.truthCount, values: Breakdown.metrics.map { $0.value(summary) })
    }
    for (breakdown, divides) in zip(Breakdown.all, blocks.divides) where divides {
      if scores.breakdowns[breakdown.id] == nil { scores.breakdowns[breakdown.id] = [:] }
    }
    scores.sparsification = summaries[.all]?.image?.sparsification
    scores.errors = summaries[.all].flatMap { errorCounts($0.sums) }
    if isExtended { scores.extended = ExtendedErrors(sum { _ in true }, scale: medians?.scale) }
    scores.counts = histogram.map { PixelCounts(summaries.mapValues(\.sums), errors: $0) }
    return scores
  }

  private func sum(_ belongs: (PixelCell) -> Bool) -> ErrorSums {
    var total = ErrorSums(logShift: logShift ?? 0)
    for (cell, sums) in zip(blocks.cells, sums) where belongs(cell) { total += sums }
    return total
  }

  private func quantiles(
    _ wanted: [ErrorQuantile], _ ranks: BinRanks, _ kind: ErrorLists.Bins
  ) -> [ErrorQuantile: Double] {
    guard ranks.total > 0 else { return [:] }
    return Dictionary(
      uniqueKeysWithValues: wanted.map { quantile in
        let place = quantile.place(of: ranks.total)
        let bin = ranks.bin(of: place.rank)
        let (lower, following) = OrderStatistics.neighbours(
          of: place.rank - ranks.before(bin), in: Array(lists[bin, of: kind]))
        guard place.weight > 0 else { return (quantile, lower) }
        // The first of another bin is its least.
        let nextBin = ranks.bin(of: place.next)
        let upper = nextBin == bin ? following : lists[nextBin, of: kind].min() ?? lower
        return (quantile, lower + (upper - lower) * place.weight)
      })
  }

  private func errorCounts(_ sums: ErrorSums) -> ErrorCounts? {
    guard sums.count > 0 else { return nil }
    return ErrorCounts(
      below: ErrorCounts.limits.map { limit in
        let bin = ErrorBins.bin(of: limit)
        return absolute.before(bin) + lists[bin, of: .absolute].count { $0 < limit }
      }, truthCount: sums.truthCount)
  }

  private var sparsification: Sparsification? {
    guard hasLevels, relative.total > 0 else { return nil }
    var levels: [UInt8: (count: Int, sum: Double)] = [:]
    for (cell, sums) in zip(blocks.cells, sums) where sums.count > 0 {
      // A level that there is not counts as the lowest.
      let level = UInt8(clamping: cell.bins[Breakdown.confidencePosition])
      let known = levels[level] ?? (0, 0)
      levels[level] = (known.count + sums.count, known.sum + sums.sum(.relative))
    }
    let kept = Sparsification.kept(of: relative.total)
    let sums = bins.sumsOfRelative(total: sum { _ in true }.sum(.relative))
    var (before, next) = (0.0, 0)  // Sum of the bins before one, and the first that is not in it.
    // From step to step more are kept.
    let smallest = kept.reversed().map { kept -> Double in
      let bin = relative.bin(of: kept - 1)
      while next < bin {
        before += sums[next]
        next += 1
      }
      let rest = kept - relative.before(bin)
      guard rest < relative.count(bin) else { return (before + sums[bin]) / Double(kept) }
      let part = OrderStatistics.sum(ofSmallest: rest, of: Array(lists[bin, of: .relative]))
      return (before + part) / Double(kept)
    }
    return Sparsification(levels: levels, kept: kept, oracle: smallest.reversed())
  }
}

extension ErrorQuantile {
  /// What columns of whole images need; all of them are of |d−g|.
  static let ofImages = wanted(by: MetricColumn.all.map(\.metric), .absolute)
  static let ofBins = wanted(by: Breakdown.metrics, .relative)  // What bins need; all of them are of |d−g|/g.

  private static func wanted(by metrics: [Metric], _ measure: Measure) -> [ErrorQuantile] {
    let wanted = metrics.compactMap(\.quantile).firstAppearances
    precondition(
      wanted.allSatisfy { $0.measure == measure }, "the pass counts no other error for these metrics")
    return wanted
  }

  /// Ranks of the neighbouring order statistics, from 0, and the second one's weight (Hyndman & Fan 1996, type 7).
  func place(of count: Int) -> (rank: Int, next: Int, weight: Double) {
    let position = share * Double(count - 1)
    let rank = Int(position.rounded(.down))
    return (rank, min(rank + 1, count - 1), position - Double(rank))
  }
}
