package import DepthCore
package import FathomPictureFiles

/// Names under which files of several arrays hold their map.
package enum MapKeys {
  /// The first of them that is there counts.
  private static let usual = ["depth", "depths", "disparity", "pred"]

  /// Words of names of maps, and of what lies beside them.
  private static let maps: Set<String> = ["depth", "disparity", "disp", "pred", "prediction", "gt", "truth"]
  private static let others: Set<String> = [
    "mask", "valid", "conf", "confidence", "std", "sigma", "uncertainty", "var", "min", "max", "scale",
    "shift",
    "range", "points", "normal", "normals", "rgb", "image", "color", "colour", "vis", "unit", "pose",
    "intrinsics",
  ]

  /// What a map is read for: a file of results may hold a network's map beside the truth, and how sure it is of it.
  package enum Role {
    case any, truth, prediction
    case beside(StoredPrediction.Certainty)

    fileprivate var words: Set<String> {
      switch self {
      case .any, .beside: []
      case .truth: ["gt", "truth", "groundtruth"]
      case .prediction: ["pred", "preds", "prediction", "predictions", "predicted"]
      }
    }
  }

  /// How networks call what lies beside their depth: Depth Anything 3 and DUSt3R `conf`, UniDepth and Metric3D `confidence`, VGGT `depth_conf`. An
  /// `uncertainty` may be a standard deviation; it is larger where a network is less sure, so it is not a confidence.
  private static func usual(_ certainty: StoredPrediction.Certainty) -> [String] {
    switch certainty {
    case .deviation: ["deviation", "sigma", "std", "depth_std", "depth_sigma", "uncertainty"]
    case .confidence: ["confidence", "conf", "depth_conf", "depth_confidence"]
    }
  }

  /// The array with one of the names of what lies beside maps, or the only one if it is not called as maps are.
  /// - Throws: `PictureFault` where neither is there.
  private static func key(
    among keys: [String], of certainty: StoredPrediction.Certainty
  ) throws(PictureFault) -> String {
    let names = usual(certainty)
    if let key = names.first(where: keys.contains) { return key }
    if keys.count == 1, !usual.contains(keys[0].lowercased()), keys[0] != "Z" { return keys[0] }
    throw PictureFault(
      "it holds \(keys.joined(separator: ", ")), and none is called \(names.joined(separator: ", "))")
  }

  /// The array that is the map: one named for its role, one with a usual name, the only one, or the only one whose name has such a word.
  ///
  /// - Throws: `PictureFault` where neither is there.
  package static func key(among keys: [String], for role: Role = .any) throws(PictureFault) -> String {
    if case .beside(let certainty) = role { return try key(among: keys, of: certainty) }
    let own = keys.filter { key in
      let words = Set(GroupRole.nameWords(key))
      return !words.isDisjoint(with: role.words) && words.isDisjoint(with: others)
    }
    if own.count == 1 { return own[0] }
    if let key = usual.first(where: keys.contains) ?? (keys.count == 1 ? keys[0] : nil) { return key }
    let named = keys.filter { key in
      let words = Set(GroupRole.nameWords(key))
      return !words.isDisjoint(with: maps) && words.isDisjoint(with: others)
    }
    if named.count == 1 { return named[0] }
    guard !keys.isEmpty else { throw PictureFault("it holds no array of numbers at its root") }
    throw PictureFault(
      "it holds \(keys.joined(separator: ", ")), and none is called \(usual.joined(separator: ", "))")
  }
}
