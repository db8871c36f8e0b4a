internal import FathomMapFiles
import FathomPlainText
internal import DepthCore
internal import DepthDataset
internal import FathomStorage

/// What lies in a folder that no format describes: its files by place and name, what each can be, and a mapping that follows.
public struct FolderSurvey: Sendable, Codable {
  /// Files that are named alike but for their numbers.
  public struct Group: Sendable, Codable {
    /// As a mapping names them: "depth/*.png".
    public var files: String
    public var count: Int
    /// "0000 to 0011"; empty for a single file.
    public var numbers: String
    /// "PNG, 16 bits a channel", "numbers named fx, fy", "a video"
    public var kind: String
    /// "256×192"; nil for what is neither a map nor a picture.
    public var size: String?
    /// "1630 to 4260, median 3360": of some of the maps.
    public var range: String?
    /// "depth", "colour", "camera", "poses"; nil for what is left over.
    public var role: String?
    /// By what that is known.
    public var why: String?
  }

  public var path: String
  public var groups: [Group] = []
  /// Folders that each hold the same groups, where the groups are those of the first of them.
  public var scenes: [String] = []
  /// "nearly Stray Scanner: camera_matrix.csv is missing"
  public var nearly: [String] = []
  /// YAML for a mapping; nil where nothing can be depth.
  public var mapping: String?
  /// What is still open, so that the mapping must be looked at: "its unit: 0.001 (millimetres): 1.63 to 4.26 m".
  public var open: [String] = []
  /// What reads the folder.
  public var command: String?
  /// Whether a format describes the folder, or those right below it.
  public var isOfKnownFormat: Bool
  /// More groups are not looked into.
  private static let mostGroups = 200

  /// Looks at every name, and into some files of each group.
  /// - Parameter folder: It is listed anew, deeper than formats reach.
  /// - Parameter scale: Metres of one count, where the user says them.
  /// - Parameter hasCamera: Whether the user says the intrinsics.
  init(of folder: RecordingFolder, scale: Double? = nil, hasCamera: Bool = false) throws(FathomError) {
    let folder = try folder.listed(levels: Self.levels)
    path = folder.path
    isOfKnownFormat = (try? Recognition(whereKnown: folder)) != nil
    scenes = Self.scenes(folder.names)
    var scene =
      try scenes.first.map { name throws(FathomError) in try folder.inner(name, levels: Self.levels) }
      ?? folder
    var surveyed: [SurveyedGroup] = []
    for group in FileGroup.groups(scene.names).prefix(Self.mostGroups) {
      surveyed.append(SurveyedGroup(scene.opened(group), scene))
    }
    let reading = SurveyReading(surveyed, scene, scale: scale, hasCamera: hasCamera)
    groups = surveyed.map { reading.described($0) }
    let near = try Self.nearly(folder, reading)
    nearly = near.map { "nearly \($0.mapping.title): \($0.missing) is missing" }
    guard let proposal = reading.mapping(named: folder.name) else {
      guard let raw = RawProposal(reading, in: scene) else { return }
      (mapping, open) = (raw.mapping, [raw.open])
      command = "fathom import \(path.shellQuoted) OUT.h5 \(flag: "mapping") FILE"
      return
    }
    (mapping, open) = (proposal.text, near.map { "whether it is \($0.mapping.title)" } + proposal.open)
    let recording = "fathom import \(path.shellQuoted) OUT.h5"
    command =
      if open.isEmpty {
        recording
      } else if near.count == 1, near[0].mapping.describes(folder) {
        "\(recording) \(flag: "format") \(near[0].mapping.name)"
      } else if proposal.isOpenInItsUnitAlone, near.isEmpty {
        "\(recording) \(flag: "depth-scale") METRES"
      } else if proposal.isOpenInItsCameraAlone, near.isEmpty {
        "\(recording) \(flag: "intrinsics") fx,fy,cx,cy"
      } else {
        "\(recording) \(flag: "mapping") FILE"
      }
  }

  /// As deep as is looked.
  static let levels = 8
  /// Whether there is exactly one reading.
  var isDecided: Bool { mapping != nil && open.isEmpty }

  /// Folders right below that hold files of the same names, several groups each: scenes of one data set.
  package static func scenes(_ names: [String]) -> [String] {
    var inside: [Substring: [String]] = [:]
    for name in names {
      guard let slash = name.firstIndex(of: "/") else { continue }
      inside[name[..<slash], default: []].append(String(name[name.index(after: slash)...]))
    }
    // Of a folder for each frame they are frames.
    guard inside.count > 1, !FileGroup.frames(names).keys.contains(where: { $0.hasPrefix("*/") }) else {
      return []
    }
    func kinds(_ names: [String]) -> Set<String> {
      Set(FileGroup.groups(names).map { $0.pattern.lowercased() })
    }
    let all = inside.mapValues(kinds)
    // Folders that differ in a number may hold one map each.
    let areNumbered = Set(inside.keys.map { $0.filter { !$0.isNumber } }).count == 1
    func isOfMaps(_ pattern: String) -> Bool {
      (areNumbered || pattern.contains("*")) && MapFormat.rank(ofName: pattern) != nil
    }
    guard let first = all.min(by: { $0.key < $1.key })?.value, first.count > 1,
      first.contains(where: isOfMaps), all.values.allSatisfy({ !$0.isDisjoint(with: first.filter(isOfMaps)) })
    else { return [] }
    return all.keys.sorted().map(String.init)
  }

  /// Formats that lack only one of several files, if one that is there belongs to hardly any other.
  ///
  /// A format that would leave pictures, a camera or poses unread is another one, whose depth may have another unit.
  private static func nearly(
    _ folder: RecordingFolder, _ reading: SurveyReading
  ) throws(FathomError) -> [(mapping: RecordingMapping, missing: String)] {
    try Preset.all().map(\.mapping).compactMap { mapping in
      let (found, missing) = mapping.looksFor.reduce(into: ([FilePattern](), [FilePattern]())) {
        sides, pattern in
        if folder.files(pattern).isEmpty { sides.1.append(pattern) } else { sides.0.append(pattern) }
      }
      guard missing.count == 1, found.contains(where: \.isTelling), reading.used.allSatisfy(mapping.reads)
      else { return nil }
      return (mapping, missing[0].text)
    }
  }

  /// All of it in one line, where the folder is refused.
  var refusal: FathomError {
    func refused(_ reason: String, _ advice: Wording) -> FathomError {
      FathomError(
        .badData, attempted: "recognise the recording", file: path, reason: "\(reason)", advice: advice)
    }
    guard !groups.isEmpty else { return refused(inventory, "check how it was copied or unpacked") }
    var said = nearly
    if said.isEmpty { said = ["it has the files of no format"] }
    said.append(inventory)
    let inspect: Wording = "'fathom inspect \(path.shellQuoted)' shows all of it"
    guard let command else {
      for group in groups {
        guard let kind = ForeignKind.called(group.kind), kind.isOfROS else { continue }
        let isWhole = group.count > 1 || groups.contains { $0.files == "metadata.yaml" }
        return refused(
          "\(group.files) is \(kind.title)", kind.advice(for: isWhole ? path : "\(path)/\(group.files)"))
      }
      if nearly.isEmpty, let zarr = groups.first(where: { $0.files.contains(".zarr/") }) {
        return refused(
          "\(zarr.files) is a part of a Zarr array",
          "save the array in Python with numpy.save('depth.npy', zarr.open(FOLDER)['depth'][:]), and give its folder"
        )
      }
      for group in nearly.isEmpty ? groups : [] {
        guard let kind = ForeignKind.called(group.kind), kind.isReadElsewhere else { continue }
        return refused("\(inventory): \(group.files) is \(kind.title)", kind.advice(for: path))
      }
      let archive = groups.first { $0.kind == FileContent.archive }?.files
      let packed = groups.first { group in
        group.kind.hasSuffix("pictures")
          && GroupRole.kind(namedIn: GroupRole.nameWords(group.files), among: [.depth, .truth]) != nil
      }?.files
      if let packed, archive == nil {
        return refused(
          said.joined(separator: ": "),
          "if \(packed) packs depth into its channels, give its formula, as for CARLA: 'fathom import \(path.shellQuoted) OUT.h5 \(flag: "format") folder \(flag: "depth-formula") \"(r + 256*g + 65536*b) / 16777215 * 1000\" \(flag: "depth-scale") 1'; \(inspect)"
        )
      }
      return refused(
        said.joined(separator: ": "),
        archive.map { "give one of its archives, \("\(path)/\($0)".shellQuoted)" }
          ?? "nothing in it can be depth; \(inspect)")
    }
    let isOpen = open.isEmpty ? "" : " (open: \(open.joined(separator: "; ")))"
    return refused(
      said.joined(separator: ": "),
      nearly.isEmpty
        ? "read it with '\(command)'\(isOpen); \(inspect) and a mapping"
        : "add the file, or read it with '\(command)'\(isOpen); \(inspect) and a mapping")
  }

  /// "it holds depth/*.png (12 files, PNG 16 bits a channel, 128×96: depth); …"
  var inventory: String {
    guard !groups.isEmpty else { return "the folder is empty" }
    let listed = (groups.filter { $0.role != nil } + groups.filter { $0.role == nil }).prefix(Self.mostListed)
    let more = groups.count > listed.count ? "; and \(groups.count - listed.count) more" : ""
    return "it holds " + (scenes.isEmpty ? "" : "in each of \(scenes.count) folders ")
      + listed.map(\.line).joined(separator: "; ") + more
  }

  private static let mostListed = 6
}

extension FolderSurvey.Group {
  /// "depth/*.png (12 files, PNG 16 bits, 128×96: depth)"
  var line: String {
    let parts = [count == 1 ? nil : counted(count, "file"), kind, size].compactMap(\.self).joined(
      separator: ", ")
    return "\(files) (\(parts)\(role.map { ": \($0)" } ?? ""))"
  }
}

extension FilePattern {
  /// Whether hardly anything but one format has such files: "odometry.csv", "frame-*.pose.txt", and not "depth/*.png".
  fileprivate var isTelling: Bool {
    let parts = text.split(separator: "/")
    guard let last = parts.last else { return false }
    return !last.hasPrefix("*") || parts.contains { $0.contains("_") }
  }
}
