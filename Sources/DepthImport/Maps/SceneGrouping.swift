/// What counts as a scene of maps in folders.
public enum SceneGrouping: RawRepresentable, Sendable, Hashable, Codable {
  /// ``folder`` where the truth lies in folders below the one that was named, else ``image``.
  case automatic
  /// The files of a folder are the frames of one scene.
  case folder
  case image
  /// A file of lines: the scene of each frame, in the order of the truth; or a frame and its scene.
  case list(String)

  /// - Parameter rawValue: "automatic", "folder", "image"; everything else is the path of a list.
  public init(rawValue: String) {
    self =
      switch rawValue {
      case "automatic": .automatic
      case "folder": .folder
      case "image": .image
      default: .list(rawValue)
      }
  }

  public var rawValue: String {
    switch self {
    case .automatic: "automatic"
    case .folder: "folder"
    case .image: "image"
    case .list(let path): path
    }
  }
}
