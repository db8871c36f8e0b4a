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
  mutating func take(_ found: FrameObjects) {
    for record in found.detections { detections.add(record) }
    for scene in found.unposed {
      if unposed.last?.scene != scene { unposed.append((scene, 0)) }
      unposed[unposed.count - 1].frames += 1
    }
  }
}
