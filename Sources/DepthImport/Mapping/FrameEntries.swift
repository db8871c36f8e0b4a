internal import FathomMapFiles
internal import FathomPictureFiles
internal import FathomStorage

/// Where the file of the whole recording tells its frames apart.
enum FrameEntries: Sendable, Hashable {
  /// Objects of a list: "frames[*]". They are numbered from 0.
  case list(String)
  /// Objects whose names are numbers of frames: "{number}", "frame_{number}".
  case numbered(FilePattern)

  /// What a file says of one frame.
  struct Entry: Sendable {
    let number: Int, value: JSONValue, numbers: NamedNumbers

    init(_ number: Int, _ value: JSONValue) {
      (self.number, self.value, numbers) = (number, value, NamedNumbers(value))
    }

    /// The path that a template such as "depth/{name}.bin" stands for; nil where the entry has no text of that name.
    func path(_ template: String) -> String? {
      var (path, rest) = ("", template[...])
      while let brace = rest.firstIndex(of: "{"), let close = rest[brace...].firstIndex(of: "}") {
        guard let text = value[String(rest[rest.index(after: brace)..<close])]?.string else { return nil }
        path += rest[..<brace] + text
        rest = rest[rest.index(after: close)...]
      }
      path += rest
      return path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }
  }

  /// - Throws: `PictureFault` where the file has no such objects.
  func entries(of file: JSONValue) throws(PictureFault) -> [Entry] {
    switch self {
    case .list(let key):
      guard case .list(let elements)? = file.value(at: key), !elements.isEmpty
      else { throw PictureFault("it has no list '\(key)' of frames") }
      return elements.enumerated().map { Entry($0, $1) }
    case .numbered(let pattern):
      guard case .keyed(let members) = file else { throw PictureFault("it has no names of frames") }
      var numbered: [Int: JSONValue] = [:]
      for (name, value) in members {
        guard case .keyed = value, let number = pattern.capture(in: name).flatMap(FrameKey.number)
        else { continue }
        guard numbered.updateValue(value, forKey: number) == nil
        else { throw PictureFault("it names the frame \(number) twice") }
      }
      guard !numbered.isEmpty else { throw PictureFault("none of its names is the number of a frame") }
      return numbered.sorted { $0.key < $1.key }.map { Entry($0.key, $0.value) }
    }
  }
}

extension FrameEntries: Decodable {
  init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    if text.hasSuffix("[*]") {
      self = .list(String(text.dropLast(3)))
    } else if text.contains("{number}") {
      self = .numbered(FilePattern(text.replacing("{number}", with: "*")))
    } else {
      throw MappingFault(
        words:
          "'frame-entries' is '\(text)'; write \"frames[*]\" for a list, or \"{number}\" for objects by number"
      )
    }
  }
}
