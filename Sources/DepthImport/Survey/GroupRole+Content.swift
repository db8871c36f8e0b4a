internal import DepthCore
internal import FathomMapFiles

extension GroupRole {
  /// A picture of depth, for people: its colours mean nothing.
  private static let painted: Set<String> = [
    "colorized", "colourized", "colorised", "colored", "vis", "viz", "visual", "visualization", "preview",
    "colormap",
  ]

  /// What their numbers can hold comes before what they are called: a name chooses only among what is possible.
  ///
  /// nil where it can be nothing that is asked for.
  init?(_ group: FileGroup, _ content: FileContent) {
    var names = Self.nameWords(group.pattern)
    // Of several arrays in a file, the one that is read; such files are mostly what a network wrote.
    var isOfResults = false
    if group.isStack, case .map(let header, _) = content, header.keys.count > 1,
      let key = try? MapKeys.key(among: header.keys)
    {
      (names, isOfResults) = (Self.nameWords(key), true)
    }
    func said(_ kinds: Kind...) -> (Kind, String)? { Self.kind(namedIn: names, among: kinds) }
    switch content {
    case .map(let header, let numbers):
      if header.holdsDepth {
        guard numbers != nil || header.bits > 8 else { return nil }
        let isConfidence = numbers.flatMap(\.levels).map { Self.isConfidence($0) } ?? false
        if isConfidence, numbers?.maximum != 0 {
          self.init(kind: .confidence, why: "its numbers are levels of confidence")
          return
        }
        guard said(.depth) != nil || names.allSatisfy({ !Self.others.contains($0) }) else { return nil }
        if let (kind, word) = said(.prediction, .confidence, .mask, .truth, .depth) {
          self.init(kind: kind, why: "\(header.form), named '\(word)'", isNamed: !isOfResults)
        } else if min(header.size.width, header.size.height) >= Self.leastSide {
          self.init(kind: .depth, why: "\(header.form), as depth needs", isNamed: false)
        } else {
          return nil
        }
      } else {
        let levels = numbers?.levels
        // Every pixel of a few frames may have the highest level.
        let isNamedConfidence = said(.confidence) != nil && levels != [0]
        if let levels, Self.isConfidence(levels, areFew: isNamedConfidence), said(.mask) == nil,
          levels.count == 3 || said(.confidence) != nil
        {
          self.init(
            kind: .confidence,
            why: "its numbers are \(levels.sorted().map(DepthWords.number).joined(separator: ", "))",
            isNamed: said(.confidence) != nil)
        } else if let (kind, word) = said(.mask), kind == .mask {
          self.init(kind: .mask, why: "8 bits, named '\(word)'")
        } else if said(.depth, .truth, .prediction) == nil, levels == nil || said(.colour) != nil {
          self.init(kind: .colour, why: "8 bits of grey", isNamed: said(.colour) != nil)
        } else if levels != nil, said(.depth, .truth, .prediction) == nil {
          self.init(kind: .mask, why: "a few numbers of 8 bits", isNamed: false)
        } else {
          return nil
        }
      }
    case .picture:
      if let (kind, _) = said(.mask), kind == .mask { return nil }
      guard said(.depth, .truth, .prediction) == nil || said(.colour) != nil,
        !names.contains(where: Self.painted.contains)
      else { return nil }
      let word = said(.colour)?.1
      self.init(
        kind: .colour, why: word.map { "pictures, named '\($0)'" } ?? "pictures", isNamed: word != nil)
    default: return nil
    }
  }

  /// Fewer rows or columns are a table, unless a name says depth.
  private static let leastSide = 20

  static func isConfidence(_ levels: Set<Double>, areFew: Bool = false) -> Bool {
    (areFew || levels.count > 1)
      && ConfidenceCode.allCases.contains { code in levels.allSatisfy(code.values.contains) }
  }
}
