import DepthCore
import DepthFusion

@testable import DepthEvaluation

/// Predictions and truth of one image, scored as an evaluation scores them.
struct PassFixture {
  let blocks: TruthBlocks
  let predicted: [Double]

  /// - Parameters:
  ///   - reference: Metres; within the protocol's range they count.
  ///   - levels: Confidence of every pixel; nil without.
  ///   - measured: Where the LiDAR has a return; nil for everywhere.
  ///   - hasLidar: Whether there is a LiDAR at all.
  init(
    _ predicted: [Double], reference: [Double], levels: [UInt8]? = nil, measured: [Bool]? = nil,
    width: Int? = nil, hasLidar: Bool = true
  ) {
    let width = width ?? reference.count
    let height = reference.count / width
    func raster<Element>(_ values: [Element]) -> Raster<Element> {
      Raster(width: width, height: height, values: values)
    }
    let truth = raster(reference.map { Float($0) })
    let returns = raster((measured ?? reference.map { _ in true }).map { $0 ? Float(1) : 0 })
    let frame = DepthFrame(
      index: 0, lidar: hasLidar ? returns : DepthMap(width: 0, height: 0, values: []),
      confidence: levels.map(raster), truth: truth)
    self.predicted = predicted
    blocks = TruthBlocks(frame, truth: truth, protocol: .fathom)
  }

  var scores: PixelScores { ScoringPass.scores(of: [.raster(predicted)], at: blocks, countsPixels: true)[0] }

  var summary: ErrorSummary {
    var summary = ErrorSummary(ErrorSums())
    ScoringPass.forEach(of: [.raster(predicted)], at: blocks, countsPixels: false) {
      summary = $0.summary(.all)
    }
    return summary
  }
}

extension ErrorSummary {
  /// The same with what belongs to an image.
  func with(_ image: ImageErrors?) -> ErrorSummary { ErrorSummary(self, image: image) }
}
