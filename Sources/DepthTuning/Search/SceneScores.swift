import DepthEvaluation
public import Foundation

/// What every configuration is worth in one scene: sums over its frames, column by column.
public struct SceneScores: Sendable {
  /// Name in the run.
  public let scene: String
  /// Frames that could be scored.
  public private(set) var frames = 0
  /// Configurations, by their position in the grid, that were looked at.
  public let configurations: [Int]
  /// Columns of ``TuningObjective/columns`` and the placement error.
  private let width: Int
  /// Per configuration and column: sum over solved frames, and over all frames with the raw LiDAR for refused ones.
  private var solved: [Double], fallback: [Double]
  private var solvedCount: [Int32], fallbackCount: [Int32]  // Terms in those sums.
  private var lidar: [Double], lidarCount: [Int32]  // Per column, the same of the raw LiDAR.
  private var solvedFrames: [Int32]  // Per configuration, frames that it solved.
  private let rows: [Int: Int]  // Row of a configuration.

  init(scene: String, configurations: [Int]) {
    (self.scene, self.configurations) = (scene, configurations)
    width = TuningObjective.columns.count + 1
    let count = configurations.count * width
    (solved, fallback) = ([Double](repeating: 0, count: count), [Double](repeating: 0, count: count))
    (solvedCount, fallbackCount) = ([Int32](repeating: 0, count: count), [Int32](repeating: 0, count: count))
    (lidar, lidarCount) = ([Double](repeating: 0, count: width), [Int32](repeating: 0, count: width))
    solvedFrames = [Int32](repeating: 0, count: configurations.count)
    rows = Dictionary(uniqueKeysWithValues: configurations.enumerated().map { ($1, $0) })
  }

  /// Adds a frame; frames are added in order, so that sums do not depend on who was first.
  mutating func add(_ outcomes: FrameOutcomes) {
    frames += 1
    for column in 0..<width {
      guard let value = outcomes.lidar[column] else { continue }
      lidar[column] += value
      lidarCount[column] += 1
    }
    for (row, result) in outcomes.results.enumerated() {
      let values = result >= 0 ? outcomes.values[Int(result)] : nil
      if values != nil { solvedFrames[row] += 1 }
      for column in 0..<width {
        let index = row * width + column
        let own = values?[column]
        if let own {
          solved[index] += own
          solvedCount[index] += 1
        }
        // A refused frame covers nothing, whatever stands in.
        let used = own ?? (Self.isZeroWhereRefused[column] ? 0 : outcomes.lidar[column])
        if let used {
          fallback[index] += used
          fallbackCount[index] += 1
        }
      }
    }
  }

  static let coverage = TuningObjective.coverageIndex
  /// By column; the last one is the placement.
  private static let isZeroWhereRefused = TuningObjective.columns.map(\.metric.isZeroWhereRefused) + [false]

  /// Mean over the frames of the raw LiDAR's value.
  public func lidarValue(column: Int) -> Double? {
    lidarCount[column] > 0 ? lidar[column] / Double(lidarCount[column]) : nil
  }

  public func framesSolved(_ configuration: Int) -> Int {
    rows[configuration].map { Int(solvedFrames[$0]) } ?? 0
  }

  /// Mean over the frames.
  /// - Parameter column: Position in ``TuningObjective/columns``; behind them the placement error.
  /// - Parameter withFallback: Whether refused frames count as the raw LiDAR (coverage: as 0); otherwise they do not count.
  public func value(_ configuration: Int, column: Int, withFallback: Bool) -> Double? {
    guard let row = rows[configuration] else { return nil }
    let index = row * width + column
    let (sum, count) =
      withFallback ? (fallback[index], fallbackCount[index]) : (solved[index], solvedCount[index])
    return count > 0 ? sum / Double(count) : nil
  }

  /// All numbers as bytes, for ``init(data:scene:configurations:)``.
  public var data: Data {
    var data = Data()
    data.append(numbers: [Int64(frames), Int64(configurations.count), Int64(width)])
    data.append(numbers: (solved + fallback + lidar).map(\.bitPattern))
    data.append(numbers: solvedCount + fallbackCount + lidarCount + solvedFrames)
    return data
  }

  /// The scores that were stored.
  /// - Returns: nil where the bytes are not those of so many configurations.
  public init?(data: Data, scene: String, configurations: [Int]) {
    self.init(scene: scene, configurations: configurations)
    var reader = NumberReader(data)
    guard let head: [Int64] = reader.read(3), head[1] == configurations.count, head[2] == width,
      let sums: [UInt64] = reader.read(2 * solved.count + width),
      let counts: [Int32] = reader.read(2 * solved.count + width + configurations.count), reader.isAtEnd
    else { return nil }
    frames = Int(head[0])
    let doubles = sums.map { Double(bitPattern: $0) }
    let cells = solved.count
    (solved, fallback) = (Array(doubles[..<cells]), Array(doubles[cells..<2 * cells]))
    lidar = Array(doubles[(2 * cells)...])
    solvedCount = Array(counts[..<cells])
    fallbackCount = Array(counts[cells..<2 * cells])
    lidarCount = Array(counts[2 * cells..<2 * cells + width])
    solvedFrames = Array(counts[(2 * cells + width)...])
  }
}

extension Data {
  fileprivate mutating func append<Number: FixedWidthInteger>(numbers: [Number]) {
    for number in numbers {
      Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
  }
}

/// Little-endian numbers, one after the other.
private struct NumberReader {
  private let bytes: [UInt8]
  private var position = 0
  init(_ data: Data) { bytes = Array(data) }
  var isAtEnd: Bool { position == bytes.count }

  mutating func read<Number: FixedWidthInteger>(_ count: Int) -> [Number]? {
    let size = MemoryLayout<Number>.size
    guard bytes.count - position >= count * size else { return nil }
    defer { position += count * size }
    return bytes.withUnsafeBytes { bytes in
      (0..<count).map {
        Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position + $0 * size, as: Number.self))
      }
    }
  }
}

extension SceneScores {
  /// Mean share of the truth pixels with a fused value; a refused frame has none.
  public func coverage(_ configuration: Int) -> Double? {
    value(configuration, column: Self.coverage, withFallback: true)
  }
}
