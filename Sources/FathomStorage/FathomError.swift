private import Glibc
public import FathomPlainText

/// Why something could not be done, as a user is told it: what was attempted, where, why, and what to do.
public struct FathomError: Error, Sendable, Equatable, Codable, CustomStringConvertible {
  /// Whose fault it is. The raw value is the exit code of a command (sysexits.h).
  public enum Kind: Int32, Sendable, Codable {
    /// What was asked for makes no sense.
    case usage = 64
    /// The input is something else than what was asked for, damaged, or incomplete.
    case badData = 65
    /// The input does not exist or may not be read.
    case noInput = 66
    /// A fault of Fathom itself.
    case `internal` = 70
    /// The place of the output does not allow it.
    case cannotCreate = 73
    /// Reading or writing failed midway.
    case inputOutput = 74
    /// A resource was short or a process was killed: the disk is full, memory is short, no further process or thread can be started.
    /// Another try may succeed.
    case noRoom = 75
    /// Whether the input is at fault, so that another try would end the same way.
    public var blamesInput: Bool { self == .badData || self == .noInput }
    /// Whether the machine is at fault, so that another try may end otherwise.
    public var blamesMachine: Bool { self == .noRoom || self == .inputOutput }
  }

  public let kind: Kind
  /// An infinitive: "write", "read the run".
  public let attempted: String
  /// The file or folder, as the user named it.
  public let place: String
  /// The object inside a data set, "scenes/kitchen/lidar/depth"; nil where the whole is meant.
  public let object: String?
  /// Why, and what the user can do; an error that is made of another one takes these over.
  public let reasonWording: Wording, adviceWording: Wording
  /// Whether what was attempted is a whole phrase, and the place stands apart from it.
  private let isOfData: Bool

  /// - Parameters: Every text is a part of one line, without a final full stop.
  public init(_ kind: Kind, attempted: String, place: String, reason: Wording, advice: Wording) {
    (self.kind, self.attempted, self.place) = (kind, attempted, place)
    (reasonWording, adviceWording) = (reason, advice)
    object = nil
    isOfData = false
  }

  /// Of a data set: "cannot read frame 3: scenes.h5: scenes/kitchen/lidar/depth: …; …".
  /// - Parameters: Every text is a part of one line, without a final full stop.
  public init(
    _ kind: Kind, attempted: String, file: String, object: String? = nil, reason: Wording, advice: Wording
  ) {
    (self.kind, self.attempted) = (kind, attempted)
    place = file
    (reasonWording, adviceWording) = (reason, advice)
    self.object = object
    isOfData = true
  }

  /// Why.
  public var reason: String { reasonWording.description }
  /// What the user can do.
  public var advice: String { adviceWording.description }
  /// "cannot write Reports/demo: it exists; choose another output or add overwrite": always one line.
  public var description: String { line(reason, advice) }
  /// "cannot write Reports/demo: it exists; choose another --output or add --overwrite": always one line.
  public var onCommandLine: String { line(reasonWording.onCommandLine, adviceWording.onCommandLine) }

  private func line(_ reason: String, _ advice: String) -> String {
    let location = object.map { "\(place): \($0)" } ?? place
    return "cannot \(attempted)\(isOfData ? ":" : "") \(location): \(reason); \(advice)"
      .split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

// Text that names no option.
extension FathomError {
  public init(_ kind: Kind, attempted: String, place: String, reason: String, advice: String) {
    self.init(kind, attempted: attempted, place: place, reason: Wording(reason), advice: Wording(advice))
  }

  public init(
    _ kind: Kind, attempted: String, file: String, object: String? = nil, reason: String, advice: String
  ) {
    self.init(
      kind, attempted: attempted, file: file, object: object, reason: Wording(reason), advice: Wording(advice)
    )
  }

  /// The place of an output does not allow it.
  public static func cannotCreate(_ place: String, _ reason: String, _ advice: Wording) -> FathomError {
    FathomError(.cannotCreate, attempted: "write", place: place, reason: "\(reason)", advice: advice)
  }

  public static func cannotCreate(_ place: String, _ reason: String, _ advice: String) -> FathomError {
    cannotCreate(place, reason, Wording(advice))
  }

  /// Writing an output failed midway; `.noRoom` where the disk is full or memory is short.
  package static func inputOutput(_ place: String, _ fault: SystemFault, _ advice: Wording) -> FathomError {
    FathomError(
      writingKind(fault), attempted: "write", place: place, reason: "\(fault.words)", advice: advice)
  }

  package static func inputOutput(_ place: String, _ fault: SystemFault, _ advice: String) -> FathomError {
    inputOutput(place, fault, Wording(advice))
  }

  /// What kind of error it is that writing failed.
  package static func writingKind(_ fault: SystemFault) -> Kind {
    fault.isOfShortage || fault == SystemFault(ENOSPC) ? .noRoom : .inputOutput
  }

  /// What kind of error it is that reading failed: the file's, unless the machine failed.
  /// - Parameter fault: Why; nil where it is something in the file.
  package static func readingKind(_ fault: SystemFault?) -> Kind {
    guard let fault, fault.isOfMachine else { return .badData }
    return fault.isOfShortage ? .noRoom : .inputOutput
  }
}
