public import DepthExport

/// What frames can be rendered as: pictures, and files for 3-D programs.
public enum RenderFormat: String, Sendable, CaseIterable {
  case png, jpg, svg, webp, ply, obj, usda, glb

  /// The 3-D file that it is; nil for a picture.
  public var geometry: GeometryFormat? { GeometryFormat(rawValue: rawValue) }

  /// The format that a file's name asks for.
  public init?(fileName: String) {
    guard let ending = Self.ending(of: fileName) else { return nil }
    let name = ending.lowercased()
    self.init(rawValue: name == "jpeg" ? "jpg" : name)
  }

  /// What follows the last dot of a file's name; nil for no dot, and for the dot of a hidden file.
  package static func ending(of path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    let ending = String(name[name.index(after: dot)...])
    return ending.isEmpty ? nil : ending
  }
}
