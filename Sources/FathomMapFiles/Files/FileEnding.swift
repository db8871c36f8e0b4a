/// What a file's name says about its content: "png" of "000010.PNG".
package enum FileEnding {
  /// In small letters, without the dot; empty where there is none.
  package static func of(_ path: String) -> String {
    guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return "" }
    return path[path.index(after: dot)...].lowercased()
  }

  /// The name with its ending in small letters: cameras and Windows write "000010.PNG".
  static func lowered(_ name: String) -> String {
    let ending = of(name)
    return ending.isEmpty || name.hasSuffix(ending) ? name : name.dropLast(ending.count) + ending
  }
}
