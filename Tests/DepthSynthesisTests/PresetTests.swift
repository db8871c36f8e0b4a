import DepthCore
import Testing

@testable import DepthSynthesis

@Suite("Presets")
struct PresetTests {
  @Test("every preset has a summary, scenes, frames and networks", arguments: SynthesisPreset.allCases)
  func options(preset: SynthesisPreset) {
    #expect(!preset.summary.isEmpty)
    #expect(preset.options.name == preset.rawValue)
    #expect(preset.options.sceneCount > 0 && preset.options.framesPerScene > 0)
    #expect(!preset.options.networks.isEmpty)
  }

  @Test("demo is the default, all disparity, one scene in three divided by its maximum")
  func demo() {
    var options = SynthesisOptions()
    #expect(options == SynthesisPreset.demo.options)
    #expect(options.networks.allSatisfy { $0.kind == .disparity })
    #expect(options.networks.contains(.normalisedDisparity))
    options.seed = 7
    #expect(options != SynthesisPreset.demo.options)
  }

  @Test("large has rooms of its own, the others share theirs")
  func largeIsHeldOut() {
    #expect(SynthesisPreset.large.options.seed == 1009)
    #expect(SynthesisPreset.allCases.filter { $0 != .large }.allSatisfy { $0.options.seed == 1 })
  }

  @Test("flat-wall: spread 0.003, Float32 sums lose a slope that Double finds", arguments: [0, 1])
  func flatWall(scene index: Int) throws {
    var options = SynthesisPreset.flatWall.options
    options.framesPerScene = 1
    options.truthSize = options.lidarSize
    options.colourSize = RasterSize(width: 40, height: 30)
    let scene = SyntheticScene(options: options, index: index)
    #expect(scene.header.relativeKind == (index == 0 ? .depth : .disparity))
    let frame = scene.frame(0)
    let (truth, relative) = (try #require(frame.truth), try #require(frame.relative))
    let values = relative.values.map(Double.init)
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +)
    #expect(abs((squares / Double(values.count)).squareRoot() / mean / 0.003 - 1) < 0.01)
    let pairs = try specifiedPairs(frame)
    let double = lineFit(pairs.map { Double($0.relative) }, pairs.map { Double($0.depth) }).slope
    let exact = lineFit(
      bilinear(relative, at: truth.size), truth.values.map(Double.init)
    ).slope
    #expect(abs(double / exact - 1) < 0.15)
    #expect(abs(Double(runningSumSlope(pairs)) / exact - 1) > 0.3)
  }

  @Test("noise-law: errors over their σ are independent standard normal values at every level")
  func noiseLaw() throws {
    var options = SynthesisPreset.noiseLaw.options
    (options.relativeSize, options.colourSize) = (
      RasterSize(width: 8, height: 6), RasterSize(width: 8, height: 6)
    )
    let laws = try #require(options.noiseLaw)
    var errors: [[Double]] = [[], [], []], products: [Double] = []
    for index in 0..<8 {
      let frame = SyntheticScene(options: options, index: index).frame(1)
      let (truth, levels) = (try #require(frame.truth), try #require(frame.confidence))
      var previous: Double?
      for (pixel, level) in levels.values.enumerated() {
        let exact = Double(truth.values[pixel])
        let error =
          (Double(frame.lidar.values[pixel]) - exact) / laws[Int(level)].variance(at: exact).squareRoot()
        errors[Int(level)].append(error)
        if let previous { products.append(previous * error) }
        previous = error
      }
    }
    for level in errors {
      let count = Double(level.count)
      let mean = level.reduce(0, +) / count
      let square = level.reduce(0) { $0 + $1 * $1 } / count
      // Four standard errors of a mean, and of a mean square.
      #expect(level.count > 2000 && abs(mean) < 4 / count.squareRoot())
      #expect(abs(square - 1) < 4 * (2 / count).squareRoot())
    }
    let correlation = products.reduce(0, +) / Double(products.count)
    #expect(abs(correlation) < 4 / Double(products.count).squareRoot())
  }

  @Test("few-pairs: the usable returns are counted out, and ordinary frames lie between")
  func fewPairs() throws {
    var options = reduced(.fewPairs, scenes: 1, frames: 8)
    options.highConfidenceReturns = [nil, 20, 19]
    options.framesPerScene = 3
    let scene = SyntheticScene(options: options, index: 0)
    let counts = try (0..<3).map { try specifiedPairs(scene.frame($0)).count }
    #expect(counts[0] > 5_000)
    #expect(counts.dropFirst() == [20, 19])
  }

  /// The pairs that the specified fusion selects, in Float32 and in its order.
  private func specifiedPairs(_ frame: DepthFrame) throws -> [(relative: Float, depth: Float)] {
    let (confidence, relative) = (try #require(frame.confidence), try #require(frame.relative))
    let lidar = frame.lidar
    var pairs: [(relative: Float, depth: Float)] = []
    for row in 0..<lidar.height {
      for column in 0..<lidar.width {
        let depth = lidar[row, column]
        guard confidence[row, column] >= 2, depth > 0.1, depth < 4 else { continue }
        let x = Float(column) / Float(lidar.width - 1) * Float(relative.width - 1)
        let y = Float(row) / Float(lidar.height - 1) * Float(relative.height - 1)
        pairs.append((sample(relative, x, y), depth))
      }
    }
    return pairs
  }

  private func sample(_ map: DepthMap, _ x: Float, _ y: Float) -> Float {
    let (column, row) = (min(Int(x), map.width - 2), min(Int(y), map.height - 2))
    let (fx, fy) = (x - Float(column), y - Float(row))
    let top = map[row, column] * (1 - fx) + map[row, column + 1] * fx
    let bottom = map[row + 1, column] * (1 - fx) + map[row + 1, column + 1] * fx
    return top * (1 - fy) + bottom * fy
  }

  /// The slope as the app computes it: running Float32 sums, no centring; 1 for a denominator too small.
  private func runningSumSlope(_ pairs: [(relative: Float, depth: Float)]) -> Float {
    var (sr, sd, srr, srd): (Float, Float, Float, Float) = (0, 0, 0, 0)
    for (r, d) in pairs {
      sr += r
      sd += d
      srr += r * r
      srd += r * d
    }
    let n = Float(pairs.count)
    let denominator = n * srr - sr * sr
    return denominator > 1e-10 ? (n * srd - sr * sd) / denominator : 1
  }
}
