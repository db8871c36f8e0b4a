/// What a file's name says about its content: "png" of "000010.PNG".
enum FileEnding {
  /// In small letters, without the dot; empty where there is none.
  static func of(_ path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  /// The name with its ending in small letters: cameras and Windows write "000010.PNG".
  static func lowered(_ name: String) -> String {
    let ending = of(name)
    return ending.isEmpty || name.hasSuffix(ending) ? name : name.dropLast(ending.count) + ending
  }
}
