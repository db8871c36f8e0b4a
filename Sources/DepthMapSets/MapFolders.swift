internal import DepthCore
internal import DepthImport
internal import FathomMapFiles
internal import FathomPlainText
private import Foundation
public import FathomStorage

/// Folders of maps that are named where data sets belong, and the command that compares them.
public struct MapFolders {
  /// "fathom evaluate --truth gt --prediction pred:metric=pred"
  public let command: String
  private let paths: [String]
  /// What was taken for granted: "the truth is counted in millimetres, pred is in metres".
  private let assumed: [String]

  /// What a folder can be by its name and its files.
  private struct Side {
    let path: String, name: String
    var role: GroupRole.Kind?
    var holdsMaps: Bool, holdsPictures = false
  }

  /// Looks at names, then tries which unit of the truth and which kinds of the maps fit each other.
  /// - Parameter paths: Folders; one stands for those in it, or for files of several kinds.
  /// - Parameter truth: The truth, where it is known.
  /// - Returns: nil where they are not folders of a truth and of maps.
  public init?(_ paths: [String], truth: String? = nil) {
    let others = truth.map { [$0] } ?? []
    guard !paths.isEmpty, (paths + others).allSatisfy(Self.isFolder),
      !(paths + others).contains(where: Self.isRecording)
    else { return nil }
    self.paths = paths + others
    var sides = (paths + others).count > 1 ? paths.map { Self.side($0) } : Self.sides(in: paths[0])
    // Of several networks, each has a folder.
    if truth != nil, paths.count == 1 {
      let inner = Self.sides(in: paths[0])
      if inner.count > 1 { sides = inner }
    }
    let images = sides.first { $0.holdsPictures && (!$0.holdsMaps || $0.role == .colour) }
    sides.removeAll { !$0.holdsMaps || [.colour, .mask, .confidence].contains($0.role) }
    // A sensor's depth in two views is a recording.
    if paths.count == 1, truth == nil, sides.allSatisfy({ $0.role == .depth }),
      sides.contains(where: { SurveyedGroup.isAligned(named: $0.name) })
    {
      return nil
    }
    guard let truth = truth ?? Self.truth(of: sides), !Self.isOfDisparities(truth) else { return nil }
    // Files of both kinds in one folder are told apart by their names.
    var networks = sides.filter { $0.path != truth || sides.count == 1 }
    if sides.isEmpty { networks = [] }
    guard !networks.isEmpty else { return nil }
    if networks[0].path == truth {
      guard Self.holdsBoth(truth) else { return nil }
      networks[0] = Side(path: truth, name: "pred", holdsMaps: true)
    }
    var request = MapSetRequest(
      predictions: networks.map { MapRequest(name: $0.name, path: $0.path) },
      truth: MapRequest(name: nil, path: truth))
    assumed = Self.complete(&request)
    var words = ["fathom", "evaluate", "\(flag: "truth")", truth]
    if let scale = request.truthScale { words += ["\(flag: "truth-scale")", DepthWords.number(scale)] }
    for maps in request.predictions {
      words += [
        "\(flag: "prediction")",
        (maps.name ?? "") + (maps.meaning.map { ":\($0.rawValue)" } ?? "") + "=" + maps.path,
      ]
    }
    if let images, images.path != truth { words += ["\(flag: "images")", images.path] }
    command = words.map(\.shellQuoted).joined(separator: " ")
  }

  /// In the place of the error of a data set.
  public var refusal: FathomError {
    let words = assumed.isEmpty ? "" : " (assumed: \(assumed.joined(separator: ", ")))"
    return FathomError(
      .usage, attempted: "open the data set", file: paths.joined(separator: ", "),
      reason: "\(paths.count == 1 ? "it is a folder" : "they are folders") of maps, not a data set",
      advice: "compare them with '\(command)'\(words)")
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// Whether a format describes it.
  private static func isRecording(_ path: String) -> Bool {
    guard let folder = try? RecordingFolder(path) else { return false }
    return (try? Recognition(whereKnown: folder)).flatMap(\.self) != nil
  }

  /// Pixels, which are not metres: depth of them needs a baseline.
  private static func isOfDisparities(_ truth: String) -> Bool {
    let last = URL(fileURLWithPath: truth).standardizedFileURL.lastPathComponent
    return !GroupRole.disparity.isDisjoint(with: GroupRole.nameWords(last))
  }

  private static func side(_ path: String) -> Side {
    let last = URL(fileURLWithPath: path).standardizedFileURL.lastPathComponent
    let name = String(last.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" })
    let files =
      (try? RecordingFolder(path, unpacked: nil, external: ExternalFolders(), levels: MapSide.mostLevels))
    let names = files?.names ?? []
    let words = GroupRole.nameWords(last)
    let holdsTruth = names.contains {
      GroupRole.kind(namedIn: GroupRole.nameWords($0), among: [.truth]) != nil
    }
    let kind = role(namedIn: words) ?? (holdsTruth ? .truth : nil)
    let contents = FileGroup.groups(names).prefix(mostGroups).compactMap { group in
      files.map { (group.names[0], FileContent(group.names[0], of: $0)) }
    }
    return Side(
      path: path, name: name, role: kind,
      holdsMaps: contents.contains { name, content in
        switch content {
        // A camera's grey pictures are not depth of 8 bits.
        case .map(let header, _): header.holdsDepth || kind != nil && kind != .colour
        case .other, .unknown: MapFormat.rank(ofName: name).map { $0 < MapFormat.all.count - 2 } ?? false
        // A file of all maps may hold cameras, too.
        case .numbers: files.map { isStack(name, of: $0) } ?? false
        case .picture: false
        }
      },
      holdsPictures: contents.contains { if case .picture = $0.1 { true } else { false } })
  }

  private static let mostGroups = 20

  /// A name that speaks of a truth is one's, whatever else it says.
  private static func role(namedIn words: [String]) -> GroupRole.Kind? {
    (GroupRole.kind(namedIn: words, among: [.truth]) ?? GroupRole.kind(namedIn: words))?.0
  }

  /// The folders in a folder where each holds files of its own; else the folder itself.
  private static func sides(in path: String) -> [Side] {
    guard let folder = try? RecordingFolder(path, unpacked: nil, external: ExternalFolders())
    else { return [] }
    let prefix = path == "." ? "" : path.hasSuffix("/") ? path : path + "/"
    let inner =
      folder.folders.map { side(prefix + $0) }.filter { $0.holdsMaps || $0.holdsPictures }
      + folder.names.filter { !$0.contains("/") && isStack($0, of: folder) }.map { name in
        let words = GroupRole.nameWords(name), stem = name.dropLast(FileEnding.of(name).count + 1)
        return Side(path: prefix + name, name: String(stem), role: role(namedIn: words), holdsMaps: true)
      }
    // Scenes that hold a truth each are not one's truth and another's maps.
    if inner.count > 1, inner.allSatisfy({ $0.role == .truth }) { return [] }
    let kinds = Set(inner.filter(\.holdsMaps).compactMap(\.role))
    if inner.count > 1, !kinds.isDisjoint(with: [.truth, .depth, .prediction]) {
      return inner
    }
    // Folders of samples, or of training and test, are not networks.
    let areScenes = !FolderSurvey.scenes(folder.names).isEmpty
    // Nor are two folders without a name that says so, each with folders of its own.
    let haveFolders = folder.folders.allSatisfy { outer in
      folder.names.contains { $0.hasPrefix(outer + "/") && $0.dropFirst(outer.count + 1).contains("/") }
    }
    if inner.count == 2, !areScenes { return haveFolders ? [] : inner }
    return holdsBoth(path) ? [side(path)] : areScenes || inner.count > 2 ? [] : inner
  }

  /// Whether a file holds several maps, as a network's or the truth's of all images.
  private static func isStack(_ name: String, of folder: RecordingFolder) -> Bool {
    MapSide.stackEndings.contains(FileEnding.of(name))
      && MapSide.layerCount(ofFileAt: folder.path(of: name), for: .any) > 1
  }

  /// Whether names of files in a folder tell a truth from predictions.
  private static func holdsBoth(_ path: String) -> Bool {
    let folder = try? RecordingFolder(path, unpacked: nil, external: ExternalFolders())
    let names = folder?.names ?? []
    let roles = Set(names.compactMap { GroupRole.kind(namedIn: GroupRole.nameWords($0))?.0 })
    if let folder, let first = names.first(where: { ["npz", "mat", "h5"].contains(FileEnding.of($0)) }),
      MapSetPlan.holdsBoth(folder.path(of: first))
    {
      return true
    }
    return roles.contains(.prediction) && (roles.contains(.truth) || roles.contains(.depth))
  }

  private static func truth(of sides: [Side]) -> String? {
    if let named = sides.first(where: { $0.role == .truth }) { return named.path }
    let depths = sides.filter { $0.role == .depth }
    if depths.count == 1 { return depths[0].path }
    if sides.count == 1 { return sides[0].path }
    // Which of several depths is the truth, nothing says.
    if depths.count == sides.count { return nil }
    let unnamed = sides.filter { $0.role != .prediction }
    return sides.count > 1 ? (unnamed.last ?? sides.last)?.path : nil
  }

  /// Finds the unit of a truth of whole numbers and the kinds of the maps.
  /// - Returns: What was assumed.
  private static func complete(_ request: inout MapSetRequest) -> [String] {
    var best: (request: MapSetRequest, words: [String], misfit: Double)?
    let truth = request.truth?.path ?? ""
    // Counts alone do not show their unit: the usual one of such pictures comes first.
    for scale in [nil]
      + (isOfKITTI([truth] + request.predictions.map(\.path)) ? [1.0 / 256, 0.001] : [0.001, 1.0 / 256])
      + [0.0002, 0.01]
    {
      var asked = request
      asked.truthScale = scale
      for index in asked.predictions.indices { asked.predictions[index].meaning = .metric }
      guard let source = try? MapSetSource(asked), let found = source.likelyMeanings else { continue }
      var words = scale.map { ["the truth counts \(DepthWords.number($0)) m"] } ?? []
      for (index, kind) in found.kinds.enumerated() {
        asked.predictions[index].meaning = kind
        words.append("\(asked.predictions[index].name ?? "") is \(kind.rawValue)")
      }
      if scale != nil, !found.kinds.contains(.metric) { words.append("counts do not show their unit") }
      if best.map({ found.misfit < $0.misfit - 0.01 }) ?? true { best = (asked, words, found.misfit) }
      // Reals need no scale.
      if scale == nil { break }
    }
    guard let best else { return [] }
    request = best.request
    return best.words
  }

  /// Whether a path speaks of KITTI, or the first truth is as wide as its pictures.
  private static func isOfKITTI(_ paths: [String]) -> Bool {
    let folders = paths.compactMap {
      try? RecordingFolder($0, unpacked: nil, external: ExternalFolders(), levels: MapSide.mostLevels)
    }
    if (paths + folders.flatMap(\.names)).contains(where: { $0.lowercased().contains("kitti") }) {
      return true
    }
    guard let truth = folders.first, truth.path == paths[0], let name = truth.names.first,
      case .map(let header, _) = FileContent(name, of: truth)
    else { return false }
    return header.size.width >= 3 * header.size.height
  }
}

extension MapSetSource {
  /// What the numbers of the networks' maps, opened as metres, look like beside the truth; nil where there is no truth.
  fileprivate var likelyMeanings: (kinds: [MapMeaning], misfit: Double)? {
    guard let truth = OrderStatistics.median(of: probe.truth.compactMap(\.median)) else { return nil }
    // A room or a street.
    var misfit = (0.3...60).contains(truth) ? 0 : 10.0
    let kinds = parts.indices.filter { parts[$0].role == .prediction }.map { index -> MapMeaning in
      let likely = MapEvidence.likely(probe.maps[index] ?? [], truth: truth)
      misfit += likely.misfit
      return likely.meaning
    }
    return (kinds, misfit)
  }
}
