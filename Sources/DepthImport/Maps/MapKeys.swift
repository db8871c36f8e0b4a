internal import FathomPictureFiles

/// Names under which files of several arrays hold their map.
enum MapKeys {
  /// The first of them that is there counts.
  private static let usual = ["depth", "depths", "disparity", "pred"]

  /// The array that is the map: one with a usual name, or the only one.
  /// - Throws: `PictureFault` where neither is there.
  static func key(among keys: [String]) throws(PictureFault) -> String {
    if let key = usual.first(where: keys.contains) ?? (keys.count == 1 ? keys[0] : nil) { return key }
    throw PictureFault(
      "it holds \(keys.joined(separator: ", ")), and none is called \(usual.joined(separator: ", "))")
  }
}
