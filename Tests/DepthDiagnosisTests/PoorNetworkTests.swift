import DepthCore
import DepthDiagnosis
import Foundation
import Testing

/// A table seen from above, from one place: a plane that slopes away, a box and a bowl on it.
private struct TableFromAbove {
  static let size = RasterSize(width: 128, height: 96)
  let frames: [DepthFrame]

  /// - Parameter correlation: Spearman's ρ of the network's map with the true disparity.
  init(seed: UInt64, correlation: Double, frameCount: Int = 17) {
    var generator = SplitMix64(seed: seed)
    func uniform() -> Double { Double(generator.next() >> 11) * 0x1p-53 }
    let (slopeX, slopeY) = (0.25 * (uniform() - 0.5), 0.2 + 0.2 * uniform())
    let (boxX, boxY, bowlX, bowlY) = (uniform(), uniform(), uniform(), uniform())
    let waves = (0..<6).map { index in
      (
        x: (uniform() - 0.5) * (index < 2 ? 1 : 5), y: (uniform() - 0.5) * (index < 2 ? 1 : 5),
        phase: 2 * Double.pi * uniform(), size: uniform()
      )
    }
    let size = Self.size
    func place(_ index: Int) -> (Double, Double) {
      (Double(index % size.width) / Double(size.width), Double(index / size.width) / Double(size.height))
    }
    let depth = (0..<size.count).map { index -> Double in
      let (x, y) = place(index)
      let isBox = abs(x - boxX) < 0.1 && abs(y - boxY) < 0.12
      let bowl = max(0, 1 - 60 * ((x - bowlX) * (x - bowlX) + (y - bowlY) * (y - bowlY)))
      return 0.6 + slopeX * (x - 0.5) - slopeY * (y - 0.5) - (isBox ? 0.06 : 0) - 0.04 * bowl
    }
    let disparity = depth.map { 1 / $0 }
    let mean = disparity.reduce(0, +) / Double(disparity.count)
    let spread = (disparity.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(disparity.count))
      .squareRoot()
    let field = (0..<size.count).map { index -> Double in
      let (x, y) = place(index)
      return waves.reduce(0) { $0 + $1.size * sin(2 * .pi * ($1.x * x + $1.y * y) + $1.phase) }
    }
    // The weight of the errors by bisection.
    var (low, high) = (0.0, 8.0)
    func map(_ weight: Double) -> [Double] {
      zip(disparity, field).map { ($0 - mean) / spread + weight * $1 }
    }
    for _ in 0..<14 {
      let middle = (low + high) / 2
      let rho = RankCorrelation.spearman(map(middle), disparity) ?? 0
      if rho > correlation { low = middle } else { high = middle }
    }
    let relative = map(low)
    frames = (0..<frameCount).map { index in
      let lidar = depth.map { Float($0 * (1 + 0.002 * (uniform() - 0.5))) }
      let noisy = relative.map { Float(10 + $0 + 0.02 * (uniform() - 0.5)) }
      // Brightness follows the things on the table.
      let image = (0..<size.count).map { pixel -> RGB in
        let (x, y) = place(pixel)
        let isBox = abs(x - boxX) < 0.1 && abs(y - boxY) < 0.12
        let isBowl = 60 * ((x - bowlX) * (x - bowlX) + (y - bowlY) * (y - bowlY)) < 1
        let light = UInt8((isBox ? 60 : isBowl ? 220 : 140) + Int(8 * uniform()))
        return RGB(red: light, green: light, blue: light)
      }
      return DepthFrame(
        index: index, lidar: DepthMap(width: size.width, height: size.height, values: lidar),
        relative: DepthMap(width: size.width, height: size.height, values: noisy),
        image: Raster(width: size.width, height: size.height, values: image))
    }
  }

  func findings(hasImage: Bool, kind: RelativeKind = .disparity) -> [Finding] {
    var header = SceneHeader(name: "table", frameCount: frames.count)
    (header.lidarSize, header.relativeSize, header.relativeKind) = (Self.size, Self.size, kind)
    header.colourSize = hasImage ? Self.size : nil
    let frames = frames.map { frame in
      var frame = frame
      if !hasImage { frame.image = nil }
      return frame
    }
    return SceneDiagnosis(SceneSample(header: header, frames: frames), seed: 0).findings
  }
}

@Suite("A network that is right but poor")
struct PoorNetworkTests {
  @Test("one viewpoint above a table: never contradicted, nothing to correct", arguments: [true, false])
  func neverBlamed(hasImage: Bool) {
    for seed in UInt64(1)...20 {
      let findings = TableFromAbove(seed: seed, correlation: 0.6).findings(hasImage: hasImage)
      for finding in findings {
        #expect(!finding.verdict.isWrong && finding.correction == nil, "\(seed): \(finding.summary)")
      }
    }
  }

  @Test("seventeen frames from one place are one view")
  func views() throws {
    let findings = TableFromAbove(seed: 3, correlation: 0.6).findings(hasImage: true)
    let orientation = try #require(findings.first { $0.test == "relative-orientation" })
    #expect(orientation.views == 1 && orientation.units ?? 0 <= 16)
    let one = TableFromAbove(seed: 3, correlation: 0.6, frameCount: 1).findings(hasImage: true)
    let single = try #require(one.first { $0.test == "relative-orientation" }?.margin)
    // Sixteen frames more would have quadrupled it.
    #expect(abs(try #require(orientation.margin) - single) < 0.5)
  }

  @Test("a good network's map of a table that is turned is never called right")
  func turned() throws {
    for seed in UInt64(1)...10 {
      var table = TableFromAbove(seed: seed, correlation: 0.98).frames
      for index in table.indices {
        table[index].relative = table[index].relative.map(Symmetry.rotated180.upright)
      }
      var header = SceneHeader(name: "table", frameCount: table.count)
      (header.lidarSize, header.relativeSize) = (TableFromAbove.size, TableFromAbove.size)
      (header.relativeKind, header.colourSize) = (.disparity, TableFromAbove.size)
      let findings = SceneDiagnosis(SceneSample(header: header, frames: table), seed: 0).findings
      let orientation = try #require(findings.first { $0.test == "relative-orientation" })
      #expect(orientation.verdict != .confirmed, "\(seed): \(orientation.summary)")
    }
  }
}
