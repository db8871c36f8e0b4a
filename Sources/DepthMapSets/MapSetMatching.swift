internal import DepthCore
internal import DepthDataset
internal import DepthImport
internal import FathomMapFiles
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
  /// Whether both sides may have files without a partner: a camera drops depth and pictures independently.
  private(set) var isByTime = false

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
    if matching == .automatic, let found = byPlacesInStacks() {
      (partners, words) = (found, "by their order")
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
    if matching != .number, let found = byTimes() {
      let milliseconds = Int((1000 * found.gap).rounded(.up))
      (partners, words) = (found.partners, "by the times in their names, at most \(milliseconds) ms apart")
      (rule, isByTime) = (.name, true)
      return
    }
    if matching != .number, let found = byTellingParts(needsAll: matching == .automatic) {
      (partners, words, rule) = (found, "by the parts of their names that differ", .name)
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
    guard side.role == .prediction, !isByTime, let map = unused.first,
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

  /// By the parts of the paths that tell files apart: words that every path of a side has, and every one or none of the other, are
  /// skipped. So "kitchen_rgb_00045.png" is of "kitchen/sync_depth_00045.png", and "0001/depth_meter.npy" of "0001.png".
  ///
  /// - Parameter needsAll: Whether every file of one of the sides must have a partner.
  private func byTellingParts(needsAll: Bool) -> [Int?]? {
    let paths = [side, truth].map { side in
      zip(side.files, side.tellingFolders).map { Self.parts(($1 + [$0.stems[0]]).joined(separator: "/")) }
    }
    guard paths.allSatisfy({ $0.count > 1 }) else { return nil }
    let shared = paths.map { $0.dropFirst().reduce(Set($0[0])) { $0.intersection($1) } }
    let all = paths.map { Set($0.joined()) }
    func isNumber(_ part: String) -> Bool { part.first?.isNumber == true }
    /// Whether its paths have more numbers than the other's: one that never changes is not one of a frame.
    let haveMore = [0, 1].map {
      paths[$0][0].count(where: isNumber) > paths[1 - $0][0].count(where: isNumber)
    }
    for dropsNumbers in [false, true] {
      let keys = [0, 1].map { own in
        paths[own].map { path in
          path.filter { part in
            let saysNothing =
              shared[own].contains(part) && (shared[1 - own].contains(part) || !all[1 - own].contains(part))
            return isNumber(part) ? !(saysNothing && dropsNumbers && haveMore[own]) : !saysNothing
          }
        }
      }
      guard keys.allSatisfy({ Set($0).count == $0.count }) else { continue }
      let positions = Dictionary(uniqueKeysWithValues: zip(keys[0], keys[0].indices))
      let found = keys[1].map { positions[$0] }, count = found.count { $0 != nil }
      if needsAll ? count == min(keys[0].count, keys[1].count) : count > 0 { return found }
    }
    return nil
  }

  /// "kitchen", "rgb", "45": words in small letters and numbers without leading zeros.
  private static func parts(_ text: String) -> [String] {
    var parts: [String] = [], last: Character = "/"
    for letter in text.lowercased() {
      let isDigit = letter.isASCII && letter.isNumber
      if letter.isLetter || isDigit {
        let begins = !(last.isLetter || last.isASCII && last.isNumber) || last.isLetter == isDigit
        if begins { parts.append(String(letter)) } else { parts[parts.count - 1].append(letter) }
      }
      last = letter
    }
    return parts.map {
      $0.first == "0" ? String($0.drop { $0 == "0" }.isEmpty ? "0" : $0.drop { $0 == "0" }) : $0
    }
  }

  /// By the nearest times in the names, as those of a camera that takes depth and pictures one after the other (TUM RGB-D).
  /// - Returns: Also the longest time between two that belong together, in seconds.
  private func byTimes() -> (partners: [Int?], gap: Double)? {
    let sides = [side, truth].map { side in
      side.files.compactMap { file in file.stems.first { FrameKey.time($0) != nil } }
    }
    // What stands before a time names a recording: "41069021_305.401".
    guard zip(sides, [side, truth]).allSatisfy({ $0.count == $1.files.count && FileGroup.areTimes($0) }),
      sides.allSatisfy({ Set($0.map { $0.split(separator: "_").dropLast() }).count == 1 })
    else { return nil }
    let times = sides.map { names in
      let times = names.compactMap(FrameKey.time), unit = TimeUnit(of: times)
      return times.map(unit.seconds)
    }
    let folders = [side.tellingFolders, truth.tellingFolders]
    let inFolders = [0, 1].map { own in
      Dictionary(grouping: times[own].indices) { folders[own][$0] }
        .mapValues { $0.map { (time: times[own][$0], index: $0) }.sorted { $0.time < $1.time } }
    }
    func nearest(_ index: Int, _ own: Int) -> Int? {
      inFolders[1 - own][folders[own][index]]?
        .nearest(to: times[own][index], within: Self.mostSecondsApart, \.time)?.index
    }
    var gap = 0.0
    let partners = times[1].indices.map { index -> Int? in
      guard let own = nearest(index, 1), nearest(own, 0) == index else { return nil }
      gap = max(gap, abs(times[0][own] - times[1][index]))
      return own
    }
    return 2 * partners.count { $0 != nil } >= min(times[0].count, times[1].count) ? (partners, gap) : nil
  }

  /// As TUM's own `associate.py` has it.
  private static let mostSecondsApart = 0.02

  /// Of files of all maps of a video each, the places count, not what the numbers of the other side begin with.
  private func byPlacesInStacks() -> [Int?]? {
    let sides = [side, truth]
    guard sides.contains(where: { $0.stack == nil && $0.files.allSatisfy { $0.layer != nil } }),
      sides.allSatisfy({ $0.files.allSatisfy { $0.layer != nil } || Self.numbers($0) != nil })
    else { return nil }
    let places = sides.map { side in
      let folders = side.tellingFolders
      return Dictionary(grouping: side.files.indices) { folders[$0] }
    }
    guard places[0].mapValues(\.count) == places[1].mapValues(\.count) else { return nil }
    var found = [Int?](repeating: nil, count: truth.files.count)
    for (folder, own) in places[1] {
      for (place, partner) in zip(own, places[0][folder] ?? []) { found[place] = partner }
    }
    return found
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
