public import DepthCore
internal import FathomHDF5

/// A frame whose arrays are compressed already, so that this can be done for several frames at the same time; they are written one after the other.
public struct CompressedFrame: Sendable {
  /// The frame, whose arrays are written where the data set is laid out otherwise.
  public var frame: DepthFrame
  /// By the names of the arrays in the scene's group.
  let entries: [String: CompressedEntry]

  /// - Parameter level: gzip's, that of the scene to which it will be written; 0 compresses nothing.
  public init(_ frame: DepthFrame, level: Int = DatasetWriter.usualCompression) {
    self.frame = frame
    var entries: [String: CompressedEntry] = [:]
    func add(_ name: String, _ values: [some HDF5Scalar]?) {
      guard level > 0, let values, values.count > 1 else { return }
      entries[name] = CompressedEntry(values, level: level)
    }
    add("lidar/depth", frame.lidar.values)
    add("lidar/confidence", frame.confidence?.values)
    add("relative/values", frame.relative?.values)
    add("truth/depth", frame.truth?.values)
    add("image/rgb", frame.image?.bytes)
    for (stored, map) in frame.predictions { add("predictions/\(stored.name)/depth", map.values) }
    for (object, map) in frame.deviationStacks { add(object, map.values) }
    self.entries = entries
  }
}
