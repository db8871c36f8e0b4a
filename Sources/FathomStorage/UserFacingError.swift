/// An error that a user is shown as it is: one line that says what, where, why, and what to do.
public protocol UserFacingError: Error, CustomStringConvertible {
  /// Whose fault it is, and with it the exit code of a command.
  var kind: FathomError.Kind { get }
  /// The line with options as flags; ``description`` has their names.
  var onCommandLine: String { get }
}

extension UserFacingError { public var onCommandLine: String { description } }
extension FathomError: UserFacingError {}
