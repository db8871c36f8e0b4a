import DepthCore
import Foundation

/// How well a local method predicts LiDAR that it has not seen.
///
/// Blocks are held out, not pixels: the LiDAR's error is correlated with its neighbours', so that a neighbour left
/// in would give the error away. Every fourth block in turn, in a 2×2 pattern, so that a block's surroundings stay.
struct HeldOutError {
  let anchors: LidarAnchors
  private let folds: [LidarAnchors]
  /// Fold of every LiDAR pixel.
  private let foldOfPixel: [UInt8]
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
    self.foldOfPixel = foldOfPixel
  }

  /// ln(LiDAR/model) at every anchor, by models that were fitted without the anchor's block.
  ///
  /// The global line may come from all anchors: two numbers out of thousands give nothing away.
  func residuals(of fit: (LidarAnchors) -> any LocalModel) -> [Double] {
    var predicted = [Float](repeating: .nan, count: anchors.size.count)
    for (fold, rest) in folds.enumerated() {
      let map = fit(rest).apply(to: anchors.relative)
      for index in anchors.indices where foldOfPixel[Int(index)] == fold {
        predicted[Int(index)] = map.values[Int(index)]
      }
    }
    return anchors.indices.map {
      Double(Foundation.log(anchors.depth[Int($0)] / predicted[Int($0)]))
    }
  }

  /// The same for a model that is fitted to all anchors.
  func residuals(ofWhole model: some LocalModel) -> [Double] {
    let map = model.apply(to: anchors.relative)
    return anchors.indices.map {
      Double(Foundation.log(anchors.depth[Int($0)] / map.values[Int($0)]))
    }
  }
}
