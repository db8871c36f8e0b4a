public import DepthCore
import DepthDataset
import DepthImport

/// What a job that reads a recording itself does not see of it, because it could not be used. A data set that was imported has
/// lost nothing since: the import has said it.
public struct DroppedParts: Sendable {
  /// Name of the scene.
  public let scene: String
  /// Files or frames, and why; not empty.
  public let entries: [ImportRecord.Entry]

  /// Of an opened input.
  static func of(_ source: any FrameSource, _ path: String, mapping: String?) -> [DroppedParts] {
    guard mapping != nil || RecordingFolder.isOne(path) else { return [] }
    return source.scenes.compactMap { scene in
      let dropped = scene.importRecord?.entries.filter { $0.step == .dropped } ?? []
      return dropped.isEmpty ? nil : DroppedParts(scene: scene.name, entries: dropped)
    }
  }

  /// "data: 2 parts of the recording are skipped: depth/000001.png (it is cut off), …"
  public var words: String {
    let named = entries.prefix(Self.mostNamed).map { "\($0.subject) (\($0.words))" }
    let rest = entries.count > named.count ? ["and \(entries.count - named.count) more"] : []
    return "\(scene): \(entries.count == 1 ? "1 part" : "\(entries.count) parts") of the recording "
      + "\(entries.count == 1 ? "is" : "are") skipped: \((named + rest).joined(separator: ", "))"
  }

  private static let mostNamed = 5  // More names make no sentence.
}
