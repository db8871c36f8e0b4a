import DepthCore

/// Scores predictions of one frame: block by block of the truth, so that what all of them need is read from memory once.
enum ScoringPass {
  /// - Parameter countsPixels: Whether ``PixelScores/counts`` are wanted.
  /// - Returns: What each is worth, in their order.
  /// - Complexity: O(pixels · predictions); room for a block, and some hundred kilobytes a prediction.
  static func scores(
    of sources: [RowSampler.Source], at blocks: TruthBlocks, countsPixels: Bool
  ) -> [PixelScores] {
    errors(of: sources, at: blocks, countsPixels: countsPixels).map(\.scores)
  }

  /// The same, before metrics are made of it.
  static func errors(
    of sources: [RowSampler.Source], at blocks: TruthBlocks, countsPixels: Bool
  ) -> [PredictionErrors] {
    let predictions = sources.map { PredictionErrors($0, blocks, countsPixels: countsPixels) }
    guard !predictions.isEmpty else { return [] }
    var scratch = BlockScratch(blocks)
    for block in blocks.blocks {
      scratch.enter(block, of: blocks, findsSteps: true)
      for prediction in predictions { prediction.add(block, scratch) }
    }
    for prediction in predictions { prediction.count() }
    for block in blocks.blocks where !block.pixels.isEmpty {
      scratch.enter(block, of: blocks, findsSteps: false)
      for prediction in predictions { prediction.collect(block, scratch) }
    }
    return predictions
  }
}
