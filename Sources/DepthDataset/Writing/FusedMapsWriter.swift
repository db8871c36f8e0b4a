public import DepthCore
internal import FathomHDF5
public import FathomStorage

/// Fused maps being written as HDF5: `scenes/NAME/fused/depth` and `fused/deviation` [n, h, w] in metres, NaN where there is none. The file grows in
/// PATH.partial and gets its name from `commit()`; dropped before that, it leaves nothing behind.
///
/// Equal content gives equal bytes: no times are stored.
public struct FusedMapsWriter: ~Copyable {
  /// The file to be, as the caller named it.
  public let path: String
  private let file: HDF5File  // before `partial`: closed first
  private let partial: AtomicFile
  private static let attempted = "write the fused maps"

  /// - Parameter attributes: Of the root.
  /// - Throws: `FathomError` `.cannotCreate`, `.inputOutput`.
  public init(
    creating path: String, attributes: [(name: String, text: String)], overwrite: Bool
  ) throws(FathomError) {
    let partial = try AtomicFile(creating: path, overwrite: overwrite, attempted: Self.attempted)
    let file = try Self.create(path, at: partial.partial, attributes)
    self.path = path
    self.file = file
    self.partial = partial
  }

  private static func create(
    _ path: String, at partial: String, _ attributes: [(name: String, text: String)]
  ) throws(FathomError) -> HDF5File {
    do throws(HDF5Error) {
      let file = try HDF5File(creating: partial, callerLocks: true)
      for (name, text) in attributes { try file.setAttribute(name, to: .string(text)) }
      try file.createGroup("scenes")
      return file
    } catch { throw FathomError(error, attempted: attempted, file: path, isWriting: true) }
  }

  /// Lays out a scene.
  /// - Parameter frames: Those of its frames that are written.
  /// - Parameter size: Of the maps.
  /// - Parameter hasDeviation: Whether there are standard deviations beside the depths.
  /// - Throws: `FathomError` `.inputOutput`.
  public func addScene(
    _ scene: SceneHeader, frames: Range<Int>, size: RasterSize, hasDeviation: Bool
  ) throws(FathomError) {
    let group = "scenes/\(scene.name)"
    try attempt(group) { () throws(HDF5Error) in
      try file.createGroup(group)
      try file.createGroup(group + "/fused")
      for name in ["depth"] + (hasDeviation ? ["deviation"] : []) {
        _ = try file.createDataset(
          group + "/fused/" + name, shape: [frames.count, size.height, size.width], of: Float.self,
          chunk: [1, size.height, size.width], compression: DatasetWriter.usualCompression)
        try file.setAttribute("units", of: group + "/fused/" + name, to: .string("m"))
      }
      try file.writeStrings(frames.map(scene.frameID), to: group + "/frame_id")
      if let times = scene.timestampsSeconds {
        try file.createDataset(group + "/time", shape: [frames.count], of: Double.self)
          .write(Array(times[frames]))
        try file.setAttribute("units", of: group + "/time", to: .string("s"))
      }
    }
  }

  /// Writes the maps of a frame.
  /// - Parameter position: Among those that ``addScene(_:frames:size:hasDeviation:)`` named, from 0.
  /// - Throws: `FathomError` `.inputOutput`.
  public func write(
    _ depth: DepthMap, _ deviation: DepthMap?, to scene: String, at position: Int
  ) throws(FathomError) {
    try attempt("scenes/\(scene)/fused") { () throws(HDF5Error) in
      try file.dataset("scenes/\(scene)/fused/depth").write(depth.values, at: position)
      if let deviation {
        try file.dataset("scenes/\(scene)/fused/deviation").write(deviation.values, at: position)
      }
    }
  }

  /// Writes how the method ended on each frame of a scene: a word, and a reason in words.
  /// - Throws: `FathomError` `.inputOutput`.
  public func finishScene(_ scene: String, statuses: [String], reasons: [String]) throws(FathomError) {
    try attempt("scenes/\(scene)/fused") { () throws(HDF5Error) in
      try file.writeStrings(statuses, to: "scenes/\(scene)/fused/status")
      try file.writeStrings(reasons, to: "scenes/\(scene)/fused/reason")
    }
  }

  /// Closes the file and gives it its name.
  /// - Throws: `FathomError` `.inputOutput`, and `.cannotCreate` where the file has come to exist and may not be overwritten.
  public consuming func commit() throws(FathomError) {
    let path = self.path
    do throws(HDF5Error) { try file.close() } catch {
      throw FathomError(error, attempted: Self.attempted, file: path, isWriting: true)
    }
    try partial.finish(Self.attempted)
  }

  private func attempt(_ object: String, _ body: () throws(HDF5Error) -> Void) throws(FathomError) {
    do throws(HDF5Error) { try body() } catch {
      throw FathomError(error, attempted: Self.attempted, file: path, object: object, isWriting: true)
    }
  }
}
