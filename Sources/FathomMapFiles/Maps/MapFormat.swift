package import FathomPictureFiles

/// A format of files that hold maps, whatever the maps are for: a format is one value, and a line of ``all``.
package struct MapFormat: Sendable {
  package let name: String
  /// How names of such files end, the usual ending first. They choose among files; the first bytes decide.
  let endings: [String]
  /// Whether a file that begins so, with 4096 bytes where it has them, is of this format.
  package let begins: @Sendable (_ first: [UInt8]) -> Bool
  /// Reads the header of a file, and its pixels when they are asked for.
  private let opening: @Sendable (_ path: String, _ role: MapKeys.Role) throws(PictureFault) -> MapFile
  /// The header of a file that is whole, from its ends; nil where they are not enough.
  var look: @Sendable (_ ends: FileBytes.Ends) throws(PictureFault) -> MapHeader? = {
    (_) throws(PictureFault) in nil
  }
  /// Reads all channels of a file of one map; nil where files of the format have one.
  var channels: (@Sendable (_ file: [UInt8]) throws(PictureFault) -> MapChannels)?

  /// All of them. Where a folder holds a frame's map in two formats, the first counts: MiDaS writes a picture beside each array.
  package static let all = [
    numpy, numpyArchive, pfm, exr, tiff, hdf5, png, pgm, matlab, colmap, sintel, openCV, table,
  ]

  /// The format of a file, by its first bytes.
  /// - Throws: `PictureFault` which says what it is instead.
  package init(of file: FileBytes.Ends) throws(PictureFault) {
    guard let format = Self.all.first(where: { $0.begins(file.first) })
    else { throw PictureFault(Self.refusal(of: file.first)) }
    self = format
  }

  package init(
    _ name: String, endings: [String], begins: @escaping @Sendable (_ first: [UInt8]) -> Bool,
    open: @escaping @Sendable (_ path: String) throws(PictureFault) -> MapFile
  ) {
    self.init(name, endings: endings, begins: begins) { (path, _) throws(PictureFault) in try open(path) }
  }

  /// A format whose files name several arrays, among which the role of the map chooses.
  package init(
    _ name: String, endings: [String], begins: @escaping @Sendable (_ first: [UInt8]) -> Bool,
    opening: @escaping @Sendable (_ path: String, _ role: MapKeys.Role) throws(PictureFault) -> MapFile
  ) { (self.name, self.endings, self.begins, self.opening) = (name, endings, begins, opening) }

  func open(_ path: String, for role: MapKeys.Role = .any) throws(PictureFault) -> MapFile {
    try opening(path, role)
  }

  /// The header of a file of one map that is whole. Of most files only the beginning and the end are read.
  package static func header(
    ofFrameAt path: String, for role: MapKeys.Role = .any
  ) throws(PictureFault) -> MapHeader {
    let ends = try FileBytes.Ends(path), format = try MapFormat(of: ends)
    let header: MapHeader
    if let found = try format.look(ends) {
      header = found
      try FileBytes.requireReadable(ends.fileSize)
    } else {
      header = try format.open(path, for: role).header
    }
    try header.requireMapSize()
    try header.requireOneLayer()
    return header
  }

  /// The channels of a file of one map.
  package static func channels(ofFrameAt path: String) throws(PictureFault) -> MapChannels {
    let format = try MapFormat(of: try FileBytes.Ends(path))
    if let channels = format.channels { return try channels(try FileBytes.read(path)) }
    let file = try format.open(path)
    try file.header.requireMapSize()
    try file.header.requireOneLayer()
    return MapChannels(try file.layer(0))
  }

  /// Position in ``all`` of the format that a file's name says; nil where it says none.
  package static func rank(ofName name: String) -> Int? {
    let ending = FileEnding.of(name)
    return all.firstIndex { $0.endings.contains(ending) }
  }

  /// Whether a file begins as one of the formats, whatever its name. One that cannot be read may be one: who reads it says why.
  package static func mayBeMap(at path: String) -> Bool {
    guard let ends = try? FileBytes.Ends(path) else { return true }
    return begins(ends)
  }

  /// Whether a file begins as one of the formats.
  package static func begins(_ ends: FileBytes.Ends) -> Bool { all.contains { $0.begins(ends.first) } }

  /// ".npy, .npz or .png"
  package static var usualEndings: String {
    let endings = all.compactMap { $0.endings.first.map { "." + $0 } }
    return endings.dropLast().joined(separator: ", ") + " or " + (endings.last ?? "")
  }

  /// What a file is that begins as none of the formats.
  package static func refusal(of first: [UInt8]) -> String {
    func begins(_ bytes: [UInt8], at place: Int = 0) -> Bool { first.dropFirst(place).starts(with: bytes) }
    if first.isEmpty { return "it is empty" }
    if begins([0xFF, 0xD8, 0xFF]) { return "a JPEG is lossy and has 8 bits" }
    // "ftyp" of MP4 and QuickTime; Matroska; AVI.
    if begins(Array("ftyp".utf8), at: 4) || begins([0x1A, 0x45, 0xDF, 0xA3])
      || begins(Array("RIFF".utf8)) && begins(Array("AVI ".utf8), at: 8)
    {
      return "a video is lossy and has 8 bits"
    }
    if first[0] == 0x80, first.count > 1, (2...5).contains(first[1]) { return NumpyArchive.pickle }
    if begins([0x1F, 0x8B]) { return "it is packed with gzip; unpack it" }
    if let kind = ForeignFile.kind(first) ?? ForeignKind(first, ending: "")?.title { return "it is \(kind)" }
    let names = all.map(\.name).joined(separator: ", ")
    let isText = first.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (9...13).contains($0) }
    return isText
      ? "it is text, but not numbers alone, and a map is one of \(names)"
      : "its first bytes are \(hexadecimal(first.prefix(4))), and a map is one of \(names)"
  }

  /// "89 50 4E 47"
  private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: " ")
  }
}
