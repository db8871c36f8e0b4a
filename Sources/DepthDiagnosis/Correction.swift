public import FathomStorage
public import DepthCore
public import DepthDataset

/// A change to a scene that makes what it declares true, in memory and in a file. Objects are paths below the scene's group.
public enum Correction: Sendable, Hashable, Codable {
  /// Sets a text attribute: the numbers are right, what is said of them is not.
  case attribute(object: String, name: String, value: String)
  /// A number of a metric depth map times this is metres.
  case unit(object: String, factor: Double)
  /// Puts the maps of a stack upright.
  case orientation(object: String, stored: Symmetry)
  /// Matrices of `camera/intrinsics` or `camera/world_from_camera` are stored transposed.
  case transposition(object: String)
  /// What the matrices of `camera/world_from_camera` are: axes, and whether they take the world to the camera.
  case poses(convention: CameraConvention, isInverted: Bool)
  /// Translations of the poses times this are metres.
  case poseUnit(factor: Double)
  /// K is of another image or counted otherwise.
  case intrinsics(IntrinsicsReading)
  /// K is of an image of another size: fx and cx times x, fy and cy times y are of the declared one.
  case intrinsicsSize(x: Double, y: Double)
  /// A time stamp times this is seconds.
  case timeUnit(factor: Double)
  /// Stored confidence values, ascending, and the levels that they mean.
  case confidence(stored: [UInt8], levels: [UInt8])
  /// From which end boxes and masks count rows; nil for what stays.
  case origins(box: ImageOrigin?, mask: ImageOrigin?)
  /// Pixels of a metric depth map with exactly this number of metres have no depth.
  case noDepth(object: String, metres: Float)
  /// Frames sorted by time.
  case frameOrder

  /// Whether numbers of maps are changed, not only what is said of them.
  public var changesPixels: Bool {
    switch self {
    case .orientation, .confidence, .noDepth: true
    case .unit(let object, _): object.hasPrefix("predictions/")
    default: false
    }
  }

  /// What it costs where the finding is wrong, for those who decide about it.
  public var costIfWrong: String {
    switch self {
    case .orientation(let object, _):
      "every pixel of \(object) is moved; if it was right before, every error computed from the copy is wrong"
    case .confidence:
      "doubtful returns count as sure ones; the levels that were are lost where they were more than three"
    case .unit(let object, _): "every depth of \(object) is of another size"
    case .attribute(let object, let name, _): "only the word \(name) of \(object) changes; the numbers stay"
    case .transposition, .poses, .poseUnit: "frames do not meet; the maps stay as they are"
    case .intrinsics, .intrinsicsSize: "points lie beside where they were seen; the maps stay as they are"
    case .noDepth(let object, let metres): "the pixels of \(object) at \(metres) m are lost; the others stay"
    case .timeUnit, .frameOrder: "what compares frames over time is wrong; the maps stay as they are"
    case .origins: "boxes and masks are read from the other end; the maps stay as they are"
    }
  }

  /// Makes the change in memory.
  public func apply(to sample: inout SceneSample) {
    switch self {
    case .attribute(let object, let name, let value): Self.declare(object, name, value, in: &sample)
    case .unit(let object, let factor):
      sample.changeMaps(object) { map, _ in
        for index in map.values.indices { map.values[index] = Float(Double(map.values[index]) * factor) }
      }
    case .orientation(let object, let stored):
      sample.changeMaps(object) { map, _ in map = stored.upright(map) }
      sample.header.relativeSize =
        sample.frames.lazy.compactMap(\.relative?.size).first ?? sample.header.relativeSize
    case .transposition: break  // read as if it were not
    case .poses(let convention, let isInverted):
      sample.header.cameraConvention = convention
      if isInverted { sample.changePoses { $0 = $0.inverse } }
    case .poseUnit(let factor): sample.changePoses { $0.translation *= factor }
    case .intrinsics(let reading):
      sample.header.intrinsics = sample.header.intrinsics.map(reading.corrected)
      sample.replaceIntrinsics(reading.corrected)
    case .intrinsicsSize(let x, let y):
      sample.header.intrinsics = sample.header.intrinsics.map { Self.scaled($0, x, y) }
      sample.replaceIntrinsics { Self.scaled($0, x, y) }
    case .timeUnit(let factor):
      sample.header.timestampsSeconds = sample.header.timestampsSeconds?.map { $0 * factor }
    case .confidence(let stored, let levels):
      let table = Self.table(stored, levels)
      for index in sample.frames.indices {
        sample.frames[index].confidence?.values.withUnsafeMutableBufferPointer { values in
          for pixel in values.indices { values[pixel] = table[Int(values[pixel])] }
        }
      }
    case .origins(let box, let mask):
      sample.conventions.boxOrigin = box ?? sample.conventions.boxOrigin
      sample.conventions.maskOrigin = mask ?? sample.conventions.maskOrigin
    case .noDepth(let object, let metres):
      sample.changeMaps(object) { map, _ in
        for index in map.values.indices where map.values[index] == metres { map.values[index] = .nan }
      }
    case .frameOrder: sample.header.timestampsSeconds?.sort()
    }
  }

  /// Maps, and the standard deviations or confidences beside them where there are any.
  private static func maps(
    _ object: String, with certainties: [StoredPrediction.Certainty], _ header: SceneHeader
  ) -> [String] {
    let beside = certainties.compactMap { $0.object(beside: object) }
    return [object] + header.deviationStacks.map(\.object).filter(beside.contains)
  }

  /// Makes the same change in a file.
  /// - Parameter header: The scene as the file has it.
  public func apply(to editor: borrowing DatasetEditor, _ header: SceneHeader) throws(FathomError) {
    let scene = header.name
    let (poses, intrinsics) = ("camera/world_from_camera", "camera/intrinsics")
    switch self {
    case .attribute(let object, let name, let value):
      try editor.setText(name, of: object, to: value, in: scene)
    case .unit(let object, let factor):
      for object in Self.maps(object, with: [.deviation], header) {
        if object.hasPrefix("predictions/") {
          // The schema knows no unit of predictions.
          try editor.change(object, in: scene) { $0.map { $0 * factor } }
        } else {
          try editor.scaleUnit(of: object, by: factor, in: scene)
        }
      }
    case .orientation(let object, let stored):
      for object in Self.maps(object, with: StoredPrediction.Certainty.allCases, header) {
        try editor.replaceMaps(object, in: scene, stored.upright)
      }
    case .transposition(let object):
      let side = object == intrinsics ? 3 : 4
      try editor.change(object, in: scene, elements: side * side) { matrix in
        matrix.indices.map { matrix[$0 % side * side + $0 / side] }
      }
    case .poses(let convention, let isInverted):
      try editor.setText("convention", of: poses, to: convention.rawValue, in: scene)
      guard isInverted else { return }
      try editor.change(poses, in: scene) { RigidTransform(rowMajor: $0).inverse.rowMajor }
    case .poseUnit(let factor):
      try editor.change(poses, in: scene) { matrix in
        matrix.indices.map { [3, 7, 11].contains($0) ? matrix[$0] * factor : matrix[$0] }
      }
    case .intrinsics(let reading):
      guard let size = header.intrinsics?.imageSize else { return }
      try editor.change(intrinsics, in: scene, elements: 9) { k in
        let right = reading.corrected(
          CameraIntrinsics(fx: k[0], fy: k[4], cx: k[2], cy: k[5], imageSize: size))
        return [right.fx, k[1], right.cx, k[3], right.fy, right.cy, k[6], k[7], k[8]]
      }
    case .intrinsicsSize(let x, let y):
      try editor.change(intrinsics, in: scene, elements: 9) { k in
        [k[0] * x, k[1] * x, k[2] * x, k[3] * y, k[4] * y, k[5] * y, k[6], k[7], k[8]]
      }
    case .timeUnit(let factor): try editor.change("time", in: scene) { $0.map { $0 * factor } }
    case .confidence(let stored, let levels):
      let table = Self.table(stored, levels)
      try editor.change("lidar/confidence", in: scene) {
        $0.map { Double(table[Int(saturating: min(max($0, 0), 255))]) }
      }
    case .origins(let box, let mask):
      for (object, origin) in [("objects/bbox", box), ("objects/mask", mask)] {
        guard let origin else { continue }
        try editor.setText("origin", of: object, to: origin.rawValue, in: scene)
      }
    case .noDepth(let object, let metres): try editor.removeDepth(metres, of: object, in: scene)
    case .frameOrder:
      guard let times = header.timestampsSeconds else { return }
      try editor.reorderFrames(times.indices.sorted { times[$0] < times[$1] }, in: scene)
    }
  }

  /// K of an image that is so many times as wide and high.
  static func scaled(_ k: CameraIntrinsics, _ x: Double, _ y: Double) -> CameraIntrinsics {
    CameraIntrinsics(fx: k.fx * x, fy: k.fy * y, cx: k.cx * x, cy: k.cy * y, imageSize: k.imageSize)
  }

  /// The level of every byte: that of the largest listed value that is not above it.
  public static func table(_ stored: [UInt8], _ levels: [UInt8]) -> [UInt8] {
    (UInt8.min...UInt8.max).map { byte in
      let position = stored.lastIndex { $0 <= byte } ?? 0
      return levels[min(position, levels.count - 1)]
    }
  }

  private static func declare(_ object: String, _ name: String, _ value: String, in sample: inout SceneSample)
  {
    switch (object, name) {
    case ("relative/values", "kind"):
      sample.header.relativeKind = RelativeKind(rawValue: value) ?? sample.header.relativeKind
    case ("lidar/depth", "kind"), ("truth/depth", "kind"):
      guard let kind = DepthKind(rawValue: value) else { return }
      sample.changeMaps(object) { map, frame in
        guard let intrinsics = frame.intrinsics else { return }
        map = map.converted(to: kind, seenBy: intrinsics)
      }
      if object.hasPrefix("lidar") { sample.header.lidarKind = kind } else { sample.header.truthKind = kind }
    case ("camera/world_from_camera", "up"):
      sample.header.upAxis = UpAxis(rawValue: value) ?? sample.header.upAxis
    default:
      guard name == "kind", let kind = StoredPrediction.Kind(rawValue: value) else { return }
      func isMeant(_ prediction: StoredPrediction) -> Bool {
        object == "predictions/\(prediction.name)/depth"
      }
      for index in sample.header.predictions.indices where isMeant(sample.header.predictions[index]) {
        sample.header.predictions[index].kind = kind
      }
      for frame in sample.frames.indices {
        for index in sample.frames[frame].predictions.indices
        where isMeant(sample.frames[frame].predictions[index].header) {
          sample.frames[frame].predictions[index].header.kind = kind
        }
      }
    }
  }
}

extension SceneSample {
  /// Changes the maps of a stack, frame by frame.
  /// - Parameter object: "lidar/depth", "relative/values", "truth/depth" or "predictions/<name>/depth".
  public mutating func changeMaps(_ object: String, _ change: (inout DepthMap, DepthFrame) -> Void) {
    Self.changeMaps(object, of: &frames, change)
    Self.changeMaps(object, of: &around, change)
  }

  private static func changeMaps(
    _ object: String, of frames: inout [DepthFrame], _ change: (inout DepthMap, DepthFrame) -> Void
  ) {
    for index in frames.indices {
      let frame = frames[index]
      switch object {
      case "lidar/depth": change(&frames[index].lidar, frame)
      case "relative/values": frames[index].relative = frame.relative.map { Self.changed($0, frame, change) }
      case "truth/depth": frames[index].truth = frame.truth.map { Self.changed($0, frame, change) }
      default:
        for stored in frame.predictions.indices
        where object == "predictions/\(frame.predictions[stored].header.name)/depth" {
          frames[index].predictions[stored].map = Self.changed(frame.predictions[stored].map, frame, change)
        }
      }
    }
  }

  /// Changes the poses of all frames, and of those around them.
  public mutating func changePoses(_ change: (inout RigidTransform) -> Void) {
    for index in frames.indices {
      guard var pose = frames[index].worldFromCamera else { continue }
      change(&pose)
      frames[index].worldFromCamera = pose
    }
    for key in poses.keys {
      guard var pose = poses[key] else { continue }
      change(&pose)
      poses[key] = pose
    }
  }

  /// Gives every frame another K; ray lengths, which the former one made planar, are made planar by it.
  mutating func replaceIntrinsics(_ corrected: (CameraIntrinsics) -> CameraIntrinsics) {
    for (object, kind) in [("lidar/depth", header.lidarKind), ("truth/depth", header.truthKind)]
    where kind == .distance {
      changeMaps(object) { map, frame in
        guard let camera = frame.intrinsics else { return }
        map = map.converted(to: .planar, seenBy: camera).converted(to: .distance, seenBy: corrected(camera))
      }
    }
    for index in frames.indices { frames[index].intrinsics = frames[index].intrinsics.map(corrected) }
  }

  private static func changed(
    _ map: DepthMap, _ frame: DepthFrame, _ change: (inout DepthMap, DepthFrame) -> Void
  ) -> DepthMap {
    var map = map
    change(&map, frame)
    return map
  }
}

extension DepthMap {
  /// Read as planar depth after a change of what the file's numbers are said to be: as `kind`, where the map was made
  /// from the other one.
  ///
  /// A frame's map is planar under what was declared. If the numbers are ray lengths that were taken for planar depth,
  /// they are divided by √(1 + x² + y²); if they are planar and were divided, that is undone.
  func converted(to kind: DepthKind, seenBy intrinsics: CameraIntrinsics) -> DepthMap {
    let camera = intrinsics.scaled(to: size)
    var result = self
    for row in 0..<height {
      let y = (Double(row) + 0.5 - camera.cy) / camera.fy
      for column in 0..<width {
        let x = (Double(column) + 0.5 - camera.cx) / camera.fx
        let length = (1 + x * x + y * y).squareRoot()
        result[row, column] = Float(Double(self[row, column]) * (kind == .distance ? 1 / length : length))
      }
    }
    return result
  }
}
