internal import DepthCore
internal import FathomMapFiles
import FathomPlainText
internal import FathomPictureFiles
internal import FathomStorage

extension FramePlanner {
  mutating func readIntrinsics(
    _ candidates: inout [Candidate], _ matching: FrameMatching, _ depthSize: RasterSize,
    _ pictureSize: RasterSize?
  ) throws(FathomError) {
    guard let source = mapping.intrinsics, !candidates.isEmpty
    else { return record.add(.absent, "intrinsics", "no file that is read says them") }
    let isInRecording = source.recording != nil && source.values == nil && source.file == nil
    let isNamed = source.layout == .named && source.values == nil && source.file == nil
    if !source.files.isEmpty || source.jsonKey != nil || isInRecording || isNamed {
      if isInRecording, let keys = source.recording, keys.each.flatMap(recordedList) == nil {
        record.add(.assumed, "intrinsics", "those that the recording gives hold for all frames")
      }
      return try readIntrinsicsOfFrames(&candidates, source, matching, depthSize, pictureSize)
    }
    hasOwnCamera = source.isOfUser || source.hasOptionalFile && cameraFile(source) != nil
    if !hasOwnCamera, source.values != nil || !source.cameras.isEmpty { noteUnreadCameras(depthSize) }
    guard let (recorded, place) = try sharedIntrinsics(source, depthSize) else { return }
    var size = imageSize(source, recorded, depthSize, pictureSize)
    if recorded.imageSize == nil, case .fixed = source.imageSize {
      let own = [pictureSize, depthSize].compactMap(\.self)
      let isOfFormat = own.contains { $0.hasAspect(of: size) }
      if hasOwnCamera {
        // The maps may be a reduced copy of the format's size, and the numbers belong to that.
        size = recorded.likeliest(of: (isOfFormat ? [size] : []) + own) ?? size
      } else if !isOfFormat, cameraFile(source) == nil {
        let words = "\(recorded.words) for \(size), from \(place), do not fit the depth of \(depthSize)"
        return record.add(.absent, "intrinsics", "\(words); give \(flag: "intrinsics") fx,fy,cx,cy")
      }
    }
    // Nominal numbers are the format's own.
    let origin = hasOwnCamera && source.origin == .nominal ? .centre : source.origin
    let camera: CameraIntrinsics
    do throws(PictureFault) {
      try recorded.requireCamera()
      camera = try recorded.camera(origin, size)
    } catch {
      throw failure(
        place, error.reason, "check the numbers and their image size, or give \(option: "intrinsics")")
    }
    for index in candidates.indices { candidates[index].plan.intrinsics = camera }
    record.add(
      .declared, "intrinsics",
      "\(recorded.words) for \(size), from \(place)")
    declare(origin)
  }

  private func cameraFile(_ source: IntrinsicsSource) -> String? {
    source.file.flatMap(source.hasOptionalFile ? folder.fileHereOrAbove : folder.file)
  }

  /// Names the files that hold a camera where the format's own is taken.
  private mutating func noteUnreadCameras(_ depthSize: RasterSize) {
    let files = folder.namedAsCameras.filter { name in
      guard !mapping.reads(name), case .numbers(let numbers) = FileContent(name, of: folder)
      else { return false }
      return !numbers.cameras.isEmpty || (try? RecordedIntrinsics(numbers, .counted, for: depthSize)) != nil
    }
    guard !files.isEmpty else { return }
    record.add(
      .absent, "intrinsics",
      "not read: \(files.joined(separator: ", ")); if it is the depth's camera, give it with \(flag: "intrinsics")"
    )
  }

  /// The camera of all frames, and where it stands; nil where nothing says it, which is recorded.
  private mutating func sharedIntrinsics(
    _ source: IntrinsicsSource, _ depthSize: RasterSize
  ) throws(FathomError) -> (RecordedIntrinsics, String)? {
    if let file = source.file, let path = cameraFile(source) {
      do throws(PictureFault) {
        let last = file.split(separator: "/").last.map(String.init) ?? file
        if source.origin == .corner, let camera = try HypersimCamera(of: folder.name, at: path) {
          note(camera)
          return (camera.intrinsics, last)
        }
        let numbers = try NamedNumbers(at: path)
        if let table = numbers.table { note(table, last) }
        return (try RecordedIntrinsics(numbers, source.layout, for: depthSize), last)
      } catch {
        throw failure(file, error.reason, "fix the file, or give \(option: "intrinsics") fx,fy,cx,cy")
      }
    }
    if let values = source.values {
      let size = values.count == 6 ? RecordedIntrinsics.size(values[4], values[5]) : nil
      return (RecordedIntrinsics(values, imageSize: size), "the mapping")
    }
    let name = folder.name.lowercased()
    if let camera = source.cameras.first(where: { $0.folders.contains { $0.capture(in: name) != nil } }) {
      return (RecordedIntrinsics(camera.values), "the mapping, by the folder's name")
    }
    record.add(
      .absent, "intrinsics",
      source.cameras.isEmpty
        ? "there is no \(source.file ?? "file of them"); give \(flag: "intrinsics") fx,fy,cx,cy"
        : "the folder's name tells none of the cameras; give \(flag: "intrinsics") fx,fy,cx,cy")
    return nil
  }

  /// Says that the camera looks along another axis than its poses state; they are turned with it.
  private mutating func note(_ camera: HypersimCamera) {
    guard camera.degrees > 0.001 else { return }
    tilt = camera.tilt
    record.add(
      .converted, "camera",
      "its lens is tilted by \(DepthWords.significant(camera.degrees))°: depth counts perpendicular to the plane of the picture, and poses are turned with it"
    )
  }

  /// Says what was taken of how a text writes numbers.
  mutating func note(_ table: NumberTable, _ file: String) {
    if table.hasDecimalCommas { record.add(.assumed, file, "its commas are decimal signs") }
  }

  private mutating func readIntrinsicsOfFrames(
    _ candidates: inout [Candidate], _ source: IntrinsicsSource, _ matching: FrameMatching,
    _ depthSize: RasterSize, _ pictureSize: RasterSize?
  ) throws(FathomError) {
    let index = FileIndex(folder.files(source.files), matching)
    let isNamed = source.layout == .named && source.files.isEmpty
    guard source.jsonKey != nil || source.recording != nil || isNamed || !index.isEmpty else {
      return record.add(
        .absent, "intrinsics", "there are no files of them; give \(flag: "intrinsics") fx,fy,cx,cy")
    }
    var (kept, size): ([Candidate], RasterSize?) = ([], nil)
    let shared = NamedNumbers.none.completed(by: recordingNumbers ?? .none)
    var (cameras, shift): (Set<RecordedIntrinsics>, Double) = ([], 0)
    for var candidate in candidates {
      do throws(PictureFault) {
        let recorded: RecordedIntrinsics
        if isNamed {
          let own: Double
          (recorded, own) = try namedCamera(candidate, shared, pictureSize ?? depthSize)
          try recorded.requireCamera()
          shift = max(shift, own)
        } else if let keys = source.recording {
          recorded = try recordedIntrinsics(keys, source, candidate.key)
        } else if let key = source.jsonKey {
          guard let numbers = candidate.numbers?.numbers(key)
          else { throw PictureFault("its JSON has no numbers under '\(key)'") }
          recorded = try RecordedIntrinsics(numbers, source.layout)
        } else {
          guard let name = index.file(of: candidate.key)
          else { throw PictureFault("there are no intrinsics of this frame") }
          let numbers = try NamedNumbers(at: folder.path(of: name))
          recorded = try RecordedIntrinsics(numbers, source.layout, for: depthSize)
        }
        let belongs = imageSize(source, recorded, depthSize, pictureSize)
        guard size == nil || size == belongs else {
          throw PictureFault("its intrinsics are for \(belongs), and the first ones for \(size ?? belongs)")
        }
        candidate.plan.intrinsics = try recorded.camera(source.origin, belongs)
        size = belongs
        cameras.insert(recorded)
        kept.append(candidate)
      } catch { record.add(.dropped, candidate.plan.depth, error.reason, kind: error.kind) }
    }
    candidates = kept
    guard let size else { return }
    if isNamed, cameras.count == 1, let one = cameras.first {
      record.add(.declared, "intrinsics", "\(one.words) for \(size), of all frames")
    } else {
      record.add(.declared, "intrinsics", "of each frame, for \(size)")
    }
    if shift > 0 {
      let pixels = DepthWords.significant(shift)
      record.add(
        .assumed, "lens distortion",
        "none: the coefficients in the recording move pixels by up to \(pixels) at the border of \(size), and are not applied"
      )
    }
    declare(source.origin)
  }

  private mutating func imageSize(
    _ source: IntrinsicsSource, _ recorded: RecordedIntrinsics, _ depth: RasterSize, _ picture: RasterSize?
  ) -> RasterSize {
    if let size = recorded.imageSize { return size }
    switch source.imageSize {
    case .fixed(let size): return size
    case .recording(let keys):
      if let size = recordedSize(keys) { return size }
      let size = picture ?? depth
      record.add(.assumed, "intrinsics", "for \(size): the recording does not say which size they belong to")
      return size
    case .depth: return depth
    case .colour:
      if recorded.isOfDepth { return depth }
      if let picture { return picture }
      record.add(.assumed, "intrinsics", "for \(depth), the size of the depth, because there are no pictures")
      return depth
    }
  }

  private mutating func declare(_ origin: IntrinsicsSource.Origin) {
    switch origin {
    case .centre:
      record.add(.declared, "pixels", "counted from the centre of the first pixel")
      record.add(
        .converted, "intrinsics",
        "½ pixel added to the principal point: counted from the first pixel's corner")
    case .corner: record.add(.declared, "pixels", "counted from the outer corner of the first pixel")
    case .nominal:
      record.add(.declared, "pixels", "the principal point is the middle of the image by definition")
    }
  }

  func positionOfFile(_ name: String) -> Int { depthFiles.map(\.name).firstIndex(of: name) ?? -1 }
  /// Most frames whose time may go back before the clock is not believed.
  private static let mostLate = 0.05

  mutating func readTimes(_ candidates: inout [Candidate]) throws(FathomError) {
    switch mapping.time {
    case nil: return
    case .poses?: break
    case .fileName?:
      let unit = TimeUnit(of: depthFiles.compactMap { FrameKey.time($0.capture) })
      for index in candidates.indices {
        if case .time(let time) = candidates[index].key { candidates[index].plan.time = time }
        if case .name(let name) = candidates[index].key {
          candidates[index].plan.time = FrameKey.time(name).map(unit.seconds)
        }
      }
    case .json(let key)?:
      for index in candidates.indices {
        candidates[index].plan.time = candidates[index].numbers?.numbers(key)?.first
      }
    case .recording(let key)?:
      guard let list = recordedList(key) else { break }
      for index in candidates.indices {
        guard case .number(let number) = candidates[index].key, list.indices.contains(number)
        else { continue }
        candidates[index].plan.time = list[number]?.first
      }
    }
    guard candidates.contains(where: { $0.plan.time != nil })
    else { return record.add(.absent, "time", "nothing says it") }
    var (latest, kept, late): (Double, [Candidate], [Candidate]) = (-.infinity, [], [])
    for candidate in candidates {
      guard let time = candidate.plan.time, time.isFinite, abs(time) <= 1e12 else {
        record.add(.dropped, candidate.plan.depth, "it has no time, and others have")
        continue
      }
      if time > latest {
        latest = time
        kept.append(candidate)
      } else {
        late.append(candidate)
      }
    }
    if let first = late.first, Double(late.count) > max(1, Self.mostLate * Double(candidates.count)) {
      throw failure(
        first.plan.depth,
        "its time and those of \(late.count - 1) more frames go back, so the clock or the numbers are wrong",
        "choose frames before or after it with \(option: "frames")")
    }
    for candidate in late { record.add(.dropped, candidate.plan.depth, "its time goes back") }
    if let start = kept.first?.plan.time {
      for index in kept.indices { kept[index].plan.time = (kept[index].plan.time ?? start) - start }
      record.add(.converted, "time", "seconds since the first frame")
    }
    candidates = kept
  }
}

extension RasterSize {
  /// Whether it may be another raster of the same view: sizes of networks are rounded.
  fileprivate func hasAspect(of other: RasterSize) -> Bool {
    abs(Double(width * other.height) / Double(height * other.width) - 1) < 0.1
  }
}

extension RecordedIntrinsics {
  /// How far the principal point lies from the middle of a picture, in shares of its sides.
  func offset(in size: RasterSize) -> Double {
    max(abs(cx / Double(size.width) - 0.5), abs(cy / Double(size.height) - 0.5))
  }

  /// The first of the sizes in whose middle the principal point lies nearest; nil of none.
  func likeliest(of sizes: [RasterSize]) -> RasterSize? { sizes.min { offset(in: $0) < offset(in: $1) } }
}
