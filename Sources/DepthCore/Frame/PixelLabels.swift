/// What the ids of a mask mean: classes, instances, rooms.
public struct PixelLabels: Sendable, Hashable, Codable {
  /// What they are called together: "class".
  public var title: String
  /// By id; an id without a name is shown as its number.
  public var names: [Int: String]
  public init(title: String, names: [Int: String] = [:]) { (self.title, self.names) = (title, names) }
}
