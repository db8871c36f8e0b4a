/// What a file says about itself: the optional attributes of its root group.
public struct DatasetAttributes: Sendable, Hashable, Codable {
  /// Short name, free text, licence, where the frames come from, and the program that wrote the file.
  public var name: String?, description: String?, license: String?, source: String?, createdBy: String?
  /// No attribute is set.
  public init() {}
}
