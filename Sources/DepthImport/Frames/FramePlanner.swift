internal import DepthCore
internal import FathomMapFiles
import FathomPlainText
internal import DepthDataset
internal import FathomPictureFiles
internal import FathomStorage

/// Finds out which files make up which frame, and what is wrong with them, without decoding pixels.
struct FramePlanner {
  private(set) var folder: RecordingFolder
  let mapping: RecordingMapping, options: ImportOptions
  /// Files that turned out to be unusable when they were decoded.
  let faults: [String: FrameFault]
  let videos: VideoAccess
  /// Where the folder lies in the recording: "", "kitchen/".
  let place: String
  /// Name of a video that who asked must look into before its pictures can be planned.
  var wantedVideo: String?
  /// Of the depth; nil for that of the first file.
  let size: RasterSize?
  /// Sizes of depth that are left to other scenes, in the order of their files.
  private(set) var otherSizes: [RasterSize] = []
  var record = RecordBuilder()
  /// What the file of the whole recording says.
  var recordingNumbers: NamedNumbers?
  /// What it says of each frame, by number.
  var entries: [Int: FrameEntries.Entry] = [:]
  /// Its words: the names of camera models.
  var recordingFile: (name: String, value: JSONValue)?
  /// The depth of all frames, chosen or not.
  private(set) var depthFiles: [(name: String, capture: String)] = []
  /// What the poses showed about it.
  var up: PoseSource.Up?
  /// Whether the camera is the user's or the recording's, and not the one that the format knows.
  var hasOwnCamera = false
  /// From the axes of the camera to those that the poses mean, where they differ.
  var tilt: RigidTransform?

  init(
    _ folder: RecordingFolder, _ mapping: RecordingMapping, _ options: ImportOptions,
    faults: [String: FrameFault] = [:], videos: VideoAccess = .here, place: String = "",
    size: RasterSize? = nil
  ) {
    (self.folder, self.mapping, self.options, self.faults) = (folder, mapping, options, faults)
    (self.videos, self.place, self.size) = (videos, place, size)
  }

  /// A frame on its way into the plan.
  struct Candidate {
    var key: FrameKey, plan: PlannedFrame
    /// What its own file says.
    var numbers: NamedNumbers?
  }

  /// - Parameter name: What the scene is called.
  /// - Throws: `FathomError` `.badData` where no frame remains, or what is said of all frames cannot be.
  mutating func plan(scene name: String) throws(FathomError) -> FramePlan {
    try readRecordingFile()
    let metresPerUnit = try depthUnit(), matching = try findDepth()
    var candidates = try candidates(matching)
    let depthReader = try reader(mapping.depth.reading, mapping.depth.invalid)
    let confidenceReader = try reader(mapping.confidence?.reading)
    let truthReader = try reader(mapping.truth?.depth.reading, mapping.truth?.depth.invalid ?? [])
    let depthSize = try probeDepth(&candidates, depthReader)
    try readFrameFiles(&candidates, matching)
    try readNumbers(&candidates)
    let code = try matchConfidence(&candidates, matching, depthSize, confidenceReader)
    let truthSize = try matchTruth(&candidates, matching, truthReader)
    let predictions = try matchPredictions(&candidates, matching)
    var (pictureSize, video) = (try matchPictures(&candidates, matching), RecordedVideo?.none)
    if pictureSize == nil { (pictureSize, video) = try matchVideo(&candidates) }
    // Pictures of another camera come onto the depth's raster.
    let viewSize = mapping.colour.camera == nil || pictureSize == nil ? pictureSize : depthSize
    try requireSameOrientation(depthSize, viewSize)
    try readIntrinsics(&candidates, matching, depthSize, viewSize)
    try readColourViews(&candidates, pictureSize)
    let hasPoses = try readPoses(&candidates, matching, metresPerUnit)
    try readTimes(&candidates)
    if let lost = record.machineFailure {
      throw FathomError(
        lost.kind, attempted: "import the recording", file: folder.path, object: lost.entry.subject,
        reason: lost.entry.words, advice: RecordBuilder.tryAgain)
    }
    guard !candidates.isEmpty else {
      let first = record.record(format: "", recording: "").entries.first { $0.step == .dropped }
      throw failure(
        first?.subject, first.map { "no frame can be used: \($0.words)" } ?? "it has no frames",
        (try? Preset.named(mapping.name)) == nil
          ? "check the folder, and the patterns of the mapping '\(mapping.name)'"
          : "check the folder; 'fathom import \(flag: "print-mapping") \(mapping.name)' prints what is expected in it"
      )
    }
    let depthKind = mapping.depth.kind ?? DepthKind(ofFilesNamed: depthFiles.map(\.name))
    if mapping.depth.kind == nil, depthKind == .distance {
      record.add(.assumed, "kind of the depth", DepthKind.whyRays)
    }
    // A known format says it, a folder of one's own does not.
    let isSaid =
      mapping.depth.kind != nil || (mapping.name != "folder" && (try? Preset.named(mapping.name)) != nil)
    if !isSaid, depthKind == .planar {
      record.add(
        .assumed, "kind of the depth", "along the optical axis, not along the ray: nothing says which")
    }
    declareDepth(metresPerUnit, matching, depthSize, isSaid || depthKind == .distance ? depthKind : nil)
    let truth = mapping.truth.flatMap { truth in
      truthSize == nil
        ? nil
        : DepthDecoding(
          metresPerUnit: truth.depth.metresPerUnit ?? metresPerUnit, offset: truth.depth.offset,
          invalid: truthReader.reading.isPlain ? truth.depth.invalid : [],
          kind: truth.depth.kind ?? DepthKind(ofFilesNamed: candidates.compactMap(\.plan.truth)))
    }
    var decoder = FrameDecoder(
      folder: folder,
      depth: DepthDecoding(
        metresPerUnit: metresPerUnit, offset: mapping.depth.offset,
        invalid: depthReader.reading.isPlain ? mapping.depth.invalid : [], kind: depthKind),
      truth: truth, confidence: code, depthSize: depthSize, pictureSize: pictureSize, truthSize: truthSize,
      predictions: predictions)
    for files in mapping.predictions {
      decoder.predictionReaders[files.name] = try reader(files.reading, files.invalid)
    }
    (decoder.depthReader, decoder.confidenceReader, decoder.truthReader) = (
      depthReader, confidenceReader, truthReader
    )
    decoder.video = video
    var header = SceneHeader(name: name, frameCount: candidates.count)
    header.frameIDs = candidates.map(\.plan.id)
    header.lidarSize = depthSize
    header.hasConfidence = candidates[0].plan.confidence != nil
    header.truthSize = truthSize
    if truthSize != nil { header.truthIndependence = mapping.truth?.independence ?? .unknown }
    header.predictions = predictions
    header.intrinsics = candidates[0].plan.intrinsics
    if hasPoses, let poses = mapping.poses {
      (header.hasPoses, header.cameraConvention) = (true, poses.axes)
      header.upAxis = [.z, .downZ].contains(up ?? poses.up) ? .z : .y
    }
    if candidates.allSatisfy({ $0.plan.time != nil }) {
      header.timestampsSeconds = candidates.compactMap(\.plan.time)
    }
    let pictures = candidates.indices.filter { candidates[$0].plan.hasPicture }
    if !pictures.isEmpty {
      header.colourSize = viewSize
      if pictures.count < candidates.count { header.imageFrames = pictures }
    }
    if let turn = mapping.turn { self.turn(by: turn, &header, &candidates, &decoder) }
    let objects = try readBoxes(header, candidates)
    for remark in mapping.assumed where !(hasOwnCamera && remark.subject == "intrinsics") {
      record.add(.assumed, remark.subject, remark.words)
    }
    for remark in mapping.absent { record.add(.absent, remark.subject, remark.words) }
    header.importRecord = record.record(format: mapping.name, recording: folder.name)
    return FramePlan(header: header, frames: candidates.map(\.plan), decoder: decoder, objects: objects)
  }

  /// The frames may name files in deeper folders.
  mutating func lookAsDeepAsIsListed() throws(FathomError) {
    folder = try folder.listed(levels: deepestListed)
  }

  /// The files of a kind, or the arrays in them.
  mutating func files(_ source: MapSource) throws(FathomError) -> [(name: String, capture: String)] {
    let listed = listedFiles(source.listed)
    guard listed.isEmpty else { return listed }
    do throws(RecordingFolder.FolderFault) { return try folder.files(source) } catch {
      throw failure(error.file, error.reason, error.advice)
    }
  }

  /// - Returns: How files belong together.
  private mutating func findDepth() throws(FathomError) -> FrameMatching {
    var files = try candidatesForDepth()
    if mapping.depth.array == nil, FileIndex(files, .number).twice != nil,
      let own = ownGroup(files, mapping.depth.files)
    {
      files = own
    }
    guard !files.isEmpty else {
      if let array = mapping.depth.array, let file = folder.files(mapping.depth.files).first {
        throw failure(
          file.name, "it has no array '\(array.path.text)', so there is no depth",
          "fix the mapping; 'fathom inspect' shows the arrays of a file")
      }
      try folder.requireOwnFiles(to: "import the recording")
      if let first = entries.values.compactMap({ entry in mapping.depth.listed.compactMap(entry.path).first })
        .min()
      {
        throw failure(
          recordingFile?.name,
          "none of the \(entries.count) files of depth that it names is there, such as '\(first)'",
          "export the recording again, with depth; paths count from the folder of that file")
      }
      let listed = mapping.depth.files.map { "'\($0.text)'" }.joined(separator: ", ")
      let held = try FolderSurvey(of: folder).inventory
      throw failure(
        nil, "no file matches \(listed), so there is no depth: \(held)",
        "'fathom inspect \(folder.path.shellQuoted)' shows all of it and a mapping")
    }
    depthFiles = files
    if !mapping.depth.listed.isEmpty, files.count < entries.count {
      record.add(
        .absent, "depth",
        "\(entries.count - files.count) of the \(entries.count) frames name no file of it that is there")
    }
    guard mapping.match == .numberOrName else { return mapping.match }
    if files.count > 1, FileGroup.areTimes(files.map(\.capture)) {
      record.add(.assumed, "frames", "files of nearly the same time belong together")
      return .time(tolerance: FrameMatching.usualTolerance)
    }
    let numbers = files.map { FrameKey.number($0.capture) }
    let areNumbered = numbers.allSatisfy { $0 != nil } && Set(numbers).count == files.count
    record.add(
      .assumed, "frames",
      areNumbered
        ? "files of the same number belong together"
        : files.count == 1
          ? "the only depth and the only picture belong together"
          : "files of the same name belong together")
    return areNumbered ? .number : .name
  }

  /// The files of the first pattern that can hold depth; groups of files that cannot are skipped.
  private mutating func candidatesForDepth() throws(FathomError) -> [(name: String, capture: String)] {
    let source = mapping.depth.source
    guard source.array == nil, source.listed.isEmpty, source.packed == nil,
      mapping.depth.reading == MapReading()
    else { return try files(source) }
    let folder = folder
    func canBeDepth(_ group: FileGroup) -> Bool {
      // A damaged one is dropped later, with its reason.
      (try? folder.probe(group.names[group.names.count / 2]))?.holdsDepth ?? true
    }
    for pattern in source.files {
      let files = folder.files(pattern)
      if files.count == 1 {
        let maps = try self.files(MapSource(files: [pattern]))
        if maps.count > 1 {
          record.add(.assumed, "frames", "the \(maps.count) maps of \(files[0].name), numbered from 0")
          return maps
        }
      }
      let usable = narrowed(files, "depth", canBeDepth)
      if !usable.isEmpty { return usable }
    }
    return try self.files(source)
  }

  /// Of files that are named in several ways, those of the groups that can be what is looked for; the others are recorded.
  mutating func narrowed(
    _ files: [(name: String, capture: String)], _ what: String, _ canBe: (FileGroup) -> Bool
  ) -> [(name: String, capture: String)] {
    let groups = files.isEmpty ? [] : FileGroup.groups(files.map(\.name))
    let usable = groups.filter(canBe)
    guard let first = usable.first, usable.count < groups.count else { return usable.isEmpty ? [] : files }
    for group in groups where !usable.contains(where: { $0.pattern == group.pattern }) {
      record.add(
        .assumed, what, "\(first.pattern); \(group.pattern) cannot be, by its bits, its colours or its name")
    }
    let names = Set(usable.flatMap(\.names))
    return files.filter { names.contains($0.name) }
  }

  /// Of files that are named in several ways, those that are named just as a pattern says: "1.jpg" and not "1_masked.jpg" of "*.jpg".
  mutating func ownGroup(
    _ files: [(name: String, capture: String)], _ patterns: [FilePattern]
  ) -> [(name: String, capture: String)]? {
    let groups = FileGroup.groups(files.map(\.name))
    let own = groups.first { group in
      patterns.contains(FilePattern(group.pattern))
        && group.captures.joined().allSatisfy { $0.isASCII && $0.isNumber || $0 == "." }
    }
    guard let own, groups.count > 1 else { return nil }
    let others = groups.map(\.pattern).filter { $0 != own.pattern }.joined(separator: ", ")
    record.add(.assumed, "files", "\(own.pattern) without \(others), which are of the same frames")
    let names = Set(own.names)
    return files.filter { names.contains($0.name) }
  }

  private mutating func candidates(_ matching: FrameMatching) throws(FathomError) -> [Candidate] {
    // A lone array may have no name that tells it from others.
    let index = FileIndex(depthFiles, depthFiles.count == 1 && mapping.depth.array != nil ? .name : matching)
    if index.unit != .seconds {
      record.add(.assumed, "time", "names of files count \(index.unit.name), by their size")
    }
    for name in index.unnamed { record.add(.dropped, name, "its name holds no \(Self.noun(matching))") }
    if let (first, second) = index.twice {
      throw failure(second, "it belongs to the same frame as \(first)", "remove one of them")
    }
    let captures = Dictionary(depthFiles.map { ($0.name, $0.capture) }) { first, _ in first }
    let names = namesOfListed(depthFiles)
    let all = index.byKey.sorted { $0.key < $1.key }.map { key, name in
      let id = names[key] ?? captures[name].flatMap { $0.isEmpty ? nil : $0 } ?? folder.name
      return Candidate(key: key, plan: PlannedFrame(id: id, depth: name, isOfArray: !folder.isFile(name)))
    }
    let (lower, upper) = (min(options.lower ?? 0, all.count), min(options.upper ?? all.count, all.count))
    let chosen = stride(from: lower, to: max(lower, upper), by: max(1, options.every)).map { all[$0] }
    if chosen.count < all.count {
      record.add(.declared, "frames", "\(chosen.count) of \(all.count), as requested")
    }
    guard !chosen.isEmpty || all.isEmpty else {
      throw failure(
        nil, "it has \(all.count) frames, and none of the requested ones",
        "choose others with \(option: "frames")")
    }
    return chosen
  }

  static func noun(_ matching: FrameMatching) -> String {
    switch matching {
    case .number: "number"
    case .time: "time"
    case .name, .numberOrName: "name"
    }
  }

  /// Keeps what can be depth and has the size of the first.
  private mutating func probeDepth(
    _ candidates: inout [Candidate], _ reader: MapReader
  ) throws(FathomError) -> RasterSize {
    var size = size
    var kept: [Candidate] = []
    for candidate in candidates {
      let name = candidate.plan.depth
      guard let probe = probe(name, reader) else { continue }
      guard probe.holdsDepth else {
        let reason = "it has \(probe.form), and depth in millimetres needs 16"
        // One file may be a stray picture; the first one tells what the recorder writes.
        guard size != nil else {
          throw failure(
            name,
            "\(reason): distances were cut off or scaled when it was written, as NeRFCapture does offline",
            "export the depth again, as 16-bit PNG or as an array")
        }
        record.add(.dropped, name, reason)
        continue
      }
      if let size, size != probe.size {
        if mapping.dividesBySize {
          otherSizes.append(probe.size)
        } else {
          record.add(.dropped, name, FrameDecoder.unlike(probe.size, size))
        }
        continue
      }
      size = probe.size
      kept.append(candidate)
    }
    candidates = kept
    otherSizes = otherSizes.firstAppearances
    if !otherSizes.isEmpty, let size {
      let others = otherSizes.map(\.description).joined(separator: ", ")
      record.add(.declared, "scenes", "this one has the frames of \(size); others have those of \(others)")
    }
    if let size { return size }
    return RasterSize(width: 1, height: 1)
  }

  /// A map that is whole; nil where it is not, which is recorded.
  mutating func probe(_ name: String, _ reader: MapReader = MapReader()) -> MapHeader? {
    if let fault = faults[name] {
      record.add(.dropped, name, fault.reason, kind: fault.kind)
      return nil
    }
    do throws(PictureFault) { return try folder.probe(name, reader) } catch {
      record.add(.dropped, name, error.reason, kind: error.kind)
      return nil
    }
  }

  private mutating func declareDepth(
    _ unit: Double, _ matching: FrameMatching, _ size: RasterSize, _ kind: DepthKind?
  ) {
    if case .time(let tolerance) = matching {
      record.add(
        .declared, "frames", "files of one frame differ by at most \(tolerance) s; the nearest counts")
    } else {
      record.add(.declared, "frames", "files of one frame have the same \(Self.noun(matching))")
    }
    let count = 1 / unit
    if let scale = mapping.depth.recordedScale, mapping.depth.metresPerUnit == nil {
      record.add(
        .declared, "unit of the depth", "by \(scale.key) in \(recordingFile?.name ?? "the recording")")
    }
    let scale =
      abs(count - count.rounded()) < 1e-6 * count && count >= 1
      ? (count.rounded() == 1 ? "in metres" : "1/\(Int(count.rounded())) m a count") : "\(unit) m a count"
    record.add(
      .declared, "depth",
      "\(size), \(scale)\(kind.map { $0 == .planar ? ", along the optical axis" : ", along the ray" } ?? "")")
    if mapping.depth.offset != 0 {
      record.add(.declared, "depth", "\(DepthWords.number(mapping.depth.offset)) m are added to it")
    }
    let reading = mapping.depth.reading, nothing = mapping.depth.offset == 0 ? [0.0] : []
    let invalid = (nothing + mapping.depth.invalid.filter { $0 != 65_535 }).map(DepthWords.number)
    let words = (["what is not finite"] + invalid.firstAppearances).joined(separator: ", ")
    if reading.isPlain {
      record.add(
        .converted, "depth", "to metres; \(words) and the largest count, 65535, mean no depth")
    } else {
      let stored = mapping.depth.invalid.map(DepthWords.number).joined(separator: ", ")
      record.add(.declared, "depth", "worked out of the stored numbers: \(reading.words)")
      record.add(
        .converted, "depth",
        "to metres; what is not finite or not above 0\(stored.isEmpty ? "" : ", and the stored \(stored),") counts as missing"
      )
    }
    if kind == .distance {
      record.add(.converted, "depth", "from lengths of rays to planar depth")
    }
  }

  func failure(_ object: String?, _ reason: String, _ advice: Wording) -> FathomError {
    FathomError(
      .badData, attempted: "import the recording", file: folder.path, object: object, reason: "\(reason)",
      advice: advice)
  }
}
