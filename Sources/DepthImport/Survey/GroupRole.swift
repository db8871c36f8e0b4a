internal import DepthCore

/// What the files of a group can be.
///
/// What their numbers can hold comes before what they are called: a name chooses only among what is possible.
struct GroupRole: Sendable {
  enum Kind: String, Sendable, Codable {
    case depth, truth, confidence, colour, mask, prediction
  }

  let kind: Kind
  /// "16 bits, named 'depth'"
  let why: String
  /// Whether a name says so, and not only what is left.
  var isNamed = true

  static let words: [(Kind, Set<String>)] = [
    (
      .prediction,
      [
        "pred", "preds", "prediction", "predictions", "predicted", "est", "estimate", "estimated", "mono",
        "relative",
        "disp", "disparity", "disparities", "inverse", "inv", "midas", "zoe", "zoedepth", "dpt", "marigold",
        "unidepth", "metric3d", "moge", "dav2", "da3", "promptda", "anything", "network", "output", "outputs",
      ]
    ),
    (.confidence, ["conf", "confs", "confidence", "confidences", "certainty"]),
    (
      .mask,
      [
        "mask", "masks", "valid", "validity", "semantic", "semantics", "instance", "instances", "seg",
        "segmentation", "label", "labels",
      ]
    ),
    (
      .truth,
      ["gt", "gts", "gtdepth", "truth", "groundtruth", "ground", "laser", "highres", "reference", "faro"]
    ),
    (
      .depth,
      [
        "depth", "depths", "lidar", "tof", "range", "ranges", "distance", "distances", "z", "sparse", "dep",
        "dmap", "depthmap", "depthmaps", "rawdepth", "tiefe", "tiefen", "tiefenbild", "profondeur",
        "profundidad",
      ]
    ),
    (
      .colour,
      [
        "rgb", "rgbs", "color", "colors", "colour", "colours", "image", "images", "img", "imgs", "frame",
        "frames", "photo", "photos", "picture", "pictures", "left", "farbe", "bild", "bilder", "couleur",
      ]
    ),
  ]
  /// Larger is nearer.
  static let disparity: Set<String> = ["disp", "disparity", "disparities", "inverse", "inv"]
  /// A picture of depth, for people: its colours mean nothing.
  private static let painted: Set<String> = [
    "colorized", "colourized", "colorised", "colored", "vis", "viz", "visual", "visualization", "preview",
    "colormap",
  ]

  /// Of many bits, and neither depth nor a picture with colours.
  static let others: Set<String> = [
    "ir", "infrared", "infrarot", "amplitude", "intensity", "reflectivity", "normal", "normals", "flow",
    "points", "pointmap", "xyz", "std", "sigma", "uncertainty", "variance", "deviation", "photometric",
  ]

  /// nil where it can be nothing that is asked for.
  init?(_ group: FileGroup, _ content: FileContent) {
    let names = Self.nameWords(group.pattern)
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
          self.init(kind: kind, why: "\(header.form), named '\(word)'")
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

  private init(kind: Kind, why: String, isNamed: Bool = true) {
    (self.kind, self.why, self.isNamed) = (kind, why, isNamed)
  }

  /// What words of a name say, and by which of them; nil where they say nothing.
  static func kind(namedIn names: [String], among kinds: [Kind] = words.map(\.0)) -> (Kind, String)? {
    for (kind, known) in words where kinds.contains(kind) {
      if let word = names.first(where: known.contains) { return (kind, word) }
    }
    return nil
  }

  private static func isConfidence(_ levels: Set<Double>, areFew: Bool = false) -> Bool {
    (areFew || levels.count > 1)
      && ConfidenceCode.allCases.contains { code in levels.allSatisfy(code.values.contains) }
  }

  /// "depth", "map", "left" of "left/depthMap_*.png": small, of letters and what follows them, without the ending.
  static func nameWords(_ pattern: String) -> [String] {
    let ending = FileEnding.of(pattern)
    let stem = ending.isEmpty ? pattern[...] : pattern.dropLast(ending.count + 1)
    var words: [String] = [], last: Character = " "
    for letter in stem {
      if letter.isLetter || letter.isNumber && last.isLetter && !words.isEmpty {
        // The first letter may follow a digit: "6d_real".
        let begins =
          words.isEmpty || !(last.isLetter || last.isNumber) || letter.isUppercase && last.isLowercase
        if begins { words.append(letter.lowercased()) } else { words[words.count - 1] += letter.lowercased() }
      }
      last = letter
    }
    // "depth16", "rgb8": the word stands without the bits, too; a network's name keeps its number.
    return words.flatMap { word -> [String] in
      let bare = String(word.prefix { $0.isLetter })
      return bare == word ? [word] : [word, bare]
    }
  }
}
