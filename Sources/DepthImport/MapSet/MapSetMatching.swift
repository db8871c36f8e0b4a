internal import DepthCore
internal import DepthDataset
internal import FathomPlainText
internal import FathomStorage

/// Which files of a side belong to which of the truth.
struct MapSetMatching {
  let side: MapSide, truth: MapSide
  /// Position in the side's files of each truth's; nil where it has none.
  private(set) var partners: [Int?] = []
  /// "by their names"
  private(set) var words = ""
  private var rule = MapMatching.order

  /// - Throws: `FathomError` `.badData` where nothing tells which belong together.
  init(_ side: MapSide, to truth: MapSide, _ matching: MapMatching) throws(FathomError) {
    (self.side, self.truth) = (side, truth)
    let (count, wanted) = (side.files.count, truth.files.count)
    // Beside a stack, names without numbers have no order of frames.
    let isByOrder =
      (side.stack != nil || truth.stack != nil)
      && [side, truth].allSatisfy { $0.stack != nil || $0.files.count == 1 || Self.numbers($0) != nil }
    if matching == .order || matching == .automatic && isByOrder {
      guard count == wanted else {
        throw failure(
          "it holds \(counted(count, "map")), and there \(wanted == 1 ? "is" : "are") \(wanted) of the \(noun)",
          "give as many, or a list with \(option: "match") FILE")
      }
      (partners, words) = (Array(0..<count), "by their order")
      return
    }
    if matching != .number {
      let found = try byNames()
      let isMatch = found.contains { $0 != nil }
      if isMatch, matching == .name || !looksShifted(found) {
        (partners, words, rule) = (found, "by their names", .name)
        return
      }
    }
    if matching != .name, let found = byNumbers(needsAll: matching == .automatic) {
      (partners, words, rule) = (found, "by their numbers", .number)
      return
    }
    if matching == .automatic, let found = byNamesOfFolders() {
      (partners, words, rule) = (found, "by folders and numbers in their names", .name)
      return
    }
    throw undecided
  }

  /// Gives every file to the truth so many places behind its own, in the same folder.
  /// - Throws: `FathomError` `.usage` where no file is left.
  mutating func shift(by count: Int, _ name: String) throws(FathomError) {
    guard count != 0 else { return }
    let folders = truth.tellingFolders
    var shifted = [Int?](repeating: nil, count: partners.count)
    for places in Dictionary(grouping: partners.indices, by: { folders[$0] }).values {
      for (number, place) in places.enumerated() where places.indices.contains(number - count) {
        shifted[place] = partners[places[number - count]]
      }
    }
    guard shifted.contains(where: { $0 != nil }) else {
      throw FathomError(
        .usage, attempted: "use", place: "\(flag: "shift") \(name)=\(count)",
        reason: "it leaves no map with a truth", advice: "give fewer images")
    }
    (partners, words) = (shifted, words + ", shifted by \(count)")
  }

  /// - Throws: `FathomError` `.badData` where maps and truth both have files left over: names that differ, rather than images that
  ///   are missing.
  func requireOneSide() throws(FathomError) {
    guard side.role == .prediction, let map = unused.first,
      let missing = partners.firstIndex(where: { $0 == nil })
    else { return }
    throw failure(
      "\(counted(unused.count, "map")) and \(partners.count { $0 == nil }) of the truth have no partner, first \(map.name) and "
        + "\(truth.setup.request.path)/\(truth.files[missing].name)",
      "check the names, or skip them with \(option: "match") \(rule.rawValue)"
    )
  }

  /// - Throws: `FathomError` `.badData` where a map of either side has no partner.
  func requireEveryPartner() throws(FathomError) {
    let missing = partners.firstIndex { $0 == nil }.map { truth.files[$0].name }
    guard let first = unused.first?.name ?? missing else { return }
    throw failure(
      "it holds \(counted(side.files.count, "map")), and there are \(truth.files.count) of the \(noun); \(first) has no partner",
      "give one for each")
  }

  /// What the maps belong to.
  private var noun: String { truth.role == .truth ? "truth" : truth.setup.request.title }

  /// Files that belong to no truth.
  var unused: [MapSide.File] {
    let used = Set(partners.compactMap(\.self))
    return side.files.indices.filter { !used.contains($0) }.map { side.files[$0] }
  }

  private func byNames() throws(FathomError) -> [Int?] {
    let whole = try byNames(side.tellingFolders, truth.tellingFolders)
    if whole.contains(where: { $0 != nil }) { return whole }
    // Names alone, where they are enough.
    let names = [side, truth].map { Set($0.files.map(\.stems[0])).count == $0.files.count }
    let none = [[String]](repeating: [], count: max(side.files.count, truth.files.count))
    return names == [true, true] ? try byNames(none, none) : whole
  }

  private func byNames(_ sideFolders: [[String]], _ truthFolders: [[String]]) throws(FathomError) -> [Int?] {
    var positions: [String: Int] = [:]
    // What a name stands for in the first place counts before what is left of it without an ending.
    for depth in 0..<(truth.files.map(\.stems.count).max() ?? 0) {
      for (index, file) in truth.files.enumerated() where file.stems.count > depth {
        let key = file.key(file.stems[depth], truthFolders[index])
        if positions[key] == nil { positions[key] = index }
      }
    }
    var found = [Int?](repeating: nil, count: truth.files.count)
    for (index, file) in side.files.enumerated() {
      let keys = file.stems.lazy.map { file.key($0, sideFolders[index]) }
      guard let partner = keys.compactMap({ positions[$0] }).first else { continue }
      let other = found[partner].map { side.files[$0] }
      if try side.isBetter(file, than: other) { found[partner] = index }
    }
    return found
  }

  /// - Parameter needsAll: Whether both sides must have the same numbers.
  private func byNumbers(needsAll: Bool) -> [Int?]? {
    guard let own = Self.numbers(side), let wanted = Self.numbers(truth) else { return nil }
    if needsAll, Set(own) != Set(wanted) { return nil }
    let positions = Dictionary(uniqueKeysWithValues: zip(own, own.indices))
    let found = wanted.map { positions[$0] }
    return found.contains { $0 != nil } ? found : nil
  }

  /// "kitchen_rgb_00045.png" and "kitchen__rgb_00045.png", as BTS and AdaBins write them, are of "kitchen/sync_depth_00045.png".
  private func byNamesOfFolders() -> [Int?]? {
    func key(_ folder: String, _ stem: String) -> String? {
      FrameKey.number(Self.lastDigits(stem)).map { "\(folder)/\($0)" }
    }
    let folders = truth.tellingFolders.map { $0.joined(separator: "_") }, known = Set(folders)
    guard !known.contains("") else { return nil }
    var positions: [String: Int] = [:]
    for (index, file) in side.files.enumerated() {
      let stem = file.stems[0]
      let folder = known.filter { stem.hasPrefix($0 + "_") || stem.contains("__\($0)__") }
        .max { $0.count < $1.count }
      guard let key = folder.flatMap({ key($0, stem) }), positions.updateValue(index, forKey: key) == nil
      else { return nil }
    }
    let wanted = zip(truth.files, folders).map { key($1, $0.stems[0]) }
    guard Set(wanted).count == wanted.count else { return nil }
    let found = wanted.map { $0.flatMap { positions[$0] } }
    return found.contains { $0 != nil } ? found : nil
  }

  /// A number of each file, with its folder: the first in the name, or the last, where that tells all files apart.
  private static func numbers(_ side: MapSide) -> [String]? {
    let folders = side.tellingFolders
    let runs = side.files.map { Self.digits($0.stems.last ?? "") }
    // "2011_09_26_drive_0002_sync_groundtruth_depth_0000000005_image_02"
    let varying = (runs.first ?? []).indices.filter { place in
      runs.allSatisfy { $0.count == runs[0].count } && Set(runs.map { $0[place] }).count == runs.count
    }
    let third: (String) -> Int? = {
      varying.count == 1 ? FrameKey.number(Self.digits($0)[varying[0]]) : nil
    }
    for read in [FrameKey.number, { FrameKey.number(Self.lastDigits($0)) }, third] {
      let numbers = zip(side.files, folders).compactMap { file, folder in
        file.stems.last.flatMap(read).map { file.key("\($0)", folder) }
      }
      if numbers.count == side.files.count, Set(numbers).count == numbers.count { return numbers }
    }
    return nil
  }

  private static func digits(_ text: String) -> [String] {
    text.split { !$0.isASCII || !$0.isNumber }.map(String.init)
  }

  private static func lastDigits(_ text: String) -> String { digits(text).last ?? "" }

  /// Whether as many files on both sides are numbered from different starts: 0 to 11 and 1 to 12 have common names, and do not
  /// belong together.
  private func looksShifted(_ found: [Int?]) -> Bool {
    guard found.contains(nil), side.files.count == truth.files.count else { return false }
    let numbers = [side, truth].map { $0.files.compactMap { FrameKey.number($0.stems[0]) }.sorted() }
    guard let (first, second) = zip(numbers[0], numbers[1]).first(where: { _ in true }), first != second,
      numbers.allSatisfy({ $0.count == side.files.count })
    else { return false }
    return zip(numbers[0], numbers[1]).allSatisfy { $1 - $0 == second - first }
  }

  private var undecided: FathomError {
    let (own, other) = (side.files[0], truth.files[0])
    var reason = "\(own.name) and \(truth.setup.request.path)/\(other.name) have no common name"
    if (try? byNames())?.contains(where: { $0 != nil }) == true {
      reason =
        "only some names are equal: the first are \(own.name) and \(truth.setup.request.path)/\(other.name)"
    }
    let networks = side.files.compactMap(\.folder.first).firstAppearances
    if side.role == .prediction, networks.count > 1, side.files.count == networks.count * truth.files.count {
      return failure(
        "it holds a folder for each of \(networks.count) networks, \(networks.joined(separator: ", "))",
        "give each as a network, as in \(option: "prediction") \(networks[0])=\(side.setup.request.path)/\(networks[0])"
      )
    }
    let ranges = [side, truth].compactMap(Self.range)
    if ranges.count == 2 { reason += ", and the numbers are \(ranges[0]) and \(ranges[1])" }
    let counts = (side.files.count, truth.files.count)
    if counts.0 != counts.1 {
      return failure(
        reason + "; there are \(counted(counts.0, "map")) and \(counts.1) of the \(noun)",
        "give a list with \(option: "match") FILE")
    }
    return failure(reason, "give \(option: "match") order, or a list with \(option: "match") FILE")
  }

  /// "0…11"
  private static func range(_ side: MapSide) -> String? {
    let numbers = side.files.compactMap { FrameKey.number($0.stems[0]) }
    guard numbers.count == side.files.count, let low = numbers.min(), let high = numbers.max()
    else { return nil }
    return "\(low)…\(high)"
  }

  private func failure(_ reason: String, _ advice: Wording) -> FathomError {
    FathomError(
      .badData,
      attempted: "tell which map belongs to which \(truth.role == .truth ? noun : "map of the \(noun)")",
      file: side.setup.request.path, reason: "\(reason)", advice: advice)
  }
}
