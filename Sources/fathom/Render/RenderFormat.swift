import ArgumentParser
import DepthExport

/// What `render` can write: pictures, and files for 3-D programs.
enum RenderFormat: String, CaseIterable, ExpressibleByArgument {
  case png, jpg, svg, webp, ply, obj, usda

  /// The 3-D file that it is; nil for a picture.
  var geometry: GeometryFormat? {
    switch self {
    case .png, .jpg, .svg, .webp: nil
    case .ply: .ply
    case .obj: .obj
    case .usda: .usda
    }
  }

  /// The format that a file's name asks for.
  init?(fileName: String) {
    guard let ending = Self.ending(of: fileName) else { return nil }
    let name = ending.lowercased()
    self.init(rawValue: name == "jpeg" ? "jpg" : name)
  }

  /// What follows the last dot of a file's name; nil for no dot, and for the dot of a hidden file.
  static func ending(of path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    let ending = String(name[name.index(after: dot)...])
    return ending.isEmpty ? nil : ending
  }
}

/// "A:B", metres; either end may be left out.
struct DepthLimits: ExpressibleByArgument {
  let range: ClosedRange<Double>

  init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, argument != ":" else { return nil }
    let (near, far) = (
      parts[0].isEmpty ? 0 : Double(parts[0]), parts[1].isEmpty ? Double.infinity : Double(parts[1])
    )
    guard let near, let far, near >= 0, near < far else { return nil }
    range = near...far
  }
}
