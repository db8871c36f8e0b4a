import DepthCore

/// Resamples of the scenes with replacement, drawn once and shared by every column and method that has the same scenes.
///
/// The stream is that of the seed and the scenes' names, so neither the order of execution nor other scenes change it.
/// With few scenes many resamples are equal: they are kept once, with their number.
package struct SceneResamples: Sendable {
  /// How many are drawn.
  package static let drawn = 10_000

  package let sceneCount: Int
  /// How often each distinct resample was drawn; they sum to ``drawn``.
  package let multiplicities: [Int]
  /// How often each scene is in each distinct resample, scene after scene.
  private let counts: [UInt8]

  /// Room that it takes, bytes.
  package var size: Int { counts.count }

  package init(scenes: [String], seed: UInt64) {
    let n = scenes.count
    sceneCount = n
    var generator = SplitMix64(seed: seed, stream: "bootstrap", scenes.joined(separator: "\u{1f}"))
    func draw() -> Int { Int(generator.next().multipliedFullWidth(by: UInt64(n)).high) }
    guard n <= Self.fewScenes else {
      // Equal resamples are too rare to look for.
      multiplicities = Array(repeating: 1, count: Self.drawn)
      var counts = [UInt8](repeating: 0, count: n * Self.drawn)
      for resample in 0..<Self.drawn {
        for _ in 0..<n { counts[draw() * Self.drawn + resample] += 1 }
      }
      self.counts = counts
      return
    }
    var numbers: [[UInt8]: Int] = [:]
    var multiplicities: [Int] = []
    var rows: [[UInt8]] = []
    for _ in 0..<Self.drawn {
      var row = [UInt8](repeating: 0, count: n)
      for _ in 0..<n { row[draw()] += 1 }
      if let known = numbers[row] {
        multiplicities[known] += 1
        continue
      }
      numbers[row] = rows.count
      rows.append(row)
      multiplicities.append(1)
    }
    self.multiplicities = multiplicities
    counts = (0..<n).flatMap { scene in rows.map { $0[scene] } }
  }

  /// Up to so many scenes equal resamples are kept once.
  private static let fewScenes = 9

  /// Σ over scenes of count × value, per distinct resample; always summed in the order of the scenes, so that the
  /// resample that holds every scene once gives exactly the sum of the values.
  package func sums(of values: [Double]) -> [Double] {
    precondition(values.count == sceneCount, "one value per scene")
    let distinct = multiplicities.count
    var sums = [Double](repeating: 0, count: distinct)
    sums.withUnsafeMutableBufferPointer { sums in
      counts.withUnsafeBufferPointer { counts in
        for scene in 0..<sceneCount {
          let (value, start) = (values[scene], scene * distinct)
          for r in 0..<distinct { sums[r] += Double(counts[start + r]) * value }
        }
      }
    }
    return sums
  }
}
