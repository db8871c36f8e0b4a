import FathomStorage
internal import DepthCore

extension SceneInspection {
  /// Reads every frame of a scene that is in no data set yet.
  init(_ header: SceneHeader, of source: borrowing some FrameSource & ~Copyable) throws(FathomError) {
    self.init(header)
    let predictions = header.predictions.map { "predictions/\($0.name)/depth" }
    var statistics: [String: ValueStatistics] = [:], levels = [Int](repeating: 0, count: 256)
    func add(_ map: DepthMap?, _ name: String, isDepth: Bool) {
      guard let map else { return }
      statistics[name, default: ValueStatistics(isDepth: isDepth)].add(map.values)
    }
    for index in 0..<header.frameCount {
      let frame = try source.frame(index, of: header, including: [.fusion, .predictions])
      if header.lidarSize != nil { add(frame.lidar, "lidar/depth", isDepth: true) }
      add(frame.relative, "relative/values", isDepth: false)
      add(frame.truth, "truth/depth", isDepth: true)
      for (stored, map) in frame.predictions { add(map, "predictions/\(stored.name)/depth", isDepth: false) }
      for level in frame.confidence?.values ?? [] { levels[Int(level)] += 1 }
    }
    func array(
      _ name: String, _ size: RasterSize?, kind: String? = nil, unit: String? = nil, origin: String? = nil
    ) -> ArrayInspection? {
      guard let size else { return nil }
      return ArrayInspection(
        name: name, size: size, storedType: "the recording's", filters: [], byteCount: 0, kind: kind,
        unit: unit, origin: origin, values: statistics[name]?.summary)
    }
    arrays = [
      array("lidar/depth", header.lidarSize, kind: header.lidarKind.rawValue, unit: "m"),
      array("lidar/confidence", header.hasConfidence ? header.lidarSize : nil),
      array(
        "relative/values", header.relativeSize, kind: header.relativeKind.rawValue,
        origin: header.relativeModel),
      array(
        "truth/depth", header.truthSize, kind: header.truthKind.rawValue, unit: "m",
        origin: header.truthIndependence.rawValue),
    ].compactMap { $0 }
    for (stored, name) in zip(header.predictions, predictions) {
      if let found = array(name, stored.size, kind: stored.kind?.rawValue) { arrays.append(found) }
    }
    if let found = array("image/rgb", header.colourSize) { arrays.append(found) }
    let total = Double(levels.reduce(0, +))
    if header.hasConfidence, total > 0 {
      confidence = ConfidenceShares(
        low: Double(levels[0]) / total, medium: Double(levels[1]) / total, high: Double(levels[2]) / total,
        other: Double(levels.dropFirst(3).reduce(0, +)) / total)
    }
    let found = try source.objects(of: header, includingMasks: false)
    if let found {
      objects = found.objects.reduce(into: [:]) { $0[$1.label, default: 0] += 1 }
      hasTrueBoxes = found.objects.contains { $0.truth != nil }
    }
    let presence: [(String, Bool)] = [
      ("lidar/depth", header.lidarSize != nil), ("lidar/confidence", header.hasConfidence),
      ("relative/values", header.relativeSize != nil), ("truth/depth", header.truthSize != nil),
      ("camera/intrinsics", header.intrinsics != nil), ("camera/world_from_camera", header.hasPoses),
      ("image/rgb", header.colourSize != nil), ("time", header.timestampsSeconds != nil),
      ("frame_id", header.frameIDs != nil), ("objects", found != nil),
      ("objects/mask", found == nil), ("objects/truth", found == nil || hasTrueBoxes),
    ]
    absent = presence.filter { !$0.1 }.map(\.0)
  }
}
