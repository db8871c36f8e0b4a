internal import CFathomKernels
import DepthCore

/// Resamples of the scenes with replacement, drawn once and shared by every column and method that has the same scenes.
///
/// The stream is that of the seed and the scenes' names, so neither the order of execution nor other scenes change it.
/// With few scenes many resamples are equal: they are kept once, with their number.
package struct SceneResamples: Sendable {
  package static let drawn = 10_000  // How many are drawn.
  package let sceneCount: Int
  /// How often each distinct resample was drawn; they sum to ``drawn``.
  package let multiplicities: [Int]
  /// How often each scene is in each distinct resample: resamples side by side, scene after scene, block after block.
  private let counts: [UInt8]
  /// Resamples side by side; those that fill the last block up hold no scene.
  private static let block = Int(RESAMPLE_BLOCK)
  package var size: Int { counts.count }  // Room that it takes, bytes.

  package init(scenes: [String], seed: UInt64) {
    let n = scenes.count
    sceneCount = n
    var generator = SplitMix64(seed: seed, stream: "bootstrap", scenes.joined(separator: "\u{1f}"))
    func draw() -> Int { Int(generator.next().multipliedFullWidth(by: UInt64(n)).high) }
    guard n <= Self.fewScenes else {
      // Equal resamples are too rare to look for.
      multiplicities = Array(repeating: 1, count: Self.drawn)
      var counts = [UInt8](repeating: 0, count: Self.room(n, Self.drawn))
      for resample in 0..<Self.drawn {
        let start = Self.position(resample, scenes: n)
        for _ in 0..<n { counts[start + draw() * Self.block] += 1 }
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
    var counts = [UInt8](repeating: 0, count: Self.room(n, rows.count))
    for (resample, row) in rows.enumerated() {
      let start = Self.position(resample, scenes: n)
      for (scene, count) in row.enumerated() { counts[start + scene * Self.block] = count }
    }
    self.counts = counts
  }

  private static let fewScenes = 9  // Up to so many scenes equal resamples are kept once.
  private static func blocks(_ resamples: Int) -> Int { (resamples + block - 1) / block }
  private static func room(_ scenes: Int, _ resamples: Int) -> Int { blocks(resamples) * block * scenes }

  /// Where the first scene's count is.
  private static func position(_ resample: Int, scenes: Int) -> Int {
    resample / block * block * scenes + resample % block
  }

  /// Σ over scenes of count × value, per column and distinct resample; always summed in the order of the scenes, so that the
  /// resample that holds every scene once gives exactly the sum of the values.
  /// - Parameter columns: One value per scene each.
  package func sums(of columns: [[Double]]) -> [[Double]] {
    precondition(columns.allSatisfy { $0.count == sceneCount }, "one value per scene")
    let distinct = multiplicities.count
    let blocks = Self.blocks(distinct)
    let room = blocks * Self.block
    let sums = [Double](unsafeUninitializedCapacity: columns.count * room) { buffer, initialized in
      resample_sums(counts, sceneCount, blocks, columns.flatMap { $0 }, columns.count, buffer.baseAddress)
      initialized = columns.count * room
    }
    return columns.indices.map { Array(sums[$0 * room..<$0 * room + distinct]) }
  }
}
