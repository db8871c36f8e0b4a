public import DepthFusion

/// A data set being written.
public struct DatasetWriter: ~Copyable {
  let path: String

  /// Creates PATH.partial.
  public init(
    creating path: String, attributes: DatasetAttributes, overwrite: Bool = false
  ) throws(DatasetError) { self.path = path }

  /// Lays out the arrays that the header says exist.
  public mutating func addScene(_ header: SceneHeader, compression: Int = 4) throws(DatasetError) {}

  /// Writes one frame.
  public mutating func write(_ frame: DepthFrame, to scene: String) throws(DatasetError) {}

  /// Writes the scene's detections.
  public mutating func writeObjects(_ objects: SceneObjects, to scene: String) throws(DatasetError) {}

  /// Closes the file and gives it its name.
  public consuming func commit() throws(DatasetError) {}
}
