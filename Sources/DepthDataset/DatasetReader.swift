public import DepthCore
internal import FathomHDF5
public import FathomStorage

/// An open data set: validated once, then read frame by frame, so memory does not grow with its length.
///
/// Not Sendable: read where you opened it, pass on the frames.
public struct DatasetReader: ~Copyable {
  /// The file, as the caller named it.
  public let path: String
  public static let schemaVersions = [1, 2, 3]
  /// The version from which on a scene may be without `lidar/depth`.
  static let versionWithoutLidar = 3
  public let schemaVersion: Int
  /// What the file says about itself.
  public let attributes: DatasetAttributes
  /// The scenes, by name in the order of their bytes.
  public let scenes: [SceneHeader]
  /// Notes, and in lenient mode what breaks the schema.
  public let issues: [SchemaIssue]
  /// The file and those that it leads to, as they were when it was opened.
  public let sources: SourceFiles
  let file: HDF5File
  let arrays = OpenArrays()
  /// How far what breaks the schema is read.
  let validation: ValidationMode
  let layouts: [String: SceneLayout]

  /// Opens a file and checks all of it but the frames' values.
  ///
  /// Values are never an error: missing depth is zero, negative, infinite or NaN. In lenient mode an array that
  /// breaks the schema counts as absent, transposed matrices are read as they should be, and confidence as it is.
  /// - Parameter external: Where external links, external storage and virtual datasets are followed to other regular files, which
  ///   ``sources`` then names; elsewhere they break the schema.
  /// - Throws: `FathomError` `.noInput` if the file is missing, may not be read, or is a folder, pipe, socket or
  ///   device; `.badData` if it is not HDF5 (in both modes), or breaks the schema (in strict mode).
  public init(
    readingFrom path: String, validation: ValidationMode = .strict,
    external: ExternalFolders = ExternalFolders()
  ) throws(FathomError) {
    try self.init(readingFrom: path, validation: validation, external: external, location: nil)
  }

  /// - Parameter location: As of `HDF5File`.
  init(
    readingFrom path: String, validation: ValidationMode, external: ExternalFolders, location: String?
  ) throws(FathomError) {
    let file: HDF5File
    do throws(HDF5Error) { file = try HDF5File(readingFrom: path, at: location, external: external) } catch {
      throw FathomError(error, attempted: "open the data set", file: path)
    }
    var root = RootValidator()
    root.validate(file)
    if validation == .strict, let error = root.issues.first(where: { $0.severity == .error }) {
      throw FathomError(error, file: path)
    }
    sources = SourceFiles(file)
    self.path = path
    self.file = file
    (self.validation, schemaVersion, attributes) = (validation, root.version, root.attributes)
    scenes = root.scenes.map(\.header)
    layouts = Dictionary(uniqueKeysWithValues: root.scenes.map { ($0.header.name, $0.layout) })
    issues = root.issues
  }

  func layout(of scene: SceneHeader, _ attempted: String) throws(FathomError) -> SceneLayout {
    if let layout = layouts[scene.name] { return layout }
    throw FathomError(
      .badData, attempted: attempted, file: path, object: "scenes/\(scene.name)",
      reason: "there is no such scene", advice: "choose one of \(scenes.map(\.name).joined(separator: ", "))")
  }
}
