public import DepthCore
internal import FathomHDF5
public import FathomStorage

extension DatasetWriter {
  /// Adds a scene and lays out an array for whatever the header says exists.
  ///
  /// Frames hold planar metres, so `kind` "planar" and `units` "m" are stored, whatever `lidarKind` and
  /// `truthKind` say. Intrinsics are stored once where all frames agree.
  /// - Parameter header: What the scene has; `frameIDs` and `timestampsSeconds` with one entry per frame.
  /// - Parameter compression: gzip level 0 (none) … 9, after a byte shuffle.
  /// - Throws: `FathomError` `.badData` if the header contradicts itself, has no frames, or the scene exists or is one too many;
  ///   `.inputOutput` if the disk is full.
  public mutating func addScene(_ header: SceneHeader, compression: Int = Self.usualCompression)
    throws(FathomError)
  {
    let attempted = "add the scene '\(header.name)'", group = "scenes/\(header.name)"
    try check(header, compression, attempted, group)
    let count = header.frameCount
    try attempt(attempted, group) { () throws(HDF5Error) in
      try file.createGroup(group)
      try set(group, [("note", header.note), ("license", header.license), ("device", header.device)])
      if header.lidarSize != nil || header.hasConfidence { try file.createGroup(group + "/lidar") }
      if let size = header.lidarSize {
        try createMaps(group + "/lidar/depth", count, size, Float.self, compression)
        try set(group + "/lidar/depth", [("units", "m"), ("kind", "planar")])
        if header.hasConfidence {
          try createMaps(group + "/lidar/confidence", count, size, UInt8.self, compression)
        }
      }
      if let size = header.relativeSize {
        try file.createGroup(group + "/relative")
        try createMaps(group + "/relative/values", count, size, Float.self, compression)
        let kind = header.relativeKind == .unknown ? nil : header.relativeKind.rawValue
        try set(group + "/relative/values", [("kind", kind), ("model", header.relativeModel)])
      }
      if let size = header.truthSize {
        try file.createGroup(group + "/truth")
        try createMaps(group + "/truth/depth", count, size, Float.self, compression)
        let independence = header.truthIndependence == .unknown ? nil : header.truthIndependence.rawValue
        try set(
          group + "/truth/depth", [("units", "m"), ("kind", "planar"), ("independence", independence)])
      }
      if let size = header.colourSize {
        try file.createGroup(group + "/image")
        let pictures = header.imageFrames?.count ?? count
        if let frames = header.imageFrames {
          try file.createDataset(group + "/image/frame", shape: [pictures], of: Int32.self)
            .write(frames.map { Int32(clamping: $0) })
        }
        _ = try file.createDataset(
          group + "/image/rgb", shape: [pictures, size.height, size.width, 3], of: UInt8.self,
          chunk: [1, size.height, size.width, 3], compression: compression)
      }
      if !header.predictions.isEmpty { try file.createGroup(group + "/predictions") }
      for stored in header.predictions {
        let parent = group + "/predictions/\(stored.name)"
        try file.createGroup(parent)
        try createMaps(parent + "/depth", count, stored.size, Float.self, compression)
        try set(parent + "/depth", [("kind", stored.kind?.rawValue)])
      }
      for (object, size) in header.deviationStacks {
        try createMaps(group + "/" + object, count, size, Float.self, compression)
      }
      try addCamera(header, group)
      try addTimesAndIDs(header, group)
      try addImport(header.importRecord, group)
      let version = header.schemaVersion
      if version > (scenes.values.map(\.header.schemaVersion).max() ?? 1) {
        try file.replaceAttribute("version", of: "/", with: .integer(version))
      }
    }
    scenes[header.name] = SceneProgress(
      header: header, compression: compression, isWritten: [Bool](repeating: false, count: count),
      cameras: [CameraIntrinsics?](repeating: nil, count: count))
  }

  /// Stores `camera/intrinsics`: [3,3] where all frames agree, otherwise [N,3,3].
  func writeCameras(_ scene: SceneProgress) throws(FathomError) {
    guard let shared = scene.header.intrinsics else { return }
    let object = "scenes/\(scene.header.name)/camera/intrinsics"
    let cameras = scene.cameras.map { $0 ?? shared }
    try attempt("finish the data set", object) { () throws(HDF5Error) in
      if let first = cameras.first, cameras.allSatisfy({ $0 == first }) {
        try file.createDataset(object, shape: [3, 3], of: Double.self).write(first.rowMajor)
      } else {
        try file.createDataset(object, shape: [cameras.count, 3, 3], of: Double.self)
          .write(cameras.flatMap(\.rowMajor))
      }
    }
  }

  private func addCamera(_ header: SceneHeader, _ group: String) throws(HDF5Error) {
    guard header.intrinsics != nil || header.hasPoses else { return }
    try file.createGroup(group + "/camera")
    if let size = header.intrinsics?.imageSize {
      try file.setAttribute("image_size", of: group + "/camera", to: .integers([size.width, size.height]))
    }
    if header.hasPoses {
      let path = group + "/camera/world_from_camera"
      _ = try file.createDataset(path, shape: [header.frameCount, 4, 4], of: Double.self)
      let convention = header.cameraConvention == .unknown ? nil : header.cameraConvention.rawValue
      try set(path, [("convention", convention), ("up", header.upAxis.rawValue)])
    }
  }

  private func addTimesAndIDs(_ header: SceneHeader, _ group: String) throws(HDF5Error) {
    if let times = header.timestampsSeconds {
      try file.createDataset(group + "/time", shape: [times.count], of: Double.self).write(times)
      try set(group + "/time", [("units", "s")])
    }
    if let identifiers = header.frameIDs { try file.writeStrings(identifiers, to: group + "/frame_id") }
  }

  /// Three columns of texts of equal length.
  private func addImport(_ record: ImportRecord?, _ group: String) throws(HDF5Error) {
    guard let record else { return }
    let path = group + "/import"
    try file.createGroup(path)
    try set(path, [("format", record.format), ("recording", record.recording)])
    guard !record.entries.isEmpty else { return }
    try file.writeStrings(record.entries.map(\.step.rawValue), to: path + "/step")
    try file.writeStrings(record.entries.map(\.subject), to: path + "/subject")
    try file.writeStrings(record.entries.map(\.words), to: path + "/words")
  }

  private func createMaps<Element: HDF5Scalar>(
    _ path: String, _ count: Int, _ size: RasterSize, _ type: Element.Type, _ compression: Int
  ) throws(HDF5Error) {
    _ = try file.createDataset(
      path, shape: [count, size.height, size.width], of: type, chunk: [1, size.height, size.width],
      compression: compression)
  }

  private func set(_ object: String, _ attributes: [(String, String?)]) throws(HDF5Error) {
    for case (let name, let value?) in attributes {
      try file.setAttribute(name, of: object, to: .string(value))
    }
  }

  private func check(
    _ header: SceneHeader, _ compression: Int, _ attempted: String, _ group: String
  ) throws(FathomError) {
    let name = header.name
    let sizes =
      [header.lidarSize, header.relativeSize, header.truthSize, header.colourSize].compactMap(\.self)
      + header.predictions.map(\.size)
    let fault: (reason: String, advice: String)? =
      if name.isEmpty || name == "." || name.contains(where: { $0 == "/" || $0 == "\0" }) {
        ("a scene cannot have this name", "use a name without '/'")
      } else if scenes[name] != nil {
        ("the scene exists", "give every scene its own name")
      } else if scenes.count >= SchemaLimits.scenes {
        ("the file has \(scenes.count) scenes, and more are not read", "write the others to another file")
      } else if header.predictions.map(\.name) != Set(header.predictions.map(\.name)).sorted()
        || header.predictions.contains(where: { $0.name.isEmpty || $0.name == "." || $0.name.contains("/") })
      {
        ("its predictions cannot have these names", "use names without '/', each once, in order")
      } else if header.frameCount < 1 {
        ("it has no frames", "leave the scene out")
      } else if !(0...9).contains(compression) {
        ("gzip has no level \(compression)", "choose a level from 0 to 9")
      } else if sizes.contains(where: { $0.width < 1 || $0.height < 1 }) {
        ("an array has no pixels", "leave the array out")
      } else if sizes.count == (header.colourSize == nil ? 0 : 1) {
        ("it has no depth", "give it LiDAR depth, a relative map, truth or a prediction")
      } else if header.hasConfidence && header.lidarSize == nil {
        ("it has confidence but no LiDAR", "give both or none")
      } else if let frames = header.imageFrames,
        frames.isEmpty || header.colourSize == nil || frames != Set(frames).sorted()
          || !frames.allSatisfy((0..<header.frameCount).contains)
      {
        ("its pictures belong to no ascending list of its frames", "name the frame of each picture once")
      } else if let ids = header.frameIDs, ids.count != header.frameCount {
        ("it has \(ids.count) frame ids for \(header.frameCount) frames", "give one per frame")
      } else if let times = header.timestampsSeconds, times.count != header.frameCount {
        ("it has \(times.count) times for \(header.frameCount) frames", "give one per frame")
      } else {
        nil
      }
    if let fault {
      throw FathomError(
        .badData, attempted: attempted, file: path, object: group, reason: fault.reason, advice: fault.advice)
    }
  }
}

extension SceneHeader {
  /// The least version of the schema that can hold the scene.
  fileprivate var schemaVersion: Int {
    if lidarSize == nil { return DatasetReader.versionWithoutLidar }
    return imageFrames == nil && importRecord == nil ? 1 : 2
  }
}

extension CameraIntrinsics {
  /// K as 3 × 3 matrix, row-major.
  var rowMajor: [Double] { [fx, 0, cx, 0, fy, cy, 0, 0, 1] }
}
