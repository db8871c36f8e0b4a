public import FathomStorage

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
