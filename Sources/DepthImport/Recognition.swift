internal import FathomMapFiles
public import FathomStorage
import FathomPlainText
private import Foundation

/// Which format a folder is in, and by what that is known.
public struct Recognition: Sendable {
  public let preset: Preset
  /// Files by which it was recognised: the first that each pattern of the format matches.
  public let evidence: [String]
  /// The folder itself, or those right below it: one scene each.
  public let folders: [RecordingFolder]

  /// Looks for every format in a folder, and where there is none in the folders right below it.
  /// - Throws: `FathomError` `.badData` where no format matches, which says what lies there, or where two do.
  public init(of folder: RecordingFolder) throws(FathomError) {
    guard let found = try Recognition(whereKnown: folder) else { throw try FolderSurvey(of: folder).refusal }
    self = found
  }

  /// The same; nil where no format matches.
  /// - Throws: `FathomError` `.badData` where two match, where recordings lie deeper, or the files are of another kind.
  package init?(whereKnown folder: RecordingFolder) throws(FathomError) {
    let presets = try Preset.all().filter { !$0.mapping.looksFor.isEmpty }
    if let found = try Self.match(folder, presets) {
      (preset, evidence, folders) = (found.preset, found.evidence, [found.folder])
      return
    }
    var scenes: [(RecordingFolder, Preset, [String])] = []
    for name in folder.folders {
      let inner = try folder.inner(name)
      if let found = try Self.match(inner, presets) {
        scenes.append((found.folder, found.preset, found.evidence))
      }
    }
    guard let first = scenes.first else {
      if let deeper = try Self.deeper(folder, presets) { throw deeper }
      try folder.requireOwnFiles(to: "recognise the recording")
      if let kind = FolderKind.ofResults(in: folder.path) {
        throw FathomError(
          .badData, attempted: "open the data set", file: folder.path,
          reason: "it is a folder of results that fathom \(kind.command) wrote, not data",
          advice: kind.hasReport ? "name the data set, or show it with 'fathom report'" : "name the data set")
      }
      return nil
    }
    if let other = scenes.first(where: { $0.1.mapping.name != first.1.mapping.name }) {
      throw FathomError(
        .badData, attempted: "recognise the recording", file: folder.path,
        reason:
          "\(first.0.name) is \(first.1.mapping.title), and \(other.0.name) is \(other.1.mapping.title)",
        advice: "import one of them at a time")
    }
    (preset, evidence, folders) = (first.1, first.2.map { first.0.name + "/" + $0 }, scenes.map(\.0))
  }

  /// The same among formats whose maps are not depth as they are stored: few, because a truth may have very many files.
  package init?(ofCodedDepth folder: RecordingFolder) {
    let presets = (try? Preset.all())?.filter { preset in
      let mapping = preset.mapping
      return mapping.depth.isCoded && mapping.confidence == nil && !mapping.looksFor.isEmpty
    }
    for preset in presets ?? [] {
      func fits(_ folder: RecordingFolder) -> Bool {
        preset.mapping.looksFor.allSatisfy { !folder.files($0).isEmpty }
      }
      var scenes = fits(folder) ? [folder] : []
      if scenes.isEmpty,
        folder.folders.prefix(Self.mostLookedInto).contains(where: { name in
          (try? folder.inner(name)).map(fits) ?? false
        })
      {
        scenes = folder.folders.compactMap { try? folder.inner($0) }.filter(fits)
      }
      if !scenes.isEmpty {
        (self.preset, evidence, folders) = (preset, [], scenes)
        return
      }
    }
    return nil
  }

  private typealias Match = (preset: Preset, evidence: [String], folder: RecordingFolder)

  /// - Returns: The format, and the folder with files as deep as the format has them.
  private static func match(_ folder: RecordingFolder, _ presets: [Preset]) throws(FathomError) -> Match? {
    var found: [Match] = []
    for preset in presets {
      let mapping = preset.mapping
      var own = folder
      // Listed again only where its outermost folders are there.
      let places = mapping.looksFor.filter { $0.text.contains("/") }
      if places.allSatisfy({ folder.folders.contains(String($0.text.prefix { $0 != "/" })) }) {
        own = try folder.listed(levels: mapping.levels)
      }
      let evidence = mapping.looksFor.compactMap { own.files($0).first?.name }
      guard evidence.count == mapping.looksFor.count, mapping.isNamed(in: own) else { continue }
      found.append((preset, evidence, own))
    }
    // A format that asks for all that another one does, and more, says more.
    let sets = found.map { Set($0.preset.mapping.looksFor) }
    found = zip(found, sets).filter { _, own in !sets.contains { $0.isStrictSuperset(of: own) } }.map(\.0)
    guard found.count < 2 else {
      let listed = found.map { "\($0.preset.mapping.name) (\($0.evidence.joined(separator: ", ")))" }
      throw FathomError(
        .badData, attempted: "recognise the recording", file: folder.path,
        reason: "it could be \(listed.joined(separator: " or "))",
        advice: "fathom import \(flag: "format") says which"
      )
    }
    return found.first
  }

  /// The recording that a folder is a part of, and what people call its format; nil where it is part of none.
  static func outside(of path: String) -> (path: String, title: String)? {
    let inner = URL(fileURLWithPath: path).standardizedFileURL
    let outer = inner.deletingLastPathComponent().path
    guard let entries = try? FileManager.default.contentsOfDirectory(atPath: outer),
      entries.count <= mostBeside,
      let folder = try? RecordingFolder(outer), folder.folders.contains(inner.lastPathComponent),
      let presets = try? Preset.all().filter({ !$0.mapping.looksFor.isEmpty }),
      let found = try? match(folder, presets)
    else { return nil }
    return (outer, found.preset.mapping.title)
  }

  /// A folder of more is not a recording's.
  private static let mostBeside = 200
  /// Folders of each level that are looked into for ``deeper(_:_:)``.
  private static let mostLookedInto = 20
  /// What to say where recordings lie two folders down, as in "raw/Training/42444946"; nil where they do not.
  private static func deeper(_ folder: RecordingFolder, _ presets: [Preset]) throws(FathomError)
    -> FathomError?
  {
    for name in folder.folders.prefix(mostLookedInto) {
      let outer = try folder.inner(name)
      for inner in outer.folders.prefix(mostLookedInto) {
        let recording = try outer.inner(inner)
        guard let found = try match(recording, presets) else { continue }
        return FathomError(
          .badData, attempted: "recognise the recording", file: folder.path,
          reason: "its recordings lie two folders down: \(recording.path) is \(found.preset.mapping.title)",
          advice: "give \(outer.path), or one of them")
      }
    }
    return nil
  }
}

extension FolderKind {
  /// The kind of a folder of results: its marker names its maker, because others, too, write a calibration.json.
  public static func ofResults(in folder: String) -> FolderKind? {
    kinds(in: folder).first { (try? FileBytes.text(folder + "/" + $0.marker))?.contains("fathom") ?? false }
  }
}
