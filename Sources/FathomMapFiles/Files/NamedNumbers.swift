internal import DepthCore
package import FathomPictureFiles
package import FathomStorage
private import FathomYAMLText
private import Yams

/// The numbers of a file by their names: cameras, poses, sizes and times. The content tells whether it is JSON, YAML, text, `.npy`,
/// `.npz` or HDF5.
package struct NamedNumbers: Sendable {
  /// What stands under a name.
  package struct Entry: Sendable, Hashable {
    /// The numbers of each element of a list, in the order of the file; nil where an element holds anything else. Of a lone number, itself.
    let parts: [[Double]?]
    let isList: Bool
    /// All of them in the order of the file; nil where there is anything else.
    var numbers: [Double]? { parts.contains(nil) ? nil : parts.compactMap(\.self).flatMap(\.self) }
  }

  /// By name; the parts of a nested name are joined by dots: "camera.intrinsics".
  package private(set) var entries: [String: Entry] = [:]
  /// The rows of a file that names no arrays: a text, an `.npy`, or a JSON that is a list.
  package private(set) var table: NumberTable?
  /// Of a file that says nothing.
  package static let none = NamedNumbers(.null)
  /// - Throws: `PictureFault` where the file cannot be read, is cut short, or in another format.
  package init(at path: String) throws(PictureFault) {
    guard ForeignFile.isHDF5(path) else {
      try self.init(try FileBytes.read(path))
      return
    }
    self = .none
    table = NumberTable(rows: try StoredArray.rows(of: path))
  }

  /// A file that must name its numbers.
  /// - Throws: As ``init(at:)`` does, and where it names none.
  package init(namedAt path: String) throws(PictureFault) {
    try self.init(at: path)
    if table != nil { throw PictureFault(Self.noJSON) }
  }

  /// What a JSON object names.
  package init(_ json: JSONValue) { add(json, "") }

  /// - Throws: As ``init(at:)`` does.
  package init(_ file: [UInt8]) throws(PictureFault) {
    if file.starts(with: NumpyArray.signature) {
      table = NumberTable(rows: try Self.rows(file))
    } else if file.starts(with: NumpyArchive.signature) {
      let archive = try NumpyArchive(file)
      for key in archive.keys {
        // Pictures and words stand beside cameras.
        guard let array = try? archive.array(key), let rows = try? Self.rows(array) else { continue }
        entries[key] = Entry(parts: rows, isList: true)
      }
    } else {
      guard let text = String(validating: file, as: UTF8.self)
      else { throw PictureFault("it is not UTF-8 text") }
      try read(text)
    }
  }

  private mutating func read(_ text: String) throws(PictureFault) {
    let first = text.first { !$0.isWhitespace && $0 != "\u{FEFF}" }
    if first == "{" || first == "[", let json = try? JSONValue(text: text) {
      add(json, "")
      if first == "[", let rows = entries.removeValue(forKey: "") {
        table = Self.poses(json) ?? NumberTable(rows: rows.parts.map { $0 ?? [] })
      }
      return
    }
    guard first != "{" else { throw PictureFault(Self.noJSON) }
    if first == "<" {
      var rest = text[...]
      add(Self.xml(&rest), "")
      guard !entries.isEmpty else { throw PictureFault("its XML names no numbers") }
      return
    }
    // As numpy prints a matrix.
    if let open = text.firstIndex(of: "["), let close = text.lastIndex(of: "]"), open < close,
      ["", "array(", "np.array("].contains(text[..<open].filter { !$0.isWhitespace && $0 != "\u{FEFF}" }),
      // "[DepthIntrinsic]" begins a section.
      text[text.index(after: open)...].first(where: { !$0.isWhitespace })?.isLetter != true,
      text.count(where: { $0 == "[" }) == text.count(where: { $0 == "]" })
    {
      table = try NumberTable(
        String(text[open...close]).replacing("],", with: " ").replacing("[", with: " ").replacing(
          "]", with: " "))
      return
    }
    do throws(PictureFault) {
      let table = try NumberTable(text)
      if !table.rows.isEmpty || !addNamed(text) { self.table = table }
    } catch {
      // What is not a table may be YAML; if it is not, the table's fault is the clearer one.
      guard addNamed(text) else { throw error }
    }
  }

  /// A table of a list of objects that each name a pose: {"tx": 0, …, "qw": 1}, or {"position": […], "orientation": […]}.
  private static func poses(_ list: JSONValue) -> NumberTable? {
    guard case .list(let elements) = list, case .keyed(let first)? = elements.first else { return nil }
    let keys = first.keys.sorted(), axes = ["x", "y", "z", "w"]
    func numbers(_ value: JSONValue?) -> [Double]? {
      let named = axes.compactMap { value?[$0]?.numbers?.first }
      return named.isEmpty ? value?.numbers : named
    }
    let header = keys.flatMap { key in
      let count = numbers(first[key])?.count ?? 0
      return count == 1 ? [key] : axes.prefix(count).map { "\(key)_\($0)" }
    }
    let rows = elements.map { element in keys.flatMap { numbers(element[$0]) ?? [] } }
    guard PoseSource.Column.named(header) != nil, rows.allSatisfy({ $0.count == header.count })
    else { return nil }
    return NumberTable(rows: rows, header: header)
  }

  static let noJSON = "it is not JSON, or it is cut short"

  /// The objects of a file of JSON or YAML.
  /// - Throws: `PictureFault` where it holds none.
  package static func tree(_ file: [UInt8]) throws(PictureFault) -> JSONValue {
    guard let text = String(validating: file, as: UTF8.self)
    else { throw PictureFault("it is not UTF-8 text") }
    if let json = try? JSONValue(text: text) { return json }
    guard text.first(where: { !$0.isWhitespace }) != "{", let document = yaml(text)
    else { throw PictureFault(noJSON) }
    return json(document)
  }

  /// With what another file says under names that this one has not, but for its lists and objects.
  package func completed(by other: NamedNumbers) -> NamedNumbers {
    var all = self
    for (name, entry) in other.entries where !name.contains(where: { ".[".contains($0) }) {
      if all.entries[name] == nil { all.entries[name] = entry }
    }
    return all
  }

  /// All numbers under a name; nil where it does not exist, or holds anything else.
  package func numbers(_ name: String) -> [Double]? { entries[name]?.numbers }

  /// The number under a name, or the first of several; "P_rect_02[3]" is the fourth.
  package func number(_ name: String) -> Double? {
    guard let open = name.lastIndex(of: "["), let place = Int(name[name.index(after: open)...].dropLast())
    else { return numbers(name)?.first }
    let all = numbers(String(name[..<open])) ?? []
    return all.indices.contains(place) ? all[place] : nil
  }

  /// The numbers of each element of a list; nil where there is no list of this name.
  package func list(_ name: String) -> [[Double]?]? {
    guard let entry = entries[name], entry.isList else { return nil }
    return entry.parts
  }

  /// The rows of a file that names nothing.
  /// - Throws: `PictureFault` where its numbers have names.
  package func requireTable() throws(PictureFault) -> NumberTable {
    if let table { return table }
    let names = entries.keys.sorted().prefix(6).joined(separator: ", ")
    throw PictureFault("its numbers have names (\(names)), and it is unclear which of them are meant")
  }

  /// Larger arrays are maps and pictures.
  private static let mostNumbers = 1 << 20
  /// YAML of cameras is shorter; a text of tables may be longer.
  private static let mostYAMLBytes = 1 << 22

  /// An array without its names: an entry for each position along its first axis.
  private static func rows(_ file: [UInt8]) throws(PictureFault) -> [[Double]] {
    let array = try NumpyArray(file, allowsStacks: true, allowsVectors: true)
    let (size, layers) = (array.size, array.layerCount)
    guard size.count * layers <= mostNumbers
    else { throw PictureFault("it holds \(size.count * layers) numbers, more than cameras and poses have") }
    guard layers == 1 else { return (0..<layers).map { array.values(file, layer: $0) } }
    let values = array.values(file)
    return (0..<size.height).map { Array(values[$0 * size.width..<($0 + 1) * size.width]) }
  }

  private mutating func add(_ value: JSONValue, _ name: String) {
    switch value {
    case .keyed(let members):
      for (key, member) in members { add(member, name.isEmpty ? key : name + "." + key) }
    case .list(let elements):
      entries[name] = Entry(parts: elements.map(\.numbers), isList: true)
      addMembers(of: elements, name)
    default:
      if let numbers = value.numbers { entries[name] = Entry(parts: [numbers], isList: false) }
    }
  }

  /// What the objects of a list have in common: "frames[*].transform_matrix". Of the name of a file, its number.
  private mutating func addMembers(of elements: [JSONValue], _ name: String) {
    // DepthAI lists pairs of a camera's number and what it is.
    for case .list(let pair) in elements where pair.count == 2 {
      if let number = pair[0].numbers?.first, case .keyed = pair[1] {
        add(pair[1], "\(name).\(DepthWords.number(number))")
      }
    }
    guard case .keyed(let first)? = elements.first else { return }
    for key in first.keys {
      let parts = elements.map { element -> [Double]? in
        guard case .text(let text)? = element[key] else { return element[key]?.numbers }
        let stem = text.split(separator: "/").last ?? ""
        return FrameKey.number(String(stem)).map { [Double($0)] }
      }
      if parts.contains(where: { $0 != nil }) {
        entries["\(name)[*].\(key)"] = Entry(parts: parts, isList: true)
      }
    }
  }

  /// YAML, or lines of a name and its numbers: "cam0=[1733 0 792; 0 1733 541; 0 0 1]", "P2: 721 0 609 44".
  /// - Returns: Whether any number has a name.
  private mutating func addNamed(_ text: String) -> Bool {
    _ = addYAML(text)
    addSections(text)
    let lines = text.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
    // Indented lines are YAML's alone.
    guard text.utf8.count <= Self.mostYAMLBytes, !lines.contains(where: { $0.first?.isWhitespace ?? true })
    else { return !entries.isEmpty }
    var section = ""
    for line in lines {
      // "[DepthIntrinsic]" of an .ini: what stands below belongs to it.
      if line.first == "[", line.last == "]", line.dropFirst().first?.isLetter == true {
        section = line.dropFirst().dropLast() + "."
        continue
      }
      // A comma divides a name from its number, and not two numbers.
      let comma = line.first?.isLetter == true ? line.firstIndex(of: ",") : nil
      guard let sign = line.firstIndex(where: { "=:".contains($0) }) ?? comma else { continue }
      let name = section + line[..<sign].filter { !$0.isWhitespace }
      let words = line[line.index(after: sign)...].split { "[](),;".contains($0) || $0.isWhitespace }
      let numbers = words.compactMap { Double($0) }
      guard entries[name] == nil, !numbers.isEmpty, numbers.count == words.count else { continue }
      entries[name] = Entry(parts: [numbers], isList: numbers.count > 1)
    }
    return !entries.isEmpty
  }

  /// Lines of numbers below a line that is a word, as MVSNet writes cameras: "extrinsic" and four lines, "intrinsic" and three.
  private mutating func addSections(_ text: String) {
    var (name, rows): (String?, [[Double]]) = (nil, [])
    // The empty line ends the last.
    for line in (text + "\n").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      let words = line.split(whereSeparator: \.isWhitespace), numbers = words.compactMap { Double($0) }
      if name != nil, !numbers.isEmpty, numbers.count == words.count {
        rows.append(numbers)
        continue
      }
      if let name, !rows.isEmpty, entries[name] == nil { entries[name] = Entry(parts: rows, isList: true) }
      (name, rows) = (words.count == 1 ? String(words[0].prefix { $0 != ":" }) : nil, [])
    }
  }

  /// - Returns: Whether it is YAML that names numbers.
  private mutating func addYAML(_ text: String) -> Bool {
    guard let document = Self.yaml(text) else { return false }
    add(Self.json(document), "")
    return !entries.isEmpty
  }

  private static func yaml(_ text: String) -> Node? {
    // OpenCV begins its files with a line of its own.
    let text = text.hasPrefix("%YAML:") ? String(text.drop { !$0.isNewline }) : text
    func mapping(_ text: Substring) -> Node? {
      guard text.utf8.count <= mostYAMLBytes, let document = try? YAMLText.document(String(text)),
        case .mapping = document
      else { return nil }
      return document
    }
    // ROS 2 ends each message with a line of three dashes: the first one counts.
    return mapping(text[...]) ?? text.firstRange(of: "\n---").flatMap { mapping(text[...$0.lowerBound]) }
  }

  /// The elements of an XML text up to the end of the one that is open: by name, or as numbers. OpenCV writes neither attributes that
  /// count nor entities; a whole parser of XML would bring both into the reader of other people's files.
  private static func xml(_ text: inout Substring, depth: Int = 0) -> JSONValue {
    var members: [String: JSONValue] = [:], words = ""
    while let open = text.firstIndex(of: "<"), let close = text[open...].firstIndex(of: ">"), depth < 32 {
      words += text[..<open]
      let tag = text[text.index(after: open)..<close]
      text = text[text.index(after: close)...]
      if tag.hasPrefix("/") { break }
      guard let first = tag.first, first.isLetter || first == "_", !tag.hasSuffix("/") else { continue }
      let name = String(tag.prefix { !$0.isWhitespace }), member = xml(&text, depth: depth + 1)
      // The element around OpenCV's own.
      if name == "opencv_storage" { return member }
      members[name] = members[name] ?? member
    }
    if !members.isEmpty { return .keyed(members) }
    let parts = words.split(whereSeparator: \.isWhitespace), numbers = parts.compactMap { Double($0) }
    guard !numbers.isEmpty, numbers.count == parts.count else { return .text(words) }
    return numbers.count == 1 ? .number(numbers[0]) : .list(numbers.map { .number($0) })
  }

  private static func json(_ node: Node) -> JSONValue {
    switch node {
    case .scalar(let scalar): Double(scalar.string).map { .number($0) } ?? .text(scalar.string)
    case .sequence(let values): .list(values.map(json))
    case .mapping(let pairs):
      .keyed(Dictionary(pairs.map { ($0.key.string ?? "", json($0.value)) }) { first, _ in first })
    case .alias: .null
    }
  }
}
