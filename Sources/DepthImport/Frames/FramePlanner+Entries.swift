internal import DepthCore
internal import FathomMapFiles
import FathomPlainText
internal import FathomPictureFiles
internal import FathomStorage

/// What the file of the whole recording says of each frame.
extension FramePlanner {
  /// Metres of one count: as the user or the mapping says, else as the recording does.
  mutating func depthUnit() throws(FathomError) -> Double {
    if let metres = try statedCounts() { return metres }
    if let metres = mapping.depth.metresPerUnit { return metres }
    let advice: Wording =
      "give \(option: "depth-scale"): the metres of one count, 0.001 for millimetres, 0.0002 for TUM, 0.00390625 for KITTI, 1 for metres"
    guard let scale = mapping.depth.recordedScale
    else { throw failure(nil, "the unit of its depth is unknown", advice) }
    let file = recordingFile?.name ?? mapping.recordingFile.first?.text
    var stated = Set(entries.values.compactMap { $0.numbers.numbers(scale.key)?.first })
    if stated.isEmpty, let shared = recordingNumbers?.numbers(scale.key)?.first { stated = [shared] }
    guard let number = stated.first
    else { throw failure(file, "it has no '\(scale.key)', so the unit of its depth is unknown", advice) }
    guard stated.count == 1 else {
      throw failure(
        file, "its frames have \(stated.count) values of '\(scale.key)', and a scene has one unit",
        "put the frames of each into a separate folder")
    }
    let metres = number * scale.factor
    guard metres > 0, metres <= 1000 else {
      throw failure(
        file, "its '\(scale.key)' is \(DepthWords.number(number)), which cannot be a unit of depth", advice)
    }
    return metres
  }

  /// Metres of one count by the file that may say how many a metre has; nil where it does not.
  private mutating func statedCounts() throws(FathomError) -> Double? {
    guard let source = mapping.depth.counts, let path = folder.fileHereOrAbove(source.file) else {
      return nil
    }
    do throws(PictureFault) {
      guard let counts = try NamedNumbers(at: path).number(source.key) else { return nil }
      guard counts >= 0.001, counts <= 1e9
      else { throw PictureFault("its '\(source.key)' is \(counts), which cannot be the counts of a metre") }
      record.add(
        .declared, "unit of the depth",
        "\(DepthWords.number(counts)) counts a metre, by \(source.key) in \(source.file)")
      return 1 / counts
    } catch { throw failure(source.file, error.reason, "fix the file, or give \(option: "depth-scale")") }
  }

  /// The files that the frames name, if they are there; their numbers stand for what a pattern's stars do.
  func listedFiles(_ templates: [String]) -> [(name: String, capture: String)] {
    guard !templates.isEmpty else { return [] }
    let names = Set(folder.names)
    return entries.keys.sorted().compactMap { number in
      let paths = templates.compactMap { entries[number]?.path($0) }
      // Pictures may be named without their endings.
      let possible = paths.flatMap { path in [path] + ["png", "jpg", "jpeg"].map { path + "." + $0 } }
      return possible.first(where: names.contains).map { ($0, String(number)) }
    }
  }

  /// How many levels of folders the listed paths have.
  var deepestListed: Int {
    let templates = mapping.depth.listed + mapping.colour.source.listed
    let paths = entries.values.flatMap { entry in templates.compactMap(entry.path) }
    return min((paths.map { $0.count { $0 == "/" } }.max() ?? 0) + 1, FolderSurvey.levels)
  }

  /// Names of listed frames: those of their depth files without endings, where these differ.
  func namesOfListed(_ files: [(name: String, capture: String)]) -> [FrameKey: String] {
    guard !mapping.depth.listed.isEmpty else { return [:] }
    var names: [FrameKey: String] = [:]
    for (name, capture) in files {
      guard let number = Int(capture), var stem = FrameMaps.stems(name).first else { continue }
      for ending in [".geometric", ".photometric", ".depth", ".png", ".jpg", ".jpeg"]
      where stem.lowercased().hasSuffix(ending) { stem = String(stem.dropLast(ending.count)) }
      names[.number(number)] = stem
    }
    return Set(names.values).count == files.count ? names : [:]
  }

  /// The camera of a frame under its usual names, of its own or of the recording.
  /// - Parameter shared: What is said of the whole recording.
  /// - Parameter size: Of the picture, or of the depth where there is none.
  /// - Throws: `PictureFault` where nothing says it, or its model is not a pinhole.
  func namedCamera(
    _ candidate: Candidate, _ shared: NamedNumbers, _ size: RasterSize
  ) throws(PictureFault) -> (camera: RecordedIntrinsics, shift: Double) {
    let numbers = candidate.numbers?.completed(by: shared) ?? shared
    let camera: RecordedIntrinsics
    do throws(PictureFault) { camera = try numbers.camera().camera } catch {
      // Older files say the angle of view alone.
      guard let angle = numbers.numbers("camera_angle_x")?.first, angle > 0, angle < 3 else { throw error }
      camera = RecordedIntrinsics(halfAngle: angle / 2, size)
    }
    var model: String?
    if case .number(let number) = candidate.key, let own = entries[number]?.value["camera_model"]?.string {
      model = own
    } else {
      model = recordingFile?.value["camera_model"]?.string
    }
    let lens = try LensDistortion(numbers, model: model)
    return (camera, lens.largestShift(camera, camera.imageSize ?? size))
  }
}
