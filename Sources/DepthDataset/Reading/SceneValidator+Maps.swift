import FathomPlainText
internal import DepthCore
internal import FathomHDF5

extension SceneValidator {
  mutating func readLidar(_ file: borrowing HDF5File) {
    let path = group + "/lidar/depth", before = issues.count
    layout.lidar = depth(path, file)
    (header.lidarSize, header.lidarKind) = (layout.lidar?.size, layout.lidar?.kind ?? .planar)
    if layout.lidar == nil && issues.count == before && !mayLackLidar {
      error(path, "it is absent", "every scene needs LiDAR depth [N,h,w]")
    }

    let confidence = group + "/lidar/confidence"
    guard let dataset = openImages(confidence, of: .integer, file) else { return }
    let size = RasterSize(width: dataset.shape[2], height: dataset.shape[1])
    if let lidar = layout.lidar, lidar.size != size {
      return error(
        confidence, "its maps are \(size), but lidar/depth is \(lidar.size)",
        "store one confidence per LiDAR pixel")
    }
    if layout.lidar == nil, mayLackLidar {
      return error(confidence, "there is no lidar/depth beside it", "store both or none")
    }
    // The first frame shows another scale (0…255, say) before work starts; a later one is checked when it is read.
    let first: [Int32]? = try? dataset.read(at: 0)
    if let wrong = first?.first(where: { !(0...2).contains($0) }) {
      error(confidence, "it holds the confidence \(wrong)", "store 0 low, 1 medium, 2 high")
    }
    layout.confidence = SceneLayout.Images(path: confidence, size: size)
    header.hasConfidence = true
  }

  /// A scene without a LiDAR holds maps that are compared with a truth, or shown.
  mutating func requireSomeDepth() {
    guard mayLackLidar, !issues.contains(where: { $0.severity == .error }), layout.lidar == nil,
      layout.relative == nil, layout.truth == nil, layout.predictions.isEmpty
    else { return }
    error(
      group, "it has no depth: none of lidar/depth, relative/values, truth/depth, predictions/<name>/depth",
      "store one of them [N,h,w]")
  }

  mutating func readRelative(_ file: borrowing HDF5File) {
    let path = group + "/relative/values"
    guard let dataset = openImages(path, of: .any, file) else { return }
    guard let kind = word("kind", of: path, absent: RelativeKind.unknown, file) else { return }
    let size = RasterSize(width: dataset.shape[2], height: dataset.shape[1])
    layout.relative = SceneLayout.Images(path: path, size: size)
    (header.relativeSize, header.relativeKind) = (size, kind)
    header.relativeModel = text("model", of: path, file)
    if kind == .unknown {
      note(path, "its kind is not declared", "set the attribute kind to 'disparity' or 'depth'")
    }
  }

  mutating func readTruth(_ file: borrowing HDF5File) {
    let path = group + "/truth/depth"
    guard let depth = depth(path, file) else { return }
    guard let independence = word("independence", of: path, absent: TruthIndependence.unknown, file)
    else { return }
    layout.truth = depth
    (header.truthSize, header.truthKind, header.truthIndependence) = (depth.size, depth.kind, independence)
    if independence == .unknown {
      note(
        path, "its independence is not declared", "say where the truth comes from: attribute independence")
    }
    let object = group + "/truth/deviation"
    guard var deviation = self.depth(object, file),
      hasSize(deviation.size, of: object, as: depth.size, of: "truth/depth")
    else { return }
    deviation.kind = depth.kind
    (layout.truthDeviation, header.hasTruthDeviation) = (deviation, true)
  }

  private mutating func hasSize(
    _ size: RasterSize, of object: String, as maps: RasterSize, of other: String
  ) -> Bool {
    size == maps
      || refused(
        object, "its maps are \(size), but \(other) is \(maps)", "store one number per pixel")
  }

  mutating func readImage(_ file: borrowing HDF5File) {
    let path = group + "/image/rgb", frames = schemaVersion >= 2 ? imageFrames(file) : .every
    if case .unusable = frames { return }
    guard
      let dataset = frames.list == nil
        ? openStack(path, rank: 4, "[N,H,W,3]", of: .byte, file)
        : open(path, rank: 4, "[P,H,W,3]", of: .byte, file)
    else { return }
    if let list = frames.list, list.count != dataset.shape[0] {
      return error(
        path, "it holds \(dataset.shape[0]) pictures, but image/frame names \(list.count) frames",
        "name the frame of each picture once")
    }
    guard dataset.shape[3] == 3 else {
      return error(path, "its last extent is \(dataset.shape[3])", "store three channels: red, green, blue")
    }
    guard hasPixels(path, rows: dataset.shape[1], columns: dataset.shape[2], limit: SchemaLimits.imagePixels)
    else { return }
    let size = RasterSize(width: dataset.shape[2], height: dataset.shape[1])
    layout.image = SceneLayout.Images(path: path, size: size)
    header.colourSize = size
    if let list = frames.list, list != Array(0..<header.frameCount) {
      header.imageFrames = list
      layout.imagePositions = Dictionary(uniqueKeysWithValues: list.enumerated().map { ($1, $0) })
    }
  }

  /// Which frames have pictures.
  private enum ImageFrames {
    case every, unusable, some([Int])

    var list: [Int]? {
      if case .some(let list) = self { return list }
      return nil
    }
  }

  /// `image/frame`: ascending, each frame once.
  private mutating func imageFrames(_ file: borrowing HDF5File) -> ImageFrames {
    let path = group + "/image/frame"
    guard let kind = attempt(path, { () throws(HDF5Error) in try file.kind(of: path) }), kind != nil
    else { return .every }
    guard let dataset = open(path, rank: 1, "[P]", of: .integer, file),
      hasRoom(for: dataset.shape[0], "pictures", path, file),
      let frames = attempt(path, { () throws(HDF5Error) -> [Int32] in try dataset.read() })
    else { return .unusable }
    let isAscending = zip(frames, frames.dropFirst()).allSatisfy { $0 < $1 }
    guard let first = frames.first, let last = frames.last, isAscending, first >= 0,
      Int(last) < header.frameCount
    else {
      error(
        path, "its numbers are not frames of 0..<\(header.frameCount), ascending and each once",
        "name the frame of each picture, counted from 0")
      return .unusable
    }
    return .some(frames.map(Int.init))
  }

  mutating func readPredictions(_ file: borrowing HDF5File) {
    let parent = group + "/predictions"
    guard let kind = attempt(parent, { () throws(HDF5Error) in try file.kind(of: parent) }), kind == .group,
      let names = attempt(
        parent, { () throws(HDF5Error) in try file.members(of: parent, limit: SchemaLimits.predictions) })
    else { return }
    for name in names {
      guard name.utf8.count <= SchemaLimits.nameBytes else {
        error(
          parent, "the name of a prediction has \(name.utf8.count) bytes",
          "use at most \(SchemaLimits.nameBytes)")
        continue
      }
      let path = "\(parent)/\(name)/depth"
      guard let dataset = openImages(path, of: .any, file) else { continue }
      let kind = text("kind", of: path, file).map { ($0, StoredPrediction.Kind(rawValue: $0)) }
      if let (word, known) = kind, known == nil {
        error(path, "its attribute kind is '\(word)'", "write one of 'metric', 'depth', 'disparity'")
        continue
      }
      guard kind != nil else {
        // Without it nothing could be scored, and the row of dashes in a report would say so too late.
        error(
          path, "its attribute kind is missing, so nothing says what its values mean",
          "set the attribute kind to 'metric' (metres), or 'depth' or 'disparity' (up to scale and shift)")
        continue
      }
      let size = RasterSize(width: dataset.shape[2], height: dataset.shape[1])
      var stored = StoredPrediction(name: name, kind: kind?.1, size: size)
      var images: SceneLayout.Images?
      for certainty in StoredPrediction.Certainty.allCases {
        let object = "\(parent)/\(name)/\(certainty.rawValue)"
        guard let found = openImages(object, of: .any, file),
          hasSize(
            RasterSize(width: found.shape[2], height: found.shape[1]), of: object, as: size,
            of: "predictions/\(name)/depth")
        else { continue }
        guard images == nil else {
          note(object, "it is not read, because there is a deviation", "remove one of the two")
          continue
        }
        (stored.certainty, images) = (certainty, SceneLayout.Images(path: object, size: size))
      }
      layout.predictions.append((stored, SceneLayout.Images(path: path, size: size), images))
    }
    header.predictions = layout.predictions.map(\.header)
  }

  /// Ray lengths become planar depth with the intrinsics, so they need them.
  mutating func requireIntrinsicsForRayLengths() {
    guard layout.intrinsics == nil else { return }
    for depth in [layout.lidar, layout.truth] {
      guard let depth, depth.kind == .distance else { continue }
      error(
        depth.path, "it holds ray lengths (kind 'distance'), but the scene has no usable camera/intrinsics",
        "add camera/intrinsics and image_size, or store planar depth")
      if depth.path == layout.lidar?.path { (layout.lidar, header.lidarSize) = (nil, nil) }
      if depth.path == layout.truth?.path {
        (layout.truth, header.truthSize) = (nil, nil)
        (layout.truthDeviation, header.hasTruthDeviation) = (nil, false)
      }
    }
  }

  private mutating func depth(_ path: String, _ file: borrowing HDF5File) -> SceneLayout.Depth? {
    guard let dataset = openImages(path, of: .any, file) else { return nil }
    guard let kind = word("kind", of: path, absent: DepthKind.planar, file) else { return nil }
    guard let metresPerUnit = metresPerUnit(path, dataset.storedType, file) else { return nil }
    let size = RasterSize(width: dataset.shape[2], height: dataset.shape[1])
    return SceneLayout.Depth(path: path, size: size, kind: kind, metresPerUnit: metresPerUnit)
  }

  /// `scale` × the length of one of `units` in metres.
  private mutating func metresPerUnit(
    _ path: String, _ type: HDF5StoredType, _ file: borrowing HDF5File
  ) -> Double? {
    let (units, scale) = (attribute("units", of: path, file), attribute("scale", of: path, file))
    guard let unit = word("units", of: path, absent: StoredUnit.m, file) else { return nil }
    if case .integer = type, units == nil, scale == nil {
      return refused(
        path, "it holds \(type) with neither scale nor units, which would be whole metres",
        "set the attribute scale (metres per count), or units 'mm'")
    }
    guard let scale else { return unit.metres }
    guard let factor = scale.real, factor.isFinite, factor > 0, factor <= SchemaLimits.coordinate
    else { return refused(path, "its attribute scale is \(scale.summary)", "write one positive number") }
    return factor * unit.metres
  }
}
