public import DepthCore
import FathomLinearAlgebra

/// A board's pose in the picture of one frame, and the frame's depth on it.
public struct BoardPose: Sendable {
  public let scene: String, frame: Int
  /// Corners that were found.
  public let corners: Int
  /// Root mean square distance of the corners from where the pose puts them, pixels of the picture, and as a share of the picture's width.
  public let reprojection: Double, reprojectionShare: Double
  /// Of the board, by the picture alone, and of the frame's depth on it.
  public let plane: DepthPlane, depthPlane: DepthPlane
  /// Of the map that were taken, ascending.
  public let pixels: [Int]
  /// Of the map.
  public let size: RasterSize
  /// Share of the board's pixels that were taken; the others have no depth, or one that is off the board.
  public let share: Double
  /// Root mean square distance of depth from its own plane, metres: noise and fixed pattern.
  public let noise: Double
  /// Step between the values of the file, metres; 0 where there is none.
  public let resolution: Double
  /// Squared distances of depth from its own plane, m².
  let noiseSums: NoiseSums
  /// Widths of the steps at the board's border, by edge, pixels.
  let edges: [ClusteredMean.Cell]
  /// By tile of the map, for the camera as declared and then for each change of ``changes``.
  let sums: [[DepthSums]]

  /// Of the focal length and the principal point's coordinates, shares of the focal length.
  static let changes: [SIMD3<Double>] = [[change, 0, 0], [0, change, 0], [0, 0, change]]
  static let change = 1e-3
  public static let fewestCorners = 12
  /// Pixels of the map beside the board's edge that are excluded.
  private static let margin = 2.0
  /// Robust standard deviations that a pixel's error may lie off their median.
  private static let reach = 4.0

  /// - Parameter camera: Of the picture that the corners are from.
  /// - Parameter confidence: At the size of the map.
  /// - Returns: nil where fewer than 12 corners or 200 pixels of depth show the board.
  public init?(
    _ map: DepthMap, _ view: CharucoBoard.View, _ board: CharucoBoard, _ camera: CameraIntrinsics,
    confidence: Raster<UInt8>? = nil
  ) {
    let points = view.corners.compactMap { corner in
      board.corner(corner.id).map { (board: $0, pixel: SIMD2(corner.x + 0.5, corner.y + 0.5)) }
    }
    guard points.count >= Self.fewestCorners else { return nil }
    let cameras =
      [camera]
      + Self.changes.map { change in
        var changed = camera
        (changed.fx, changed.fy) = (camera.fx * (1 + change.x), camera.fy * (1 + change.x))
        (changed.cx, changed.cy) = (camera.cx + change.y * camera.fx, camera.cy + change.z * camera.fy)
        return changed
      }
    let poses = cameras.compactMap { RigidTransform(of: points, $0) }
    guard poses.count == cameras.count else { return nil }
    let planes = poses.map(DepthPlane.init(of:))
    let rays = cameras.map { PixelRays($0.scaled(to: map.size)) }
    let (width, focal) = (map.width, camera.scaled(to: map.size).fx)
    let onBoard = map.values.indices.filter { pixel in
      let ray = rays[0][pixel]
      let depth = planes[0].depth(ray)
      guard depth > 0, depth.isFinite else { return false }
      let way = ray * depth - poses[0].translation
      let (x, y) = ((way * poses[0].xAxis).sum(), (way * poses[0].yAxis).sum())
      let edge = Self.margin * depth / focal
      return min(x, y) > edge && x < Double(board.columns) * board.square - edge
        && y < Double(board.rows) * board.square - edge
    }
    let depths = map.values.map(Double.init)
    let present = onBoard.filter { depths[$0].isFinite && depths[$0] > 0 }
    let errors = present.map { depths[$0] - planes[0].depth(rays[0][$0]) }
    let middle = OrderStatistics.median(of: errors) ?? 0
    let spread = OrderStatistics.medianAbsolute(errors.map { $0 - middle }) ?? 0
    let widest = max(1e-6, Self.reach * OrderStatistics.normalConsistency * spread)
    let taken = zip(present, errors).filter { abs($1 - middle) <= widest }.map(\.0)
    let lines = rays[0].all
    guard taken.count >= Wall.fewestPixels, let own = planes[0].refined(taken, depths, lines)?.plane else {
      return nil
    }
    let tiles = WallPlacement.tiles
    func tile(_ pixel: Int) -> Int {
      pixel / width * tiles.height / map.height * tiles.width + pixel % width * tiles.width / width
    }
    var (sum, noises) = (0.0, NoiseSums())
    for pixel in taken {
      let residual = depths[pixel] - own.depth(lines[pixel])
      sum += residual * residual
      noises.add(
        residual * residual, tile: tile(pixel), range: planes[0].depth(lines[pixel]),
        angle: planes[0].incidence(lines[pixel]), confidence: confidence.map { Int($0.values[pixel]) })
    }
    noiseSums = noises
    edges = EdgeProfiles(own, taken, depths, lines, map.size).edges
    sums = zip(planes, rays).map { plane, rays in
      taken.reduce(into: [DepthSums](repeating: DepthSums(), count: tiles.count)) { sums, pixel in
        sums[tile(pixel)].add(plane.depth(rays[pixel]), depths[pixel])
      }
    }
    (scene, frame, corners, size) = (view.scene, view.frame, points.count, map.size)
    (plane, depthPlane, pixels) = (planes[0], own, taken)
    share = Double(taken.count) / Double(onBoard.count)
    noise = (sum / Double(taken.count - 3)).squareRoot()
    reprojection = poses[0].reprojection(of: points, camera)
    reprojectionShare = reprojection / Double(camera.imageSize.width)
    var mean = MeanDepth(map.size)
    mean.add(map)
    resolution = mean.resolution(at: planes[0].distance)
  }

  var total: DepthSums { sums[0].reduce(DepthSums(), +) }
  /// Mean depth of the board on the pixels that were taken, metres.
  public var depth: Double { total.mean }
  /// Mean error of depth, metres.
  public var error: Double { total.error }
  /// Between the board's normal and that of the depth's plane, radians.
  public var angle: Double { plane.angle(to: depthPlane) }
}

/// Sums over pixels from which a line of depth error over depth follows.
struct DepthSums: Sendable {
  private(set) var count = 0.0
  private(set) var d = 0.0, dd = 0.0, e = 0.0, de = 0.0

  /// - Parameter depth: The board's, metres.
  mutating func add(_ depth: Double, _ measured: Double) {
    let error = measured - depth
    count += 1
    d += depth
    dd += depth * depth
    e += error
    de += depth * error
  }

  /// With all depths of the board larger by a factor, and what was measured as it is.
  func stretched(by factor: Double) -> DepthSums {
    var sums = self
    (sums.d, sums.dd) = (factor * d, factor * factor * dd)
    (sums.e, sums.de) = (e + d - sums.d, factor * (de + (1 - factor) * dd))
    return sums
  }

  static func + (one: DepthSums, two: DepthSums) -> DepthSums {
    var sum = one
    (sum.count, sum.d, sum.dd) = (one.count + two.count, one.d + two.d, one.dd + two.dd)
    (sum.e, sum.de) = (one.e + two.e, one.de + two.de)
    return sum
  }

  var mean: Double { d / count }
  var error: Double { e / count }
  /// Σ(d − mean)².
  var square: Double { dd - d * mean }
  /// Of the error over depth; 0 where all depths are equal.
  var slope: Double { square > 0 ? (de - d * error) / square : 0 }
}

extension DepthPlane {
  /// The plane z = 0 of a body with this pose in the camera.
  init(of pose: RigidTransform) { self.init(pose.zAxis / (pose.zAxis * pose.translation).sum()) }
}

/// A flat pattern's corners: metres on it, and pixels of the picture from its outer corner.
typealias PatternPoints = [(board: SIMD2<Double>, pixel: SIMD2<Double>)]

extension RigidTransform {
  /// The pose of a flat pattern in the camera: least squares of the corners' distances in the picture, by Gauss and Newton from the homography
  /// (Zhang 2000).
  /// - Returns: nil where the corners do not determine it.
  init?(of points: PatternPoints, _ camera: CameraIntrinsics) {
    let rays = points.map { ($0.pixel - SIMD2(camera.cx, camera.cy)) / SIMD2(camera.fx, camera.fy) }
    let design = zip(points, rays).flatMap { point, ray -> [[Double]] in
      let (x, y) = (point.board.x, point.board.y)
      return [
        [x, y, 1, 0, 0, 0, -ray.x * x, -ray.x * y], [0, 0, 0, x, y, 1, -ray.y * x, -ray.y * y],
      ]
    }
    guard let h = try? leastSquaresByQR(Matrix(rows: design), rays.flatMap { [$0.x, $0.y] }) else {
      return nil
    }
    let (first, second) = (SIMD3(h[0], h[3], h[6]), SIMD3(h[1], h[4], h[7]))
    let size = ((first * first).sum().squareRoot() + (second * second).sum().squareRoot()) / 2
    guard size > 0, size.isFinite else { return nil }
    self.init(
      xAxis: first / size, yAxis: second / size, zAxis: .zero, translation: SIMD3(h[2], h[5], 1) / size)
    for _ in 0..<20 {
      orthonormalise()
      var (rows, residuals): ([[Double]], [Double]) = ([], [])
      for point in points {
        let turned = direction(SIMD3(point.board.x, point.board.y, 0))
        let place = turned + translation
        guard place.z > 0 else { return nil }
        let (x, y) = (place.x / place.z, place.y / place.z)
        let (ax, ay) = (
          SIMD3(camera.fx, 0, -camera.fx * x) / place.z, SIMD3(0, camera.fy, -camera.fy * y) / place.z
        )
        // ω × turned along a is turned × a along ω.
        let (tx, ty) = (cross(turned, ax), cross(turned, ay))
        rows += [[tx.x, tx.y, tx.z, ax.x, ax.y, ax.z], [ty.x, ty.y, ty.z, ay.x, ay.y, ay.z]]
        residuals += [point.pixel.x - camera.cx - camera.fx * x, point.pixel.y - camera.cy - camera.fy * y]
      }
      guard let step = try? leastSquaresByQR(Matrix(rows: rows), residuals) else { return nil }
      let turn = SIMD3(step[0], step[1], step[2])
      xAxis += cross(turn, xAxis)
      yAxis += cross(turn, yAxis)
      translation += SIMD3(step[3], step[4], step[5])
      if step.allSatisfy({ abs($0) < 1e-12 }) { break }
    }
    orthonormalise()
  }

  private mutating func orthonormalise() {
    xAxis /= (xAxis * xAxis).sum().squareRoot()
    yAxis -= xAxis * (xAxis * yAxis).sum()
    yAxis /= (yAxis * yAxis).sum().squareRoot()
    zAxis = cross(xAxis, yAxis)
  }

  /// Root mean square distance of corners from where the pose puts them, pixels.
  func reprojection(of points: PatternPoints, _ camera: CameraIntrinsics) -> Double {
    let squares = points.map { point in
      let place = self(SIMD3(point.board.x, point.board.y, 0))
      let way =
        SIMD2(camera.fx * place.x / place.z + camera.cx, camera.fy * place.y / place.z + camera.cy)
        - point.pixel
      return (way * way).sum()
    }
    return (squares.reduce(0, +) / Double(points.count)).squareRoot()
  }
}
