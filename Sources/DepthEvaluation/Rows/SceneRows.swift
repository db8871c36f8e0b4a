import DepthObjects
import Foundation
public import FathomStorage

/// What was found in the frames of one scene, in a file: every bit of a number comes back.
///
/// The file is a sequence of blocks that stand alone, each with the names that its rows share and some frames. A digest tells whether
/// it is what was written; reading tells whether it could have been.
public struct SceneRows: ~Copyable {
  private static let blockSize = 1 << 18  // Bytes that are written at once.
  private let file: AtomicFile
  private var writer = RowWriter()
  private var frames = 0  // Frames in the writer.
  /// - Parameter path: The file, in a folder that is being written; one that is there is replaced when this one is complete.
  /// - Throws: `FathomError` where it cannot be created.
  public init(writingTo path: String) throws(FathomError) { file = try AtomicFile(inUnfinishedFolder: path) }

  /// Adds a frame to the end.
  /// - Throws: `FathomError` where the disk is full.
  public mutating func take(_ rows: [FrameRecord], _ objects: FrameObjects) throws(FathomError) {
    writer.put(rows.count)
    for row in rows { row.write(to: &writer) }
    objects.write(to: &writer)
    frames += 1
    if writer.bytes.count >= Self.blockSize { try flush() }
  }

  /// Gives the file its name.
  /// - Throws: `FathomError` where the disk is full.
  public consuming func commit() throws(FathomError) {
    try flush()
    try file.commit()
  }

  private mutating func flush() throws(FathomError) {
    guard frames > 0 else { return }
    var head = RowWriter()
    head.put(frames)
    head.put(writer.names.count)
    for name in writer.names { head.put(text: name) }
    try file.write(Self.bytes(of: head.bytes.count) + Self.bytes(of: writer.bytes.count))
    try file.write(head.bytes)
    try file.write(writer.bytes)
    writer = RowWriter()
    frames = 0
  }

  /// Hands over the frames of a file, in order, as they were taken in; a block is in memory at once.
  /// - Parameter scene: The scene's name in the run.
  /// - Parameter take: Takes in the rows and objects of each frame.
  /// - Throws: `FathomError` where the file cannot be read, `.badData` where it is not one of rows, and what `take` throws.
  public static func read(
    _ path: String, scene: String, take: ([FrameRecord], FrameObjects) throws(FathomError) -> Void
  ) throws(FathomError) {
    let blocks = try BlockReader(path)
    while let sizes = try blocks.next(2 * MemoryLayout<UInt64>.size) {
      let (headSize, bodySize) = (number(sizes, at: 0), number(sizes, at: 1))
      var head = RowReader(try blocks.next(headSize) ?? [], names: [])
      // A frame has at least a byte.
      let frames = head.count(atMost: bodySize)
      let names = (0..<head.count()).map { _ in head.text() }
      var reader = RowReader(try blocks.next(bodySize) ?? [], names: names)
      for _ in 0..<frames {
        let rows = (0..<reader.count()).map { _ in
          var row = FrameRecord(from: &reader)
          row.scene = scene
          return row
        }
        let objects = FrameObjects(from: &reader, scene: scene)
        guard !head.isDamaged, !reader.isDamaged, rows.allSatisfy(\.isPlausible), objects.isPlausible else {
          throw FathomError(
            .badData, attempted: "read", place: path, reason: "it does not hold rows of an evaluation",
            advice: "evaluate the shard again")
        }
        try take(rows, objects)
      }
    }
  }

  private static func bytes(of number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt64(number).littleEndian) { Array($0) }
  }

  private static func number(_ bytes: [UInt8], at position: Int) -> Int {
    bytes.withUnsafeBytes {
      Int(clamping: UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: position * 8, as: UInt64.self)))
    }
  }
}

/// Reads a file from its beginning.
private struct BlockReader {
  private let path: String, handle: FileHandle, size: UInt64

  init(_ path: String) throws(FathomError) {
    self.path = path
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw Self.failure(path, "it cannot be opened")
    }
    self.handle = handle
    do {
      size = try handle.seekToEnd()
      try handle.seek(toOffset: 0)
    } catch {
      throw Self.failure(path, "\(error.localizedDescription)")
    }
  }

  /// The next bytes; nil at the end.
  func next(_ count: Int) throws(FathomError) -> [UInt8]? {
    guard count <= size else { throw Self.cut(path) }
    var bytes: [UInt8] = []
    while bytes.count < count {
      let more: Data?
      do { more = try handle.read(upToCount: count - bytes.count) } catch {
        throw Self.failure(path, "\(error.localizedDescription)")
      }
      guard let more, !more.isEmpty else { break }
      bytes += more
    }
    if bytes.isEmpty { return nil }
    guard bytes.count == count else { throw Self.cut(path) }
    return bytes
  }

  private static func cut(_ path: String) -> FathomError {
    FathomError(
      .badData, attempted: "read", place: path, reason: "it ends too early",
      advice: "evaluate the shard again")
  }

  private static func failure(_ path: String, _ reason: String) -> FathomError {
    FathomError(
      .inputOutput, attempted: "read", place: path, reason: reason,
      advice: "check the disk, or evaluate again")
  }
}

extension FrameObjects {
  fileprivate func write(to writer: inout RowWriter) {
    writer.put(records.count)
    for record in records { record.write(to: &writer) }
    writer.put(detections.count)
    for detection in detections {
      writer.put(detection.frameIndex)
      writer.put(detection.classes.count)
      for row in detection.classes {
        writer.put(name: row.label)
        writer.put(row.counts.matched)
        writer.put(row.counts.spurious)
        writer.put(row.counts.missed)
      }
    }
    writer.put(unposed.count)
  }

  fileprivate init(from reader: inout RowReader, scene: String) {
    records = (0..<reader.count()).map { _ in
      var record = ObjectRecord(from: &reader)
      record.object.scene = scene
      return record
    }
    detections = (0..<reader.count()).map { _ in
      DetectionRecord(
        scene: scene, frameIndex: reader.int(),
        classes: (0..<reader.count()).map { _ in
          DetectionScore.Row(
            label: reader.name(),
            counts: DetectionCounts(matched: reader.int(), spurious: reader.int(), missed: reader.int()))
        })
    }
    unposed = Array(repeating: scene, count: reader.count(atMost: 1 << 16))
  }
}

/// What later steps rely on: lists of the lengths that they have here, and numbers whose sums fit.
private enum Plausible { static let counts = 0...(1 << 40) }

extension FrameRecord {
  fileprivate var isPlausible: Bool {
    let bins = breakdowns.values.flatMap(\.values)
    var counts = bins.map(\.pixels) + (errors.map { $0.below + [$0.truthCount] } ?? [])
    if let pixels {
      counts += [pixels.all, pixels.measured, pixels.filled].flatMap { [$0.truth, $0.predicted] }
    }
    return Plausible.counts.contains(frameIndex) && counts.allSatisfy(Plausible.counts.contains)
      && (values.isEmpty || values.count == MetricColumn.all.count)
      && bins.allSatisfy { $0.values.count == Breakdown.metrics.count }
      && breakdowns.allSatisfy { id, bins in
        guard let breakdown = Breakdown.all.first(where: { $0.id == id }) else { return false }
        return bins.keys.allSatisfy { (0..<breakdown.binCount).contains($0) }
      } && (errors.map { $0.below.count == ErrorCounts.limits.count } ?? true)
      && (deviation?.isPlausible ?? true)
      && (sparsification.map {
        $0.byConfidence.count == Sparsification.steps && $0.oracle.count == Sparsification.steps
      } ?? true)
  }
}

extension FrameObjects {
  fileprivate var isPlausible: Bool {
    detections.allSatisfy { detection in
      Plausible.counts.contains(detection.frameIndex)
        && detection.classes.allSatisfy { row in
          [row.counts.matched, row.counts.spurious, row.counts.missed].allSatisfy(Plausible.counts.contains)
        }
    }
      && records.allSatisfy { record in
        let counts =
          [record.object.frameIndex, record.object.index]
          + [record.view?.pointCount, record.object.visibility?.faces, record.fit?.diagnostics.pointCount]
          .compactMap(\.self)
        return counts.allSatisfy(Plausible.counts.contains)
      }
  }
}
