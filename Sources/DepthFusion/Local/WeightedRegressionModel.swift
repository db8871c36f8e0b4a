import DepthCore

extension LocalEstimator {
  /// Scale and shift by locally weighted linear regression over image position.
  static let lwlr = LocalEstimator(
    id: "lwlr", title: "locally weighted linear regression", source: "Xu et al. 2022, arXiv 2202.01470",
    window: \.regressionDeviation
  ) { anchors, line, space, options in WeightedRegressionModel(anchors, line, space, options) }
}

/// y = α(u)·r + β(u): at every place u the line that fits best with Gaussian weights of the distance to u.
///
/// Solved at the cells of a grid and interpolated between them. The paper anchors its regularisation at scale 1 and
/// shift 0 of a map that was aligned globally before; the same is done here by fitting what the global line
/// leaves, with a ridge on both coefficients. Anchors weigh by noise and by Tukey's biweight of their relative
/// distance from the global line, whose width follows the residuals.
struct WeightedRegressionModel: LocalModel {
  let lines: LocalLines

  init(_ anchors: LidarAnchors, _ line: Line, _ space: Space, _ options: FusionOptions) {
    let problem = AnchorProblem(anchors, line, space, rejecting: true)
    let grid = CellGrid(over: anchors.size, deviation: options.local.regressionDeviation)
    var sums = [[Double]](repeating: grid.zeros, count: 5)
    let width = anchors.size.width
    for k in problem.x.indices {
      let index = Int(anchors.indices[k])
      let cell = grid.cell(row: index / width, column: index % width)
      let (w, x, y) = (problem.weights[k], problem.x[k], problem.y[k])
      sums[0][cell] += w
      sums[1][cell] += w * x
      sums[2][cell] += w * x * x
      sums[3][cell] += w * y
      sums[4][cell] += w * x * y
    }
    sums = sums.map(grid.blurred)
    let ridge = options.local.ridge * grid.pixelsPerCell / Double(anchors.pixelsEach) * problem.fullWeight
    var (scales, levels) = (grid.zeros, grid.zeros)
    for cell in scales.indices {
      let (w, x, xx) = (sums[0][cell] + ridge, sums[1][cell], sums[2][cell] + ridge)
      let determinant = w * xx - x * x
      scales[cell] = (w * sums[4][cell] - x * sums[3][cell]) / determinant / problem.deviation
      levels[cell] = (xx * sums[3][cell] - x * sums[4][cell]) / determinant
    }
    lines = LocalLines(
      global: GlobalModel(line: line, space: space, options: options), scale: grid.map(scales),
      level: grid.map(levels), centre: problem.centre)
  }

  func apply(to relative: DepthMap, offset: PixelOffset) -> DepthMap {
    lines.apply(to: relative, offset: offset)
  }

  func depths(of relative: DepthMap, at indices: [Int32]) -> [Float] {
    lines.depths(of: relative, at: indices)
  }
}
