internal import DepthCore
internal import DepthImport
internal import FathomStorage
private import Foundation

/// Maps of a network that are the bytes of the image before, in a file or a stack, though the truth differs: what a program writes
/// that did not empty its buffer.
struct CopiedMaps {
  /// The second image of each pair.
  let rows: [Int]
  /// Whether there are no more.
  let areAll: Bool
  /// Images that have a map.
  let images: Int
  /// Pairs whose truth is looked at; the least change of it; cells along a side.
  private static let (looked, least, cells) = (50, 0.008, 8)
  /// Pixels of a stack that are read for it at most.
  private static let mostOfStacks = 100_000_000

  /// - Parameter network: Number of the part.
  /// - Throws: `FathomError` `.badData` where a truth cannot be read.
  init(of network: Int, in parts: [MapSetSource.Part]) throws(FathomError) {
    let own = parts[network]
    images = own.layers.count { $0 != nil }
    var (pairs, last, left): ([Int], MapFile?, Int) = ([], nil, Self.mostOfStacks)
    var digest: (row: Int, value: Int)?
    func digestOfStack(_ row: Int) throws(FathomError) -> Int? {
      if let digest, digest.row == row { return digest.value }
      guard left > 0, case .map(let map)? = try parts.layers(of: row, [network])[0] else { return nil }
      left -= map.values.count
      var hasher = Hasher()
      map.values.withUnsafeBytes { hasher.combine(bytes: $0) }
      let value = hasher.finalize()
      digest = (row, value)
      return value
    }
    for (row, layer) in own.layers.enumerated() {
      let file = layer.flatMap { MapFile(own.series.path(of: $0)) }
      if let file, let before = last {
        if file.path != before.path {
          if file.isCopy(of: before) { pairs.append(row) }
        } else if let first = try digestOfStack(row - 1), try digestOfStack(row) == first {
          pairs.append(row)
        }
      }
      last = file
    }
    var found: [Int] = []
    for row in pairs.prefix(Self.looked) {
      let layers = try parts.layers(of: row, [0, network])
      guard case .map(let now)? = layers[0], case .map(let map)? = layers[1],
        // What failed twice is empty twice.
        map.values.contains(where: { $0 > 0 && $0.isFinite }),
        case .map(let before)? = try parts.layers(of: row - 1, [0])[0], Self.differ(now, before)
      else { continue }
      found.append(row)
    }
    (rows, areAll) = (found, pairs.count <= Self.looked && left > 0)
  }

  /// Whether depth changes: in each cell of the maps by the median, which is 0 for noise alone, and of those by the third quartile.
  static func differ(_ now: DepthMap, _ before: DepthMap) -> Bool {
    guard now.size == before.size else { return true }
    var changes = [[Double]](repeating: [], count: cells * cells)
    for row in 0..<now.height {
      for column in 0..<now.width {
        let (a, b) = (now[row, column], before[row, column])
        guard a > 0, b > 0, a.isFinite, b.isFinite else { continue }
        changes[row * cells / now.height * cells + column * cells / now.width].append(Double(a / b) - 1)
      }
    }
    let medians = changes.compactMap { OrderStatistics.median(of: $0).map(abs) }
    return OrderStatistics.quantile(0.75, of: medians) ?? 0 > least
  }
}

/// A file that is compared with the next without being read whole where they differ.
private struct MapFile {
  let path: String, size: UInt64, middle: Data
  private static let part = 4096

  /// - Returns: nil where it cannot be read.
  init?(_ path: String) {
    guard let file = FileHandle(forReadingAtPath: path), let size = try? file.seekToEnd(), size > 0,
      (try? file.seek(toOffset: size / 2)) != nil, let middle = try? file.read(upToCount: Self.part)
    else { return nil }
    (self.path, self.size, self.middle) = (path, size, middle)
  }

  func isCopy(of other: MapFile) -> Bool {
    guard size == other.size, middle == other.middle else { return false }
    return FileManager.default.contentsEqual(atPath: path, andPath: other.path)
  }
}
