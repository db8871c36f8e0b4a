internal import DepthCore

/// What a LiDAR meets in one frame, before its noise: geometry smeared at depth steps, and how hard
/// each pixel is to measure.
struct LidarView: Sendable {
  /// Exact planar depth at every pixel's centre, metres.
  private(set) var exact: [Double]
  /// The same where no other body is near; at depth steps displaced and mixed: flying pixels.
  private(set) var smeared: [Double]
  /// Grows with range, obliqueness, dark material and depth spread; only its order matters.
  private(set) var hardness: [Double]
  /// Body at every pixel's centre.
  private(set) var solid: [Int]
  let size: RasterSize
  /// Standard deviation and limit of the displacement of edges, LiDAR pixels.
  private static let (displacement, largestDisplacement) = (0.35, 0.8)
  /// Half the side of the square over which a pixel mixes depths, LiDAR pixels.
  private static let footprint = 0.3

  init(_ caster: RayCaster, shading: Shading, using generator: inout SplitMix64) {
    size = caster.size
    let hits = caster.render { hit, _, _ in hit }.values
    exact = hits.map(\.depth)
    solid = hits.map(\.solid)
    smeared = exact
    let steps = Self.steps(exact, solid, size), across = SpotField(over: size, using: &generator)
    let down = SpotField(over: size, using: &generator)
    let patches = SpotField(over: size, using: &generator)
    hardness = [Double](repeating: 0, count: size.count)
    for row in 0..<size.height {
      for column in 0..<size.width {
        let (index, u, v) = (row * size.width + column, Double(column) + 0.5, Double(row) + 0.5)
        let point = caster.rays.point(u: u, v: v, depth: hits[index].depth)
        let (material, normal) = shading.surface(hits[index], at: point)
        let ray = point - caster.rays.origin, range = (ray * ray).sum().squareRoot()
        hardness[index] =
          Self.hardness(
            cosine: abs((ray * normal).sum()) / range, reflectance: material.reflectance, range: range,
            spread: steps[index].spread) + 0.06 * patches(u, v)
        guard steps[index].isStep else { continue }
        smeared[index] = Self.mixed(
          caster, u + Self.shift(across(u, v)), v + Self.shift(down(u, v)))
      }
    }
  }

  /// Smooths depth steps as a sensor's own upsampling does: a Gaussian of `deviation` pixels over disparity.
  mutating func soften(by deviation: Double) {
    smeared = SoftEdges(deviation: deviation).applied(to: smeared.map { 1 / $0 }, size).map { 1 / $0 }
  }

  /// Each term is 0 for the easiest surface and about 1 for a hard one.
  static func hardness(cosine: Double, reflectance: Double, range: Double, spread: Double) -> Double {
    let (oblique, dark, far) = (1 - cosine, 1 - reflectance, range / 5)
    return 0.8 * oblique * oblique + 0.7 * dark * dark + 0.6 * far * far + min(1, spread / 0.2)
  }

  private static func shift(_ normal: Double) -> Double {
    min(max(displacement * normal, -largestDisplacement), largestDisplacement)
  }

  /// Mean of four rays around an image point: between two depths where they straddle a step.
  private static func mixed(_ caster: RayCaster, _ u: Double, _ v: Double) -> Double {
    var sum = 0.0
    for (du, dv) in [(-footprint, -footprint), (footprint, -footprint), (-footprint, footprint)] {
      sum += caster.hit(u: u + du, v: v + dv).depth
    }
    return (sum + caster.hit(u: u + footprint, v: v + footprint).depth) / 4
  }

  /// For every pixel, the relative depth spread among its neighbours, and whether another body at another
  /// depth is within two pixels.
  private static func steps(
    _ depth: [Double], _ solid: [Int], _ size: RasterSize
  ) -> [(spread: Double, isStep: Bool)] {
    let map = Raster(width: size.width, height: size.height, values: depth)
    let (near, wide) = (NeighbourhoodRange(of: map, radius: 1), NeighbourhoodRange(of: map, radius: 2))
    return depth.indices.map { index in
      let spread = near.highest[index] / near.lowest[index] - 1, allowed = 0.03 * depth[index]
      guard wide.highest[index] - depth[index] > allowed || depth[index] - wide.lowest[index] > allowed
      else { return (spread, false) }
      let (row, column) = (index / size.width, index % size.width)
      for r in max(0, row - 2)...min(size.height - 1, row + 2) {
        for c in max(0, column - 2)...min(size.width - 1, column + 2) {
          let other = r * size.width + c
          if solid[other] != solid[index], abs(depth[other] - depth[index]) > allowed {
            return (spread, true)
          }
        }
      }
      return (spread, false)
    }
  }
}
