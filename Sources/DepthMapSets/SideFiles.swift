internal import DepthImport
internal import FathomMapFiles
internal import FathomPlainText

/// The files that one side takes of a folder that holds several kinds: pictures and masks beside depth, predictions beside the truth.
///
/// Files are told apart by the words of their names and by what one of each kind holds. Where that leaves none, all are taken.
struct SideFiles {
  private(set) var names: [String]
  /// Masks beside the truth that are not 0 where it counts, a list for each kind.
  private(set) var masks: [[String]] = []
  /// "12 pictures, first a.png"; nil where every file is taken or a mask.
  private(set) var skipped: String?

  private struct Kind: Hashable {
    var role: GroupRole.Kind?
    /// Of the name, for masks: several kinds of them may lie there.
    var parts: [String] = []
    var ending: String
    /// Words of the file's own name, where a few tell kinds apart: "rgba", "depth", "forward flow" of Kubric.
    var words: [String] = []
  }
  /// Names of more words are names of pictures, not of kinds.
  private static let mostKinds = 24

  /// - Parameter network: Name of the prediction.
  /// - Parameter others: Names of networks whose maps lie in the same folder: they are not the truth.
  init(
    _ names: [String], of folder: RecordingFolder, for role: MapSide.Role, named network: String?,
    beside others: [String]
  ) {
    let isShared = !others.isEmpty
    let own = names.filter { name in !others.contains { Self.isNamed(name, $0) } }
    let names = own.isEmpty ? names : own
    self.names = names
    guard [.truth, .prediction, .image].contains(role) else { return }
    let words = names.map { GroupRole.nameWords($0.split(separator: "/").last.map(String.init) ?? $0) }
    let haveKinds = Set(words).count <= Self.mostKinds
    let kinds = zip(names, words).map { name, words in
      var kind = Self.kind(name)
      // Of masks, their own words tell.
      if haveKinds, kind.role != .mask { kind.words = words }
      return (kind, name)
    }
    var groups = Dictionary(grouping: kinds, by: \.0).mapValues { $0.map(\.1) }
    func isOther(_ name: String) -> Bool { !GroupRole.others.isDisjoint(with: GroupRole.nameWords(name)) }
    guard
      groups.count > 1 || names.contains(where: isOther) || network.map({ Self.isNamed(names, $0) }) == true
    else { return }
    var (pictures, others, unreadable): ([String], [String], [String]) = ([], [], [])
    var areMapsThere = false
    for (kind, files) in groups {
      switch FileContent(files[files.count / 2], of: folder) {
      case .picture: pictures += files
      case .map(let header, _) where !header.holdsDepth && kind.role != .mask:
        if role == .image { pictures += files } else { others += files }
      case .numbers: others += files
      // A set of frames may be called "valid", too.
      case .map(let header, _) where kind.role == .mask && header.holdsDepth:
        if (try? MapNumbers(files, of: folder))?.levels != nil { continue }
        groups[kind] = nil
        groups[Kind(role: nil, parts: kind.parts, ending: kind.ending, words: kind.words)] = files
      // Pixels of several channels, such as normals and points, or tables of boxes. A single file may be a damaged map.
      case .map, .other:
        if groups.count == 1 || files.count > 1 && Self.holdMaps(files, of: folder) {
          areMapsThere = true
        } else if files.count > 1 {
          unreadable += files
        }
      case .unknown: break
      }
    }
    if areMapsThere { others += unreadable }
    if role == .image {
      if !pictures.isEmpty { self.names = pictures }
      return
    }
    func keep(_ isKept: (String) -> Bool) {
      let kept = self.names.filter(isKept)
      if !kept.isEmpty { self.names = kept }
    }
    let left = Set(pictures + others)
    keep { !left.contains($0) }
    let roles = Dictionary(
      groups.flatMap { kind, files in files.map { ($0, kind.role) } }, uniquingKeysWith: { first, _ in first }
    )
    keep { roles[$0] != .mask && roles[$0] != .confidence }
    keep { !isOther($0) }
    /// Files without any word in their names are not left for others that have one.
    func saysMore() -> Bool { self.names.allSatisfy { (roles[$0] ?? nil) != nil } }
    if role == .truth {
      keep { roles[$0] != .prediction }
      if saysMore() || isShared { keep { roles[$0] == .truth } }
      let found = groups.filter { $0.key.role == .mask }.sorted { $0.value[0] < $1.value[0] }
      let areOfIBims = ["invalid", "transp"].allSatisfy { word in
        found.contains { $0.key.parts.contains(word) }
      }
      masks = found.filter { Self.isOfValidity($0.key.parts, areOfIBims) }.map(\.value)
    } else if let network, Self.isNamed(self.names, network) {
      keep { Self.isNamed($0, network) }
    } else {
      keep { roles[$0] != .truth }
    }
    let taken = Set(self.names + masks.joined())
    skipped = Self.words(names.filter { !taken.contains($0) }, Set(pictures), roles)
  }

  /// Whether one of the first, the middle and the last file is a map of one channel.
  private static func holdMaps(_ files: [String], of folder: RecordingFolder) -> Bool {
    Set([0, files.count / 2, files.count - 1]).sorted().contains { (try? folder.map(files[$0])) != nil }
  }

  private static func words(
    _ left: [String], _ pictures: Set<String>, _ roles: [String: GroupRole.Kind?]
  ) -> String? {
    guard let first = left.first else { return nil }
    let kinds = Dictionary(grouping: left) { name in
      switch roles[name] ?? nil {
      case _ where pictures.contains(name): "picture"
      case .mask: "mask"
      case .prediction: "prediction"
      case .truth: "map of the truth"
      default: "other file"
      }
    }
    let counts = kinds.sorted { $0.key < $1.key }.map { kind, files in
      kind == "map of the truth" ? "\(counted(files.count, "map")) of the truth" : counted(files.count, kind)
    }
    return counts.joined(separator: ", ") + ", first \(first)"
  }

  /// What the words of a file's name and of the folder that it lies in say.
  private static func kind(_ name: String) -> Kind {
    let parts = name.split(separator: "/").map(String.init)
    let folder = parts.dropLast().last.map(GroupRole.nameWords) ?? []
    let own = GroupRole.nameWords(parts.last ?? name)
    let whole = GroupRole.nameWords(name)
    var kind = Kind(
      role: GroupRole.kind(namedIn: own + folder)?.0 ?? GroupRole.kind(namedIn: whole)?.0,
      ending: FileEnding.of(name))
    // "groundtruth/image_02" of KITTI holds no pictures.
    if kind.role == .colour, GroupRole.kind(namedIn: whole, among: [.truth]) != nil { kind.role = .truth }
    guard kind.role == .mask else { return kind }
    let isOfFolder = GroupRole.kind(namedIn: folder, among: [.mask]) != nil
    kind.parts = isOfFolder ? folder : own.filter { GroupRole.kind(namedIn: [$0], among: [.mask]) != nil }
    return kind
  }

  /// - Parameter areOfIBims: Whether masks of invalid and of transparent pixels lie there, which iBims-1 has 0 where these are.
  private static func isOfValidity(_ words: [String], _ areOfIBims: Bool) -> Bool {
    let known: Set = ["mask", "masks", "valid", "validity", "depth", "truth", "gt"]
    return words.allSatisfy { known.contains($0) || areOfIBims && ["invalid", "transp"].contains($0) }
  }

  /// Whether a network's name tells some files from others.
  private static func isNamed(_ names: [String], _ network: String) -> Bool {
    let count = names.count { isNamed($0, network) }
    return count > 0 && count < names.count
  }

  /// "netA/0001.npy", "0001_netA.npy", "netA-0001.npy"
  private static func isNamed(_ name: String, _ network: String) -> Bool {
    let (name, network) = (name.lowercased(), network.lowercased())
    let parts = name.split(separator: "/").map(String.init)
    guard let last = parts.last else { return false }
    if parts.dropLast().contains(network) { return true }
    let ending = FileEnding.of(last)
    let stem = ending.isEmpty ? last : String(last.dropLast(ending.count + 1))
    return ["_", "-"].contains { stem.hasSuffix($0 + network) || stem.hasPrefix(network + $0) }
  }
}
