internal import DepthCore
internal import FathomMapFiles
import FathomPlainText
internal import FathomPictureFiles
internal import FathomStorage

extension FramePlanner {
  /// - Returns: Whether any frame has a pose.
  mutating func readPoses(
    _ candidates: inout [Candidate], _ matching: FrameMatching, _ depthUnit: Double
  ) throws(FathomError) -> Bool {
    guard let source = mapping.poses, !candidates.isEmpty else {
      record.add(.absent, "poses", "no file that is read says them")
      return false
    }
    let found: [Result<RigidTransform, PoseFault>?]
    if let file = source.file {
      guard let path = folder.file(file) else {
        record.add(.absent, "poses", "there is no \(file)")
        return false
      }
      var table: NumberTable
      do throws(PictureFault) { table = try NamedNumbers(at: path).requireTable() } catch {
        throw failure(file, error.reason, "fix the file, or name its columns in a mapping")
      }
      if let other = source.translations {
        guard let joined = try joined(table, with: other) else { return false }
        table = joined
      }
      note(table, file)
      if let line = table.cutLine {
        record.add(
          .dropped, file, "line \(line), the last one, is cut short: the recorder was ended while it wrote")
      }
      found = try posesOfTrack(table, named: file, source, &candidates, matching)
    } else if let key = source.recordingKey {
      guard let list = recordedList(key), !list.isEmpty else {
        record.add(.absent, "poses", "the recording's JSON has no '\(key)'")
        return false
      }
      let numbers = recordingNumbers?.fileNumbers(beside: key)
      let rows = list.enumerated().map { index, row in (numbers.map { [$0[index]] } ?? []) + (row ?? []) }
      found = try posesOfTrack(NumberTable(rows: rows), named: key, source, &candidates, matching)
    } else {
      found = try posesOfFrames(source, candidates, matching)
      if mapping.frameEntries != nil, found.allSatisfy({ $0 == nil }) {
        record.add(.absent, "poses", "no frame has '\(source.jsonKeys.first ?? "")'")
        return false
      }
    }
    var count = 0
    guard let metres = try metres(of: source.unit, depthUnit) else { return false }
    let isUpsideDown = [.downY, .downZ].contains(source.up)
    for (index, pose) in found.enumerated() {
      switch pose {
      case .success(var pose)?:
        pose.translation *= metres
        if isUpsideDown { pose = pose.turnedOver }
        if let tilt { pose = pose.turned(by: tilt) }
        candidates[index].plan.pose = pose
        count += 1
      case .failure(let fault)?:
        record.add(
          .dropped, candidates[index].plan.depth, "\(fault.reason); the frame stays without it",
          kind: fault.kind)
      case nil:
        record.add(
          .dropped, candidates[index].plan.depth, "no pose belongs to it; the frame stays without one")
      }
    }
    guard count > 0 else {
      if !found.isEmpty { record.add(.absent, "poses", "none of the frames has a usable one") }
      return false
    }
    record.add(
      .declared, "poses",
      "\(source.direction.rawValue), axes \(source.axes.rawValue), \((up ?? source.up) == .unknown ? "up not known" : "\((up ?? source.up).rawValue) up"), of \(count) of \(candidates.count) frames"
    )
    if metres != 1 {
      record.add(.converted, "poses", "translations times \(DepthWords.number(metres)): metres")
    }
    if source.direction == .worldToCamera { record.add(.converted, "poses", "inverted: camera to world") }
    if isUpsideDown {
      let axis = source.up == .downY ? "y" : "z"
      record.add(.converted, "poses", "the world is turned by 180° about x: its \(axis) pointed down, now up")
    }
    if (up ?? source.up) == .unknown {
      record.add(
        .assumed, "up",
        source.up == .yUnlessFromFirst
          ? "y; the poses count from the first frame, however it was held"
          : "y; nothing says which axis of the world points up")
    }
    return true
  }

  /// Rotations with the translations of another file, numbered from 0; nil where that is missing, which is recorded.
  private mutating func joined(
    _ rotations: NumberTable, with file: String
  ) throws(FathomError) -> NumberTable? {
    guard let path = folder.file(file) else {
      record.add(.absent, "poses", "there is no \(file)")
      return nil
    }
    do throws(PictureFault) {
      let translations = try NamedNumbers(at: path).requireTable().rows
      guard translations.count == rotations.rows.count else {
        throw PictureFault(
          "it holds \(translations.count) translations, and there are \(rotations.rows.count) rotations")
      }
      return NumberTable(
        rows: zip(rotations.rows, translations).enumerated().map { number, pose in
          [Double(number)] + (RigidTransform.numbers([pose.0, pose.1]) ?? [])
        })
    } catch { throw failure(file, error.reason, "check the file") }
  }

  /// Metres of one unit of the translations; nil where nothing says it, which is recorded.
  private mutating func metres(
    of unit: PoseSource.Unit, _ depthUnit: Double
  ) throws(FathomError) -> Double? {
    switch unit {
    case .length(let metres): return metres
    case .depth: return depthUnit
    case .stated(let file, let key):
      guard let path = folder.file(file) else {
        record.add(.absent, "poses", "there is no \(file), which says their unit")
        return nil
      }
      do throws(PictureFault) {
        guard let metres = try NamedNumbers(at: path).number(key), metres > 0, metres <= 1000
        else { throw PictureFault("it has no '\(key)' between 0 and 1000 m") }
        return metres
      } catch { throw failure(file, error.reason, "check the file") }
    }
  }

  private func posesOfFrames(
    _ source: PoseSource, _ candidates: [Candidate], _ matching: FrameMatching
  ) throws(FathomError) -> [Result<RigidTransform, PoseFault>?] {
    let index = FileIndex(folder.files(source.files), matching)
    return candidates.map { candidate in
      let numbers: [Double]?
      if !source.jsonKeys.isEmpty {
        numbers = candidate.numbers
          .flatMap { own in RigidTransform.numbers(source.jsonKeys.map { own.numbers($0) }) }
      } else {
        guard let name = index.file(of: candidate.key) else { return nil }
        do throws(PictureFault) {
          let file = try NamedNumbers(at: folder.path(of: name))
          if let pose = file.pose {
            numbers = pose.numbers
          } else {
            numbers = try file.requireTable().numbers
          }
        } catch { return .failure(PoseFault(reason: "\(name): \(error.reason)", kind: error.kind)) }
      }
      guard let numbers else { return nil }
      return Result { () throws(PoseFault) in
        guard numbers.count == 12 || numbers.count == 16
        else { throw PoseFault(reason: "its pose has \(numbers.count) numbers, not 12 or 16") }
        let isTurned = source.layout == .matrixColumns && numbers.count == 16
        let rows = isTurned ? RigidTransform.turned(numbers) : numbers
        let pose = try RigidTransform.recorded(matrix: rows)
        return source.direction == .worldToCamera ? pose.inverse : pose
      }
    }
  }

  private mutating func posesOfTrack(
    _ table: NumberTable, named file: String, _ source: PoseSource, _ candidates: inout [Candidate],
    _ matching: FrameMatching
  ) throws(FathomError) -> [Result<RigidTransform, PoseFault>?] {
    var tolerance: Double?
    if case .time(let allowed) = matching { tolerance = allowed }
    let track: PoseTrack
    do throws(PictureFault) { track = try PoseTrack(table, source, matchesByTime: tolerance != nil) } catch {
      throw failure(file, error.reason, "fix the file, or name its columns in a mapping")
    }
    if track.unit != .seconds {
      record.add(.assumed, "poses", "their times count \(track.unit.name), by their size")
    }
    if track.isByColumns {
      record.add(.assumed, "poses", "the matrices stand column by column: only so they are rotations")
    }
    if source.up == .yUnlessFromFirst { up = track.beginsAtIdentity ? .unknown : .y }
    // Poses count from 0; some recorders count their files from 1.
    var first = 0
    if track.key == .order, case .number = candidates[0].key {
      let numbers = depthFiles.compactMap { FrameKey.number($0.capture) }
      first = numbers.min() == 1 ? 1 : 0
      if first == 1 { record.add(.assumed, "poses", "the first one belongs to the file of number 1") }
    }
    let isInOrder = track.key == .order && track.entries.count == depthFiles.count
    if let tolerance {
      let frames = candidates.compactMap { if case .time(let time) = $0.key { time } else { nil } }
      if track.key == .time, frames.allSatisfy({ track.entry(at: $0, within: tolerance) == nil }) {
        record.add(
          .absent, "poses", TimeUnit.apart(track.times, of: "poses of \(file)", frames, within: tolerance))
        return []
      }
    }
    if tolerance == nil || !isInOrder { noteCount(of: track, first) }
    return candidates.indices.map { index in
      let entry: PoseTrack.Entry?
      switch candidates[index].key {
      case .number(let number): entry = track.entry(ofFrame: number - first)
      case .time where isInOrder: entry = track.entry(ofFrame: positionOfFile(candidates[index].plan.depth))
      case .time(let time): entry = track.entry(at: time, within: tolerance ?? 0)
      case .name:
        // Only where there is a pose for each file are names in the order of the poses.
        entry = isInOrder ? track.entry(ofFrame: positionOfFile(candidates[index].plan.depth)) : nil
      }
      if mapping.time == .poses { candidates[index].plan.time = entry?.time }
      return entry?.pose
    }
  }

  /// Says that poses and depth are not as many, or begin at other numbers.
  private mutating func noteCount(of track: PoseTrack, _ first: Int) {
    let numbers = depthFiles.compactMap { FrameKey.number($0.capture) }
    guard track.key == .order else {
      return noteShift(of: "poses", numbered: track.key == .frame ? track.entries.compactMap(\.frame) : [])
    }
    // A part of a recording keeps the numbers of the whole.
    guard numbers.count == depthFiles.count, let last = numbers.max(), track.entries.count != last - first + 1
    else { return }
    record.add(
      .assumed, "poses",
      "in order, the first one of number \(first): there are \(track.entries.count), and the last depth has the number \(last)"
    )
  }
}
