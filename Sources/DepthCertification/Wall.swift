public import DepthCore
import Foundation

/// The largest plane of a scene, or the largest one parallel to another, and the pixels that were taken for it.
public struct Wall: Sendable {
  public let plane: DepthPlane
  /// Ascending.
  public let pixels: [Int]
  /// Of the map.
  public let size: RasterSize
  /// Share of the map's usual pixels that the wall takes.
  public let share: Double
  /// Valid share of the wall's pixels and the missing ones in its bounding box, over all frames.
  public let fill: Double
  let mean: MeanDepth
  let rays: [SIMD3<Double>]
  let inverse: [SIMD3<Double>]
  /// Columns and rows of the map that hold the pixels.
  let box: (columns: ClosedRange<Int>, rows: ClosedRange<Int>)

  /// Depth differs from the plane by at most this share of it in the first, rough choice.
  private static let roughShare = 0.02
  /// Robust standard deviations that a pixel of the wall may lie off the plane.
  private static let reach = 4.0
  static let fewestPixels = 200
  /// Of the pixels with depth, that one wall and each of two faces must take at least.
  private static let wallShare = 1.0 / 3, faceShare = 0.1
  /// Planes at a larger angle to a face are not looked at as its second one, radians.
  private static let mostAngle = 15 * Double.pi / 180

  /// Pixels with a value in at least half of the frames.
  public var usualPixels: [Int] { mean.usual }

  /// Random sample consensus (Fischler & Bolles 1981) over the mean map, then least squares with a reach of four robust standard deviations.
  /// Pixels beside something that is not the wall are excluded, because depth maps mix both there.
  /// - Parameter name: Of the scene; names the random stream.
  /// - Returns: nil where no plane takes a third of the pixels.
  public init?(_ mean: MeanDepth, _ camera: CameraIntrinsics, name: String) {
    self.init(mean, camera, name, leastShare: Self.wallShare, margin: 1, parallelTo: nil)
  }

  /// The largest plane, and the largest one parallel to it among the other pixels. A margin at their edges is excluded, where maps mix depths.
  ///
  /// - Returns: Both; one where no second plane, or none where no plane at all, takes a tenth of the pixels.
  public static func faces(_ mean: MeanDepth, _ camera: CameraIntrinsics, name: String) -> [Wall] {
    let margin = max(2, mean.size.width / 64)
    func face(parallelTo first: Wall?) -> Wall? {
      Wall(mean, camera, name, leastShare: faceShare, margin: margin, parallelTo: first)
    }
    guard let first = face(parallelTo: nil) else { return [] }
    return [first] + [face(parallelTo: first)].compactMap(\.self)
  }

  private init?(
    _ mean: MeanDepth, _ camera: CameraIntrinsics, _ name: String, leastShare: Double, margin: Int,
    parallelTo first: Wall?
  ) {
    (self.mean, size) = (mean, mean.size)
    let width = mean.size.width, rays = PixelRays(camera.scaled(to: mean.size)).all
    let usual = mean.usual
    guard usual.count >= Self.fewestPixels else { return nil }
    func isNear(_ plane: DepthPlane, _ pixel: Int, _ reach: Double) -> Bool {
      abs(mean.mean[pixel] - plane.depth(rays[pixel])) <= reach
    }
    let candidates =
      first.map { first in
        usual.filter { !isNear(first.plane, $0, Self.roughShare * mean.mean[$0]) }
      } ?? usual
    guard candidates.count >= Self.fewestPixels else { return nil }
    let sample = stride(from: 0, to: candidates.count, by: max(1, candidates.count / 2000)).map {
      candidates[$0]
    }
    var generator = SplitMix64(seed: 0, stream: "wall", name)
    var best: (plane: DepthPlane, votes: Int)?
    // Three pixels make a plane, and one a plane parallel to another.
    func plane(through chosen: [Int]) -> DepthPlane? {
      guard let first else { return DepthPlane(through: chosen.map { (rays[$0], mean.mean[$0]) }) }
      return DepthPlane(first.plane.p * (first.plane.depth(rays[chosen[0]]) / mean.mean[chosen[0]]))
    }
    let needed = first == nil ? 3 : 1
    // Until another three pixels of the best plane so far are all but certain to have been among the tries.
    var (tries, chance) = (0, 1.0)
    while tries < 2000, chance > 1e-9 {
      tries += 1
      let chosen = (0..<needed).map { _ in sample[Int.random(in: 0..<sample.count, using: &generator)] }
      guard let plane = plane(through: chosen), plane.p.z > 0 else { continue }
      let votes = sample.count { isNear(plane, $0, Self.roughShare * mean.mean[$0]) }
      if votes > best?.votes ?? 0 { best = (plane, votes) }
      chance = pow(1 - pow(Double(best?.votes ?? 0) / Double(sample.count), Double(needed)), Double(tries))
    }
    guard var plane = best?.plane else { return nil }
    var near = candidates.filter { isNear(plane, $0, Self.roughShare * mean.mean[$0]) }
    for _ in 0..<8 {
      guard near.count >= Self.fewestPixels, let fit = plane.refined(near, mean.mean, rays) else {
        return nil
      }
      plane = fit.plane
      let errors = near.map { mean.mean[$0] - plane.depth(rays[$0]) }
      let spread = OrderStatistics.normalConsistency * (OrderStatistics.medianAbsolute(errors) ?? 0)
      let next = candidates.filter {
        isNear(plane, $0, max(1e-6, min(Self.reach * spread, Self.roughShare * mean.mean[$0])))
      }
      let inner = (0..<margin).reduce(next) { kept, _ in Self.eroded(kept, usual: usual, mean.size) }
      if inner == near { break }
      near = inner
    }
    guard near.count >= Self.fewestPixels, Double(near.count) >= leastShare * Double(usual.count),
      let fit = plane.refined(near, mean.mean, rays),
      first.map({ $0.plane.angle(to: fit.plane) <= Self.mostAngle }) ?? true
    else { return nil }
    (self.plane, self.inverse, pixels, self.rays) = (fit.plane, fit.inverse, near, rays)
    share = Double(near.count) / Double(usual.count)
    let (columns, rows) = (near.map { $0 % width }, near.map { $0 / width })
    let box = ((columns.min() ?? 0)...(columns.max() ?? 0), (rows.min() ?? 0)...(rows.max() ?? 0))
    self.box = box
    var isWall = [Bool](repeating: false, count: mean.size.count)
    for pixel in near { isWall[pixel] = true }
    let looked = box.1.flatMap { row in box.0.map { row * width + $0 } }.filter { pixel in
      isWall[pixel] || 2 * mean.count[pixel] < mean.frames
    }
    fill = Double(looked.reduce(0) { $0 + mean.count[$1] }) / Double(max(1, looked.count * mean.frames))
  }

  /// Without pixels that have two or more neighbours off the plane: a single noisy pixel is not an edge.
  private static func eroded(_ pixels: [Int], usual: [Int], _ size: RasterSize) -> [Int] {
    var state = [Int8](repeating: 0, count: size.count)
    for pixel in usual { state[pixel] = -1 }
    for pixel in pixels { state[pixel] = 1 }
    return pixels.filter { pixel in
      let (row, column) = (pixel / size.width, pixel % size.width)
      var off = 0
      for y in max(0, row - 1)...min(size.height - 1, row + 1) {
        for x in max(0, column - 1)...min(size.width - 1, column + 1) where state[y * size.width + x] < 0 {
          off += 1
        }
      }
      return off < 2
    }
  }
}
