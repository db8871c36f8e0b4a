import ArgumentParser
import DepthExport

/// What `render` can write. A picture format is one more case, with its own writer.
enum RenderFormat: String, CaseIterable, ExpressibleByArgument {
  case ply, obj, usda

  /// The 3-D file that it is.
  var geometry: GeometryFormat {
    switch self {
    case .ply: .ply
    case .obj: .obj
    case .usda: .usda
    }
  }

  /// The format that a file's name asks for.
  init?(fileName: String) {
    guard let dot = fileName.lastIndex(of: ".") else { return nil }
    self.init(rawValue: fileName[fileName.index(after: dot)...].lowercased())
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
