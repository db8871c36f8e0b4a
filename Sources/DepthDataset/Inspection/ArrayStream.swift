internal import DepthFusion
internal import HDF5

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
    for (stored, images) in layout.predictions {
      var array = inspect("predictions/\(stored.name)/depth", images, reader)
      array?.kind = stored.kind?.rawValue
      array?.values = statistics(images.path, ValueStatistics(isDepth: false), 1, reader)
      found.append(array)
    }
    if let images = layout.image { found.append(inspect("image/rgb", images, reader)) }
    return found.compactMap { $0 }
  }

  /// How often each confidence level occurs.
  mutating func confidenceShares(
    _ images: SceneLayout.Images, _ reader: borrowing DatasetReader
  ) -> ConfidenceShares? {
    var counts = [Int](repeating: 0, count: 256)
    do throws(DatasetError) {
      for index in 0..<scene.frameCount {
        let values: [UInt8] = try reader.values(images.path, read(index))
        for value in values { counts[Int(value)] += 1 }
      }
    } catch {
      issues.append(SchemaIssue(error, in: images.path))
      return nil
    }
    if let wrong = counts.indices.dropFirst(3).first(where: { counts[$0] > 0 }) {
      issues.append(
        SchemaIssue(
          severity: .error, object: images.path, problem: "it holds the confidence \(wrong)",
          advice: "store 0 low, 1 medium, 2 high"))
    }
    let total = Double(counts.reduce(0, +))
    let other = Double(counts.dropFirst(3).reduce(0, +))
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
      let dataset = try reader.file.dataset(images.path)
      let storage = try dataset.storage()
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
    do throws(DatasetError) {
      for index in 0..<scene.frameCount {
        var values: [Float] = try reader.values(path, read(index))
        if factor != 1 { values = values.map { Float(Double($0) * factor) } }
        statistics.add(values)
      }
    } catch {
      issues.append(SchemaIssue(error, in: path))
      return nil
    }
    return statistics.summary
  }

  private func read(_ index: Int) -> DatasetReader.FrameRead {
    DatasetReader.FrameRead(index: index, attempted: "read frame \(index) of scene '\(scene.name)'")
  }
}
