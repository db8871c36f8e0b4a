internal import FathomArchives
internal import DepthCore
package import FathomMapFiles
package import FathomPictureFiles
private import Foundation
internal import DepthDataset
internal import FathomPlainText
public import FathomStorage

/// The files of a recording's folder or archive, by name.
public struct RecordingFolder: Sendable {
  /// As the user named it.
  public let path: String
  /// Where the files lie: the folder, or what an archive was unpacked into.
  private let root: String
  /// Holds what was unpacked.
  private let archive: (any Sendable)?
  /// Names of the files, relative to the folder, in the order of their bytes; hidden ones are skipped.
  public private(set) var names: [String]
  /// Names of the folders right below.
  public private(set) var folders: [String]
  /// Whether it is a single file, whose arrays a mapping names.
  private let isSingleFile: Bool
  /// What names that are not files stand for: "rooms.h5: depth[12]".
  private var arrays: [String: StoredArray] = [:]
  /// One of several maps in a file: "depth.npy[12]".
  private var layers: [String: (file: MapFile, layer: Int, name: String)] = [:]
  /// Folders of formats are not deeper.
  package static let mostLevels = 3
  /// A disk is not a recording.
  private static let mostFiles = 2_000_000
  /// Whether it came as an archive.
  private let isPacked: Bool
  /// The folder above, if files in it may belong to this one; nil of an archive.
  private let outer: String?
  /// Names in it of files that may hold a camera, as seen from here: "../info.txt".
  private let camerasAbove: [String]
  /// Where its links may lead: into the folder itself, and where else that is allowed.
  private let bounds: [String]

  /// Whether a path names what may be a recording: a folder, or an archive.
  public static func isOne(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && (isFolder.boolValue || UnpackedArchive.isArchive(path))
  }

  /// An archive is unpacked into a temporary folder, which is there as long as this or a copy of it.
  /// - Throws: `FathomError` `.noInput` where it is not a folder or archive, or cannot be read; `.badData` where it holds too much, or
  ///   the archive is damaged.
  public init(_ path: String) throws(FathomError) {
    try self.init(path, unpacked: nil, external: ExternalFolders())
  }

  /// - Parameter opensArrays: Whether it may be an HDF5 file, whose arrays a mapping names.
  /// - Parameter unpacked: Where the files of an archive lie already; nil where they do not.
  /// - Parameter external: Where links that lead out of the folder are followed.
  /// - Parameter levels: How deep folders are looked into; 1 for the folder alone.
  package init(
    _ path: String, opensArrays: Bool = false, unpacked: String?, external: ExternalFolders,
    levels: Int = mostLevels
  ) throws(FathomError) {
    var trimmed = path[...]
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    self.path = String(trimmed)
    source = self.path
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: self.path, isDirectory: &isFolder)
    else { throw Self.failure(path, "there is no such file or folder", "check the path") }
    if opensArrays, !isFolder.boolValue, ForeignFile.isHDF5(self.path) {
      let url = URL(fileURLWithPath: self.path)
      (root, archive, isPacked, isSingleFile, bounds) = (
        url.deletingLastPathComponent().path, nil, false, true, []
      )
      (name, names, folders) = (url.deletingPathExtension().lastPathComponent, [url.lastPathComponent], [])
      (outer, camerasAbove) = (nil, [])
      return
    }
    isSingleFile = false
    camerasAbove = []
    outer = isFolder.boolValue ? Self.folder(above: self.path) : nil
    if isFolder.boolValue {
      (root, archive, isPacked) = (self.path, nil, false)
      name = Self.lastPart(self.path)
    } else {
      guard UnpackedArchive.isArchive(self.path) else {
        if let kind = ForeignFile.kind(of: self.path) {
          throw FathomError(
            .badData, attempted: "read the recording", file: path,
            reason: "it is \(kind), and a recording is a folder, or a zip or tar of one",
            advice: ForeignFile.advice)
        }
        throw FathomError(
          .badData, attempted: "read the recording", file: path,
          reason: "it is a file, and a recording is a folder, or a zip or tar of one",
          advice: "give the folder")
      }
      let archive = unpacked == nil ? try UnpackedArchive(self.path) : nil
      var (root, name) = (unpacked ?? archive?.folder ?? "", Self.stem(self.path))
      // Packers put the folder itself into the archive.
      while let only = Self.onlyFolder(root) { (root, name) = (root + "/" + only, only) }
      (self.root, self.archive, self.name, isPacked) = (root, archive, name, true)
    }
    bounds = [ExternalFolders.resolved(root) ?? root] + external.places(besides: self.path)
    (names, folders) = try Self.listed(root, self.path, bounds, levels)
  }

  /// What the recording is called: the last part of its path.
  public let name: String

  /// A folder right below it.
  func inner(_ name: String, levels: Int = mostLevels) throws(FathomError) -> RecordingFolder {
    try RecordingFolder(name, in: self, levels)
  }

  /// The same with the files of so many levels: 1 for those of the folder itself.
  func listed(levels: Int) throws(FathomError) -> RecordingFolder {
    guard !isSingleFile, levels > Self.mostLevels else { return self }
    var deeper = self
    (deeper.names, deeper.folders) = try Self.listed(root, path, bounds, levels)
    return deeper
  }

  /// The folders that a mapping describes, as deep as it names files: this one, or those right below it that have depth.
  func scenes(of mapping: RecordingMapping) throws(FathomError) -> [RecordingFolder] {
    let own = try listed(levels: mapping.levels)
    guard !isSingleFile, !mapping.describes(own) else { return [own] }
    var scenes: [RecordingFolder] = []
    for name in folders {
      let scene = try inner(name, levels: max(Self.mostLevels, mapping.levels))
      if mapping.describes(scene) { scenes.append(scene) }
    }
    return scenes.isEmpty ? [own] : scenes
  }

  private init(_ name: String, in outer: RecordingFolder, _ levels: Int) throws(FathomError) {
    (path, root, self.name) = (outer.path + "/" + name, outer.root + "/" + name, name)
    (archive, isPacked, bounds) = (outer.archive, outer.isPacked, outer.bounds)
    self.outer = outer.root
    camerasAbove = outer.names.filter { !$0.hasPrefix(name + "/") && Self.isNamedAsCamera($0) }
      .map { "../" + $0 }
    (source, isSingleFile) = (outer.source, false)
    (names, folders) = try Self.listed(root, path, bounds, levels)
  }

  /// Seconds that reading anything of it may take, from the sizes of its files; they are not looked into.
  static func patience(_ path: String, external: ExternalFolders) throws(FathomError) -> Double {
    var status = stat()
    guard stat(path, &status) == 0
    else { throw failure(path, "there is no such file or folder", "check the path") }
    guard status.st_mode & S_IFMT == S_IFDIR else { return ReaderProcess.patience(Int(status.st_size)) }
    let folder = try RecordingFolder(path, unpacked: nil, external: external)
    var bytes = 0
    for name in folder.names where stat(folder.path(of: name), &status) == 0 { bytes += Int(status.st_size) }
    return ReaderProcess.patience(bytes) + Double(folder.names.count) / 20
  }

  /// The files whose digests tell whether it changed.
  /// - Parameter names: Files that are read.
  func sources(_ names: [String]) throws(FathomError) -> SourceFiles {
    isPacked || isSingleFile ? try SourceFiles(ofFile: path) : try SourceFiles(ofFolder: path, files: names)
  }

  private static func lastPart(_ path: String) -> String {
    let real = URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().lastPathComponent
    return real.isEmpty || real == "/" ? "recording" : real
  }

  /// "scan" of "scan.tar.gz".
  private static func stem(_ path: String) -> String {
    let name = lastPart(path)
    let ending = [".tar.gz", ".tgz", ".tar", ".zip", ".r3d"].first { name.lowercased().hasSuffix($0) }
    return ending == nil || ending?.count == name.count ? name : String(name.dropLast(ending?.count ?? 0))
  }

  /// The folder in a folder that holds nothing else.
  static func onlyFolder(_ root: String) -> String? {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    var isFolder: ObjCBool = false
    guard entries.count == 1, let only = entries.first,
      FileManager.default.fileExists(atPath: root + "/" + only, isDirectory: &isFolder), isFolder.boolValue
    else { return nil }
    return only
  }

  /// The archive in a folder that shows nothing else.
  static func onlyArchive(in path: String) -> String? {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let shown = entries.filter { !$0.hasPrefix(".") }
    guard shown.count == 1 else { return nil }
    let only = path + (path.hasSuffix("/") ? "" : "/") + shown[0]
    return FileEnding.of(only) != "npz" && UnpackedArchive.isArchive(only) ? only : nil
  }

  private static func listed(
    _ root: String, _ shown: String, _ bounds: [String], _ levels: Int
  ) throws(FathomError) -> (names: [String], folders: [String]) {
    var (found, folders): ([String], [String]) = ([], [])
    try list(root, "", levels, &found, &folders, shown, bounds)
    return (
      found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) },
      folders.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    )
  }

  /// The files that match, with what the stars stand for; where none does, those that do in letters of another case.
  func files(_ pattern: FilePattern) -> [(name: String, capture: String)] {
    func found(_ anyCase: Bool) -> [(name: String, capture: String)] {
      names.compactMap { name in pattern.capture(in: name, inAnyCase: anyCase).map { (name, $0) } }
    }
    let exact = found(false)
    return exact.isEmpty ? found(true) : exact
  }

  /// The files of the first pattern that any file matches.
  package func files(_ patterns: [FilePattern]) -> [(name: String, capture: String)] {
    for pattern in patterns {
      let found = files(pattern)
      if !found.isEmpty { return found }
    }
    return []
  }

  package func path(of name: String) -> String { root + "/" + name }
  /// Whether the files were unpacked from an archive.
  var isUnpacked: Bool { isPacked }
  /// The folder, or the archive that was unpacked.
  let source: String

  /// The files of one kind, or the arrays in them, with what their stars stand for.
  /// - Throws: `FolderFault` where a file holds other arrays than the mapping says.
  mutating func files(_ source: MapSource) throws(FolderFault) -> [(name: String, capture: String)] {
    let files = files(source.files)
    if files.isEmpty, let packed = source.packed, let name = self.files(packed.files).first?.name {
      do throws(PictureFault) { return all(of: try packed.open(path(of: name)), name) } catch {
        throw FolderFault(file: name, reason: error.reason, advice: PackedFrames.advice)
      }
    }
    guard let array = source.array else {
      guard files.count == 1, let file = try? MapFile(at: path(of: files[0].name)),
        file.header.layerCount > 1, file.header.size.width > 4
      else { return files }
      return all(of: file, files[0].name)
    }
    var found: [(name: String, capture: String)] = []
    for (file, capture) in files {
      let own: [(place: StoredArray, capture: String)]
      do throws(PictureFault) { own = try StoredArray.all(array, in: path(of: file)) } catch {
        throw FolderFault(file: file, reason: error.reason)
      }
      for (place, inside) in own {
        let name = "\(file): \(place.array)" + (place.layer.map { "[\($0)]" } ?? "")
        arrays[name] = place
        // The name of the only file tells no frames apart.
        let parts = (files.count == 1 && !inside.isEmpty ? [] : [capture]) + [inside]
        found.append((name, parts.filter { !$0.isEmpty }.joined(separator: "-")))
      }
    }
    return found
  }

  /// The maps of a file of numpy's that holds several that can be depth; the group itself where it holds none.
  mutating func opened(_ group: FileGroup) -> FileGroup {
    guard group.names.count == 1, ["npy", "npz"].contains(FileEnding.of(group.names[0])),
      let maps = try? files(MapSource(files: [FilePattern(group.names[0])])), maps.count > 1,
      (try? probe(maps[0].name))?.holdsDepth == true
    else { return group }
    return FileGroup(of: group.names[0], maps)
  }

  /// The maps of a file, numbered from 0.
  private mutating func all(of file: MapFile, _ fileName: String) -> [(name: String, capture: String)] {
    (0..<file.header.layerCount).map { layer in
      let (name, digits) = ("\(fileName)[\(layer)]", String(layer))
      layers[name] = (file, layer, fileName)
      return (name, String(repeating: "0", count: max(0, 6 - digits.count)) + digits)
    }
  }

  /// A file, or an array in one, that is not what the mapping says.
  struct FolderFault: Error {
    let file: String, reason: String
    var advice: Wording = "fix the mapping; 'fathom inspect' shows the arrays of a file"
  }

  func isFile(_ name: String) -> Bool { arrays[name] == nil && layers[name] == nil }

  func fileName(of name: String) -> String {
    arrays[name].map { String($0.path.dropFirst(root.count + 1)) } ?? layers[name]?.name ?? name
  }

  /// A map by its name.
  /// - Parameter known: Numbers of the frame that a formula may name.
  package func map(
    _ name: String, _ reader: MapReader = MapReader(), _ known: [String: Double] = [:]
  ) throws(PictureFault) -> StoredMap {
    guard reader.reading.isPlain else {
      let channels = try channels(name, reader)
      return .reals(try reader.reading.map(channels, invalid: reader.invalid, known))
    }
    if let array = arrays[name] { return try array.map() }
    if let place = layers[name] { return try place.file.layer(place.layer) }
    if let raw = reader.raw { return try raw.map(try FileBytes.read(path(of: name))) }
    let file = try MapFile(at: path(of: name))
    try file.header.requireOneLayer()
    guard !file.header.hasColours
    else { throw PictureFault("it is not a single-channel map: it has colour or alpha") }
    return try file.layer(0)
  }

  private func channels(_ name: String, _ reader: MapReader) throws(PictureFault) -> MapChannels {
    if let array = arrays[name] { return try array.channels() }
    if let place = layers[name] { return MapChannels(try place.file.layer(place.layer)) }
    if let raw = reader.raw { return MapChannels(try raw.map(try FileBytes.read(path(of: name)))) }
    return try MapFormat.channels(ofFrameAt: path(of: name))
  }

  func picture(_ name: String) throws(PictureFault) -> Raster<RGB> {
    if let array = arrays[name] { return try array.picture() }
    return try PictureReader.picture(try FileBytes.read(path(of: name)))
  }

  /// What can be said about a map without reading its numbers.
  func probe(_ name: String, _ reader: MapReader = MapReader()) throws(PictureFault) -> MapHeader {
    var header: MapHeader?
    if let array = arrays[name] { header = MapHeader(size: array.size, bits: array.bits, form: array.form) }
    if let place = layers[name] {
      header = place.file.header
      header?.layerCount = 1
    }
    if let raw = reader.raw { header = try raw.header(try FileBytes.read(path(of: name))) }
    guard !reader.reading.isPlain else {
      if let header { return header }
      return try MapFormat.header(ofFrameAt: path(of: name))
    }
    // Several channels of an array look like maps behind each other until they are read.
    if header == nil { header = try? MapFormat.header(ofFrameAt: path(of: name)) }
    let (bits, form) = (header?.bits ?? 32, header?.form ?? "several channels")
    let size = if let header { header.size } else { try channels(name, reader).size }
    return MapHeader(size: size, bits: reader.reading.combines ? 32 : bits, form: form)
  }

  func size(ofPicture name: String) throws(PictureFault) -> RasterSize {
    if let array = arrays[name] { return array.size }
    return try PictureFile.size(at: path(of: name))
  }

  /// The first file of a folder in which there is nothing but such files.
  var foreignFile: (name: String, kind: String)? {
    guard names.count <= Self.mostForeignFiles, let first = names.first,
      let kind = ForeignFile.kind(of: path(of: first)),
      names.dropFirst().allSatisfy({ ForeignFile.kind(of: path(of: $0)) != nil })
    else { return nil }
    return (first, kind)
  }

  /// With more, looking into each takes too long.
  private static let mostForeignFiles = 1000

  /// - Throws: `FathomError` `.badData` where there is nothing but files that no recording consists of.
  func requireOwnFiles(to attempted: String) throws(FathomError) {
    guard let (name, kind) = foreignFile else { return }
    throw FathomError(
      .badData, attempted: attempted, file: path, object: name,
      reason: "it is \(kind), and what its arrays mean is not known", advice: ForeignFile.advice)
  }

  /// A file that a mapping names, by its name or by a pattern; one that a user names lies where the user is.
  func file(_ name: String) -> String? {
    name.hasPrefix("/") ? name : files(FilePattern(name)).first.map { path(of: $0.name) }
  }

  /// The same, or the file of this name in the folder above, as of a data set whose scenes share a camera.
  func fileHereOrAbove(_ name: String) -> String? {
    file(name) ?? outer.flatMap { Self.file(name, in: $0) }
  }

  /// A file beside a recording's folder; none that a link in its place leads to.
  static func file(_ name: String, besides path: String) -> String? { file(name, in: folder(above: path)) }

  private static func file(_ name: String, in folder: String) -> String? {
    let path = folder + "/" + name
    var status = stat()
    guard !name.hasPrefix("/"), lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return path
  }

  private static func folder(above path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.deletingLastPathComponent().path
  }

  /// Names of files, here and in the folder above, that may hold a camera.
  var namedAsCameras: [String] { names.filter(Self.isNamedAsCamera) + camerasAbove }

  private static func isNamedAsCamera(_ name: String) -> Bool {
    guard ["txt", "json", "yaml", "yml", "xml", "csv", "npy", "ini"].contains(FileEnding.of(name))
    else { return false }
    let words = Set(GroupRole.nameWords(name))
    return words.isDisjoint(with: ["pose", "poses", "extrinsic", "extrinsics"])
      && !words.isDisjoint(with: [
        "k", "cam", "camera", "cameras", "calib", "calibration", "intrinsic", "intrinsics", "info",
      ])
  }

  private static func list(
    _ root: String, _ below: String, _ levels: Int, _ files: inout [String], _ folders: inout [String],
    _ shown: String, _ bounds: [String]
  ) throws(FathomError) {
    let folder = below.isEmpty ? root : root + "/" + below
    let entries: [String]
    do { entries = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      throw failure(shown, SystemFault(error).words, "check who may read it")
    }
    for entry in entries where !entry.hasPrefix(".") {
      let name = below.isEmpty ? entry : below + "/" + entry
      var status = stat()
      guard stat(root + "/" + name, &status) == 0 else { continue }
      try requireInside(bounds, root, name, shown)
      switch status.st_mode & S_IFMT {
      case S_IFREG: files.append(name)
      case S_IFDIR:
        if below.isEmpty { folders.append(entry) }
        if levels > 1 { try list(root, name, levels - 1, &files, &folders, shown, bounds) }
      default: continue  // a pipe would be waited for
      }
      guard files.count <= mostFiles else {
        throw FathomError(
          .badData, attempted: "read the recording", file: shown,
          reason: "it holds more than \(mostFiles) files", advice: "give the folder of one recording")
      }
    }
  }

  /// Whoever made the folder could have it read other files of the user's.
  private static func requireInside(
    _ bounds: [String], _ root: String, _ name: String, _ shown: String
  ) throws(FathomError) {
    var status = stat()
    guard lstat(root + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFLNK,
      !ExternalFolders.holds(bounds, root + "/" + name)
    else { return }
    throw FathomError(
      .badData, attempted: "read the recording", file: shown, object: name,
      reason: "it is a link that leads out of the folder",
      advice:
        "put the files themselves there; if you made the link, add \(option: "allow-external") for files beside the folder, or \(option: "external-folder") DIR"
    )
  }

  private static func failure(_ path: String, _ reason: String, _ advice: String) -> FathomError {
    FathomError(.noInput, attempted: "read the recording", file: path, reason: reason, advice: advice)
  }
}
