internal import FathomHDF5

/// The arrays of the scene that is being read: opened once, not for every frame.
final class OpenArrays {
  private var scene = ""
  private var readers: [String: HDF5EntryReader] = [:]

  /// The reader of an array; those of another scene are closed, so that memory does not grow with the number of scenes.
  func reader(
    of object: String, in scene: String, _ file: borrowing HDF5File
  ) throws(HDF5Error) -> HDF5EntryReader {
    if scene != self.scene { (self.scene, readers) = (scene, [:]) }
    if let known = readers[object] { return known }
    let reader = try HDF5EntryReader(try file.dataset(object))
    readers[object] = reader
    return reader
  }
}
