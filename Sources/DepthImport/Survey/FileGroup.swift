internal import DepthCore
internal import FathomMapFiles

/// Files of a folder that are named alike but for their numbers: "left/depth_*.png".
package struct FileGroup: Sendable {
  /// As a mapping names them.
  let pattern: String
  /// In the order of their numbers, else of their bytes.
  package let names: [String]
  /// What the stars of the pattern stand for, in the order of ``names``.
  let captures: [String]
  /// Whether ``names`` are maps behind each other in one file, which ``pattern`` names.
  let isStack: Bool

  /// The files of a folder by what they have in common, in the order of their first names.
  ///
  /// Many maps or pictures whose names have nothing in common, such as those of a camera's own ids, are one group by their folder and ending.
  /// Of a folder for each frame they are one group by their place in it.
  package static func groups(_ names: [String]) -> [FileGroup] {
    let frames = frames(names), inFrames = Set(frames.values.joined())
    let groups = frames.map { FileGroup(FilePattern($0.key), $0.value.sorted(by: Self.precedes)) }
    let others = inFrames.isEmpty ? names : names.filter { !inFrames.contains($0) }
    return (groups + groupsByName(others)).sorted { Self.precedes($0.names[0], $1.names[0]) }
  }

  /// Files of folders that are named by numbers and hold one frame each, by what they are in most of them: "kitchen/*/depth.png".
  static func frames(_ names: [String]) -> [String: [String]] {
    // What each folder holds, by the place of all of them.
    var places: [String: [Substring: [String]]] = [:]
    for name in names {
      let folders = name.split(separator: "/").dropLast()
      guard let number = folders.lastIndex(where: isOfFrame) else { continue }
      let before = folders[..<number].map { $0 + "/" }.joined()
      let inside = name.dropFirst(before.count + folders[number].count + 1)
      places[before, default: [:]][folders[number], default: []].append(String(inside))
    }
    var found: [String: [String]] = [:]
    for (before, frames) in places where frames.count >= leastFrames {
      var folders: [String: [String]] = [:]
      for (frame, inside) in frames {
        for file in inside { folders[file, default: []].append(before + frame + "/" + file) }
      }
      let common = folders.filter { 2 * $0.value.count > frames.count }
      // Files that differ in a number are frames themselves, of a folder that is a scene; there may be several masks.
      let areSingle = frames.values.allSatisfy { inside in
        let own = inside.filter { !$0.contains("/") }
        return Set(own.map(Self.parts)).count == own.count
      }
      guard areSingle, common.keys.contains(where: { !$0.contains("/") && isOfPixels($0) }) else { continue }
      for (file, members) in common { found[before + "*/" + file] = members }
    }
    return found
  }

  /// "0007", "frame_0007", "1305031102.175304"
  private static func isOfFrame(_ folder: Substring) -> Bool {
    let words = folder.lowercased().split { $0 == "_" || $0 == "-" || $0 == "." }
    let numbers = words.filter { $0.allSatisfy { $0.isASCII && $0.isNumber } }
    return !numbers.isEmpty && numbers.count <= 2
      && words.allSatisfy { numbers.contains($0) || ["frame", "image", "img"].contains($0) }
      && (numbers.count == 1 || folder.contains("."))
  }

  private static let leastFrames = 3

  private static func groupsByName(_ names: [String]) -> [FileGroup] {
    var parts: [[Part]: [String]] = [:]
    for name in names { parts[Self.parts(of: name), default: []].append(name) }
    var lone: [String: [String]] = [:]
    for members in parts.values where members.count == 1 && isOfPixels(members[0]) {
      lone[Self.endingPattern(members[0]), default: []].append(members[0])
    }
    var groups: [FileGroup] = []
    for (pattern, all) in lone {
      let kinds = all.map(Self.kind)
      // "depth.npy" and "color.npy" are something of their own each.
      let members =
        Set(kinds.compactMap(\.self)).count > 1 ? zip(all, kinds).filter { $1 == nil }.map(\.0) : all
      guard members.count >= leastUnlike else { continue }
      groups.append(FileGroup(FilePattern(pattern), members.sorted(by: Self.precedes)))
      for name in members { parts[Self.parts(of: name)] = nil }
    }
    for (key, members) in parts { groups.append(FileGroup(key, members)) }
    return groups
  }

  /// What the name of a file says, without its folder.
  private static func kind(_ name: String) -> GroupRole.Kind? {
    GroupRole.kind(namedIn: GroupRole.nameWords(String(name.split(separator: "/").last ?? "")))?.0
  }

  private static func isOfPixels(_ name: String) -> Bool {
    MapFormat.rank(ofName: name) != nil || ["jpg", "jpeg"].contains(FileEnding.of(name))
  }

  /// Fewer files of one folder may each be something of its own: "depth.png", "rgb.png".
  private static let leastUnlike = 6

  private init(_ parts: [Part], _ members: [String]) {
    let members = members.sorted(by: Self.precedes)
    guard parts.contains(.digits), members.count > 1 else {
      self.init(FilePattern(members[0]), members)
      return
    }
    let runs = members.map(Self.runs)
    var varying = Set(
      parts.indices.filter { index in parts[index] == .digits && runs.contains { $0[index] != runs[0][index] }
      })
    // "12.25" is one number.
    for (index, run) in runs[0].enumerated() where run == "." && index + 1 < parts.count {
      let sides = [index - 1, index + 1]
      if sides.allSatisfy({ parts[$0] == .digits }), sides.contains(where: varying.contains) {
        varying.formUnion(sides + [index])
      }
    }
    var text = ""
    for (index, run) in runs[0].enumerated() {
      if !varying.contains(index) { text += run } else if text.last != "*" { text += "*" }
    }
    self.init(FilePattern(text), members)
  }

  private init(_ pattern: FilePattern, _ members: [String]) {
    let found = members.map { (name: $0, capture: pattern.capture(in: $0) ?? "") }
    let ordered = found.enumerated().sorted { a, b in
      let (x, y) = (FrameKey.number(a.element.capture), FrameKey.number(b.element.capture))
      return x == y ? a.offset < b.offset : (x ?? .max) < (y ?? .max)
    }.map(\.element)
    (self.pattern, names, captures) = (pattern.text, ordered.map(\.name), ordered.map(\.capture))
    isStack = false
  }

  /// The maps of one file.
  init(of file: String, _ maps: [(name: String, capture: String)]) {
    (pattern, names, captures, isStack) = (file, maps.map(\.name), maps.map(\.capture), true)
  }

  private enum Part: Hashable { case text(String), digits }

  /// Digits count in the last part of the path only: folders of other numbers are other scenes.
  private static func runs(_ name: String) -> [String] {
    let last = name.lastIndex(of: "/").map { name.index(after: $0) } ?? name.startIndex
    let end = name.lastIndex(of: ".").flatMap { $0 > last ? $0 : nil } ?? name.endIndex
    var runs = [String(name[..<last])]
    var isNumber: Bool?
    for letter in name[last..<end] {
      let isDigit = letter.isASCII && letter.isNumber
      if isDigit == isNumber, letter != ".", runs.last != "." {
        runs[runs.count - 1].append(letter)
      } else {
        runs.append(String(letter))
      }
      isNumber = isDigit
    }
    return runs + [String(name[end...])]
  }

  private static func parts(of name: String) -> [Part] {
    runs(name).enumerated().map { index, run in
      index > 0 && run.first.map { $0.isASCII && $0.isNumber } == true ? .digits : .text(run.lowercased())
    }
  }

  private static func endingPattern(_ name: String) -> String {
    let folder = name.lastIndex(of: "/").map { name[...$0] } ?? ""
    let ending = FileEnding.of(name)
    return folder + "*" + (ending.isEmpty ? "" : "." + ending)
  }

  private static func precedes(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }
}

extension FileGroup {
  /// The first folder of a path of at least two: "kitchen" of "kitchen/depth/*.png"; nil where the place names no scene.
  var outermost: String? {
    let folders = pattern.split(separator: "/").dropLast()
    return folders.count > 1 ? folders.first.map(String.init) : nil
  }

  /// How many folders of their paths two groups share, in eighths less those that only this one has.
  func closeness(to pattern: String) -> Int {
    let own = self.pattern.split(separator: "/").dropLast()
    let shared = zip(own, pattern.split(separator: "/").dropLast()).prefix { $0 == $1 }.count
    return FolderSurvey.levels * shared - (own.count - shared)
  }

  /// How its files count.
  enum Numbering: Hashable {
    case single
    /// Whole numbers, each once.
    case numbers
    /// As of seconds, or of parts of them.
    case times
    case names
  }

  var numbering: Numbering {
    if names.count == 1 && captures[0].isEmpty { return .single }
    if Self.areTimes(captures) { return .times }
    let numbers = captures.map(FrameKey.number)
    return numbers.allSatisfy { $0 != nil } && Set(numbers).count == names.count ? .numbers : .names
  }

  /// Whether names are times: numbers with decimals, or whole ones that are dates in a part of a second.
  package static func areTimes(_ captures: [String]) -> Bool {
    let times = captures.compactMap(FrameKey.time)
    guard times.count == captures.count else { return false }
    return captures.allSatisfy { $0.contains(".") }
      || captures.allSatisfy { $0.utf8.count >= 13 } && TimeUnit(of: times) != .seconds
  }

  /// "0000 to 0011", "0 to 220 by 20", "1 to 9, 2 missing"; empty for a single file.
  var range: String {
    guard let first = captures.first, let last = captures.last, names.count > 1 else { return "" }
    let ends = "\(first) to \(last)", numbers = captures.compactMap(FrameKey.number)
    guard numbering == .numbers, let low = numbers.first, let high = numbers.last else { return ends }
    let steps = zip(numbers.dropFirst(), numbers).map { $0 &- $1 }
    guard let step = steps.min(), step > 0, high - low >= 0 else { return ends }
    let whole = (high - low) / step + 1
    if steps.allSatisfy({ $0 == step }) { return ends + (step == 1 ? "" : " by \(step)") }
    // Times in whole numbers have no step.
    guard steps.allSatisfy({ $0 % step == 0 }), whole <= 4 * names.count else { return ends }
    return ends + (step == 1 ? "" : " by \(step)") + ", \(whole - names.count) missing"
  }
}
