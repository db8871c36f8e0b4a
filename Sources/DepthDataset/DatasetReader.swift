public import DepthFusion

/// An open data set.
public struct DatasetReader: ~Copyable {
  /// The file, as the caller named it.
  public let path: String
  /// What the file says about itself.
  public let attributes: DatasetAttributes
  /// The scenes, by name.
  public let scenes: [SceneHeader]
  /// What breaks the schema, and notes.
  public let issues: [SchemaIssue]

  /// Opens and validates a file.
  public init(readingFrom path: String, validation: ValidationMode = .strict) throws(DatasetError) {
    throw DatasetError(.badData, attempted: "read", file: path, reason: "not written yet", advice: "wait")
  }

  /// Reads one frame.
  public func frame(
    _ index: Int, of scene: SceneHeader, including arrays: FrameArrays = .fusion
  ) throws(DatasetError) -> DepthFrame {
    throw DatasetError(.badData, attempted: "read", file: path, reason: "not written yet", advice: "wait")
  }

  /// The scene's detections; nil where it has none.
  public func objects(of scene: SceneHeader) throws(DatasetError) -> SceneObjects? { nil }
}
