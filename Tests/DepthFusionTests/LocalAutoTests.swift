import DepthCore
import Foundation
import Testing

@testable import DepthFusion

@Suite("auto")
struct LocalAutoTests {
  private func raw(_ frame: DepthFrame) throws -> DepthMap {
    try #require(LocalScene.fuse(RawLiDAR(.bilinear), frame).prediction?.depth)
  }

  @Test("a perfect LiDAR and a bad map: the LiDAR stays, to the last bit", arguments: [true, false])
  func keepsLidar(_ hasConfidence: Bool) throws {
    var scene = LocalScene()
    (scene.networkNoise, scene.hasConfidence) = (0.12, hasConfidence)
    let frame = scene.frame()
    let result = LocalScene.fuse(AutoFusion(), frame)
    #expect(result.status == .ok)
    #expect(result.prediction?.depth == (try raw(frame)))
    #expect(result.reason?.contains("the LiDAR stays") == true)
    #expect(result.space != nil)
  }

  @Test("without a confidence map even a fair map does not move a LiDAR without noise")
  func noConfidence() throws {
    var scene = LocalScene()
    (scene.networkNoise, scene.hasConfidence) = (0.005, false)
    let frame = scene.frame()
    #expect(LocalScene.fuse(AutoFusion(), frame).prediction?.depth == (try raw(frame)))
  }

  @Test("a noisy LiDAR moves to a good map", arguments: [UInt64(1), 7, 42])
  func movesToMap(_ seed: UInt64) throws {
    var scene = LocalScene()
    (scene.lidarNoise, scene.networkNoise) = (0.006, 0.001)
    let frame = scene.frame(seed: seed)
    let truth = try #require(frame.truth)
    let result = LocalScene.fuse(AutoFusion(), frame)
    let fused = LocalScene.error(try #require(result.prediction?.depth), truth)
    let measured = LocalScene.error(try raw(frame), truth)
    #expect(fused < 0.85 * measured, "\(fused) of \(measured): \(result.reason ?? "")")
    #expect(result.reason?.contains("mixed with the LiDAR") == true)
  }

  @Test("false returns give way to a map that agrees with the rest")
  func falseReturns() throws {
    var scene = LocalScene()
    (scene.lidarNoise, scene.networkNoise) = (0.006, 0.001)
    var frame = scene.frame()
    var generator = SplitMix64(seed: 3)
    for i in frame.lidar.values.indices where Int.random(in: 0..<10, using: &generator) == 0 {
      frame.lidar.values[i] = Float.random(in: 0.3..<1, using: &generator)
    }
    let truth = try #require(frame.truth)
    let map = try #require(LocalScene.fuse(AutoFusion(), frame).prediction?.depth)
    #expect(LocalScene.error(map, truth) < 0.012)
    #expect(LocalScene.error(try raw(frame), truth) > 0.05)
  }

  @Test("an object that the network misjudges as a whole stays where the LiDAR has it")
  func misjudgedObject() throws {
    var scene = LocalScene()
    (scene.lidarNoise, scene.networkNoise, scene.distortion) = (0.006, 0.001, 0)
    var frame = scene.frame()
    // A fifth of the view's width and height, 25 % too near in the map.
    for row in 100..<129 { for column in 130..<168 { frame.relative?[row, column] *= 1.25 } }
    let result = LocalScene.fuse(AutoFusion(), frame)
    let map = try #require(result.prediction?.depth)
    let truth = try #require(frame.truth)
    for row in stride(from: 106, to: 123, by: 4) {
      for column in stride(from: 136, to: 162, by: 4) {
        #expect(abs(map[row, column] / truth[row, column] - 1) < 0.03)
      }
    }
  }

  @Test("a post that the network has beside its place, or not at all, stays", arguments: [2, 0])
  func misplacedPost(_ shift: Int) throws {
    var scene = LocalScene()
    (scene.lidarNoise, scene.networkNoise, scene.distortion) = (0.006, 0.001, 0)
    var frame = scene.frame()
    // Two LiDAR pixels wide, 0.8 m from the camera.
    for row in 0..<frame.lidar.height { for column in 70..<72 { frame.lidar[row, column] *= 0.8 / 2.7 } }
    let network = try #require(frame.relative)
    if shift > 0 {
      for row in 0..<network.height {
        for column in 140 + shift..<144 + shift { frame.relative?[row, column] = (1 / 0.8 - 0.02) / 0.2 }
      }
    }
    var context = FusionContext(relativeKind: .disparity)
    context.outputSize = frame.lidar.size
    var generator = SplitMix64(seed: 1)
    let map = try #require(AutoFusion().fuse(frame, in: context, using: &generator).prediction?.depth)
    // Of 144 pixels, all but those that by chance have no neighbour within the noise.
    let moved = (70..<72).map { column in
      (0..<map.height).filter { abs(map[$0, column] / frame.lidar[$0, column] - 1) > 0.03 }.count
    }
    #expect(moved.reduce(0, +) < 5, "\(moved)")
  }

  @Test(
    "a map has weight only if it says more of unseen returns than the returns about them",
    arguments: [true, false])
  func mapThatSaysLittle(_ knowsBlocks: Bool) throws {
    var scene = LocalScene()
    (scene.lidarNoise, scene.networkNoise, scene.distortion) = (0.006, 0.001, 0)
    var frame = scene.frame()
    // Blocks of 12×12 LiDAR pixels that lie back by half the depth, like a chessboard.
    func isBack(_ row: Int, _ column: Int) -> Bool { (row / 12 + column / 12) % 2 == 1 }
    for row in 0..<frame.lidar.height {
      for column in 0..<frame.lidar.width where isBack(row, column) { frame.lidar[row, column] *= 1.5 }
    }
    let network = try #require(frame.relative)
    for row in 0..<network.height {
      for column in 0..<network.width where knowsBlocks && isBack(row / 2, column / 2) {
        frame.relative?[row, column] = ((network[row, column] * 0.2 + 0.02) / 1.5 - 0.02) / 0.2
      }
    }
    let reason = try #require(LocalScene.fuse(AutoFusion(), frame).reason)
    #expect(reason.contains("the map says little that the LiDAR does not") != knowsBlocks, "\(reason)")
    #expect(reason.contains("mixed with the LiDAR") == knowsBlocks, "\(reason)")
  }

  @Test("what keeps a return at a step: its side of the step, alike neighbours, a map with an edge there")
  func columnBetweenSurfaces() {
    /// Of a column between two surfaces; `others` is its depth in the rows above and below.
    func keeps(_ depth: Float, others: Float? = nil, map: Float, mapBeside: Float? = nil) -> Bool {
      let jumps: [UInt8] = [0, 0, 1, 0, 0]
      var lidar = DepthMap(width: 5, height: 5, values: (0..<5).flatMap { _ in [1, 1, depth, 2, 2] })
      for row in [0, 1, 3, 4] { lidar[row, 2] = others ?? depth }
      var network = DepthMap(width: 5, height: 5, filledWith: map)
      network[2, 3] = mapBeside ?? map
      let neighbours = StepNeighbours(
        lidar: lidar, map: network, scatter: [Float](repeating: 0.01, count: 25),
        jumps: (0..<5).flatMap { _ in jumps })
      return neighbours.support(12, against: Foundation.log(depth / map))
    }
    // The middle in ln d is √2 m.
    #expect(!keeps(1.3, map: 2) && !keeps(1.3, map: 1))
    #expect(keeps(1.3, map: 1.4))
    // Nearer than both surfaces: as alike as the noise allows, or within a tenth of ln 4 where the map is not level.
    #expect(keeps(0.5, map: 2))
    #expect(!keeps(0.5, others: 0.55, map: 2))
    #expect(keeps(0.5, others: 0.55, map: 2, mapBeside: 2.5))
    #expect(!keeps(0.5, others: 0.6, map: 2, mapBeside: 2.5))
  }

  @Test(
    "how far a map moves returns at fault depends on its own error at depth steps, and on how much shows it")
  func shareAtFaultyReturns() {
    /// Steps of 1 in ln d: errors of the map at so many returns that continue a surface, differences to it at those that do not.
    func share(_ map: Float, of clean: Int, _ both: Float, of faulty: Int) -> Float {
      LidarBlend.largestShare(
        atFaulty: Array(clean..<clean + faulty), clean: Array(0..<clean),
        [Float](repeating: map, count: clean) + [Float](repeating: both, count: faulty),
        noise: [Float](repeating: 0, count: clean + faulty),
        range: [Float](repeating: 1, count: clean + faulty))
    }
    #expect(share(0.2, of: 50, 0.9, of: 50) == 1)
    #expect(share(0.6, of: 50, 0.5, of: 50) == 0)
    #expect(abs(share(0.4, of: 50, 0.5, of: 50) - (0.25 / 0.16 - 1)) < 1e-5)
    #expect(share(0, of: 0, 0.5, of: 50) == 1)
    // The same means of few returns that differ.
    func mixed(_ count: Int) -> Float {
      let ratios = (0..<2 * count).map { Float($0 < count ? 0.3 : $0 % 2 == 0 ? 0.1 : 0.8) }
      return LidarBlend.largestShare(
        atFaulty: Array(count..<2 * count), clean: Array(0..<count), ratios,
        noise: [Float](repeating: 0, count: 2 * count),
        range: [Float](repeating: 1, count: 2 * count))
    }
    #expect(mixed(1000) == 1 && mixed(4) == 0)
  }

  @Test("a column that mixes the surfaces on both sides is not denoised towards the middle between them")
  func denoisedMixture() throws {
    let size = RasterSize(width: 96, height: 72)
    var generator = SplitMix64(seed: 5)
    var lidar = DepthMap(width: size.width, height: size.height, filledWith: 0)
    for row in 0..<size.height {
      for column in 0..<size.width {
        let depth = column < 48 ? 1 : column > 48 ? 2 : 1.42
        lidar[row, column] = Float(depth * (1 + 0.03 * generator.nextNormal()))
      }
    }
    let noise = LidarNoise(DepthFrame(index: 0, lidar: lidar), FusionOptions())
    let map = try #require(DenoisedLidar(lidar, noise)).map
    func mean(_ column: Int) -> Float {
      (0..<size.height).reduce(0) { $0 + map[$1, column] } / Float(size.height)
    }
    // In disparity the middle is 1.33 m.
    #expect(abs(mean(48) / 1.42 - 1) < 0.015, "\(mean(48))")
    #expect(abs(mean(24) - 1) < 0.005 && abs(mean(72) / 2 - 1) < 0.005)
  }

  @Test("missing pixels are filled, measured ones of a perfect LiDAR are kept")
  func fills() throws {
    var scene = LocalScene()
    scene.networkNoise = 0.12
    var frame = scene.frame()
    for row in 0..<20 { for column in 0..<30 { frame.lidar[row, column] = .nan } }
    let result = LocalScene.fuse(AutoFusion(), frame)
    let map = try #require(result.prediction?.depth)
    let lidar = try raw(frame)
    #expect(result.reason?.contains("gaps are filled") == true, "\(result.reason ?? "")")
    #expect(map.values.allSatisfy { $0.isFinite })
    #expect(map.size == RasterSize(width: 192, height: 144))
    var changed = 0
    BilinearSampler(source: map.size, target: lidar.size).forEachSample(of: lidar) { index, depth in
      if depth.isFinite && map.values[index] != Float(depth) { changed += 1 }
    }
    #expect(changed == 0)
  }

  @Test(
    "returns too far apart to show their noise stay, and the map fills what lies between",
    arguments: [true, false])
  func farApart(_ hasConfidence: Bool) throws {
    var scene = LocalScene()
    (scene.lidarNoise, scene.networkNoise, scene.hasConfidence) = (0.003, 0.001, hasConfidence)
    var frame = scene.frame()
    func isKept(_ row: Int, _ column: Int) -> Bool { row % 4 == 0 && column % 4 == 0 }
    for row in 0..<frame.lidar.height {
      for column in 0..<frame.lidar.width where !isKept(row, column) { frame.lidar[row, column] = .nan }
    }
    let result = LocalScene.fuse(AutoFusion(), frame) { $0.outputSize = frame.lidar.size }
    let map = try #require(result.prediction?.depth)
    #expect(result.reason?.contains("too few returns side by side to find the LiDAR's noise") == true)
    for row in 0..<map.height {
      for column in 0..<map.width {
        let depth = map[row, column]
        #expect(isKept(row, column) ? depth == frame.lidar[row, column] : depth.isFinite)
      }
    }
    // With its noise known, the map counts again.
    let known = LocalScene.fuse(AutoFusion(), frame) {
      $0.options.local.lidarDeviations = [0.02, 0.02, 0.02]
    }
    #expect(known.reason?.contains("mixed with the LiDAR") == true)
  }

  @Test("without a relative map or without enough anchors the LiDAR is handed on, and the reason says so")
  func nothingToChoose() throws {
    var frame = LocalScene().frame()
    frame.relative = nil
    let bare = LocalScene.fuse(AutoFusion(), frame)
    #expect(bare.status == .ok && bare.prediction?.depth == frame.lidar)
    #expect(bare.reason?.contains("no relative map") == true)
    var few = LocalScene().frame()
    for i in few.lidar.values.indices where i >= 19 { few.lidar.values[i] = .nan }
    let starved = LocalScene.fuse(AutoFusion(), few)
    #expect(starved.status == .ok && starved.reason?.contains("do not determine") == true)
  }

  @Test("the same frame twice gives the same bits")
  func deterministic() throws {
    var scene = LocalScene()
    (scene.lidarNoise, scene.networkNoise) = (0.006, 0.002)
    let (a, b) = (LocalScene.fuse(AutoFusion(), scene.frame()), LocalScene.fuse(AutoFusion(), scene.frame()))
    #expect(a.prediction?.depth == b.prediction?.depth && a.reason == b.reason)
  }

  @Test("the LiDAR's noise is read off planes")
  func lidarNoise() throws {
    var scene = LocalScene()
    scene.lidarNoise = 0.004
    // Farther apart, one pixel in five of so small a map has the object's edge between it and its neighbours.
    for step in [1, 4] {
      let points = try #require(LidarNoise.roughness(of: scene.frame().lidar, step: step)[2]).points
      #expect(points.count == 3 && points[0].depth < points[1].depth && points[1].depth < points[2].depth)
      for point in points {
        #expect(abs(point.deviation - 0.004) < (step == 1 ? 0.0008 : 0.0015), "\(step): \(point)")
      }
    }
    scene.lidarNoise = 0
    let clean = try #require(LidarNoise.roughness(of: scene.frame().lidar, step: 1)[2])
    #expect(clean.points.allSatisfy { $0.deviation < 1e-4 })
    let tiny = LidarNoise.roughness(of: DepthMap(width: 2, height: 2, filledWith: 1), step: 1)
    #expect(tiny.allSatisfy { $0 == nil })
  }

  @Test("noise is found by confidence; a level that is rare takes the standard's ratio")
  func noiseByConfidence() throws {
    var scene = LocalScene()
    scene.lidarNoise = 0.001
    var frame = scene.frame()
    var generator = SplitMix64(seed: 3)
    let (width, height) = (frame.lidar.width, frame.lidar.height)
    for row in 0..<height {
      for column in 0..<width / 2 {
        let i = row * width + column
        frame.confidence?.values[i] = 1
        frame.lidar.values[i] *= 1 + Float.random(in: -0.02...0.02, using: &generator)
      }
    }
    frame.confidence?.values[0] = 0
    let found = LidarNoise(frame, FusionOptions())
    #expect(found.isEstimated)
    let (zero, one, two) = (found.deviations[0], found.deviations[1], found.deviations[width - 1])
    // Uniform noise of ±2 % has a deviation of 1.15 %.
    // Edges of the object widen both a little, in so small a map.
    #expect((0.01..<0.02).contains(one) && (0.0008..<0.0025).contains(two), "\(one), \(two)")
    #expect(zero <= 0.074)
    for (zero, two) in zip(found.byLevel[0].points, found.byLevel[2].points) {
      #expect(zero.depth == two.depth && abs(zero.deviation / two.deviation - 0.074 / 0.0059) < 1e-6)
    }
  }

  @Test(
    "noise is found by range: a wall whose noise grows with depth, and false returns in it",
    arguments: [UInt64(1), 7, 42])
  func noiseByRange(_ seed: UInt64) throws {
    // A floor seen from above, 1 to 4 m, whose relative error is 0.1 % per metre.
    let size = RasterSize(width: 256, height: 192)
    var generator = SplitMix64(seed: seed)
    var lidar = DepthMap(width: size.width, height: size.height, filledWith: 0)
    for row in 0..<size.height {
      let depth = 1 / (1 - 0.75 * (Double(row) + 0.5) / Double(size.height))
      for column in 0..<size.width {
        lidar[row, column] = Float(depth * (1 + 0.001 * depth * generator.nextNormal()))
        // Nearer than anything else, and not of the nearest part of the range.
        if Int.random(in: 0..<50, using: &generator) == 0 { lidar[row, column] = 0.5 }
      }
    }
    let confidence = Raster<UInt8>(width: size.width, height: size.height, filledWith: 2)
    let frame = DepthFrame(index: 0, lidar: lidar, confidence: confidence)
    let found = LidarNoise(frame, FusionOptions())
    for (depth, share) in [(Float(1.1), Float(0.25)), (2, 0.25), (3.3, 0.25)] {
      let deviation = found.byLevel[2].deviations(at: [depth])[0]
      let ratio = deviation / (0.001 * depth)
      #expect(abs(ratio - 1) < share, "\(depth) m: \(deviation)")
    }
    // Every pixel has that of its depth.
    let row = size.height - 1
    let column = try #require((0..<size.width).first { lidar[row, $0] > 2 })
    #expect(found.deviations[row * size.width + column] > 0.0025)
  }

  // Gaussian means of independent noise over `window` pixels: what is alike over many pixels shows relative to far neighbours only.
  @Test(
    "the whole deviation of noise that is alike over pixels, of fine and coarse maps",
    arguments: [(256, 0.0), (256, 3.5), (128, 3.5), (128, 0)])
  func wholeNoise(_ width: Int, _ window: Double) throws {
    let size = RasterSize(width: width, height: width * 3 / 4)
    var generator = SplitMix64(seed: 11)
    var noise = (0..<size.count).map { _ in generator.nextNormal() }
    let reach = Int(3 * window),
      kernel = (-reach...reach).map { exp(-Double($0 * $0) / max(2 * window * window, 1)) }
    for stride in [1, size.width] {
      let before = noise
      for i in noise.indices {
        let (place, length) = stride == 1 ? (i % size.width, size.width) : (i / size.width, size.height)
        noise[i] = kernel.indices.reduce(0) { sum, k in
          let far = k - reach
          return sum + ((0..<length).contains(place + far) ? kernel[k] * before[i + far * stride] : 0)
        }
      }
    }
    let scale = kernel.reduce(0) { $0 + $1 * $1 }
    var lidar = DepthMap(width: size.width, height: size.height, filledWith: 0)
    for i in noise.indices {
      let depth = 1 / (1 - 0.5 * Double(i / size.width) / Double(size.height))
      lidar.values[i] = Float(depth * (1 + 0.004 * noise[i] / scale))
    }
    let frame = DepthFrame(
      index: 0, lidar: lidar,
      confidence: Raster(width: size.width, height: size.height, filledWith: 2))
    let whole = LidarNoise(frame, FusionOptions()).whole(of: lidar)
    let mean = whole.reduce(0) { $0 + Double($1) } / Double(whole.count)
    #expect((0.75...1.2).contains(mean / 0.004), "\(width) pixels, window \(window): \(mean)")
  }

  @Test("false returns that fill a part of the range are not its noise", arguments: [UInt64(1), 7, 42])
  func clutter(_ seed: UInt64) throws {
    let size = RasterSize(width: 256, height: 192)
    var generator = SplitMix64(seed: seed)
    var lidar = DepthMap(width: size.width, height: size.height, filledWith: 0)
    for row in 0..<size.height {
      let depth = 1 / (0.5 - 0.25 * (Double(row) + 0.5) / Double(size.height))
      for column in 0..<size.width {
        lidar[row, column] =
          column < 60
          ? Float.random(in: 0.3..<1, using: &generator) : Float(depth * (1 + 0.002 * generator.nextNormal()))
      }
    }
    let confidence = Raster<UInt8>(width: size.width, height: size.height, filledWith: 2)
    let found = LidarNoise(DepthFrame(index: 0, lidar: lidar, confidence: confidence), FusionOptions())
    for depth in [Float(0.5), 2.2, 3.8] {
      let deviation = found.byLevel[2].deviations(at: [depth])[0]
      #expect((0.0015..<0.006).contains(deviation), "\(depth) m: \(deviation)")
    }
  }

  @Test("a deviation by depth is linear in the logarithm, and constant beyond its ends")
  func deviationByDepth() {
    let law = DeviationByDepth([.init(depth: 1, deviation: 0.01), .init(depth: 4, deviation: 0.03)])
    let found = law.deviations(at: [0.5, 1, 9, 0, .nan, 2])
    #expect(found[0] == 0.01 && found[1] == 0.01 && found[2] == 0.03 && found[3] == 0.01 && found[4] == 0.01)
    #expect(abs(found[5] - 0.02) < 1e-7)
    #expect(DeviationByDepth([.init(depth: 1, deviation: 0.01)]).deviations(at: [3, 0]) == [0.01, 0.01])
    #expect(law.words == "1.0 % at 1.0 m, 3.0 % at 4.0 m")
    #expect(law.map { _ in 0.01 }.words == "1.0 %")
  }

  @Test("a LiDAR that is smooth and as a whole off stays as it is under a network that is no better")
  func persistentError() throws {
    var scene = LocalScene()
    (scene.lidarNoise, scene.networkNoise) = (0.0004, 0.004)
    var frame = scene.frame()
    let truth = try #require(frame.truth)
    for row in 0..<frame.lidar.height {
      for column in 0..<frame.lidar.width {
        // As a phone's map: off by a few tenths of a percent over a quarter of the image.
        frame.lidar.values[row * frame.lidar.width + column] *=
          1 + 0.004 * Float(sin(Double(column) / 20) * cos(Double(row) / 20))
      }
    }
    let result = LocalScene.fuse(AutoFusion(), frame)
    let fused = LocalScene.error(try #require(result.prediction?.depth), truth)
    #expect(fused <= 1.0001 * LocalScene.error(try raw(frame), truth), "\(result.reason ?? "")")
    // Were its noise taken from another sensor, the network would move it.
    let moved = LocalScene.fuse(AutoFusion(), frame) {
      $0.options.local.lidarDeviations = LidarNoise.standard
    }
    #expect(moved.reason?.contains("mixed with the LiDAR") == true)
  }

  @Test(
    "an exact map under a noisy LiDAR: the global line, and next to nothing of the LiDAR", arguments: [1, 7])
  func exactMap(_ seed: UInt64) throws {
    var scene = LocalScene()
    (scene.distortion, scene.lidarNoise) = (0, 0.006)
    let frame = scene.frame(seed: seed)
    let result = LocalScene.fuse(AutoFusion(), frame)
    #expect(result.reason?.hasPrefix("global line@disparity") == true, "\(result.reason ?? "")")
    let map = try #require(result.prediction?.depth)
    // The raw LiDAR's mean error is 0.5 %.
    // At the box's outline returns that continue a surface are believed, and they are twice as coarse as the map.
    var truth = try #require(frame.truth)
    #expect(LocalScene.error(map, truth) < 3.5e-3, "\(result.reason ?? "")")
    for row in 0..<truth.height {
      for column in 0..<truth.width {
        let near = Self.isBeside([0.3, 0.6], column, of: truth.width)
        let level = Self.isBeside([0.25, 0.75], row, of: truth.height)
        if near || level { truth.values[row * truth.width + column] = .nan }
      }
    }
    #expect(LocalScene.error(map, truth) < 1e-3, "\(result.reason ?? "")")
  }

  /// Whether a pixel is at most four from one of the shares of a side.
  private static func isBeside(_ shares: [Double], _ pixel: Int, of side: Int) -> Bool {
    let place = Double(pixel) + 0.5
    return shares.contains { abs(place - $0 * Double(side)) < 5 }
  }

  @Test("a calibration is σ_LiDAR: by confidence and depth, and it decides who moves")
  func calibration() throws {
    var scene = LocalScene()
    (scene.lidarNoise, scene.networkNoise) = (0.006, 0.004)
    var frame = scene.frame()
    let fine = NoiseModel(noise: [RangeLaw](repeating: RangeLaw(a: 0.001, b: 0), count: 3))
    let result = LocalScene.fuse(AutoFusion(), frame) { $0.options.noiseModel = fine }
    #expect(result.prediction?.depth == (try raw(frame)), "\(result.reason ?? "")")
    #expect(LocalScene.fuse(AutoFusion(), frame).reason?.contains("mixed with the LiDAR") == true)

    frame.confidence?.values[1] = 0
    (frame.lidar.values[0], frame.lidar.values[1]) = (2, 4)
    var options = FusionOptions()
    options.noiseModel = NoiseModel(
      noise: [RangeLaw(a: 0.2, b: 0), RangeLaw(a: 1, b: 1), RangeLaw(a: 0.02, b: 0)])
    #expect(LidarNoise(frame, options).deviations.prefix(2) == [0.01, 0.05])
    options.noiseModel = nil
    options.local.lidarDeviations = [0.05, 0.02, 0.01]
    #expect(LidarNoise(frame, options).deviations.prefix(2) == [0.01, 0.05])
    #expect(!LidarNoise(frame, options).isEstimated)
  }

  @Test(
    "a smooth patch of LiDAR that is off by three deviations gives way to a map that is right"
  )
  func smoothError() throws {
    var scene = LocalScene()
    (scene.distortion, scene.lidarNoise) = (0, 0.003)
    func fused(_ factor: Float) throws -> Float {
      var frame = scene.frame()
      for row in 19..<24 { for column in 7..<12 { frame.lidar[row, column] *= factor } }
      let map = try #require(LocalScene.fuse(AutoFusion(), frame).prediction?.depth)
      return map[43, 19] / (try #require(frame.truth))[43, 19]
    }
    let left = try abs(fused(1.009) - 1)
    #expect(left < 0.003, "\(left)")
  }

  @Test("thinning keeps every fourth or second pixel of such rows, and leaves few anchors alone")
  func thinning() throws {
    func anchors(_ frame: DepthFrame) throws -> LidarAnchors {
      LidarAnchors(frame, relative: try #require(frame.relative), options: FusionOptions())
    }
    let large = try anchors(LocalScene(lidarSize: RasterSize(width: 256, height: 192)).frame())
    let fourth = large.thinned(blockSide: 16)
    #expect(fourth.count == 64 * 48 && fourth.pixelsEach == 16 && fourth.indices.prefix(2) == [0, 4])
    // The inner quarter of a block of eight holds no fourth pixel for sure.
    #expect(large.thinned(blockSide: 8).pixelsEach == 4)
    let half = try anchors(LocalScene(lidarSize: RasterSize(width: 128, height: 96)).frame())
      .thinned(blockSide: 16)
    #expect(half.count == 64 * 48 && half.pixelsEach == 4 && half.indices.prefix(2) == [0, 2])
    let all = try anchors(LocalScene().frame())
    #expect(all.thinned(blockSide: 16).count == all.count && all.thinned(blockSide: 16).pixelsEach == 1)
  }

  @Test("a wide window takes over little of a correlated error, a narrow one all")
  func noiseGain() {
    #expect(AutoChoice.noiseGain(window: 0, correlation: 5) == 1)
    // 25/(25 + 2·64)
    #expect(abs(AutoChoice.noiseGain(window: 8, correlation: 5) - 25.0 / 153) < 1e-12)
  }
}
