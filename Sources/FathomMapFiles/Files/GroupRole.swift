/// What the files of a group can be, and which words of their names say so.
package struct GroupRole: Sendable {
  package enum Kind: String, Sendable, Codable {
    case depth, truth, confidence, colour, mask, prediction
  }

  package let kind: Kind
  /// "16 bits, named 'depth'"
  package let why: String
  /// Whether a name says so, and not only what is left.
  package var isNamed = true

  static let words: [(Kind, Set<String>)] = [
    (
      .prediction,
      [
        "pred", "preds", "prediction", "predictions", "predicted", "est", "estimate", "estimated", "mono",
        "relative", "disp", "disps", "disparity", "disparities", "inverse", "inv", "midas", "zoe", "zoedepth",
        "dpt", "marigold", "unidepth", "metric3d", "moge", "dav2", "da3", "promptda", "anything", "network",
        "output", "outputs",
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
  package static let disparity: Set<String> = ["disp", "disps", "disparity", "disparities", "inverse", "inv"]
  /// Of many bits, and neither depth nor a picture with colours.
  package static let others: Set<String> = [
    "ir", "infrared", "infrarot", "amplitude", "intensity", "reflectivity", "normal", "normals", "flow",
    "points", "pointmap", "xyz", "std", "sigma", "uncertainty", "variance", "deviation", "photometric",
  ]

  package init(kind: Kind, why: String, isNamed: Bool = true) {
    (self.kind, self.why, self.isNamed) = (kind, why, isNamed)
  }

  /// What words of a name say, and by which of them; nil where they say nothing.
  package static func kind(namedIn names: [String], among kinds: [Kind] = words.map(\.0)) -> (Kind, String)? {
    for (kind, known) in words where kinds.contains(kind) {
      if let word = names.first(where: known.contains) { return (kind, word) }
    }
    return nil
  }

  /// "depth", "map", "left" of "left/depthMap_*.png": small, of letters and what follows them, without the ending.
  package static func nameWords(_ pattern: String) -> [String] {
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
