import DepthCore
import Foundation

/// How well a local method predicts LiDAR that it has not seen.
///
/// Blocks are held out, not pixels: the LiDAR's error is correlated with its neighbours', so that a neighbour left
/// in would give the error away. Every fourth block in turn, in a 2×2 pattern, so that a block's surroundings stay.
struct HeldOutError {
  let anchors: LidarAnchors
  private let folds: [LidarAnchors]
  /// Of every fold the anchors that it leaves out: positions in `anchors`, and their pixels.
  private let heldOut: [(positions: [Int], pixels: [Int32])]
  /// Block of every anchor, numbered row by row.
  let blocks: [Int]
  static let foldCount = 4

  init(_ anchors: LidarAnchors, blockSide: Int) {
    self.anchors = anchors
    let width = anchors.size.width
    let foldOfPixel = (0..<anchors.size.count).map { index in
      UInt8(2 * ((index / width / blockSide) % 2) + (index % width / blockSide) % 2)
    }
    let perRow = (width + blockSide - 1) / blockSide
    blocks = anchors.indices.map { Int($0) / width / blockSide * perRow + Int($0) % width / blockSide }
    folds = (0..<Self.foldCount).map { fold in anchors.withholding { foldOfPixel[$0] == fold } }
    heldOut = (0..<Self.foldCount).map { fold in
      let positions = anchors.indices.indices.filter { foldOfPixel[Int(anchors.indices[$0])] == fold }
      return (positions, positions.map { anchors.indices[$0] })
    }
  }

  /// ln(LiDAR/model) at every anchor, by models that were fitted without the anchor's block.
  ///
  /// The global line may come from all anchors: two numbers out of thousands give nothing away.
  func residuals(of fit: (LidarAnchors) -> any LocalModel) -> [Double] {
    var residuals = [Double](repeating: .nan, count: anchors.count)
    for (rest, held) in zip(folds, heldOut) {
      let predicted = fit(rest).depths(of: anchors.relative, at: held.pixels)
      for (position, depth) in zip(held.positions, predicted) {
        residuals[position] = Double(
          Foundation.log(anchors.depth[Int(anchors.indices[position])] / depth))
      }
    }
    return residuals
  }

  /// The same for a model that is fitted to all anchors.
  func residuals(ofWhole model: some LocalModel) -> [Double] {
    zip(anchors.indices, model.depths(of: anchors.relative, at: anchors.indices)).map {
      Double(Foundation.log(anchors.depth[Int($0)] / $1))
    }
  }
}
