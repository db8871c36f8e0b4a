internal import DepthCore
internal import FathomHDF5
public import FathomStorage

/// A data set being written. It grows in PATH.partial and gets its name from `commit()`; dropped before that,
/// it leaves nothing behind.
///
/// Equal content gives equal bytes: no times are stored.
public struct DatasetWriter: ~Copyable {
  /// The file to be, as the caller named it.
  public let path: String
  let file: HDF5File  // before `partial`: closed first
  private let partial: AtomicFile
  var scenes: [String: SceneProgress] = [:]
  /// gzip level of arrays where nothing else is said.
  public static let usualCompression = 4

  struct SceneProgress {
    var header: SceneHeader, compression: Int, isWritten: [Bool], cameras: [CameraIntrinsics?]
    var hasObjects = false
  }

  /// Creates PATH.partial.
  /// - Throws: `FathomError` `.cannotCreate` if the file exists and may not be overwritten, is being written by
  ///   another program, or its folder is missing or not writable; `.inputOutput` if the disk is full.
  public init(
    creating path: String, attributes: DatasetAttributes, overwrite: Bool = false
  ) throws(FathomError) {
    let partial = try AtomicFile(creating: path, overwrite: overwrite, attempted: "create the data set")
    let file = try Self.create(path, at: partial.partial)
    do throws(HDF5Error) { try Self.writeRoot(attributes, file) } catch {
      throw FathomError(error, attempted: "create the data set", file: path, isWriting: true)
    }
    self.path = path
    self.file = file
    self.partial = partial
  }

  private static func create(_ path: String, at partial: String) throws(FathomError) -> HDF5File {
    do throws(HDF5Error) { return try HDF5File(creating: partial, callerLocks: true) } catch {
      throw FathomError(error, attempted: "create the data set", file: path, isWriting: true)
    }
  }

  private static func writeRoot(
    _ attributes: DatasetAttributes, _ file: borrowing HDF5File
  ) throws(HDF5Error) {
    let texts = [
      ("format", "fathom"), ("name", attributes.name), ("description", attributes.description),
      ("license", attributes.license), ("source", attributes.source), ("created_by", attributes.createdBy),
    ]
    for case (let name, let value?) in texts { try file.setAttribute(name, to: .string(value)) }
    try file.setAttribute("version", to: .integer(1))
    try file.createGroup("scenes")
  }

  /// Closes the file and gives it its name.
  /// - Throws: `FathomError` `.badData` if a frame was not written, `.inputOutput` if the disk is full or
  ///   fails, `.cannotCreate` where the file has come to exist and may not be overwritten.
  public consuming func commit() throws(FathomError) {
    let path = self.path
    for (name, scene) in scenes.sorted(by: { $0.key < $1.key }) {
      if let missing = scene.isWritten.firstIndex(of: false) {
        throw FathomError(
          .badData, attempted: "finish the data set", file: path, object: "scenes/\(name)",
          reason: "frame \(missing) of \(scene.header.frameCount) was not written",
          advice: "write every frame of a scene")
      }
      try writeCameras(scene)
    }
    do throws(HDF5Error) { try file.close() } catch {
      throw FathomError(error, attempted: "finish the data set", file: path, isWriting: true)
    }
    try partial.finish("finish the data set")
  }

  /// Runs HDF5 calls and puts their failure into the user's words.
  func attempt<Value: ~Copyable>(
    _ attempted: String, _ object: String, _ body: () throws(HDF5Error) -> Value
  ) throws(FathomError) -> Value {
    do throws(HDF5Error) { return try body() } catch {
      throw FathomError(error, attempted: attempted, file: path, object: object, isWriting: true)
    }
  }
}
