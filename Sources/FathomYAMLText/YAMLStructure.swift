internal import CYaml

/// What a YAML text is made of, seen event by event, before anything is built of it.
///
/// The library trusts its input. It copies what an alias names into its place, so that a file of some megabytes can stand for a tree
/// without end; it compares keys that are lists or mappings with each other, in a time that doubles with every level of them; and it
/// calls itself for every level. None of these is needed in a file of settings, so all are found here and refused.
enum YAMLStructure {
  /// Lists and mappings within each other.
  static let deepest = 64
  /// Letters of an alias that a message shows.
  private static let longestName = 40

  /// Why the text is refused; nil where nothing is wrong, or where it is not YAML, which the library reports better.
  static func objection(to text: String) -> String? {
    var text = text
    return text.withUTF8 { bytes in
      var parser = yaml_parser_t()
      guard yaml_parser_initialize(&parser) == 1 else { return "there is not enough memory to read it" }
      defer { yaml_parser_delete(&parser) }
      yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
      yaml_parser_set_input_string(&parser, bytes.baseAddress, bytes.count)
      var nesting = Nesting()
      var isOver = false
      while !isOver {
        var event = yaml_event_t()
        guard yaml_parser_parse(&parser, &event) == 1 else { return nil }
        defer { yaml_event_delete(&event) }
        if let objection = nesting.take(event) {
          return "line \(event.start_mark.line + 1): \(objection)"
        }
        isOver = event.type == YAML_STREAM_END_EVENT
      }
      return nil
    }
  }

  /// The lists and mappings that an event lies in.
  private struct Nesting {
    private enum Level { case list, key, value }

    private var levels: [Level] = []

    /// - Returns: What is wrong with the next event.
    mutating func take(_ event: yaml_event_t) -> String? {
      switch event.type {
      case YAML_ALIAS_EVENT:
        let name = event.data.alias.anchor.map { String(cString: $0).prefix(longestName) } ?? ""
        return "the alias *\(name) is not read; write the value out"
      case YAML_SCALAR_EVENT:
        turn()
      case YAML_SEQUENCE_START_EVENT, YAML_MAPPING_START_EVENT:
        if levels.last == .key { return "a list or a mapping cannot be a key; a key is a word" }
        turn()
        levels.append(event.type == YAML_MAPPING_START_EVENT ? .key : .list)
        if levels.count > deepest {
          return "lists and mappings lie more than \(deepest) deep in each other"
        }
      case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
        levels.removeLast()
      default: break
      }
      return nil
    }

    /// A key is followed by its value, and this by the next key.
    private mutating func turn() {
      switch levels.last {
      case .key: levels[levels.count - 1] = .value
      case .value: levels[levels.count - 1] = .key
      case .list, nil: break
      }
    }
  }
}
