internal import DepthImport
internal import FathomMapFiles
internal import FathomPlainText
internal import FathomStorage

/// The scene of each truth map.
struct MapSetScenes {
  private(set) var names: [String] = []
  /// Whether every image is a scene because nothing said otherwise.
  private(set) var isImagesByDefault = false

  /// - Throws: `FathomError` where a list cannot be read, or does not fit.
  init(_ truth: MapSide, _ grouping: SceneGrouping) throws(FathomError) {
    let hasFolders = truth.files.contains { !$0.folder.isEmpty }
    switch grouping {
    case .list(let path): names = try Self.listed(truth, path)
    case .automatic where hasFolders, .folder: names = Self.folders(truth)
    case .automatic, .image:
      isImagesByDefault = grouping == .automatic
      names = truth.files.map { $0.key($0.stems[0], $0.folder) }
    }
  }

  /// A folder's name, without what all of them end with: "a/depth" and "b/depth" are "a" and "b".
  private static func folders(_ truth: MapSide) -> [String] {
    let folders = truth.files.map(\.folder), own = PathText.last(truth.setup.request.path)
    // The shortest keeps a part.
    let shortest = folders.map(\.count).min() ?? 0
    let trailing = min(MapSide.common(folders.map { $0.reversed() }), max(0, shortest - 1))
    return folders.map { $0.isEmpty ? own : $0.dropLast(trailing).joined(separator: "/") }
  }

  /// Lines `SCENE` in the order of the truth, or `FRAME SCENE`.
  private static func listed(_ truth: MapSide, _ path: String) throws(FathomError) -> [String] {
    let lines = try MapSetList.lines(path)
    if lines.allSatisfy({ $0.words.count == 1 }) {
      guard lines.count == truth.files.count else {
        throw MapSetList.failure(
          path,
          "it names \(counted(lines.count, "scene")), and there \(truth.files.count == 1 ? "is" : "are") \(counted(truth.files.count, "truth map"))",
          "write a line for each truth map, or lines `FRAME SCENE`")
      }
      return lines.map { $0.words[0] }
    }
    var scenes: [String: String] = [:]
    for (number, words) in lines {
      guard words.count == 2 else {
        throw MapSetList.failure(
          path, "line \(number) has \(counted(words.count, "word"))", "write `FRAME SCENE` in every line")
      }
      scenes[words[0]] = words[1]
    }
    var names: [String] = []
    for file in truth.files {
      let keys = [file.name] + file.stems.flatMap { [file.key($0, file.folder), $0] }
      guard let scene = keys.lazy.compactMap({ scenes[$0] }).first else {
        throw MapSetList.failure(
          path, "it has no line for \(file.name)", "write a line for each truth map, or lines `FRAME SCENE`")
      }
      names.append(scene)
    }
    return names
  }
}
