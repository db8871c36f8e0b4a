import DepthFusion
import DepthObjects

/// How well frames agree once they were carried into each other by their poses.
///
/// Cost of a pair: mean over the target's pixels of min(|z_warped − d|/d, limit), with the limit where nothing lands:
/// the right motion both agrees and overlaps most. Nearest splat with z-buffer, both directions.
struct WarpAgreement {
  /// A frame as one hypothesis reads it.
  struct View {
    let depth: [Double]
    let size: RasterSize
    let camera: PosedCamera
  }

  static let limit = 0.2
  /// Frames that are compared with each other.
  static let frameLimit = 8

  /// One row per frame: per hypothesis, the mean cost of the frame's pairs.
  ///
  /// - Parameter read: The views of all frames under a hypothesis; nil where it makes no sense.
  static func costs(_ frames: [DepthFrame], hypotheses: Int, read: (DepthFrame, Int) -> View?) -> [[Double]] {
    let chosen = spread(frames.filter { $0.worldFromCamera != nil && $0.intrinsics != nil })
    guard chosen.count >= 2 else { return [] }
    let perHypothesis = (0..<hypotheses).map { h -> [Double] in
      let views = chosen.map { read($0, h) }
      return views.indices.map { i in
        let costs = views.indices.compactMap { j -> Double? in
          guard i != j, let source = views[j], let target = views[i] else { return nil }
          return cost(from: source, to: target)
        }
        return costs.isEmpty ? .nan : costs.reduce(0, +) / Double(costs.count)
      }
    }
    return chosen.indices.map { i in perHypothesis.map { $0[i] } }
  }

  /// At most ``frameLimit`` frames, evenly over the sequence.
  private static func spread(_ frames: [DepthFrame]) -> [DepthFrame] {
    guard frames.count > frameLimit else { return frames }
    return (0..<frameLimit).map { frames[$0 * (frames.count - 1) / (frameLimit - 1)] }
  }

  private static func cost(from source: View, to target: View) -> Double {
    let (width, height) = (target.size.width, target.size.height)
    var buffer = [Double](repeating: .infinity, count: width * height)
    let from = source.camera
    let (sx, sy) = (
      Double(from.intrinsics.imageSize.width) / Double(source.size.width),
      Double(from.intrinsics.imageSize.height) / Double(source.size.height)
    )
    let image = target.camera.intrinsics.imageSize
    let (tx, ty) = (Double(width) / Double(image.width), Double(height) / Double(image.height))
    let into = target.camera.projector
    for row in 0..<source.size.height {
      for column in 0..<source.size.width {
        let z = source.depth[row * source.size.width + column]
        guard z.isFinite else { continue }
        let point = from.point(u: (Double(column) + 0.5) * sx, v: (Double(row) + 0.5) * sy, depth: z)
        guard let seen = into(point) else { continue }
        let (x, y) = ((seen.u * tx).rounded(.down), (seen.v * ty).rounded(.down))
        guard x >= 0, y >= 0, x < Double(width), y < Double(height) else { continue }
        let index = Int(y) * width + Int(x)
        buffer[index] = min(buffer[index], seen.depth)
      }
    }
    var (sum, count) = (0.0, 0)
    for (z, d) in zip(buffer, target.depth) where d.isFinite {
      sum += z.isFinite ? min(abs(z - d) / d, limit) : limit
      count += 1
    }
    return count > 0 ? sum / Double(count) : .nan
  }
}

extension WarpAgreement.View {
  /// The frame's trusted returns on a coarse raster, by its own camera.
  init?(
    _ frame: DepthFrame, _ intrinsics: CameraIntrinsics, _ pose: RigidTransform,
    _ convention: CameraConvention
  ) {
    let grid = DepthGrid(frame)
    self.init(
      depth: grid.disparity.map { 1 / $0 }, size: grid.size,
      camera: PosedCamera(intrinsics, pose, convention))
  }
}
