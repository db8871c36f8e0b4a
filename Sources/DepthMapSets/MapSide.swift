private import Foundation
internal import DepthCore
internal import DepthImport
internal import FathomMapFiles
internal import FathomPlainText
internal import FathomStorage

/// One folder or file of a map set: its files, and what tells them apart.
struct MapSide: Sendable {
  enum Role: Sendable { case truth, prediction, image, truthMask, ignoreMask, ids, deviation, truthDeviation }

  struct File: Sendable, Hashable {
    var path: String
    /// Below the folder that was named: "kitchen/0001.png".
    var name: String
    /// The folders below the one that was named.
    var folder: [String] = []
    /// What the name may stand for, the whole first.
    var stems: [String]
    /// Its position in a file of several maps.
    var layer: Int?
    /// "kitchen/0001"
    func key(_ stem: String, _ folder: [String]) -> String { (folder + [stem]).joined(separator: "/") }
  }

  let role: Role
  /// What its files stand under among those that the truth leads to.
  var title: String {
    switch role {
    case .truth: "truth"
    case .prediction: setup.request.name ?? ""
    case .image: "images"
    case .truthMask: "truth-mask"
    case .ignoreMask: "ignore-mask"
    case .ids: "ids"
    case .deviation: (setup.request.name ?? "") + "-" + (setup.request.beside ?? .deviation).rawValue
    case .truthDeviation: "truth-deviation"
    }
  }
  private(set) var setup: MapSeries.Setup
  /// What people call the format that its maps are read in; nil where they are depth as they are stored.
  private(set) var format: String?
  /// In the order of their folders and numbers; one for each map where it is a file of maps.
  private(set) var files: [File] = []
  /// Whether it holds the standard deviations or confidences of another side's maps.
  func isDeviation(of other: MapSide) -> Bool {
    switch role {
    case .deviation: other.role == .prediction && setup.request.name == other.setup.request.name
    case .truthDeviation: other.role == .truth
    default: false
    }
  }
  /// Masks of validity beside the truth, a list for each kind of them.
  private(set) var masks: [[File]] = []
  /// What lies beside its files and is of another kind: "12 pictures, first a.png"; nil for nothing.
  private(set) var skipped: String?
  /// Opened already where it is a file of maps.
  private(set) var stack: MapSeries?
  /// Deeper folders are not looked into: KITTI's depth lies in the fifth.
  static let mostLevels = 8

  /// Lists its files; those of a list are given.
  /// - Parameter networks: Those whose maps lie in the truth's folder.
  /// - Throws: `FathomError` `.noInput` where there is no such file or folder; `.badData` where it holds no maps.
  init(
    _ role: Role, _ request: MapRequest, truthScale: Double? = nil, beside networks: [String] = [],
    files: [File]? = nil
  ) throws(FathomError) {
    let content: MapSeries.Content =
      switch role {
      case .truth: .truth(scale: truthScale)
      case .prediction: .prediction
      case .image: .picture
      case .truthMask, .ignoreMask, .ids: .mask
      case .deviation, .truthDeviation: .deviation
      }
    (self.role, setup) = (role, MapSeries.Setup(request: request, content: content))
    if let files {
      self.files = files
      return
    }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: request.path, isDirectory: &isFolder)
    else { throw setup.failure(nil, "there is no such file or folder", "check the path", kind: .noInput) }
    if isFolder.boolValue || request.unpacked != nil { try list(beside: networks) } else { try open() }
  }

  private mutating func list(beside networks: [String]) throws(FathomError) {
    let request = setup.request
    let folder = try RecordingFolder(
      request.unpacked ?? request.path, unpacked: nil, external: request.external, levels: Self.mostLevels)
    if role == .truth, let known = Recognition(ofCodedDepth: folder) {
      return try list(known, of: folder)
    }
    let isPicture = role == .image
    let endings = isPicture ? "PNG, JPEG or TIFF files" : MapFormat.usualEndings
    var names = folder.names.filter {
      isPicture ? Self.pictureEndings.contains(FileEnding.of($0)) : MapFormat.rank(ofName: $0) != nil
    }
    if names.isEmpty, !isPicture {
      // Where no name says that a file is a map, its first bytes do.
      names = folder.names.filter { MapFormat.mayBeMap(at: folder.path(of: $0)) }
    }
    guard !names.isEmpty else {
      let (reason, kind) = isPicture ? ("it holds no pictures", .badData) : FrameMaps.noMaps(in: folder)
      throw setup.failure(nil, reason, "give a folder of \(endings)", kind: kind)
    }
    let own = SideFiles(names, of: folder, for: role, named: request.name, beside: networks)
    files = try withoutTwins(own.names.map { self.file($0, folder) }).sorted(by: Self.precedes)
    masks = own.masks.map { $0.map { self.file($0, folder) }.sorted(by: Self.precedes) }
    skipped = own.skipped
    try openStacks()
  }

  /// A folder with one file of several maps stands for that file; of several such files, as of videos, each is a folder of its maps.
  private mutating func openStacks() throws(FathomError) {
    let key = setup.key
    func layers(_ file: File) -> Int { Self.layerCount(ofFileAt: file.path, for: key) }
    guard role != .image, files.allSatisfy({ Self.stackEndings.contains(FileEnding.of($0.name)) }),
      layers(files[0]) > 1
    else { return }
    if files.count == 1, setup.request.unpacked == nil {
      setup.request.path = files[0].path
      return try open()
    }
    files = files.flatMap { file -> [File] in
      let count = layers(file), folder = file.folder + [file.stems.last ?? ""]
      return count == 1 ? [file] : (0..<count).map { Self.layer($0, of: file, folder) }
    }
  }

  /// How names of files end that may hold several maps.
  static let stackEndings: Set = ["npy", "npz", "h5", "hdf5", "mat"]

  /// How many maps a file holds; 1 for what are matrices, and what cannot be read.
  static func layerCount(ofFileAt path: String, for key: MapKeys.Role) -> Int {
    let header = (try? MapFile(at: path, for: key))?.header
    return header.flatMap { $0.size.width > 4 ? $0.layerCount : nil } ?? 1
  }

  private static func layer(_ index: Int, of file: File, _ folder: [String]) -> File {
    let digits = String(index), number = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    return File(path: file.path, name: file.name, folder: folder, stems: [number], layer: index)
  }

  /// The depth of a folder in a known format.
  private mutating func list(_ known: Recognition, of folder: RecordingFolder) throws(FathomError) {
    let mapping = known.preset.mapping
    let isScaled = if case .truth(_?) = setup.content { true } else { false }
    if isScaled || setup.request.formula != nil {
      throw setup.failure(
        nil, "it is \(mapping.title), whose numbers become metres in their own way",
        isScaled ? "leave \(option: "truth-scale") out" : "leave \(option: "truth-formula") out")
    }
    let names = known.folders.flatMap { inner in
      inner.files(mapping.depth.files).map {
        inner.path == folder.path ? $0.name : inner.name + "/" + $0.name
      }
    }
    files = names.map { Self.file($0, at: folder.path(of: $0)) }.sorted(by: Self.precedes)
    (setup.format, format) = (mapping.name, mapping.title)
  }

  /// Without the network's name, where the name of the file ends with it.
  private func file(_ name: String, _ folder: RecordingFolder) -> File {
    var file = Self.file(name, at: folder.path(of: name))
    guard let suffix = setup.request.name.map({ "_" + $0 }), let stem = file.stems.last,
      stem.count > suffix.count, stem.lowercased().hasSuffix(suffix.lowercased())
    else { return file }
    file.stems.append(String(stem.dropLast(suffix.count)))
    return file
  }

  private static let pictureEndings: Set = ["png", "jpg", "jpeg", "tif", "tiff"]

  /// Where a folder holds a map in two formats, the first in the order of the formats counts.
  private func withoutTwins(_ files: [File]) throws(FathomError) -> [File] {
    var byKey: [String: File] = [:]
    for file in files {
      let key = file.key(file.stems[0], file.folder)
      if try isBetter(file, than: byKey[key]) { byKey[key] = file }
    }
    return Array(byKey.values)
  }

  /// Whether a file counts where another is of the same frame.
  /// - Throws: `FathomError` `.badData` where both are of one format.
  func isBetter(_ file: File, than other: File?) throws(FathomError) -> Bool {
    guard let other else { return true }
    let ranks = [file, other].map { MapFormat.rank(ofName: $0.name) ?? MapFormat.all.count }
    guard ranks[0] != ranks[1]
    else { throw setup.failure(file.path, "it is of the same frame as \(other.name)", "remove one of them") }
    return ranks[0] < ranks[1]
  }

  private mutating func open() throws(FathomError) {
    let (path, opened) = (setup.request.path, try MapSeries.opened(setup))
    stack = opened
    let name = PathText.last(path)
    guard opened.sizes.count > 1 else {
      files = [Self.file(name, at: path)]
      return
    }
    files = opened.sizes.indices.map { index in
      Self.layer(index, of: File(path: path, name: "\(name)[\(index)]", stems: []), [])
    }
  }

  /// - Parameter name: Below the folder that was named.
  static func file(_ name: String, at path: String) -> File {
    let parts = name.split(separator: "/").map(String.init), stems = FrameMaps.stems(name)
    // A folder for each picture stands for its file.
    let isFolderOfOne = parts.count > 1 && stems == [parts[parts.count - 2]]
    return File(path: path, name: name, folder: Array(parts.dropLast(isFolderOfOne ? 2 : 1)), stems: stems)
  }

  /// By folders, then by the first number in the name, then by the name.
  private static func precedes(_ a: File, _ b: File) -> Bool {
    guard a.folder == b.folder else {
      return a.folder.joined(separator: "/").utf8.lexicographicallyPrecedes(
        b.folder.joined(separator: "/").utf8)
    }
    let numbers = [a, b].map { FrameKey.number($0.stems[0]) ?? .max }
    return numbers[0] == numbers[1]
      ? a.name.utf8.lexicographicallyPrecedes(b.name.utf8) : numbers[0] < numbers[1]
  }

  /// The folders of a side without what all of them begin or end with: "a/depth" and "b/depth" are "a" and "b".
  var tellingFolders: [[String]] {
    let folders = files.map(\.folder), leading = Self.common(folders)
    let rest = folders.map { Array($0.dropFirst(leading)) }
    let trailing = Self.common(rest.map { $0.reversed() })
    return rest.map { Array($0.dropLast(trailing)) }
  }

  /// How many entries all of them begin with.
  static func common(_ lists: [[String]]) -> Int {
    guard let first = lists.first else { return 0 }
    return lists.reduce(first.count) { most, list in zip(first, list).prefix(most).prefix { $0 == $1 }.count }
  }
}
