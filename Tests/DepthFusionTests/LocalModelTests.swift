import DepthCore
import Foundation
import Testing

@testable import DepthFusion

@Suite("Local methods")
struct LocalModelTests {
  struct Case: Sendable { let method: LocalFusion, share: Double }

  // The global line is left with the whole distortion, about 2.5 % on average. A Gaussian of 8 of 96 pixels
  // flattens a field of half a wave's length by a fifth; the local lines follow it more closely.
  @Test(
    "a smooth distortion of the network is taken out",
    arguments: [
      Case(method: .lwlr, share: 0.35), Case(method: .nearestAnchors, share: 0.1),
      Case(method: .guided, share: 0.35), Case(method: .residual, share: 0.25),
    ])
  func distortion(_ c: Case) throws {
    let frame = LocalScene().frame()
    let truth = try #require(frame.truth)
    let whole = LocalScene.fuse(FittedFusion(.huber, in: .disparity), frame)
    let local = LocalScene.fuse(c.method, frame)
    #expect(local.status == .ok && local.space == .disparity)
    let before = LocalScene.error(try #require(whole.prediction?.depth), truth)
    let after = LocalScene.error(try #require(local.prediction?.depth), truth)
    #expect(before > 0.01)
    #expect(after < c.share * before, "\(c.method.id): \(after) of \(before)")
  }

  @Test("without distortion the line itself is recovered", arguments: LocalFusion.all.map(\.id))
  func exactLine(_ id: String) throws {
    let method = try #require(LocalFusion.all.first { $0.id == id })
    var scene = LocalScene()
    scene.distortion = 0
    let frame = scene.frame()
    let map = try #require(LocalScene.fuse(method, frame).prediction?.depth)
    // The guided filter's ε flattens every window a little; the others have the line as their starting point.
    let tolerance = id == "guided" ? 0.01 : 1e-3
    #expect(LocalScene.error(map, try #require(frame.truth)) < tolerance)
  }

  @Test("the network's edges stay sharp", arguments: [LocalFusion.residual, .lwlr])
  func edges(_ method: LocalFusion) throws {
    let scene = LocalScene()
    let map = try #require(LocalScene.fuse(method, scene.frame()).prediction?.depth)
    // The box begins at 0.3·192 = 57.6: columns 57 and 58 are on either side.
    let (wall, box) = (map[72, 56], map[72, 59])
    #expect(abs(Double(wall) - scene.depth(56.5 / 192, 0.5)) < 0.08)
    #expect(abs(Double(box) - scene.depth(59.5 / 192, 0.5)) < 0.05)
  }

  @Test("each local method says how wrong its map is away from steps", arguments: LocalFusion.all.map(\.id))
  func deviation(_ id: String) throws {
    let method = try #require(LocalFusion.all.first { $0.id == id })
    var scene = LocalScene()
    (scene.distortion, scene.lidarNoise, scene.networkNoise) = (0.02, 0.004, 0.008)
    // A finer map's own noise would be averaged before it is compared.
    scene.relativeSize = scene.lidarSize
    let frame = scene.frame()
    let result = LocalScene.fuse(method, frame) { $0.wantsDeviation = true }
    let (map, truth) = (try #require(result.prediction?.depth), try #require(frame.truth))
    let deviation = try #require(result.deviation)
    #expect(deviation.size == map.size && deviation.values.allSatisfy { $0 > 0 && $0.isFinite })
    var (inside, count, squares, variances) = (0.0, 0.0, 0.0, 0.0)
    for row in 0..<15 {
      for column in 0..<map.width {
        let error = Double(map[row, column] - truth[row, column]), own = Double(deviation[row, column])
        inside += abs(error) <= 1.96 * own ? 1 : 0
        (count, squares, variances) = (count + 1, squares + error * error, variances + own * own)
      }
    }
    #expect((0.88...1).contains(inside / count), "\(id): \(inside / count)")
    // `knn-affine` follows the returns themselves, which are held out: its σ is on the safe side.
    #expect(
      (0.8...2.5).contains((variances / squares).squareRoot()), "\(id): \((variances / squares).squareRoot())"
    )
    #expect(result.deviationParts?.words?.contains("a depth step at") == true)
  }

  // A window of 8 pixels keeps ρ²/(ρ² + 2·8²) of errors alike over ρ = 5·96/256 pixels: √0.02673 of their deviation.
  @Test("a map without an error of its own has what it copies of the LiDAR's noise")
  func copiedNoise() throws {
    var scene = LocalScene()
    scene.distortion = 0
    let result = LocalScene.fuse(LocalFusion.residual, scene.frame()) {
      $0.wantsDeviation = true
      $0.options.local.lidarDeviations = [0.1, 0.1, 0.1]
    }
    let (map, deviation) = (try #require(result.prediction?.depth), try #require(result.deviation))
    for column in [20, 60, 170] {
      #expect(abs(deviation[12, column] / map[12, column] / 0.1 / 0.16350 - 1) < 0.02)
    }
  }

  @Test("a hole in the LiDAR is filled", arguments: LocalFusion.all.map(\.id))
  func hole(_ id: String) throws {
    let method = try #require(LocalFusion.all.first { $0.id == id })
    var frame = LocalScene().frame()
    for row in 20..<50 { for column in 60..<90 { frame.lidar[row, column] = column % 2 == 0 ? .nan : 0 } }
    let map = try #require(LocalScene.fuse(method, frame).prediction?.depth)
    #expect(map.values.allSatisfy { $0.isFinite && $0 > 0 })
    // A hole of 30 pixels is as wide as a quarter of the distortion's wave: within its amplitude.
    #expect(LocalScene.error(map, try #require(frame.truth)) < 0.02)
  }

  @Test("a missing relative value stays missing; without a map or with too few anchors there is none")
  func missing() throws {
    var frame = LocalScene().frame()
    frame.relative?.values[5] = .nan
    for method in LocalFusion.all {
      let map = try #require(LocalScene.fuse(method, frame).prediction?.depth)
      #expect(map.values[5].isNaN)
      #expect(map.values.count { $0.isNaN } == 1)
    }
    var few = frame
    for i in few.lidar.values.indices where i >= 19 { few.lidar.values[i] = .nan }
    let starved = LocalScene.fuse(LocalFusion.residual, few)
    #expect(starved.status == .tooFewPairs && starved.prediction == nil)
    frame.relative = nil
    #expect(LocalScene.fuse(LocalFusion.guided, frame).status == .noRelative)
    var flat = LocalScene().frame()
    flat.relative = DepthMap(width: 4, height: 3, filledWith: 1)
    #expect(LocalScene.fuse(LocalFusion.lwlr, flat).status == .degenerate)
  }

  @Test("few scattered anchors are enough", arguments: LocalFusion.all.map(\.id))
  func scattered(_ id: String) throws {
    let method = try #require(LocalFusion.all.first { $0.id == id })
    var scene = LocalScene()
    scene.distortion = 0
    var frame = scene.frame()
    for i in frame.lidar.values.indices where i % 97 != 0 { frame.lidar.values[i] = .nan }
    let result = LocalScene.fuse(method, frame)
    #expect(result.pairs == 72)
    let map = try #require(result.prediction?.depth)
    #expect(LocalScene.error(map, try #require(frame.truth)) < (id == "guided" ? 0.1 : 0.01))
  }

  @Test("confidence weighs: noise at level 0 hardly matters")
  func confidence() throws {
    var scene = LocalScene()
    scene.distortion = 0
    var frame = scene.frame()
    var generator = SplitMix64(seed: 1)
    for i in frame.lidar.values.indices where Int.random(in: 0..<3, using: &generator) == 0 {
      frame.confidence?.values[i] = 0
      frame.lidar.values[i] *= 1.15
    }
    let truth = try #require(frame.truth)
    for method in [LocalFusion.residual, .lwlr, .guided] {
      let map = try #require(LocalScene.fuse(method, frame).prediction?.depth)
      #expect(LocalScene.error(map, truth) < 0.012, "\(method.id)")
    }
    frame.confidence = nil
    #expect(LocalScene.fuse(LocalFusion.residual, frame).reason?.contains("no confidence map") == true)
  }
}

@Suite("Windows of local methods")
struct LocalWindowTests {
  @Test("running sums are the sums over the window", arguments: [0, 1, 3, 9])
  func boxes(_ radius: Int) {
    let size = RasterSize(width: 7, height: 5)
    let values = (0..<size.count).map { Double(($0 * 7919) % 31) }
    let sums = BoxWindow(size, radius: radius).sums(values.map { SIMD2($0, -$0) })
    for row in 0..<5 {
      for column in 0..<7 {
        var expected = 0.0
        for y in max(0, row - radius)...min(4, row + radius) {
          for x in max(0, column - radius)...min(6, column + radius) { expected += values[y * 7 + x] }
        }
        #expect(abs(sums[row * 7 + column].x - expected) < 1e-9)
      }
    }
  }

  @Test("every pixel lies in a cell and the Gaussian keeps what is inside")
  func cells() {
    let grid = CellGrid(over: RasterSize(width: 96, height: 72), deviation: 8)
    #expect(grid.size == RasterSize(width: 24, height: 18))
    var sums = grid.zeros
    for row in 0..<72 { for column in 0..<96 { sums[grid.cell(row: row, column: column)] += 1 } }
    #expect(sums.allSatisfy { $0 == 16 } && grid.pixelsPerCell == 16)
    var spike = grid.zeros
    spike[9 * 24 + 12] = 1
    let blurred = grid.blurred(spike)
    #expect(abs(blurred.reduce(0, +) - 1) < 1e-12)
    // σ = 2 cells: the centre of a two-dimensional Gaussian is 1/(2πσ²), to the cut at 3σ.
    #expect(abs(blurred[9 * 24 + 12] - 1 / (8 * Double.pi)) < 3e-4)
    #expect(abs(blurred[9 * 24 + 14] / blurred[9 * 24 + 12] - exp(-0.5)) < 1e-12)
  }
}
