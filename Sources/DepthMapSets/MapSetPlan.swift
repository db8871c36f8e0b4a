internal import DepthCore
internal import DepthDataset
internal import DepthImport
internal import FathomMapFiles
internal import FathomPlainText
internal import FathomStorage

/// Which files of several folders are one frame, and which frames are a scene.
struct MapSetPlan {
  struct Row: Sendable {
    var scene: String, id: String
    /// By sides: which of the side's maps; nil where it has none.
    var layers: [Int?]
  }

  /// The truth, then the networks in their order, then the others.
  let sides: [MapSide]
  private(set) var rows: [Row] = []
  /// How maps and truth were matched: "by their names".
  let matching: String
  /// Whether every image is a scene because nothing said otherwise.
  let isImagesByDefault: Bool
  private(set) var notes: [SchemaIssue] = []
  /// Holds what was unpacked.
  let archives: MapArchives

  /// - Throws: `FathomError` `.noInput` where there is no such file; `.badData` where nothing tells which files belong together;
  ///   `.usage` where there is no truth or no prediction.
  init(_ request: MapSetRequest) throws(FathomError) {
    guard !request.predictions.isEmpty, request.truth != nil || request.list != nil else {
      throw FathomError(
        .usage, attempted: "read the maps",
        place: "without \(request.predictions.isEmpty ? "a prediction" : "a truth")",
        reason: "there is nothing to compare",
        advice: "give \(option: "prediction") NAME:KIND=DIR and \(option: "truth") DIR")
    }
    let paths = (request.predictions + [request.truth].compactMap(\.self)).map(\.path)
    let others = [
      request.images, request.truthMask, request.ignoreMask, request.truthDeviation, request.idMask?.path,
    ]
    archives = try MapArchives(paths + others.compactMap(\.self) + (request.deviations ?? []).map(\.path))
    let names = request.predictions.compactMap(\.name)
    if let unknown = request.shifts?.keys.sorted().first(where: { !names.contains($0) }) {
      throw FathomError(
        .usage, attempted: "use", place: "\(flag: "shift") \(unknown)=N",
        reason: "there is no \(flag: "prediction") '\(unknown)'",
        advice: "the names are \(names.joined(separator: ", "))")
    }
    let list: MapSetList?
    if let path = request.list { list = try MapSetList(path, request, archives) } else { list = nil }
    var sides = try Self.sides(request, list, archives)
    let truth = sides[0]
    if list == nil {
      try Self.requireOthers(sides)
      sides += try Self.masks(of: truth, where: request.truthMask == nil)
      notes += sides.compactMap { Self.note($0, sides) }
    }
    self.sides = sides
    var (partners, words) = ([truth.files.indices.map { Optional($0) }], [String]())
    for side in sides.dropFirst() {
      if let list, side.files.count == truth.files.count, side.setup.request.path == list.path {
        partners.append(partners[0])
        words.append("as \(list.path) says")
        continue
      }
      if let owner = sides.firstIndex(where: side.isDeviation) {
        let found = try MapSetMatching(side, to: sides[owner], request.matching)
        try found.requireEveryPartner()
        partners.append(partners[owner].map { $0.flatMap { found.partners[$0] } })
        continue
      }
      var found = try MapSetMatching(side, to: truth, request.matching)
      if request.matching == .automatic { try found.requireOneSide() }
      if side.role == .prediction, let name = side.setup.request.name {
        try found.shift(by: request.shifts?[name] ?? 0, name)
      }
      partners.append(found.partners)
      if side.role == .prediction { words.append(found.words) }
      if found.isByTime {
        notes.append(
          SchemaIssue(
            severity: .note, object: side.setup.request.path,
            problem: "the \(side.setup.title) belongs to the truth \(found.words)",
            advice: "a list says it where that is not meant: \(option: "match") FILE"))
      }
      notes += Self.note(found.unused, side)
    }
    matching = words.firstAppearances.joined(separator: ", ")
    let networks = sides.indices.filter { sides[$0].role == .prediction }
    let kept = truth.files.indices.filter { index in networks.contains { partners[$0][index] != nil } }
    if kept.count < truth.files.count {
      notes.append(
        SchemaIssue(
          severity: .warning, object: truth.setup.request.path,
          problem:
            "\(truth.files.count - kept.count) of \(truth.files.count) truth maps have no prediction and are skipped",
          advice: "check the names where that is not meant"))
    }
    for side in networks {
      let missing = kept.filter { partners[side][$0] == nil }
      guard let first = missing.first else { continue }
      notes.append(
        SchemaIssue(
          severity: .warning, object: sides[side].setup.request.path,
          problem:
            "the \(sides[side].setup.title) has no map for \(missing.count) of \(counted(kept.count, "frame")), first \(truth.files[first].name)",
          advice: "its numbers are those of the other frames"))
    }
    let scenes = try MapSetScenes(truth, request.scenes)
    isImagesByDefault = scenes.isImagesByDefault
    rows = kept.map { index in
      Row(
        scene: scenes.names[index], id: truth.files[index].stems[0], layers: partners.map { $0[index] })
    }
  }

  /// Names of the scenes, in the order of their first frames, with their rows.
  var scenes: [(name: String, rows: [Int])] {
    var positions: [String: Int] = [:], found: [(name: String, rows: [Int])] = []
    for (index, row) in rows.enumerated() {
      if let position = positions[row.scene] {
        found[position].rows.append(index)
      } else {
        positions[row.scene] = found.count
        found.append((row.scene, [index]))
      }
    }
    return found
  }

  private static func sides(
    _ request: MapSetRequest, _ list: MapSetList?, _ archives: MapArchives
  ) throws(FathomError) -> [MapSide] {
    func linked(_ own: MapRequest) -> MapRequest {
      var own = archives.applied(to: own)
      if own.external == ExternalFolders() { own.external = request.external }
      return own
    }
    func other(_ path: String) -> MapRequest { linked(MapRequest(name: nil, path: path)) }
    func listed(_ own: MapRequest, _ list: MapSetList) -> MapRequest {
      var own = linked(own)
      (own.path, own.unpacked) = (list.path, nil)
      return own
    }
    var sides: [MapSide] = []
    if let list {
      sides.append(
        try MapSide(
          .truth, listed(request.truth ?? other(""), list), truthScale: request.truthScale, files: list.truth)
      )
      for (own, files) in zip(request.predictions, list.predictions) {
        sides.append(try MapSide(.prediction, listed(own, list), files: files))
      }
    } else if let truth = request.truth {
      let networks = request.predictions.filter { $0.path == truth.path }.compactMap(\.name)
      sides.append(
        try MapSide(.truth, linked(truth), truthScale: request.truthScale, beside: networks))
      for own in request.predictions { sides.append(try MapSide(.prediction, linked(own))) }
    }
    if let list, !list.images.isEmpty {
      sides.append(try MapSide(.image, listed(other(""), list), files: list.images))
    } else if let path = request.images {
      sides.append(try MapSide(.image, other(path)))
    }
    if let path = request.truthMask { sides.append(try MapSide(.truthMask, other(path))) }
    if let path = request.ignoreMask { sides.append(try MapSide(.ignoreMask, other(path))) }
    for deviation in request.deviations ?? [] {
      guard let own = request.predictions.first(where: { $0.name == deviation.name }) else { continue }
      let owner = sides.first { $0.role == .prediction && $0.setup.request.name == deviation.name }
      // In the same folder they are in the files of the maps, whatever else lies there.
      let files = own.path == deviation.path && owner?.stack == nil ? owner?.files : nil
      sides.append(try MapSide(.deviation, linked(own.companion(deviation)), files: files))
    }
    if let path = request.truthDeviation { sides.append(try MapSide(.truthDeviation, other(path))) }
    if let mask = request.idMask { sides.append(try MapSide(.ids, other(mask.path))) }
    return sides
  }

  /// - Throws: `FathomError` `.badData` where a network's maps are the files of the truth.
  private static func requireOthers(_ sides: [MapSide]) throws(FathomError) {
    // A single file may be what a method of ours begins with.
    for side in sides
    where side.role == .prediction && side.files.count > 1
      && side.files.map(\.path) == sides[0].files.map(\.path) && !holdsBoth(side.files[0].path)
    {
      throw side.setup.failure(
        nil, "it is the truth itself: both are the same \(counted(side.files.count, "file"))",
        "give the folder of each, or names that end in _gt and _pred")
    }
  }

  /// Whether a file has an array for the truth and another one for a network.
  static func holdsBoth(_ path: String) -> Bool {
    guard let keys = (try? MapFile(at: path, for: .truth))?.header.keys, keys.count > 1,
      let truth = try? MapKeys.key(among: keys, for: .truth)
    else { return false }
    return (try? MapKeys.key(among: keys, for: .prediction)).map { $0 != truth } ?? false
  }

  /// Masks that lie beside the truth, one for each of its maps.
  /// - Parameter isWanted: Whether the user names none.
  private static func masks(of truth: MapSide, where isWanted: Bool) throws(FathomError) -> [MapSide] {
    guard isWanted else { return [] }
    var sides: [MapSide] = []
    for files in truth.masks {
      let side = try MapSide(.truthMask, truth.setup.request, files: files)
      guard files.count == truth.files.count, let found = try? MapSetMatching(side, to: truth, .automatic),
        !found.partners.contains(nil)
      else { continue }
      sides.append(side)
    }
    return sides
  }

  /// What is said of files of other kinds beside those of a side.
  private static func note(_ side: MapSide, _ sides: [MapSide]) -> SchemaIssue? {
    let used =
      side.role == .truth ? sides.filter { $0.role == .truthMask && side.masks.contains($0.files) } : []
    let unused = side.masks.filter { files in !used.contains { $0.files == files } }.joined()
    var parts = used.map {
      "truth counts where its masks are not 0 (\(counted($0.files.count, "file")), first \($0.files[0].name))"
    }
    if let format = side.format { parts.append("decoded as \(format)") }
    if let skipped = side.skipped { parts.append("skipped: \(skipped)") }
    if let first = unused.first {
      parts.append("skipped: \(counted(unused.count, "mask")), first \(first.name)")
    }
    guard !parts.isEmpty else { return nil }
    return SchemaIssue(
      severity: .note, object: side.setup.request.path,
      problem: "read as the \(side.setup.title): \(counted(side.files.count, "file")), first "
        + "\(side.files[0].name); " + parts.joined(separator: "; "),
      advice: "give a folder without other files where that is not meant")
  }

  private static func note(_ unused: [MapSide.File], _ side: MapSide) -> [SchemaIssue] {
    guard side.role == .prediction, let first = unused.first else { return [] }
    return [
      SchemaIssue(
        severity: .warning, object: side.setup.request.path,
        problem:
          "\(counted(unused.count, "map")) of the \(side.setup.title) \(unused.count == 1 ? "has" : "have") no truth, first \(first.name)",
        advice: "check the names where that is not meant")
    ]
  }
}
