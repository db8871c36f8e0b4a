/// How a scene came out of somebody's recording: what that declared, and what was made of it.
public struct ImportRecord: Sendable, Hashable, Codable {
  /// What became of one thing.
  public enum Step: String, Sendable, Hashable, Codable, CaseIterable {
    /// The recording, or the mapping that it was read with, says so.
    case declared
    /// It is stored otherwise than it was recorded.
    case converted
    /// Nothing says so; it is what such recordings are known to be.
    case assumed
    /// The recording does not have it, or it was not read.
    case absent
    /// A frame, or a part of one, was skipped.
    case dropped
  }

  /// One line of the record.
  public struct Entry: Sendable, Hashable, Codable {
    public var step: Step
    /// What it is about: "poses", or the frame that was dropped.
    public var subject: String
    /// One line without a final full stop.
    public var words: String

    public init(_ step: Step, _ subject: String, _ words: String) {
      (self.step, self.subject, self.words) = (step, subject, words)
    }
  }

  /// Name of the mapping that it was read with: "stray".
  public var format: String
  /// Name of the recording's folder.
  public var recording: String
  /// In the order of the steps, each in the order in which it was made.
  public var entries: [Entry]

  public init(format: String, recording: String, entries: [Entry] = []) {
    (self.format, self.recording, self.entries) = (format, recording, entries)
  }
}
