import FathomPlainText
import FathomStorage
internal import DepthCore
internal import FathomHDF5

/// Reads a scene's arrays frame by frame for an inspection.
struct ArrayStream {
  let scene: SceneHeader
  var issues: [SchemaIssue] = []
  init(scene: SceneHeader) { self.scene = scene }

  /// All arrays but confidence's shares, in the order of the schema.
  mutating func arrays(_ layout: SceneLayout, _ reader: borrowing DatasetReader) -> [ArrayInspection] {
    var found: [ArrayInspection?] = []
    if let lidar = layout.lidar { found.append(depth("lidar/depth", lidar, nil, reader)) }
    if let images = layout.confidence { found.append(inspect("lidar/confidence", images, reader)) }
    if let images = layout.relative {
      var array = inspect("relative/values", images, reader)
      array?.kind = scene.relativeKind.rawValue
      array?.origin = scene.relativeModel
      array?.values = statistics(images.path, ValueStatistics(isDepth: false), 1, reader)
      found.append(array)
    }
    if let truth = layout.truth {
      found.append(depth("truth/depth", truth, scene.truthIndependence.rawValue, reader))
    }
    if let deviation = layout.truthDeviation {
      found.append(depth("truth/deviation", deviation, nil, reader))
    }
    for (stored, images, certainty) in layout.predictions {
      var array = inspect("predictions/\(stored.name)/depth", images, reader)
      array?.kind = stored.kind?.rawValue
      array?.values = statistics(images.path, ValueStatistics(isDepth: false), 1, reader)
      found.append(array)
      guard let certainty, let kind = stored.certainty else { continue }
      var beside = inspect("predictions/\(stored.name)/\(kind.rawValue)", certainty, reader)
      beside?.values = statistics(
        certainty.path, ValueStatistics(isDepth: stored.hasDeviation), 1, reader)
      found.append(beside)
    }
    if let images = layout.image { found.append(inspect("image/rgb", images, reader)) }
    return found.compactMap { $0 }
  }

  /// How often each confidence level occurs.
  mutating func confidenceShares(
    _ images: SceneLayout.Images, _ reader: borrowing DatasetReader
  ) -> ConfidenceShares? {
    var counts = [Int](repeating: 0, count: 256)
    let isRead = readAll(images.path, reader) { (values: [UInt8]) in
      for value in values { counts[Int(value)] += 1 }
    }
    guard isRead else { return nil }
    if let wrong = counts.indices.dropFirst(3).first(where: { counts[$0] > 0 }) {
      issues.append(
        SchemaIssue(
          severity: .error, object: images.path, problem: "it holds the confidence \(wrong)",
          advice: "store 0 low, 1 medium, 2 high"))
    }
    let total = Double(counts.reduce(0, +)), other = Double(counts.dropFirst(3).reduce(0, +))
    return ConfidenceShares(
      low: Double(counts[0]) / total, medium: Double(counts[1]) / total, high: Double(counts[2]) / total,
      other: other / total)
  }

  private mutating func depth(
    _ name: String, _ layout: SceneLayout.Depth, _ origin: String?, _ reader: borrowing DatasetReader
  ) -> ArrayInspection? {
    let images = SceneLayout.Images(path: layout.path, size: layout.size)
    var array = inspect(name, images, reader)
    array?.kind = layout.kind.rawValue
    array?.unit = "m"
    array?.origin = origin
    array?.values = statistics(layout.path, ValueStatistics(isDepth: true), layout.metresPerUnit, reader)
    return array
  }

  /// Type and storage.
  private mutating func inspect(
    _ name: String, _ images: SceneLayout.Images, _ reader: borrowing DatasetReader
  ) -> ArrayInspection? {
    do throws(HDF5Error) {
      let dataset = try reader.file.dataset(images.path), storage = try dataset.storage()
      return ArrayInspection(
        name: name, size: images.size, storedType: dataset.storedType.description, chunk: storage.chunk,
        filters: storage.filters.map(\.name), byteCount: storage.bytes)
    } catch {
      let failure = HDF5Failure(error)
      issues.append(
        SchemaIssue(
          severity: .error, object: images.path, problem: failure.reason, advice: failure.advice))
      return nil
    }
  }

  private mutating func statistics(
    _ path: String, _ empty: consuming ValueStatistics, _ factor: Double, _ reader: borrowing DatasetReader
  ) -> ValueSummary? {
    var statistics = empty
    let isRead = readAll(path, reader) { (values: [Float]) in
      statistics.add(factor == 1 ? values : values.map { Float(Double($0) * factor) })
    }
    return isRead ? statistics.summary : nil
  }

  /// Gives all numbers of an array to `body`, some frames at a time; false where one cannot be read, which is recorded.
  ///
  /// Frames that lie in one chunk are read together: each time a chunk is read all of it is decompressed.
  private mutating func readAll<Element: HDF5Scalar>(
    _ path: String, _ reader: borrowing DatasetReader, _ body: ([Element]) -> Void
  ) -> Bool {
    var start = 0
    do throws(HDF5Error) {
      let dataset = try reader.file.dataset(path), together = try Self.framesAtOnce(dataset)
      let frame = dataset.declaredByteCount / max(1, dataset.shape.first ?? 1)
      if let chunk = try dataset.storage().chunk?.first, chunk * frame <= HDF5EntryReader.mostBlockBytes {
        // Twice as fast as by the library.
        let entries = try HDF5EntryReader(dataset)
        while start < scene.frameCount {
          body(try entries.read(at: start))
          start += 1
        }
        return true
      }
      while start < scene.frameCount {
        let end = min(start + together, scene.frameCount)
        body(try dataset.read(entries: start..<end))
        start = end
      }
      return true
    } catch {
      let attempted = "read frame \(start) of scene '\(scene.name)'"
      issues.append(
        SchemaIssue(FathomError(error, attempted: attempted, file: reader.path, object: path), in: path))
      return false
    }
  }

  /// As many frames as a chunk has, or as take a few megabytes.
  private static func framesAtOnce(_ dataset: borrowing HDF5Dataset) throws(HDF5Error) -> Int {
    let frame = max(1, dataset.declaredByteCount / max(1, dataset.shape.first ?? 1))
    let fit = max(1, bytesAtOnce / frame)
    guard let chunk = try dataset.storage().chunk?.first else { return fit }
    return fit <= chunk ? min(chunk, max(1, largestBytesAtOnce / frame)) : fit / chunk * chunk
  }

  private static let bytesAtOnce = 1 << 22, largestBytesAtOnce = 1 << 27
}
