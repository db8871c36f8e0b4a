internal import FathomMapFiles
import FathomPlainText
internal import DepthCore
internal import FathomPictureFiles
internal import FathomStorage

extension FramePlanner {
  /// The files of one kind; two of one frame are refused.
  /// - Parameter arePictures: Whether one of two files of a frame is skipped where it cannot be its picture.
  private mutating func index(
    _ source: MapSource, _ matching: FrameMatching, arePictures: Bool = false
  ) throws(FathomError) -> FileIndex {
    let isOneForAll = depthFiles.count == 1 && (mapping.match == .numberOrName || source.array != nil)
    let depth = source == mapping.depth.source ? [] : Set(depthFiles.map(\.name))
    let files = try files(source).filter { source.array != nil || !depth.contains($0.name) }
    var index = FileIndex(files, matching, isOneForAll: isOneForAll)
    if arePictures, index.twice != nil {
      let folder = folder
      let usable = narrowed(files, "pictures") { group in
        GroupRole(group, FileContent(group.names[0], of: folder))?.kind == .colour
      }
      if !usable.isEmpty { index = FileIndex(usable, matching, isOneForAll: isOneForAll) }
    }
    if index.twice != nil, source.array == nil, let own = ownGroup(files, source.files) {
      index = FileIndex(own, matching, isOneForAll: isOneForAll)
    }
    if let (first, second) = index.twice {
      throw failure(second, "it belongs to the same frame as \(first)", "remove one of them")
    }
    return index
  }

  /// The JSON of each frame. A frame without one is dropped where something of it is needed.
  mutating func readFrameFiles(_ candidates: inout [Candidate], _ matching: FrameMatching) throws(FathomError)
  {
    if mapping.frameEntries != nil {
      for index in candidates.indices {
        guard case .number(let number) = candidates[index].key else { continue }
        candidates[index].numbers = entries[number]?.numbers
      }
      return
    }
    if let source = mapping.frameRows {
      var frames: [Int: [String: JSONValue]] = [:]
      for name in source.files {
        guard let path = folder.file(name)
        else { throw failure(nil, "there is no \(name), which says what its frames are", "export it again") }
        do throws(PictureFault) {
          try source.add(try NamedNumbers(at: path).requireTable(), to: &frames)
        } catch { throw failure(name, error.reason, "fix the file, or the mapping") }
      }
      for index in candidates.indices {
        guard case .number(let number) = candidates[index].key else { continue }
        candidates[index].numbers = frames[number].map { NamedNumbers(.keyed($0)) }
      }
    }
    guard !mapping.frameFiles.isEmpty else { return }
    let index = try index(MapSource(files: mapping.frameFiles), matching)
    var kept: [Candidate] = []
    for var candidate in candidates {
      guard let name = index.file(of: candidate.key) else {
        record.add(.dropped, candidate.plan.depth, "there is no JSON of this frame")
        continue
      }
      do throws(PictureFault) {
        candidate.numbers = try NamedNumbers(namedAt: folder.path(of: name))
        kept.append(candidate)
      } catch { record.add(.dropped, name, error.reason, kind: error.kind) }
    }
    candidates = kept
  }

  /// Drops frames without confidence where others have it.
  /// - Returns: How it is written; nil without confidence.
  mutating func matchConfidence(
    _ candidates: inout [Candidate], _ matching: FrameMatching, _ depth: RasterSize, _ reader: MapReader
  ) throws(FathomError) -> ConfidenceCode? {
    guard let files = mapping.confidence else { return nil }
    let index = try index(files.source, matching)
    guard !index.isEmpty else {
      record.add(.absent, "confidence", "there are no files of it")
      return nil
    }
    var kept: [Candidate] = []
    for var candidate in candidates {
      guard let name = index.file(of: candidate.key) else {
        record.add(.dropped, candidate.plan.depth, "there is no confidence of this frame")
        continue
      }
      guard let probe = probe(name, reader) else { continue }
      guard probe.size == depth else {
        record.add(.dropped, name, "it has \(probe.size) pixels, and its depth \(depth)")
        continue
      }
      candidate.plan.confidence = name
      kept.append(candidate)
    }
    let extra = index.byKey.count - kept.count
    if candidates.count == kept.count, extra > 0, options.every == 1, options.lower == nil,
      options.upper == nil
    {
      record.add(.absent, "depth", "\(extra) files of confidence have none")
    }
    candidates = kept
    let code = try confidenceCode(files, kept, reader)
    record.add(
      files.code == nil ? .assumed : .declared, "confidence", "written as \(code.rawValue): low, medium, high"
    )
    if code != .levels { record.add(.converted, "confidence", "from \(code.rawValue) to 0/1/2") }
    return code
  }

  /// What the mapping says, or the first map that can be of one code only.
  private func confidenceCode(
    _ files: ConfidenceFiles, _ candidates: [Candidate], _ reader: MapReader
  ) throws(FathomError) -> ConfidenceCode {
    if let code = files.code { return code }
    var seen: Set<Double> = []
    for candidate in candidates {
      guard let name = candidate.plan.confidence,
        let map = try? folder.map(name, reader, candidate.plan.numbers)
      else { continue }
      seen.formUnion(map.values)
      do throws(ConfidenceFault) {
        if let code = try ConfidenceCode.shown(by: seen) { return code }
      } catch { throw failure(name, error.reason, "export the levels, or remove the files") }
    }
    return .levels
  }

  /// Drops frames without truth where others have it.
  mutating func matchTruth(
    _ candidates: inout [Candidate], _ matching: FrameMatching, _ reader: MapReader
  ) throws(FathomError) -> RasterSize? {
    guard let truth = mapping.truth else { return nil }
    let size = try match(truth.depth.source, "truth", &candidates, matching, reader) { $0.truth = $1 }
    if size != nil { record.add(.declared, "truth", "independence: \(truth.independence.rawValue)") }
    return size
  }

  mutating func matchPredictions(
    _ candidates: inout [Candidate], _ matching: FrameMatching
  ) throws(FathomError) -> [StoredPrediction] {
    var found: [StoredPrediction] = []
    for prediction in mapping.predictions.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
    {
      let reader = try reader(prediction.reading)
      let size = try match(
        prediction.source, "prediction \(prediction.name)", &candidates, matching, reader
      ) { $0.predictions.append($1) }
      if let size {
        found.append(StoredPrediction(name: prediction.name, kind: prediction.kind, size: size))
        record.add(.declared, "prediction \(prediction.name)", "kind: \(prediction.kind.rawValue)")
      }
    }
    return found
  }

  /// - Returns: The size of the first map; nil where there are no files.
  private mutating func match(
    _ source: MapSource, _ what: String, _ candidates: inout [Candidate], _ matching: FrameMatching,
    _ reader: MapReader, _ set: (inout PlannedFrame, String) -> Void
  ) throws(FathomError) -> RasterSize? {
    let index = try index(source, matching)
    guard !index.isEmpty else {
      record.add(.absent, what, "there are no files of it")
      return nil
    }
    var (size, kept): (RasterSize?, [Candidate]) = (nil, [])
    for var candidate in candidates {
      guard let name = index.file(of: candidate.key) else {
        record.add(.dropped, candidate.plan.depth, "there is no \(what) of this frame")
        continue
      }
      guard let probe = probe(name, reader) else { continue }
      if let size, size != probe.size {
        record.add(.dropped, name, FrameDecoder.unlike(probe.size, size))
        continue
      }
      size = probe.size
      set(&candidate.plan, name)
      kept.append(candidate)
    }
    candidates = kept
    return size
  }

  /// Pictures may be fewer than frames; one that cannot be used costs no frame.
  mutating func matchPictures(
    _ candidates: inout [Candidate], _ matching: FrameMatching
  ) throws(FathomError) -> RasterSize? {
    guard !options.leavesPicturesOut else {
      record.add(.absent, "pictures", "skipped, as requested")
      return nil
    }
    guard !mapping.colour.source.isEmpty else { return nil }
    let index = try index(mapping.colour.source, matching, arePictures: mapping.colour.source.array == nil)
    if index.isEmpty, !mapping.colour.video.isEmpty { return nil }
    noteShift(of: "pictures", numbered: index.byKey.keys.compactMap(\.number))
    var (size, count): (RasterSize?, Int) = (nil, 0)
    for position in candidates.indices {
      guard let name = index.file(of: candidates[position].key) else { continue }
      let found: RasterSize
      do throws(PictureFault) {
        if let fault = faults[name] { throw PictureFault(fault.reason) }
        found = try folder.size(ofPicture: name)
        if let size, size != found { throw PictureFault(FrameDecoder.unlike(found, size)) }
      } catch {
        record.add(.dropped, name, "\(error.reason); the frame stays without a picture", kind: error.kind)
        continue
      }
      size = found
      count += 1
      candidates[position].plan.picture = name
    }
    if let size {
      record.add(
        .declared, "pictures",
        "\(size)" + (count < candidates.count ? ", of \(count) of \(candidates.count) frames" : ""))
    } else {
      let stranger = index.stranger("pictures", to: candidates.map(\.key))
      record.add(.absent, "pictures", index.isEmpty ? "there are no files of them" : stranger)
    }
    return size
  }

  /// Says that there are as many of one kind as of depth, numbered from another start: then those of equal numbers may not be of
  /// one frame.
  mutating func noteShift(of what: String, numbered numbers: [Int]) {
    let (own, others) = (depthFiles.compactMap { FrameKey.number($0.capture) }.sorted(), numbers.sorted())
    guard own.count == depthFiles.count, own.count == others.count, own.count > 1, own != others,
      zip(own, others).allSatisfy({ $1 - $0 == others[0] - own[0] })
    else { return }
    let range = { (numbers: [Int]) in "\(numbers[0]) to \(numbers[numbers.count - 1])" }
    record.add(
      .assumed, what,
      "those of equal numbers are of one frame, though depth has \(range(own)) and they have \(range(others)): if both are of the same \(own.count) frames, number one of them anew"
    )
  }
}
