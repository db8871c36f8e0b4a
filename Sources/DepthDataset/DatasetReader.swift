public import DepthFusion
internal import HDF5
private import Glibc

/// An open data set: validated once, then read frame by frame, so memory does not grow with its length.
///
/// Not Sendable: read where you opened it, pass on the frames.
public struct DatasetReader: ~Copyable {
  /// The file, as the caller named it.
  public let path: String
  /// What the file says about itself.
  public let attributes: DatasetAttributes
  /// The scenes, by name in the order of their bytes.
  public let scenes: [SceneHeader]
  /// Notes, and in lenient mode what breaks the schema.
  public let issues: [SchemaIssue]

  let file: HDF5File
  /// How far what breaks the schema is read.
  let validation: ValidationMode
  let layouts: [String: SceneLayout]

  /// Opens a file and checks all of it but the frames' values.
  ///
  /// Values are never an error: missing depth is zero, negative, infinite or NaN. In lenient mode an array that
  /// breaks the schema counts as absent, transposed matrices are read as they should be, and confidence as it is.
  ///
  /// - Throws: `DatasetError` `.noInput` if the file is missing or may not be read; `.badData` if it is no HDF5
  ///   (in both modes), or breaks the schema (in strict mode).
  public init(readingFrom path: String, validation: ValidationMode = .strict) throws(DatasetError) {
    let file = try Self.open(path)
    var root = RootValidator()
    root.validate(file)
    if validation == .strict, let error = root.issues.first(where: { $0.severity == .error }) {
      throw DatasetError(error, file: path)
    }
    self.path = path
    self.file = file
    self.validation = validation
    attributes = root.attributes
    scenes = root.scenes.map(\.header)
    layouts = Dictionary(uniqueKeysWithValues: root.scenes.map { ($0.header.name, $0.layout) })
    issues = root.issues
  }

  static func open(_ path: String) throws(DatasetError) -> HDF5File {
    let attempted = "open the data set"
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw DatasetError(
        .noInput, attempted: attempted, file: path, reason: "it is a folder", advice: "name a file in it")
    }
    do throws(HDF5Error) { return try HDF5File(readingFrom: path) } catch {
      throw DatasetError(error, attempted: attempted, file: path)
    }
  }

  /// The layout of a scene of this file.
  func layout(of scene: SceneHeader, _ attempted: String) throws(DatasetError) -> SceneLayout {
    if let layout = layouts[scene.name] { return layout }
    throw DatasetError(
      .badData, attempted: attempted, file: path, object: "scenes/\(scene.name)",
      reason: "there is no such scene",
      advice: "choose one of \(scenes.map(\.name).joined(separator: ", "))")
  }
}
