internal import FathomMapFiles
import FathomPlainText
internal import DepthCore
internal import DepthDataset
internal import FathomPictureFiles
internal import FathomStorage

extension FramePlanner {
  /// The JSON of the whole recording, where the mapping names one.
  mutating func readRecordingFile() throws(FathomError) {
    guard !mapping.recordingFile.isEmpty else { return }
    let files = folder.files(mapping.recordingFile)
    guard let name = files.first?.name else {
      let listed = mapping.recordingFile.map { "'\($0.text)'" }.joined(separator: ", ")
      throw failure(nil, "there is no \(listed), which says what the recording is", "export it again")
    }
    do throws(PictureFault) {
      let path = folder.path(of: name)
      guard let source = mapping.frameEntries else {
        recordingNumbers = try NamedNumbers(namedAt: path)
        return
      }
      let file =
        try ColmapModel.isOne(name) ? ColmapModel(at: path).json : NamedNumbers.tree(try FileBytes.read(path))
      for entry in try source.entries(of: file) { entries[entry.number] = entry }
      (recordingNumbers, recordingFile) = (NamedNumbers(file), (name, file))
    } catch { throw failure(name, error.reason, "export the recording again") }
    try lookAsDeepAsIsListed()
  }

  /// A list of the recording's JSON, by the numbers of the frames.
  func recordedList(_ key: String) -> [[Double]?]? { recordingNumbers?.list(key) }

  func recordedSize(_ keys: [String]) -> RasterSize? {
    let sides = keys.compactMap { recordingNumbers?.numbers($0)?.first }.compactMap(
      Int.init(exactly:))
    guard sides.count == 2, sides.allSatisfy((1...65_536).contains) else { return nil }
    return RasterSize(width: sides[0], height: sides[1])
  }

  /// The sizes that files without a header may have.
  private func rawMaps(_ raw: RawNumbers?) throws(FathomError) -> RawMaps? {
    guard let raw else { return nil }
    let declared = recordedSize(raw.sizeKeys).map { [$0] }
    guard let sizes = declared ?? (raw.sizes.isEmpty ? nil : raw.sizes) else {
      throw failure(
        nil, "nothing says the size of its maps: its JSON has no \(raw.sizeKeys.joined(separator: ", "))",
        "export the recording again, or name sizes in a mapping")
    }
    return RawMaps(type: raw.type, sizes: sizes)
  }

  /// Reads the maps of a role.
  /// - Parameter invalid: Stored numbers that stand for nothing.
  func reader(_ reading: MapReading?, _ invalid: [Double] = []) throws(FathomError) -> MapReader {
    let invalid = Set(invalid + invalid.map { Double(Float($0)) })
    return MapReader(raw: try rawMaps(reading?.raw), reading: reading ?? MapReading(), invalid: invalid)
  }

  /// The numbers that formulas may name: the frame's own, else the recording's.
  mutating func readNumbers(_ candidates: inout [Candidate]) throws(FathomError) {
    for (name, stated) in mapping.numbers.sorted(by: { $0.key < $1.key }) {
      for index in candidates.indices {
        guard let source = stated.recorded else {
          candidates[index].plan.numbers[name] = stated.number
          continue
        }
        let found = [candidates[index].numbers, recordingNumbers].compactMap {
          $0?.number(source.key)
        }
        guard let number = found.first else {
          throw failure(
            candidates[index].plan.depth, "nothing says '\(source.key)', which is the number '\(name)'",
            "fix the mapping, or give the number itself in it")
        }
        candidates[index].plan.numbers[name] = number * source.factor
      }
    }
  }

  /// The intrinsics that the recording's JSON gives the frame of a number.
  /// - Throws: `PictureFault` where it gives none.
  func recordedIntrinsics(
    _ keys: IntrinsicsSource.RecordingKeys, _ source: IntrinsicsSource, _ key: FrameKey
  ) throws(PictureFault) -> RecordedIntrinsics {
    if let each = keys.each, let list = recordedList(each) {
      guard case .number(let number) = key, list.indices.contains(number), let numbers = list[number]
      else { throw PictureFault("'\(each)' has no intrinsics of this frame") }
      return try RecordedIntrinsics(numbers, numbers.count == 4 ? .numbers : source.layout)
    }
    guard let all = keys.all, let numbers = recordingNumbers?.numbers(all)
    else { throw PictureFault("the recording's JSON has no intrinsics") }
    return try RecordedIntrinsics(numbers, source.layout)
  }

  /// Turns everything that was planned; pixels are turned when they are read.
  mutating func turn(
    by turn: ImageTurn, _ header: inout SceneHeader, _ candidates: inout [Candidate],
    _ decoder: inout FrameDecoder
  ) {
    decoder.turn = turn
    for index in candidates.indices {
      let plan = candidates[index].plan
      candidates[index].plan.intrinsics = plan.intrinsics?.turned(turn)
      candidates[index].plan.pose = plan.pose?.turned(turn, axes: header.cameraConvention)
    }
    header.lidarSize = header.lidarSize?.turned(turn)
    header.truthSize = header.truthSize?.turned(turn)
    header.colourSize = header.colourSize?.turned(turn)
    header.intrinsics = header.intrinsics?.turned(turn)
    for index in header.predictions.indices {
      header.predictions[index].size = header.predictions[index].size.turned(turn)
    }
    let words = turn == .half ? "by half a turn" : "\(turn.rawValue) by a quarter"
    record.add(.converted, "orientation", "turned \(words): pictures, maps, intrinsics and poses together")
  }

  /// Maps and pictures that do not lie the same way cannot cover the same field of view.
  func requireSameOrientation(_ depth: RasterSize, _ picture: RasterSize?) throws(FathomError) {
    guard let picture, (depth.width > depth.height) != (picture.width > picture.height),
      depth.width != depth.height, picture.width != picture.height
    else { return }
    throw failure(
      nil,
      "its depth of \(depth) and its pictures of \(picture) do not lie the same way: one of them was turned",
      "export them without turning, or add \(option: "no-pictures")")
  }

  /// The true boxes as detections of the frames that see them.
  mutating func readBoxes(_ header: SceneHeader, _ candidates: [Candidate]) throws(FathomError)
    -> SceneObjects?
  {
    guard let source = mapping.boxes else { return nil }
    guard let name = folder.files(source.files).first?.name else {
      record.add(.absent, "boxes", "there is no file of them")
      return nil
    }
    let recorded: RecordedBoxes
    do throws(PictureFault) {
      recorded = try RecordedBoxes(arkitscenes: try FileBytes.text(folder.path(of: name)))
    } catch { throw failure(name, error.reason, "fix or remove the file") }
    for (label, reason) in recorded.dropped { record.add(.dropped, "box '\(label)'", reason) }
    guard !recorded.isUnlabelled, !recorded.boxes.isEmpty else {
      record.add(
        .absent, "boxes", recorded.isUnlabelled ? "this scene has no annotations" : "the file holds none")
      return nil
    }
    var objects: [DetectedObject] = []
    for (index, candidate) in candidates.enumerated() {
      guard let camera = candidate.plan.intrinsics, let pose = candidate.plan.pose else { continue }
      objects += recorded.detections(frame: index, camera, pose, axes: header.cameraConvention)
    }
    record.add(
      .declared, "boxes", "\(recorded.boxes.count) in the world, upright, full lengths, z up")
    guard !objects.isEmpty else {
      record.add(.absent, "objects", "no frame with a pose sees a box")
      return nil
    }
    record.add(
      .converted, "objects",
      "a detection of score 1 for each frame that sees a box: the rectangle around its corners")
    return SceneObjects(objects: objects)
  }
}
