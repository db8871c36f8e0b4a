import CFathomKernels
import DepthCore
import Testing

@Suite("the half of a cloud that is nearest to its moments")
struct CovarianceTests {
  /// The moments of the half that sorting finds: by distance, and of equally far points the first.
  private func sorted(_ x: [Double], _ z: [Double], _ half: Int, _ m: covariance_moments)
    -> covariance_moments
  {
    let scale = 1 / (m.xx * m.zz - m.xz * m.xz)
    let (a, b, c) = (m.zz * scale, -2 * m.xz * scale, m.xx * scale)
    let distances = x.indices.map { i in
      let (u, v) = (x[i] - m.x, z[i] - m.z)
      return a * u * u + b * u * v + c * v * v
    }
    let nearest = x.indices.sorted { (distances[$0], $0) < (distances[$1], $1) }.prefix(half)
    func mean(_ value: (Int) -> Double) -> Double { nearest.reduce(0) { $0 + value($1) } / Double(half) }
    let (mx, mz) = (mean { x[$0] }, mean { z[$0] })
    return covariance_moments(
      x: mx, z: mz, xx: mean { (x[$0] - mx) * (x[$0] - mx) }, xz: mean { (x[$0] - mx) * (z[$0] - mz) },
      zz: mean { (z[$0] - mz) * (z[$0] - mz) })
  }

  private func expectSame(_ x: [Double], _ z: [Double]) {
    let half = (x.count + 3) / 2
    let given = covariance_moments(x: 0.4, z: 0.3, xx: 0.2, xz: 0.05, zz: 0.1)
    var room = [Double](repeating: 0, count: 2 * x.count)
    let found = covariance_of_nearest(x, z, x.count, half, given, &room)
    let expected = sorted(x, z, half, given)
    let pairs = [
      (found.x, expected.x), (found.z, expected.z), (found.xx, expected.xx), (found.xz, expected.xz),
      (found.zz, expected.zz),
    ]
    for (number, wanted) in pairs { #expect(abs(number - wanted) <= 1e-12, "\(x.count) points") }
  }

  @Test("clouds of every size up to three vectors and some larger ones, as sorting has it")
  func clouds() {
    var generator = SplitMix64(seed: 7)
    func number() -> Double { Double(generator.next() >> 11) * 0x1p-53 }
    for count in Array(3...24) + [31, 32, 33, 63, 64, 65, 300, 1001] {
      let x = (0..<count).map { _ in number() }
      expectSame(x, x.map { 0.5 * $0 + 0.3 * number() })
    }
  }

  @Test("where many points are equally far, the first of them count")
  func ties() {
    for (count, width) in [(25, 5), (40, 6), (400, 10), (3000, 50)] {
      let x = (0..<count).map { 0.02 * Double($0 % width) }
      expectSame(x, (0..<count).map { 0.02 * Double($0 / width) })
      // All at two places.
      expectSame((0..<count).map { Double($0 % 2) }, (0..<count).map { Double($0 % 2) })
    }
  }
}
