internal import DepthCore
internal import DepthDataset
package import FathomPictureFiles

/// A file of numbers, one map or several behind each other: what a sensor or a network gave for one frame, or for all.
package struct MapFile: Sendable {
  package let header: MapHeader
  /// The numbers of a map, as they stand in the file; from 0.
  package let layer: @Sendable (Int) throws(PictureFault) -> StoredMap

  /// From its parts, as a ``MapFormat`` reads them.
  package init(_ header: MapHeader, layer: @escaping @Sendable (Int) throws(PictureFault) -> StoredMap) {
    (self.header, self.layer) = (header, layer)
  }

  /// A file of any format, which its first bytes tell.
  /// - Parameter beside: What is read of a file that holds it beside a map; nil for the map.
  /// - Throws: `PictureFault` where the file is not a map of numbers, is damaged, or has too many pixels.
  package init(at path: String, for role: MapKeys.Role = .any) throws(PictureFault) {
    self = try MapFormat(of: try FileBytes.Ends(path)).open(path, for: role)
    try header.requireMapSize()
  }
}
