public import FathomStorage

/// What an evaluation found in all scenes, ready to be summarised: memory does not grow with the number of frames.
public struct RunRecords: Sendable {
  /// Scene by scene, frame by frame, method by method.
  public var rows: RowStore<FrameRecord>
  public var objects: ObjectRecords
}

/// What was found of the objects of all scenes.
public struct ObjectRecords: Sendable {
  /// Scene by scene, frame by frame, object by object.
  public var rows: RowStore<ObjectRecord>
  public var detections: DetectionTally
  /// Scenes with detections that no camera was known for, and in how many frames.
  public var unposed: [(scene: String, frames: Int)]
  /// Nothing to speak of.
  public var isEmpty: Bool { rows.isEmpty && detections.isEmpty && unposed.isEmpty }
}

extension ObjectRecords {
  /// Of rows in memory.
  package init(_ found: FrameObjects) {
    self.init(rows: RowStore(found.records), detections: DetectionTally(), unposed: [])
    take(found)
  }

  /// Takes in all but the rows.
  fileprivate mutating func take(_ found: FrameObjects) {
    for record in found.detections { detections.add(record) }
    for scene in found.unposed {
      if unposed.last?.scene != scene { unposed.append((scene, 0)) }
      unposed[unposed.count - 1].frames += 1
    }
  }
}

/// Takes in what an evaluation finds, frame by frame; a scene that cannot be read to its end leaves nothing behind.
public struct RunRecorder: ~Copyable {
  private var rows = RowStoreBuilder<FrameRecord>()
  private var objectRows = RowStoreBuilder<ObjectRecord>()
  private var objects = ObjectRecords(FrameObjects())  // Without the rows.
  /// Why rows could not be stored; nil where all were.
  public private(set) var failure: FathomError?

  /// Where a scene begins.
  public struct Mark: Sendable {
    fileprivate let rows: RowStoreBuilder<FrameRecord>.Mark
    fileprivate let objectRows: RowStoreBuilder<ObjectRecord>.Mark, objects: ObjectRecords
  }

  public init() {}

  /// The place behind all that was taken in.
  /// - Throws: `FathomError` where the disk is full.
  public mutating func mark() throws(FathomError) -> Mark {
    do throws(FathomError) {
      return Mark(rows: try rows.mark(), objectRows: try objectRows.mark(), objects: objects)
    } catch {
      failure = error
      throw error
    }
  }

  /// Takes in a frame.
  /// - Throws: `FathomError` where the disk is full.
  public mutating func take(_ found: [FrameRecord], _ foundObjects: FrameObjects) throws(FathomError) {
    do throws(FathomError) {
      for row in found { try rows.append(row) }
      for row in foundObjects.records { try objectRows.append(row) }
    } catch {
      failure = error
      throw error
    }
    objects.take(foundObjects)
  }

  /// Forgets what was taken in behind a place.
  public mutating func remove(after mark: Mark) {
    rows.remove(after: mark.rows)
    objectRows.remove(after: mark.objectRows)
    objects = mark.objects
  }

  /// - Throws: `FathomError` where the disk is full.
  public consuming func finished() throws(FathomError) -> RunRecords {
    var objects = objects
    objects.rows = try objectRows.finished()
    return RunRecords(rows: try rows.finished(), objects: objects)
  }
}
