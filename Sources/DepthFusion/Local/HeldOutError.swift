import DepthCore

/// How well a local method predicts LiDAR that it has not seen.
///
/// Blocks are held out, not pixels: the LiDAR's error is correlated with its neighbours', so that a neighbour left
/// in would give the error away. Every other block in turn, like the squares of a chessboard, so that the blocks beside it stay.
struct HeldOutError {
  let anchors: LidarAnchors
  /// What is left, and the positions of the anchors that are held out.
  private let folds: [(rest: LidarAnchors, heldOut: [Int])]
  /// Block of every anchor, numbered row by row.
  let blocks: [Int]
  static let foldCount = 2

  init(_ anchors: LidarAnchors, blockSide: Int) {
    self.anchors = anchors
    let width = anchors.size.width
    func fold(_ index: Int) -> Int {
      (index / width / blockSide + index % width / blockSide) % Self.foldCount
    }
    let perRow = (width + blockSide - 1) / blockSide
    blocks = anchors.indices.map { Int($0) / width / blockSide * perRow + Int($0) % width / blockSide }
    let foldOfAnchor = anchors.indices.map { fold(Int($0)) }
    folds = (0..<Self.foldCount).map { fold in
      let heldOut = foldOfAnchor.indices.filter { foldOfAnchor[$0] == fold }
      return (anchors.withholding(heldOut), heldOut)
    }
  }

  /// ln(LiDAR/model) at every anchor, by models that were fitted without the anchor's block.
  ///
  /// The global line may come from all anchors: two numbers out of thousands give nothing away.
  func residuals(of fit: (LidarAnchors) -> any LocalModel) -> [Double] {
    var residuals = [Double](repeating: .nan, count: anchors.count)
    for fold in folds {
      let indices = fold.heldOut.map { anchors.indices[$0] }
      let ratios = anchors.logRatios(
        to: fit(fold.rest).depths(of: anchors.relative, at: indices), at: indices)
      for (k, ratio) in zip(fold.heldOut, ratios) { residuals[k] = ratio }
    }
    return residuals
  }

  /// The same for a model that is fitted to all anchors.
  func residuals(ofWhole model: some LocalModel) -> [Double] {
    anchors.logRatios(to: model.depths(of: anchors.relative, at: anchors.indices), at: anchors.indices)
  }
}
