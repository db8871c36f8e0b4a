public import Storage

/// Why a data set could not be read or written, in one line: what was attempted, on which file and object, why,
/// and what to do.
public struct DatasetError: UserFacingError, Sendable {
  /// Data are missing or bad, or an output cannot be made.
  public typealias Kind = FathomError.Kind

  /// Whose fault it is.
  public let kind: Kind
  /// What was attempted, an infinitive: "read frame 3".
  public let attempted: String
  /// The file, as the caller named it.
  public let file: String
  /// The object inside the file, "scenes/kitchen/lidar/depth"; nil where the whole file is meant.
  public let object: String?
  /// Why it failed.
  public let reason: String
  /// What the user can do.
  public let advice: String

  /// An error; every text is one line without a final full stop.
  public init(
    _ kind: Kind, attempted: String, file: String, object: String? = nil, reason: String, advice: String
  ) {
    self.kind = kind
    self.attempted = attempted
    self.file = file
    self.object = object
    self.reason = reason
    self.advice = advice
  }

  /// "cannot read frame 3 of scenes.h5: scenes/kitchen/lidar/depth: …; …": always one line.
  public var description: String {
    let place = object.map { "\(file): \($0)" } ?? file
    return "cannot \(attempted): \(place): \(reason); \(advice)"
      .split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
