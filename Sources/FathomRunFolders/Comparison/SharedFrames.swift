import FathomPlainText
import DepthEvaluation
import FathomStorage

/// The frames that two runs have in common, told by the content of their files, not by names.
struct SharedFrames {
  /// Rows of both runs on these frames, with the reference's scene names and frame numbers in both.
  let reference: [FrameRecord], candidate: [FrameRecord]
  let scenes: Int, frames: Int
  let leftOut: [String]  // What was skipped and why, one sentence each.
  /// Scenes that were matched although their data differ, in words; empty where all data are the same.
  let differentData: [String]

  /// - Parameter allowsDifferentData: Whether scenes of one name are matched whatever they hold.
  /// - Throws: `ComparisonRefusal` where a scene of the same name is of other data, where that is unknown, and where
  ///   nothing is shared.
  init(
    _ reference: StoredRun, _ candidate: StoredRun, labels: (reference: String, candidate: String),
    allowsDifferentData: Bool
  ) throws(ComparisonRefusal) {
    let match = SceneMatch(reference, candidate)
    differentData = match.contradictions.map { scene in
      "scene \(scene) has different data in \(labels.candidate) than in \(labels.reference)"
    }
    if let first = differentData.first, !allowsDifferentData {
      throw ComparisonRefusal(
        .badData,
        "\(first) (\(match.files)); compare runs of the same files, or add \(option: "allow-different-data")")
    }
    let names = match.sameScenes.merging(
      Dictionary(uniqueKeysWithValues: match.contradictions.map { ($0, $0) })
    ) { first, _ in first }
    let theirs = FrameKeys(candidate.frames.records)
    let mine = FrameKeys(reference.frames.records)
    var numbers: [FrameKeys.Key: FrameKeys.Place] = [:]
    for (place, key) in mine.keys { numbers[key] = place }
    var targets: [FrameKeys.Place: FrameKeys.Place] = [:]
    for (place, key) in theirs.keys {
      guard let scene = names[place.scene] else { continue }
      targets[place] = numbers[FrameKeys.Key(scene: scene, frame: key.frame, occurrence: key.occurrence)]
    }
    let shared = Set(targets.values)
    guard !shared.isEmpty else {
      let none =
        "\(labels.candidate) and \(labels.reference) share no frame (\(match.files)); compare runs of the same data"
      throw ComparisonRefusal(
        .badData,
        allowsDifferentData
          ? "\(none)" : "\(none), or add \(option: "allow-different-data") to go by the names of scenes")
    }
    self.reference = reference.frames.records.filter { shared.contains(FrameKeys.Place($0)) }
    self.candidate = candidate.frames.records.compactMap { record in
      guard let place = targets[FrameKeys.Place(record)] else { return nil }
      var record = record
      (record.scene, record.frameIndex) = (place.scene, place.index)
      return record
    }
    scenes = Set(shared.map(\.scene)).count
    frames = shared.count
    leftOut =
      Self.leftOut(mine, keeps: shared, labels.reference, other: labels.candidate)
      + Self.leftOut(theirs, keeps: Set(targets.keys), labels.candidate, other: labels.reference)
  }

  private static func leftOut(
    _ keys: FrameKeys, keeps: Set<FrameKeys.Place>, _ label: String, other: String
  ) -> [String] {
    let lost = keys.keys.keys.filter { !keeps.contains($0) }
    guard !lost.isEmpty else { return [] }
    let keptScenes = Set(keeps.map(\.scene))
    let whole = Set(lost.map(\.scene)).subtracting(keptScenes)
    let parts = lost.count { !whole.contains($0.scene) }
    var words: [String] = []
    if !whole.isEmpty {
      let names = whole.sorted()
      let shown = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
      words.append(
        "\(lost.count - parts) frames of \(whole.count) scene\(whole.count == 1 ? "" : "s") (\(shown))")
    }
    if parts > 0 { words.append("\(parts) frames of scenes that both have") }
    return ["skipped: \(words.joined(separator: " and ")) of \(label), which \(other) does not have"]
  }
}

/// The frames of a run by what identifies them in the data.
private struct FrameKeys {
  /// A frame in the run.
  struct Place: Hashable {
    let scene: String, index: Int
    init(_ record: FrameRecord) { (scene, index) = (record.scene, record.frameIndex) }
  }
  /// A frame in the data; identifiers need not be unique, so their occurrences are counted.
  struct Key: Hashable { let scene: String, frame: String, occurrence: Int }
  let keys: [Place: Key]

  init(_ records: [FrameRecord]) {
    var keys: [Place: Key] = [:]
    var seen: [Key: Int] = [:]
    for record in records where keys[Place(record)] == nil {
      let first = Key(scene: record.scene, frame: record.frame, occurrence: 0)
      keys[Place(record)] = Key(scene: record.scene, frame: record.frame, occurrence: seen[first, default: 0])
      seen[first, default: 0] += 1
    }
    self.keys = keys
  }
}
