/// Scores predictions of one frame: block by block of the truth, so that what all of them need is read from memory once.
enum ScoringPass {
  /// - Parameter countsPixels: Whether ``PixelScores/counts`` are wanted.
  /// - Parameter extended: Whether ``PixelScores/extended`` is wanted.
  /// - Returns: What each is worth, in their order.
  /// - Complexity: O(pixels · predictions); room for a block, some hundred kilobytes a prediction, and ``mostMembers``.
  static func scores(
    of sources: [RowSampler.Source], at blocks: TruthBlocks, countsPixels: Bool, extended: Bool = false
  ) -> [PixelScores] {
    var scores: [PixelScores] = []
    forEach(of: sources, at: blocks, countsPixels: countsPixels, extended: extended) {
      scores.append($0.scores)
    }
    return scores
  }

  /// Members of bins that are collected at a time, unless one prediction alone has more: 64 MB. Where most errors are equal, as in
  /// a map without any, most pixels are members.
  private static let mostMembers = 1 << 23

  /// Calls `body` with the errors of each prediction, in their order, once it knows all of them.
  static func forEach(
    of sources: [RowSampler.Source], at blocks: TruthBlocks, countsPixels: Bool, extended: Bool = false,
    _ body: (PredictionErrors) -> Void
  ) {
    let predictions = sources.map {
      PredictionErrors($0, blocks, countsPixels: countsPixels, extended: extended)
    }
    guard !predictions.isEmpty else { return }
    var scratch = BlockScratch(blocks)
    for block in blocks.blocks {
      scratch.enter(block, of: blocks, findsSteps: true)
      for prediction in predictions { prediction.add(block, scratch) }
    }
    for prediction in predictions { prediction.count() }
    var rest = predictions[...]
    while let first = rest.popFirst() {
      var (batch, members) = ([first], first.memberCount)
      while let next = rest.first, members + next.memberCount <= mostMembers {
        members += next.memberCount
        batch.append(rest.removeFirst())
      }
      for prediction in batch { prediction.prepareToCollect() }
      let isNeeded = batch.contains(where: \.needsSecondTime)
      for block in blocks.blocks where !block.stretches.isEmpty && isNeeded {
        scratch.enter(block, of: blocks, findsSteps: false)
        for prediction in batch { prediction.collect(block, scratch) }
      }
      for prediction in batch {
        body(prediction)
        prediction.forgetMembers()
      }
    }
  }
}
