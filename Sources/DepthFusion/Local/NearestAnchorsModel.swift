import DepthCore

extension LocalEstimator {
  /// Scale and shift from the nearest anchors of every pixel.
  static let nearestAnchors = LocalEstimator(
    id: "knn-affine", title: "line through the 5 nearest anchors",
    source: "Wang et al. 2025, Prior Depth Anything, coarse metric alignment",
    // A disc of that many pixels, whose deviation along one axis is half its radius.
    window: { (Double($0.neighbours) / .pi).squareRoot() / 2 }
  ) { anchors, line, space, options in NearestAnchorsModel(anchors, line, space, options) }
}

/// At every pixel the line that fits its K nearest anchors best, weighted by inverse distance and by noise.
/// Of equally far ones the nearer ring of pixels counts first, then the upper row, then the left column.
///
/// The paper solves the plain least-squares problem, which has no answer where the anchors share one relative value;
/// here a ridge draws the solution to the global line.
struct NearestAnchorsModel: LocalModel {
  private let global: GlobalModel, anchors: LidarAnchors, problem: AnchorProblem
  /// Position in `problem` of the anchor at a LiDAR pixel; −1 where there is none.
  private let positions: [Int32]
  private let neighbours: Int, ridge: Double

  init(_ anchors: LidarAnchors, _ line: Line, _ space: Space, _ options: FusionOptions) {
    global = GlobalModel(line: line, space: space, options: options)
    self.anchors = anchors
    problem = AnchorProblem(anchors, line, space, rejecting: false)
    var positions = [Int32](repeating: -1, count: anchors.size.count)
    for (k, index) in anchors.indices.enumerated() { positions[Int(index)] = Int32(k) }
    self.positions = positions
    (neighbours, ridge) = (min(options.local.neighbours, anchors.count), options.local.ridge)
  }

  func apply(to relative: DepthMap, offset: PixelOffset) -> DepthMap {
    let (space, options, line) = (global.space, global.options, global.line)
    var result = relative, nearest = NearestAnchors(limit: neighbours)
    let (stepX, stepY) = (
      Double(anchors.size.width) / Double(relative.width),
      Double(anchors.size.height) / Double(relative.height)
    )
    for row in 0..<relative.height {
      for column in 0..<relative.width {
        let x = space.regressor(relative: Double(relative[row, column]))
        let (u, v) = (
          (Double(column) + 0.5 + offset.x) * stepX - 0.5, (Double(row) + 0.5 + offset.y) * stepY - 0.5
        )
        find(&nearest, u, v)
        let fitted = line.scale * x + line.shift + change(nearest, (x - problem.centre) / problem.deviation)
        result[row, column] =
          fitted.isNaN
          ? .nan : Float(min(max(space.depth(fitted: fitted), options.clampMin), options.clampMax))
      }
    }
    return result
  }

  /// The weighted line through what the global line leaves at the anchors, at regressor `x`.
  private func change(_ nearest: NearestAnchors, _ x: Double) -> Double {
    var (sw, sx, sxx, sy, sxy) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (square, k) in nearest.found {
      // A hundredth of a pixel keeps an anchor at the very pixel finite.
      let w = problem.weights[k] / (square.squareRoot() + 0.01)
      sw += w
      sx += w * problem.x[k]
      sxx += w * problem.x[k] * problem.x[k]
      sy += w * problem.y[k]
      sxy += w * problem.x[k] * problem.y[k]
    }
    guard sw > 0 else { return 0 }
    let (meanX, meanY) = (sx / sw, sy / sw)
    let slope = (sxy / sw - meanX * meanY) / (max(0, sxx / sw - meanX * meanX) + ridge)
    return meanY + slope * (x - meanX)
  }

  /// Rings of LiDAR pixels around (u, v) until nothing nearer can follow; few anchors are all looked at.
  private func find(_ nearest: inout NearestAnchors, _ u: Double, _ v: Double) {
    nearest.found.removeAll(keepingCapacity: true)
    let (width, height) = (anchors.size.width, anchors.size.height)
    if anchors.count <= 256 {
      for (k, index) in anchors.indices.enumerated() {
        let (dx, dy) = (Double(Int(index) % width) - u, Double(Int(index) / width) - v)
        nearest.offer(dx * dx + dy * dy, k)
      }
      return
    }
    let (centreX, centreY) = (
      min(max(Int(saturating: u.rounded()), 0), width - 1),
      min(max(Int(saturating: v.rounded()), 0), height - 1)
    )
    for radius in 0..<max(width, height) {
      // Every pixel of ring `radius` is at least this far away.
      let bound = max(0, Double(radius) - 0.5)
      if let worst = nearest.worst, bound * bound > worst { return }
      for y in max(0, centreY - radius)...min(height - 1, centreY + radius) {
        let isEdge = abs(y - centreY) == radius
        var x = centreX - radius
        while x <= centreX + radius {
          if x >= 0 && x < width {
            let k = positions[y * width + x]
            if k >= 0 {
              let (dx, dy) = (Double(x) - u, Double(y) - v)
              nearest.offer(dx * dx + dy * dy, Int(k))
            }
          }
          x += isEdge || radius == 0 ? 1 : 2 * radius
        }
      }
    }
  }
}

/// The K nearest so far; equal distances keep the one that came first.
private struct NearestAnchors {
  let limit: Int
  /// Squared distance and position, nearest first.
  var found: [(square: Double, position: Int)] = []
  init(limit: Int) { self.limit = limit }
  /// Squared distance of the last one, once there are K.
  var worst: Double? { found.count == limit ? found.last?.square : nil }

  mutating func offer(_ square: Double, _ position: Int) {
    if let worst {
      guard square < worst else { return }
      found.removeLast()
    }
    var place = found.count
    while place > 0 && found[place - 1].square > square { place -= 1 }
    found.insert((square, position), at: place)
  }
}
